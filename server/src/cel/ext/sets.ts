import { type Estimator, nodeSize } from '../cost.ts';
import { fn, type Library } from '../overload.ts';
import { add, multiply, oneUnit, scale } from '../range.ts';

const pairs =
  (factor: number): Estimator =>
  ({ args, model }) => {
    const compared = multiply(nodeSize(args[0]!, model), nodeSize(args[1]!, model));
    return { cost: add(scale(compared, factor), oneUnit) };
  };

/** Lists seen as sets. */
export const sets: Library = [
  fn('sets.contains', 'Whether the first list has every item of the second.', [
    {
      id: 'list_sets_contains_list',
      signature: 'sets.contains(list(T), list(T)): bool',
      example: 'sets.contains([1, 2], [2])',
      estimate: pairs(1),
    },
  ]),
  fn('sets.equivalent', 'Whether each list has every item of the other.', [
    {
      id: 'list_sets_equivalent_list',
      signature: 'sets.equivalent(list(T), list(T)): bool',
      example: 'sets.equivalent([1, 2], [2, 1, 1])',
      estimate: pairs(2),
    },
  ]),
  fn('sets.intersects', 'Whether the lists have an item in common.', [
    {
      id: 'list_sets_intersects_list',
      signature: 'sets.intersects(list(T), list(T)): bool',
      example: 'sets.intersects([1, 2], [2, 3])',
      estimate: pairs(1),
    },
  ]),
];
