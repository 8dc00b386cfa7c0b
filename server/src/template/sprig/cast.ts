/** Any value as a number, as the library spf13/cast makes one: what is none is 0. */
import { parseGoFloat } from '../../gostd/parseFloat.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { type GoValue, Int } from '../value.ts';

const leastInt64 = -(2n ** 63n);

export function toInt64(value: GoValue): bigint {
  if (value instanceof Int) return BigInt.asIntN(64, castsOf(value));
  if (typeof value === 'number') return wholeOf(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value !== 'string') return 0n;
  const read = parseGoInt(value.replace(/\.0+$/, ''), 0);
  return 'error' in read ? 0n : read.value;
}

/** A duration is not among the types that it knows. */
function castsOf({ type, value }: Int): bigint {
  return type === 'time.Duration' ? 0n : value;
}

/** What the processor makes of a number that is beyond all integers. */
function wholeOf(value: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) return leastInt64;
  return BigInt(Math.trunc(value));
}

export function toFloat64(value: GoValue): number {
  if (value instanceof Int) return Number(castsOf(value));
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? (parseGoFloat(value) ?? 0) : 0;
}
