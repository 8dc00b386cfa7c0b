import { nodeSize } from '../estimate.ts';
import { actualSize } from '../eval/size.ts';
import { isKind, itemsOfList, noSuchOverload, type Val } from '../eval/values.ts';
import { fn, type Library, type Price } from '../overload.ts';
import { add, multiply, oneUnit, scale } from '../range.ts';
import { contains } from './operators.ts';

/** Every item of one list held against every item of the other. */
const pairs = (factor: number): Price => ({
  estimate: ({ args, model }) => {
    const compared = multiply(nodeSize(args[0]!, model), nodeSize(args[1]!, model));
    return { cost: add(scale(compared, factor), oneUnit) };
  },
  cost: (a, b) => 1 + actualSize(a) * actualSize(b) * factor,
  paidFirst: true,
});

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

/** Lists seen as sets. */
export const sets: Library = [
  fn('sets.contains', 'Whether the first list contains every item of the second.', [
    {
      id: 'list_sets_contains_list',
      signature: 'sets.contains(list(T), list(T)): bool',
      example: 'sets.contains([1, 2], [2])',
      price: pairs(1),
      impl: containsAll,
    },
  ]),
  fn('sets.equivalent', 'Whether each list contains every item of the other.', [
    {
      id: 'list_sets_equivalent_list',
      signature: 'sets.equivalent(list(T), list(T)): bool',
      example: 'sets.equivalent([1, 2], [2, 1, 1])',
      price: pairs(2),
      impl: equivalent,
    },
  ]),
  fn('sets.intersects', 'Whether the lists have at least one item in common.', [
    {
      id: 'list_sets_intersects_list',
      signature: 'sets.intersects(list(T), list(T)): bool',
      example: 'sets.intersects([1, 2], [2, 3])',
      price: pairs(1),
      impl: intersects,
    },
  ]),
];
