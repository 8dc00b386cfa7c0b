const limit = 2n ** 63n;
/** No int64 has more. */
const mostDigits = 19;

/** The number that decimal digits stand for; undefined where it is beyond Go's int64. */
export function int64Of(digits: string): bigint | undefined {
  const written = digits.replace(/^0+(?=\d)/, '');
  const value = written.length > mostDigits ? limit : BigInt(written);
  return value < limit ? value : undefined;
}
