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

function includes(target: Val, item: Val): Val {
  if (!isKind(target, 'list')) return equalsItem(target, item);
  return itemsOfList(target).some((one) => equalsItem(one, item));
}

const ofList =
  (apply: (values: List, item: Val) => Val): Impl =>
  (a, b) =>
    isKind(a, 'list') ? apply(a, b) : noSuchOverload;

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const zeros: readonly (readonly [string, Val])[] = [
  ['int', 0n],
  ['uint', uint(0n)],
  ['double', 0],
  ['duration', duration(0n)],
];

/** Kubernetes' own functions of lists. */
export const kubernetesListImpls: readonly (readonly [string, Impl])[] = [
  ...comparable.map((type) => [`list_${type}_is_sorted_bool`, ofList(isSorted)] as const),
  ...comparable.map((type) => [`list_${type}_max_${type}`, ofList((a) => extreme(a, 'max', -1))] as const),
  ...comparable.map((type) => [`list_${type}_min_${type}`, ofList((a) => extreme(a, 'min', 1))] as const),
  ...zeros.map(([type, zero]) => [`list_${type}_sum_${type}`, ofList((a) => sum(a, zero))] as const),
  ['list_a_index_of_int', ofList(indexOf)],
  ['list_a_last_index_of_int', ofList(lastIndexOf)],
  ['list_includes_dyn_dyn', includes],
];
