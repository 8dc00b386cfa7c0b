/** A quantity such as `1.5Gi`, as Kubernetes keeps it: unscaled × 10^scale. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  /** Kept with arbitrary precision: too large or too fine for the plain form, which can become an integer. */
  readonly big: boolean;
  /** How it prints: with the suffixes k, M …, with Ki, Mi …, or with exponents. */
  readonly format: QuantityFormat;
}

export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

export type QuantityParse = { readonly quantity: Quantity } | { readonly error: string };

const wrongFormat = {
  error: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
};
const wrongNumber = { error: 'unable to parse numeric part of quantity' };
const wrongSuffix = { error: "unable to parse quantity's suffix" };

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

function suffixOf(text: string): Suffix | undefined {
  if (text === '') return { base: 10, exponent: 0, format: 'decimal' };
  if (Object.hasOwn(decimal, text)) return { base: 10, exponent: decimal[text]!, format: 'decimal' };
  if (Object.hasOwn(binary, text)) return { base: 2, exponent: binary[text]!, format: 'binary' };
  if (!/^[eE][+-]?\d+$/.test(text) || text.length > 20) return undefined;
  const exponent = Number(BigInt.asIntN(32, BigInt(text.slice(1).replace('+', ''))));
  return { base: 10, exponent, format: 'exponent' };
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const fits = (value: bigint) => value >= minInt64 && value <= maxInt64;

const shape = /^([+-]?)(0*)(\d*)(\.(\d*))?(.*)/s;

/** Kubernetes' ParseQuantity. */
export function parseQuantity(text: string): QuantityParse {
  if (text === '') return wrongFormat;
  if (text === '0') return { quantity: { unscaled: 0n, scale: 0, big: false, format: 'decimal' } };
  const found = shape.exec(text)!;
  const [sign, whole, fraction, rest] = [found[1]!, found[3]! === '' ? '0' : found[3]!, found[5] ?? '', found[6]!];
  const ended = found[3] === '' && found[4] === undefined && rest === '';
  if (!ended && rest !== '' && !/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(rest)) return wrongFormat;
  const suffix = suffixOf(rest);
  if (!suffix) return wrongSuffix;
  if (/^[+-]?\.?$/.test(text.slice(0, text.length - rest.length)) && !ended) return bare(text, rest);
  return { quantity: plainQuantity(sign, whole, fraction, suffix) ?? bigQuantity(sign, whole, fraction, suffix) };
}

/** Without any digit the number is 0 in the plain form, and no number in the big one. */
function bare(text: string, rest: string): QuantityParse {
  const { base, exponent, format } = suffixOf(rest)!;
  if (base === 2 && text.includes('.')) return wrongNumber;
  return { quantity: { unscaled: 0n, scale: base === 2 ? 0 : exponent, big: false, format } };
}

const digits64 = 18;

function plainQuantity(sign: string, whole: string, fraction: string, suffix: Suffix): Quantity | undefined {
  let mantissa = 1n;
  let precision: number;
  if (suffix.base === 10) precision = digits64 - (whole.length + fraction.length);
  else if (fraction.length === 0) {
    mantissa = 1n << BigInt(suffix.exponent);
    precision = 15 - whole.length - Math.trunc((suffix.exponent * 3) / 10) - 1;
  } else return undefined;
  const scale = (suffix.base === 2 ? 0 : suffix.exponent) - fraction.length;
  if (precision < 0 || scale < -9) return undefined;
  const product = BigInt(whole + fraction) * mantissa;
  if (!fits(product)) return undefined;
  return { unscaled: sign === '-' ? -product : product, scale, big: false, format: suffix.format };
}

function bigQuantity(sign: string, whole: string, fraction: string, suffix: Suffix): Quantity {
  let unscaled = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (suffix.base === 10) scale += suffix.exponent;
  else unscaled <<= BigInt(suffix.exponent);
  if (unscaled !== 0n && scale < -9) {
    const by = 10n ** BigInt(-9 - scale);
    unscaled = (unscaled + by - 1n) / by;
    scale = -9;
  } else if (unscaled !== 0n) {
    unscaled *= 10n ** BigInt(scale + 9);
    scale = -9;
  }
  const limit = maxInt64 * 10n ** BigInt(-Math.min(scale, 0));
  if (suffix.base === 2 && unscaled * 10n ** BigInt(Math.max(scale, 0)) > limit) {
    unscaled = maxInt64;
    scale = 0;
  }
  return { unscaled: sign === '-' ? -unscaled : unscaled, scale, big: true, format: suffix.format };
}

function aligned(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const scale = Math.min(a.scale, b.scale);
  const at = ({ unscaled, scale: own }: Quantity) => (unscaled === 0n ? 0n : unscaled * 10n ** BigInt(own - scale));
  return [at(a), at(b), scale];
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.unscaled === 0n || b.unscaled === 0n) return signOf(a.unscaled - b.unscaled);
  const [x, y] = aligned(a, b);
  return signOf(x - y);
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

export function quantitySign({ unscaled }: Quantity): number {
  return signOf(unscaled);
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const { format } = a.unscaled === 0n ? b : a;
  if (!a.big && !b.big) {
    if (b.unscaled === 0n) return { ...a, format };
    if (a.unscaled === 0n) return b;
    const [x, y, scale] = aligned(a, b);
    if (fits(x) && fits(y) && fits(x + y)) return { unscaled: x + y, scale, big: false, format };
  }
  const [x, y, scale] = aligned(a, b);
  return { unscaled: x + y, scale, big: true, format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, unscaled: -b.unscaled });
}

/** The quantity as an int64, where it is one. */
export function quantityInteger({ unscaled, scale, big }: Quantity): bigint | undefined {
  if (big || scale < 0) return undefined;
  if (unscaled === 0n || scale === 0) return unscaled;
  const value = scale > 18 ? undefined : unscaled * 10n ** BigInt(scale);
  return value !== undefined && fits(value) ? value : undefined;
}

export function quantityFloat({ unscaled, scale }: Quantity): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${scale}`);
}

const decimalSuffixes = new Map(Object.entries(decimal).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = new Map(Object.entries(binary).map(([suffix, exponent]) => [exponent, suffix]));

/** The canonical form: no fraction, the largest suffix that allows it. */
export function quantityText(quantity: Quantity): string {
  const { unscaled, scale, format } = quantity;
  if (unscaled === 0n) return '0';
  const whole = wholeOf(unscaled, scale);
  if (format === 'binary' && whole !== undefined && (whole <= -1024n || whole >= 1024n)) {
    const [amount, times] = withoutFactor(whole, 1024n);
    return `${amount}${binarySuffixes.get(times * 10) ?? ''}`;
  }
  const [amount, times] = withoutFactor(unscaled, 10n);
  const over = (((scale + times) % 3) + 3) % 3;
  const exponent = scale + times - over;
  return `${amount * 10n ** BigInt(over)}${decimalSuffix(exponent, format)}`;
}

function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (exponent === 0) return '';
  return format === 'exponent' ? `e${exponent}` : (decimalSuffixes.get(exponent) ?? '');
}

function wholeOf(unscaled: bigint, scale: number): bigint | undefined {
  if (scale >= 0) return unscaled * 10n ** BigInt(scale);
  const by = 10n ** BigInt(-scale);
  return unscaled % by === 0n ? unscaled / by : undefined;
}

function withoutFactor(value: bigint, factor: bigint): readonly [bigint, number] {
  let [rest, times] = [value, 0];
  for (; rest % factor === 0n; times++) rest /= factor;
  return [rest, times];
}
