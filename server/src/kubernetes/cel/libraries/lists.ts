import { type Estimator, itemsOf, nodeSize } from '../../../cel/estimate.ts';
import { add } from '../../../cel/eval/arithmetic.ts';
import { compare, equal, isComparable } from '../../../cel/eval/equal.ts';
import type { Impl } from '../../../cel/eval/implementation.ts';
import {
  duration,
  error,
  isError,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  noSuchOverload,
  orNoSuchOverload,
  sizeOfList,
  uint,
  type Val,
} from '../../../cel/eval/values.ts';
import { search } from '../../../cel/libraries/strings.ts';
import { type CalledRow, fn, type Library, type Price } from '../../../cel/overload.ts';

function isSorted(values: List): Val {
  let before: Val | undefined;
  for (const item of itemsOfList(values)) {
    if (!isComparable(item)) return orNoSuchOverload(item);
    if (before !== undefined) {
      const order = compare(before, item);
      if (typeof order === 'number' && order > 0) return false;
    }
    before = item;
  }
  return true;
}

function sum(values: List, start: Val): Val {
  let total = start;
  for (const item of itemsOfList(values)) {
    total = add(total, item);
    if (isError(total)) return total;
  }
  return total;
}

/** The item that comes before all others, by an order of either sign. */
function extreme(values: List, name: string, sign: number): Val {
  let best: Val | undefined;
  for (const item of itemsOfList(values)) {
    if (!isComparable(item)) return orNoSuchOverload(item);
    if (best === undefined) best = item;
    else {
      const order = compare(best, item);
      if (typeof order === 'number' && order * sign > 0) best = item;
    }
  }
  return best === undefined ? error(`${name} called on empty list`) : best;
}

function indexOf(values: List, item: Val): Val {
  const size = sizeOfList(values);
  for (let i = 0; i < size; i++) if (equalsItem(itemAt(values, i), item)) return BigInt(i);
  return -1n;
}

function lastIndexOf(values: List, item: Val): Val {
  for (let i = sizeOfList(values) - 1; i >= 0; i--) if (equalsItem(itemAt(values, i), item)) return BigInt(i);
  return -1n;
}

function equalsItem(a: Val, b: Val): boolean {
  return equal(a, b) === true;
}

function contains(target: Val, item: Val): Val {
  if (!isKind(target, 'list')) return equalsItem(target, item);
  return itemsOfList(target).some((one) => equalsItem(one, item));
}

const ofList =
  (apply: (values: List, item: Val) => Val): Impl =>
  (a, b) =>
    isKind(a, 'list') ? apply(a, b) : noSuchOverload;

/** What can be summed up, and what the sum of nothing is. */
const zeros: readonly (readonly [type: string, zero: Val])[] = [
  ['int', 0n],
  ['uint', uint(0n)],
  ['double', 0],
  ['duration', duration(0n)],
];
const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** One row for each type that has an order. */
function orderedRows(
  id: (type: string) => string,
  signature: (type: string) => string,
  example: string,
  apply: (values: List) => Val,
): CalledRow[] {
  const impl = ofList(apply);
  return comparable.map((type) => ({
    id: id(type),
    signature: signature(type),
    example: type === 'int' ? example : '',
    impl,
  }));
}

/** Kubernetes' own functions of lists. */
export const lists: Library = [
  fn(
    'isSorted',
    'Whether the list is sorted in ascending order.',
    orderedRows(
      (type) => `list_${type}_is_sorted_bool`,
      (type) => `list(${type}).isSorted(): bool`,
      '[1, 2].isSorted()',
      isSorted,
    ),
    { price: search },
  ),
  fn(
    'sum',
    'The sum of all items; 0 for an empty list.',
    zeros.map(([type, zero]) => ({
      id: `list_${type}_sum_${type}`,
      signature: `list(${type}).sum(): ${type}`,
      example: type === 'int' ? '[1, 2].sum() == 3' : '',
      impl: ofList((a) => sum(a, zero)),
    })),
    { price: search },
  ),
  fn(
    'max',
    'The largest item; evaluation fails for an empty list.',
    orderedRows(
      (type) => `list_${type}_max_${type}`,
      (type) => `list(${type}).max(): ${type}`,
      '[1, 2].max() == 2',
      (a) => extreme(a, 'max', -1),
    ),
    { price: search },
  ),
  fn(
    'min',
    'The smallest item; evaluation fails for an empty list.',
    orderedRows(
      (type) => `list_${type}_min_${type}`,
      (type) => `list(${type}).min(): ${type}`,
      '[1, 2].min() == 1',
      (a) => extreme(a, 'min', 1),
    ),
    { price: search },
  ),
  fn(
    'indexOf',
    'The index of the first occurrence of an item, or −1.',
    [
      {
        id: 'list_a_index_of_int',
        signature: 'list(A).indexOf(A): int',
        example: '[1, 2, 1].indexOf(1) == 0',
        impl: ofList(indexOf),
      },
    ],
    { price: search },
  ),
  fn(
    'lastIndexOf',
    'The index of the last occurrence of an item, or −1.',
    [
      {
        id: 'list_a_last_index_of_int',
        signature: 'list(A).lastIndexOf(A): int',
        example: '[1, 2, 1].lastIndexOf(1) == 2',
        impl: ofList(lastIndexOf),
      },
    ],
    { price: search },
  ),
];

/** On anything but a typed list each item counts 1. */
const includesEstimate: Estimator = (call) => {
  if (!call.target || itemsOf(call.target)) return search.estimate(call);
  return { cost: nodeSize(call.target, call.model) };
};

const including: Price = { estimate: includesEstimate, cost: search.cost };

/** What version 1 added. */
export const includes: Library = [
  fn(
    'includes',
    'Whether a list contains an item; any other value is itself compared with it.',
    [
      {
        id: 'list_includes_dyn_dyn',
        signature: 'dyn.includes(dyn): bool',
        example: '[1, 2].includes(2)',
        impl: contains,
      },
    ],
    { price: including },
  ),
];
