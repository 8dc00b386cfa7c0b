import { endWith } from '../frame.ts';
import { goType } from '../goType.ts';
import type { CallCost } from '../implementation.ts';
import { actualSize } from '../size.ts';
import { error, isKind, itemAt, type List, sizeOfList, typeName, type Val } from '../values.ts';

/** A call, a new list, and work per item. */
function building(size: number, factor = 1): number | bigint {
  const items = Math.trunc(size * factor);
  if (Math.abs(items) <= Number.MAX_SAFE_INTEGER) return items + 11;
  // What Go makes of a float that is too large for an integer.
  return (items < 2 ** 64 && items > -(2 ** 63) ? BigInt(items) : 2n ** 63n) + 11n;
}

const adds = new Set([
  'types.Int',
  'types.Uint',
  'types.Double',
  'types.String',
  'types.Bytes',
  'types.Duration',
  'types.Timestamp',
]);

/** cel-go takes the argument for a list, and panics where it is none. */
function asList(value: Val): List {
  if (isKind(value, 'list')) return value;
  const type = goType(value);
  const missing = adds.has(type) ? 'Contains' : 'Add';
  throw endWith(error(`internal error: interface conversion: ${type} is not traits.Lister: missing method ${missing}`));
}

function selfCompare(value: Val): number | bigint {
  const values = asList(value);
  const size = sizeOfList(values);
  if (size === 0) return building(0);
  const type = typeName(itemAt(values, 0));
  return building(size * size, type === 'string' || type === 'bytes' ? 2.1 : 2);
}

const flatten =
  (wraps: boolean): CallCost =>
  (a, b) => {
    if (typeof b !== 'bigint') {
      throw endWith(error(`internal error: interface conversion: ref.Val is ${goType(b)}, not types.Int`));
    }
    return building(actualSize(a), b < 0n && !wraps ? 1 : Number(b));
  };

const pairs =
  (factor: number): CallCost =>
  (a, b) =>
    1 + actualSize(a) * actualSize(b) * factor;

const types = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

const fixed: readonly (readonly [string, CallCost])[] = [
  ['list_slice', (_a, _b, result) => building(actualSize(result))],
  ['lists_range', (_a, _b, result) => building(actualSize(result))],
  ['list_reverse', (_a, _b, result) => building(actualSize(result))],
  ['list_flatten', (a) => building(actualSize(a))],
  ['list_distinct', (a) => selfCompare(a)],
  ...types.map((type): [string, CallCost] => [`list_${type}_sort`, (a) => selfCompare(a)]),
  ...types.map((type): [string, CallCost] => [`list_${type}_sortByAssociatedKeys`, (_a, b) => selfCompare(b)]),
  ['list_sets_contains_list', pairs(1)],
  ['list_sets_intersects_list', pairs(1)],
  ['list_sets_equivalent_list', pairs(2)],
];

/** What cel-go's extensions charge, by overload. `wraps`: a depth below zero makes it less than nothing. */
export function extensionCosts(wraps: boolean): readonly (readonly [string, CallCost])[] {
  return [...fixed, ['list_flatten_int', flatten(wraps)]];
}
