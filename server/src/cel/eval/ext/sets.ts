import type { Impl } from '../implementation.ts';
import { contains } from '../standard.ts';
import { isKind, itemsOfList, noSuchOverload, type Val } from '../values.ts';

/** True, or what the first item that is not in the list gave. */
function containsAll(values: Val, items: Val): Val {
  if (!isKind(values, 'list') || !isKind(items, 'list')) return noSuchOverload;
  for (const item of itemsOfList(items)) {
    const has = contains(item, values, null, null);
    if (has !== true) return has;
  }
  return true;
}

function intersects(a: Val, b: Val): Val {
  if (!isKind(a, 'list') || !isKind(b, 'list')) return noSuchOverload;
  return itemsOfList(a).some((item) => contains(item, b, null, null) === true);
}

function equivalent(a: Val, b: Val): Val {
  const has = containsAll(a, b);
  return has === true ? containsAll(b, a) : has;
}

export const setImpls: readonly (readonly [string, Impl])[] = [
  ['list_sets_contains_list', containsAll],
  ['list_sets_equivalent_list', equivalent],
  ['list_sets_intersects_list', intersects],
];
