/**
 * Unsigned 64-bit integers that saturate instead of overflowing, as CEL costs and sizes do. A value is a number while
 * that is exact and a bigint beyond 2^53, so the common case costs no allocation; both forms never mean the same value.
 */
export type U64 = number | bigint;

const largestExact = Number.MAX_SAFE_INTEGER;
const largestExactBig = BigInt(largestExact);
const twoTo64 = 2 ** 64;

/** 2^64 − 1: also what "unbounded" means. */
export const maxU64: U64 = 0xffff_ffff_ffff_ffffn;

/** The one form of a value: a number where that is exact, saturated at 2^64 − 1. */
function narrow(value: bigint): U64 {
  if (value <= largestExactBig) return Number(value);
  return value > maxU64 ? maxU64 : value;
}

/** From an integer of any size; negative ones wrap as Go's conversion does. */
export function toU64(value: bigint): U64 {
  return narrow(BigInt.asUintN(64, value));
}

export function addU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= largestExact) return sum;
  }
  return narrow(BigInt(a) + BigInt(b));
}

/** Subtraction as Go does it: it wraps below zero. */
export function subtractU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number' && a >= b) return a - b;
  return toU64(BigInt(a) - BigInt(b));
}

export function multiplyU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product <= largestExact) return product;
  }
  return narrow(BigInt(a) * BigInt(b));
}

/** Multiplication as Go does it on plain uint64: it wraps. */
export function wrappingMultiplyU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product <= largestExact) return product;
  }
  return toU64(BigInt(a) * BigInt(b));
}

/** Addition as Go does it on plain uint64: it wraps. */
export function wrappingAddU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= largestExact) return sum;
  }
  return toU64(BigInt(a) + BigInt(b));
}

/** Times a float64, rounded up, with float64's own rounding on the way. */
export function scaleU64(a: U64, factor: number): U64 {
  const scaled = Math.ceil(Number(a) * factor);
  if (scaled >= twoTo64) return maxU64;
  if (scaled <= largestExact) return scaled;
  return narrow(BigInt(scaled));
}

/** From a float64 that is an integer, saturated. */
export function floatToU64(value: number): U64 {
  if (value >= twoTo64) return maxU64;
  if (value <= largestExact) return value;
  return narrow(BigInt(value));
}

export function divideU64(a: U64, b: U64): U64 {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b);
  return narrow(BigInt(a) / BigInt(b));
}

/** Both forms order alike, since JavaScript compares numbers and bigints by value. */
export function minU64(a: U64, b: U64): U64 {
  return b < a ? b : a;
}

export function maxOfU64(a: U64, b: U64): U64 {
  return b > a ? b : a;
}
