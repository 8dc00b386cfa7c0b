/** Go's strconv.FormatFloat: a float64 in any of its formats, to any precision, rounded half to even. */

import { runAtEnd } from '../base/text.ts';

export type FloatVerb = 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'b' | 'x' | 'X';

interface Decimal {
  readonly digits: string;
  /** The exponent of the first digit. */
  readonly exponent: number;
}

/** `precision` -1: as many digits as tell the value apart. */
export function formatFloat64(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const text = unsigned(Math.abs(value), verb.toLowerCase(), precision);
  return sign + (verb === 'E' || verb === 'G' || verb === 'X' ? text.toUpperCase() : text);
}

function unsigned(value: number, verb: string, precision: number): string {
  if (verb === 'b') return binary(value);
  if (verb === 'x') return hex(value, precision);
  const isShortest = precision < 0;
  const exact = isShortest ? shortestDecimal(value) : exactDecimal(value);
  if (verb === 'e') {
    return scientific(
      isShortest ? exact : rounded(exact, precision + 1),
      isShortest ? exact.digits.length - 1 : precision,
    );
  }
  if (verb === 'f') {
    if (isShortest) return positional(exact, Math.max(exact.digits.length - exact.exponent - 1, 0));
    return positional(rounded(exact, exact.exponent + 1 + precision), precision);
  }
  return general(value, exact, precision);
}

/** With an exponent where it is small or beyond the precision; six where that is the shortest. */
function general(value: number, exact: Decimal, precision: number): string {
  const isShortest = precision < 0;
  const wanted = precision === 0 ? 1 : precision;
  const decimal = trimmed(isShortest ? exact : rounded(exact, wanted));
  const { digits, exponent } = decimal;
  let most = isShortest ? 6 : wanted;
  if (!isShortest && most > digits.length && digits.length >= exponent + 1) most = digits.length;
  if (value !== 0 && (exponent < -4 || exponent >= most)) return scientific(decimal, digits.length - 1);
  return positional(decimal, Math.max(digits.length - exponent - 1, 0));
}

function shortestDecimal(value: number): Decimal {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function exactDecimal(value: number): Decimal {
  if (value === 0) return { digits: '0', exponent: 0 };
  const [mantissa, power] = partsOf(value);
  const digits = (power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power)).toString();
  return { digits, exponent: digits.length - 1 + Math.min(power, 0) };
}

/** The value as an integer times a power of two. */
function partsOf(value: number): [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
}

/** The decimal with this many digits. */
function rounded({ digits, exponent }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, exponent };
  if (count < 0) return { digits: '0', exponent };
  const kept = digits.slice(0, count);
  if (!roundsUp(digits, count)) return { digits: kept || '0', exponent };
  const next = (BigInt(kept || '0') + 1n).toString();
  return next.length > count
    ? { digits: next, exponent: exponent + 1 }
    : { digits: next.padStart(count, '0'), exponent };
}

function roundsUp(digits: string, at: number): boolean {
  const first = digits.charCodeAt(at) - 48;
  if (first !== 5 || /[1-9]/.test(digits.slice(at + 1))) return first >= 5;
  return at > 0 && digits.charCodeAt(at - 1) % 2 === 1;
}

function withoutZeros(digits: string): string {
  return digits.slice(0, runAtEnd(digits, /0/));
}

function trimmed({ digits, exponent }: Decimal): Decimal {
  return { digits: withoutZeros(digits) || '0', exponent };
}

function scientific({ digits, exponent }: Decimal, decimals: number): string {
  const fraction = decimals > 0 ? `.${digits.slice(1).padEnd(decimals, '0')}` : '';
  return `${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function positional({ digits, exponent }: Decimal, decimals: number): string {
  const all = exponent < 0 ? '0'.repeat(-exponent) + digits : digits;
  const whole = exponent < 0 ? 1 : exponent + 1;
  const fraction = decimals > 0 ? `.${all.slice(whole, whole + decimals).padEnd(decimals, '0')}` : '';
  return all.slice(0, whole).padEnd(whole, '0') + fraction;
}

function binary(value: number): string {
  const [mantissa, power] = partsOf(value);
  return `${mantissa}p${power < 0 ? '' : '+'}${power}`;
}

function hex(value: number, precision: number): string {
  if (value === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  let [mantissa, power] = partsOf(value);
  while (mantissa < 1n << 52n) {
    mantissa <<= 1n;
    power--;
  }
  let exponent = power + 52;
  if (precision >= 0 && precision < 13) {
    const cut = BigInt(4 * (13 - precision));
    const rest = mantissa & ((1n << cut) - 1n);
    const half = 1n << (cut - 1n);
    mantissa >>= cut;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa++;
    mantissa <<= cut;
    if (mantissa >> 53n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const digits = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const fraction = precision < 0 ? withoutZeros(digits) : digits.slice(0, precision).padEnd(precision, '0');
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `0x1${fraction === '' ? '' : `.${fraction}`}p${exponent < 0 ? '-' : '+'}${size}`;
}
