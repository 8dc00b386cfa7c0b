import type { SchemaProps } from '../api/schema.ts';
import { type CelContext, plainTypeOf, type TotalCost } from './celContext.ts';
import type { Node } from './node.ts';
import type { CrdOptions } from './options.ts';

// Most schemas of a CRD are the same after a keystroke, and nothing was wrong with them.

/** A schema that holds others, in which and below which nothing was found. */
interface Clean {
  /** What that rests on beside the schema. */
  readonly basis: readonly unknown[];
  /** What all rules in it cost together. */
  readonly cost: number;
}

/** Not a memo: only what is right is kept, with what that rests on around it. */
const clean = new WeakMap<SchemaProps, Clean>();

/** Whether nothing will be found in a schema, as is known from before. The costs of its rules are counted then. */
export function isKnownClean(node: Node, options: CrdOptions): boolean {
  const known = clean.get(node.schema);
  const basis = known && basisOf(node, options);
  if (!basis?.every((one, i) => one === known?.basis[i])) return false;
  return !node.context || addPlainCost(node.context.totalCost, known!.cost);
}

/** Adds to a sum, unless it gets too large for a number. */
function addPlainCost(sum: TotalCost, cost: number): boolean {
  if (typeof sum.total !== 'number' || !Number.isSafeInteger(sum.total + cost)) return false;
  sum.total += cost;
  return true;
}

type Costs = Pick<TotalCost, 'total' | 'dear'>;

export function costsSoFar({ context }: Node): Costs {
  return context?.totalCost ?? noCost;
}

/** To be called for a schema in which nothing was found, with what all rules had cost before it. */
export function rememberClean(node: Node, options: CrdOptions, total: Costs['total'], dear: number): void {
  const now = costsSoFar(node);
  // The dearest rules are reported with their places if all of them cost too much.
  if (now.dear !== dear || typeof now.total !== 'number') return;
  const basis = basisOf(node, options);
  if (basis) clean.set(node.schema, { basis, cost: now.total - Number(total) });
}

const noCost: Costs = { total: 0, dear: 0 };

/** All that the verdict on a schema rests on; undefined where that cannot be told without judging. */
function basisOf({ inherited, context, isRoot }: Node, options: CrdOptions): readonly unknown[] | undefined {
  const seen = context ? seenByRules(context) : [];
  return (
    seen && [
      isRoot,
      inherited.noDefault,
      inherited.insideMeta,
      inherited.uncorrelatable === undefined,
      options.version,
      options.requireValidTypes,
      options.requireAtomicSets,
      options.requireMapKeys,
      options.oldRules,
      options.oldMessageExpressions,
      options.suppressRuleCost,
      seen.length,
      ...seen,
    ]
  );
}

function seenByRules(context: CelContext): readonly unknown[] | undefined {
  const { withinRules, cardinality } = context;
  if (!withinRules) return [cardinality];
  const type = plainTypeOf(context);
  return type && [cardinality, type];
}
