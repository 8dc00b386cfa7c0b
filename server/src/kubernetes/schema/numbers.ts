const minInt64 = -(2n ** 63n);

/** Go's conversion of a float64 to int64 as amd64 does it: what does not fit becomes the least integer. */
export function truncate(value: number): bigint {
  if (Number.isNaN(value) || value >= 2 ** 63 || value < -(2 ** 63)) return minInt64;
  return BigInt(Math.trunc(value));
}

const largest = 2 ** 53 - 1;
const epsilon = 1e-9;

/** Go's conversion to uint64: negative numbers wrap. */
function unsigned(value: number): number {
  return value < 0 ? Number(BigInt.asUintN(64, truncate(value))) : Math.trunc(value);
}

/** Whether go-openapi takes a float for an integer: within 1e-9 of one, and small enough to be exact. */
export function isGoInteger(value: number): boolean {
  if (Number.isNaN(value) || value < -largest || value > largest) return false;
  if (Number.isInteger(value)) return true;
  const whole = unsigned(value);
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < epsilon;
}
