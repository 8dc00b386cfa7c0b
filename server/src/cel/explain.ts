import { maxU64, type U64 } from '../base/u64.ts';
import { type Expr, eachChild } from './ast.ts';
import { estimateCost } from './cost.ts';
import type { CostModel } from './estimate.ts';
import type { CelPath } from './path.ts';
import type { Range } from './range.ts';

/** Why an expression costs what it costs. */
export interface CostExplanation {
  readonly total: Range;
  /** The cost of each node with all below it, by node number. */
  readonly byNode: ReadonlyMap<number, Range>;
  /** From the whole expression down to where most of the cost arises: each link is the dearest part of the one before. */
  readonly chain: readonly CostLink[];
  /** The limits in the schema that would help, the most helpful first. */
  readonly bounds: readonly HelpfulBound[];
}

export interface CostLink {
  readonly expr: Expr;
  readonly cost: Range;
  /** How often a comprehension runs, where this is one. */
  readonly rounds?: Range;
}

export interface HelpfulBound {
  /** Where the value without a limit is found: fields, `@items` and `@values` below the variable. */
  readonly path: readonly string[];
  /** The size that the estimate had to assume. */
  readonly assumed: U64;
  /** The cost if there were at most `limit` of it. */
  readonly limit: number;
  readonly maxWithLimit: U64;
}

/** A size from which on a limit is worth a thought. */
const large = 1000;
const sampleLimit = 10;

export function explainCost(expr: Expr, model: CostModel): CostExplanation {
  const sizes = new Map<string, { readonly path: readonly string[]; readonly size: Range }>();
  const recording: CostModel = {
    ...model,
    sizeOf(path, type) {
      const size = model.sizeOf(path, type);
      if (size && size.max >= large) sizes.set(keyOf(path), { path: stepsOf(path), size });
      return size;
    },
  };
  const { total, byNode, rounds } = estimateCost(expr, recording, true);
  const bounds = [...sizes].map(([key, { path, size }]) => bounded(expr, model, key, path, size));
  // Beyond what can be counted one limit alone seems to change nothing, and all of them are needed.
  const helpful = bounds.filter((bound) => bound.maxWithLimit < total.max || total.max >= maxU64);
  return { total, byNode, chain: chainOf(expr, byNode, rounds), bounds: helpful.sort(order) };
}

function order(a: HelpfulBound, b: HelpfulBound): number {
  return a.maxWithLimit < b.maxWithLimit ? -1 : a.maxWithLimit > b.maxWithLimit ? 1 : 0;
}

const stepsOf = (path: CelPath): string[] => path.steps.slice(0, path.length);
const keyOf = (path: CelPath): string => stepsOf(path).slice(1).join('\0');

/** What the expression would cost if the value at a path had a limit. */
function bounded(expr: Expr, model: CostModel, key: string, path: readonly string[], size: Range): HelpfulBound {
  const limited: Range = { min: size.min, max: sampleLimit };
  const trial: CostModel = { ...model, sizeOf: (at, type) => (keyOf(at) === key ? limited : model.sizeOf(at, type)) };
  const maxWithLimit = estimateCost(expr, trial).total.max;
  return { path: path.slice(1), assumed: size.max, limit: sampleLimit, maxWithLimit };
}

function chainOf(root: Expr, byNode: ReadonlyMap<number, Range>, rounds: ReadonlyMap<number, Range>): CostLink[] {
  const chain: CostLink[] = [];
  for (let at: Expr | undefined = root; at; at = dearest(at, byNode)) {
    const cost = byNode.get(at.id);
    if (!cost) break;
    const times = rounds.get(at.id);
    chain.push(times ? { expr: at, cost, rounds: times } : { expr: at, cost });
  }
  return chain;
}

function dearest(e: Expr, byNode: ReadonlyMap<number, Range>): Expr | undefined {
  let found: Expr | undefined;
  let most: U64 = 0;
  eachChild(e, (child) => {
    const max = byNode.get(child.id)?.max ?? 0;
    if (max <= most) return;
    found = child;
    most = max;
  });
  return found;
}
