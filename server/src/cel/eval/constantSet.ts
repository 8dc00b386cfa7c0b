import { toDouble, toInt, toUint } from './convert.ts';
import { isEqual } from './equal.ts';
import { isError, isKind, itemsOfList, keyOf, type List, type Val } from './values.ts';

/** Membership in a list of constants; undefined where some of them are not primitive. */
export function constantSet(haystack: List): ((value: Val) => boolean) | undefined {
  const items = itemsOfList(haystack);
  const texts = new Set<string>();
  const set = new Set<unknown>();
  for (const item of items) {
    if (!isPrimitive(item)) return undefined;
    if (typeof item === 'string') texts.add(item);
    else set.add(tagged(item));
    for (const same of sameNumbers(item)) set.add(tagged(same));
  }
  return (value) => (typeof value === 'string' ? texts.has(value) : set.has(tagged(value)));
}

function isPrimitive(value: Val): boolean {
  return (value !== null && typeof value !== 'object') || isKind(value, 'uint');
}

/** Go's map keys: numbers of different types are different keys, which is why each is added in all types. */
function tagged(value: Val): unknown {
  return isKind(value, 'uint') ? `u${value.value}` : keyOfPrimitive(value);
}

function keyOfPrimitive(value: Val): unknown {
  return typeof value === 'number'
    ? `d${Object.is(value, -0) ? 0 : value}`
    : typeof value === 'object'
      ? value
      : keyOf(value);
}

function sameNumbers(value: Val): Val[] {
  if (typeof value === 'number') return [toInt(value), toUint(value)].filter((n) => !isError(n) && isEqual(n, value));
  if (typeof value === 'bigint') return [toDouble(value), toUint(value)].filter((n) => !isError(n));
  return isKind(value, 'uint') ? [toDouble(value), toInt(value)].filter((n) => !isError(n)) : [];
}
