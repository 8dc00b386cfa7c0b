import { multiplyU64, type U64 } from '../../base/u64.ts';
import { isList, isMap, type Path, type Value } from '../../base/value.ts';
import { estimateCost } from '../../cel/cost.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import { fixOf, putKey, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';

import { type Bound, boundsFor, largest, nameOf, sameNode } from './costFixes.ts';
import { totalTrialOf } from './costTrial.ts';

/** A rule that costs less does not matter to the total: a hundredth of what all may cost. */
const worthLimiting = 1_000_000;
const mostRules = 40;
const named = 3;

/** One limit for what the most expensive rules of a version go through, as large as their common budget allows. */
export function totalCostFixes(problem: Problem): Fix[] {
  const trial = totalTrialOf(problem);
  const bounds = trial ? boundsOfDearest(problem) : [];
  const value = trial && bounds.length > 0 ? largest((limit) => trial.fits(bounds, limit)) : undefined;
  if (value === undefined) return [];
  const lowered = bounds.filter(({ now }) => now === undefined || now > BigInt(value));
  const edits = lowered.flatMap(({ node, keyword }) =>
    putKey(problem, node, keyword, BigInt(value), { after: 'type' }),
  );
  return fixOf(`Limit ${whatOf(problem, lowered)} to ${value}, the largest value within the budget`, edits, false);
}

function whatOf({ manifest }: Problem, bounds: readonly Bound[]): string {
  const names = bounds.slice(0, named).map(({ node }) => nameOf(node.slice(manifest?.at.length ?? 0)));
  const more = bounds.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ').replace(/, ([^,]*)$/, ' and $1');
}

function boundsOfDearest(problem: Problem): Bound[] {
  const root = problem.path.slice(0, problem.path.indexOf('openAPIV3Schema') + 1);
  const rules = rulePaths(valueIn(problem, root), root)
    .map((path) => ({ path, cost: costOf(problem, path) }))
    .filter(({ cost }) => cost >= worthLimiting)
    .sort((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0));
  const bounds = rules.slice(0, mostRules).flatMap(({ path }) => boundsFor({ ...problem, path }));
  return bounds.filter((bound, i) => bounds.findIndex((other) => sameNode(other.node, bound.node)) === i);
}

function costOf({ manifest, kubernetes = newestVersion }: Problem, path: Path): U64 {
  const place = manifest && rulePlace(manifest, path, kubernetes);
  if (!place?.decl || place.compiled.unparsed || place.compiled.problems.length > 0) return 0;
  return multiplyU64(estimateCost(place.compiled.expr, place.schemaEnv.model).total.max, place.repeats);
}

const expressions = ['rule', 'messageExpression'];

/** The paths of all expressions below a schema. */
function rulePaths(value: Value | undefined, path: Path): Path[] {
  if (isList(value)) return value.flatMap((item, i) => rulePaths(item, [...path, i]));
  if (!isMap(value)) return [];
  return [...value].flatMap(([key, item]) => {
    if (key !== 'x-kubernetes-validations' || !isList(item)) return rulePaths(item, [...path, key]);
    return item.flatMap((rule, i) =>
      expressions.filter((name) => isMap(rule) && rule.has(name)).map((name) => [...path, key, i, name]),
    );
  });
}
