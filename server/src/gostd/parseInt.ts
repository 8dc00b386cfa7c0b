/** Go's strconv.ParseInt: a signed number of 64 bits in a base; base 0 goes by the prefix and lets `_` stand. */
export type ParsedInt = { readonly value: bigint } | { readonly error: 'invalid syntax' } | OutOfRange;

interface OutOfRange {
  readonly error: 'value out of range';
  /** The nearest number that there is. */
  readonly value: bigint;
}

const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
/** Longer ones are beyond every range, whatever the base. */
const mostDigits = 100;

const prefixed = /^(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])*|[1-9](?:_?[0-9])*)$/;
const inBase: Readonly<Record<number, RegExp>> = { 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9a-fA-F]+$/ };
const prefixOf: Readonly<Record<number, string>> = { 8: '0o', 10: '', 16: '0x' };

export function parseGoInt(text: string, base: 0 | 8 | 10 | 16): ParsedInt {
  const isNegative = text.startsWith('-');
  const digits = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (!(base === 0 ? prefixed : inBase[base]!).test(digits)) return { error: 'invalid syntax' };
  const plain = base === 0 ? literal(digits.replaceAll('_', '')) : prefixOf[base]! + digits.replace(/^0+(?=.)/, '');
  const size = plain.length > mostDigits ? most + 2n : BigInt(plain);
  const value = isNegative ? -size : size;
  if (value >= least && value <= most) return { value };
  return { error: 'value out of range', value: isNegative ? least : most };
}

/** The same for JavaScript. */
function literal(digits: string): string {
  return /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.replace(/^0+(?=\d)/, '');
}
