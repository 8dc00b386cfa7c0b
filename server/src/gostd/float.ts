/** The shortest decimal digits of a finite number and the exponent of the first of them. */
function shortest(value: number): { digits: string; exponent: number } {
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function positional(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, '0');
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

function scientific(digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const sign = exponent < 0 ? '-' : '+';
  return `${digits[0]}${fraction}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : undefined;
}

/** Go's %v of a float64: exponents below 1e-4 and from 1e6 on. */
export function formatFloat(value: number): string {
  const word = special(value);
  if (word !== undefined) return word;
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, exponent } = shortest(value);
  const text = exponent < -4 || exponent >= 6 ? scientific(digits, exponent) : positional(digits, exponent);
  return sign + text;
}

/** A float64 as encoding/json writes it; JavaScript agrees but for negative zero. */
export function jsonFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Go's %g with all digits (strconv 'f', -1): never an exponent. */
export function plainFloat(value: number): string {
  const word = special(value);
  if (word !== undefined) return word;
  const { digits, exponent } = shortest(value);
  return (value < 0 || Object.is(value, -0) ? '-' : '') + positional(digits, exponent);
}

/** A finite number as an exact fraction. */
function fraction(value: number): { numerator: bigint; denominator: bigint } {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return { numerator: BigInt(scaled), denominator };
}

/** Go's %.Nf: the exact value rounded half to even. */
export function fixedFloat(value: number, decimals: number): string {
  const { numerator, denominator } = fraction(Math.abs(value));
  const scaled = numerator * 10n ** BigInt(decimals);
  let rounded = scaled / denominator;
  const twice = (scaled % denominator) * 2n;
  if (twice > denominator || (twice === denominator && rounded % 2n === 1n)) rounded += 1n;
  const text = rounded.toString().padStart(decimals + 1, '0');
  const cut = text.length - decimals;
  const unsigned = decimals === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
  return value < 0 ? `-${unsigned}` : unsigned;
}
