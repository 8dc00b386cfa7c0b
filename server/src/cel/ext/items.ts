import type { CostNode } from '../cost.ts';
import { extend, noPath } from '../path.ts';

/** The items of a list as an estimator sees them; undefined for a type without parameters. */
export function itemsOf(list: CostNode): CostNode | undefined {
  const type = list.type.params[0];
  if (!type) return undefined;
  const { steps, length } = list.path;
  // A copy: this path must not take the place of another one.
  const copy = { steps: steps.slice(0, length), length, capacity: length };
  return { expr: undefined, type, path: length > 0 ? extend(copy, '@items') : noPath, computed: undefined };
}
