import { addU64, maxOfU64, maxU64, minU64, multiplyU64, scaleU64, type U64 } from '../base/u64.ts';

/** The least and the most that a cost or a size can be. */
export interface Range {
  readonly min: U64;
  readonly max: U64;
}

export const zero: Range = { min: 0, max: 0 };
export const oneUnit: Range = { min: 1, max: 1 };
export const unknownSize: Range = { min: 0, max: maxU64 };
/** What unions start from. */
export const nothing: Range = { min: maxU64, max: 0 };

export function exactly(value: U64): Range {
  return { min: value, max: value };
}

export function add(a: Range, b: Range): Range {
  if (a === zero) return b;
  if (b === zero) return a;
  return { min: addU64(a.min, b.min), max: addU64(a.max, b.max) };
}

export function multiply(a: Range, b: Range): Range {
  return { min: multiplyU64(a.min, b.min), max: multiplyU64(a.max, b.max) };
}

export function scale(a: Range, factor: number): Range {
  return { min: scaleU64(a.min, factor), max: scaleU64(a.max, factor) };
}

export function union(a: Range, b: Range): Range {
  if (a === nothing) return b;
  return { min: minU64(a.min, b.min), max: maxOfU64(a.max, b.max) };
}
