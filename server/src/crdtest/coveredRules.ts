import type { Path } from '../base/value.ts';
import { type Call, type Expr, writtenArgs, writtenParts } from '../cel/ast.ts';
import type { Val } from '../cel/eval/values.ts';
import { boolType } from '../cel/types.ts';
import type { JudgedValue } from '../kubernetes/cel/ruleVariables.ts';
import { watchedRule } from '../kubernetes/cel/watchedRule.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type PlacedRule, rulesBelow } from '../kubernetes/schema/rulesBelow.ts';
import type { Structural, ValidationRule } from '../kubernetes/schema/structural.ts';
import { hit, type NewPoint, type Point, type WayName } from './points.ts';

// Rules, and the parts of them that need not be evaluated.

/** Evaluates a rule once more, and notes what it and its branches come to. */
export interface CoveredRule {
  see(on: JudgedValue): void;
}

/** All rules of a version's schema. */
export function coveredRules(
  root: Structural,
  at: Path,
  kubernetes: KubernetesVersion,
  newPoint: NewPoint,
): ReadonlyMap<ValidationRule, CoveredRule> {
  const found = new Map<ValidationRule, CoveredRule>();
  for (const { path, ...of } of rulesBelow(root, at, true)) {
    const covered = coveredRule(of, path, kubernetes, newPoint);
    if (covered) found.set(of.rule, covered);
  }
  return found;
}

function coveredRule(
  of: Omit<PlacedRule, 'path'>,
  path: Path,
  kubernetes: KubernetesVersion,
  newPoint: NewPoint,
): CoveredRule | undefined {
  const text = of.rule.rule;
  const watches: Watches = new Map();
  const watched = watchedRule(of, kubernetes, (part, value) => {
    for (const watch of watches.get(part) ?? []) watch(value);
  });
  if (!watched) return undefined;
  const whole = newPoint({ kind: 'rule', path, part: undefined, what: text.trim(), ways: ['true', 'false'] });
  const newBranch: NewBranch = (part) => {
    const { start, end } = part;
    const isTruth = part.type === boolType && part.kind !== 'literal';
    const ways: WayName[] = isTruth ? ['true', 'false'] : ['evaluated'];
    return newPoint({ kind: 'branch', path, part: { start, end }, what: text.slice(start, end), ways });
  };
  watchBranches(watched.expr, watches, newBranch);
  return {
    see: (on) => {
      const value = watched.evaluate(on);
      if (value !== undefined) hitBy(whole, value);
    },
  };
}

type Watches = Map<Expr, ((value: Val) => void)[]>;
type NewBranch = (part: Expr) => Point;

function watch(watches: Watches, part: Expr, seen: (value: Val) => void): void {
  const known = watches.get(part);
  if (known) known.push(seen);
  else watches.set(part, [seen]);
}

function hitBy(point: Point, value: Val): void {
  if (typeof value === 'boolean') hit(point, value ? 'true' : 'false');
  hit(point, 'evaluated');
}

/** Both sides of `&&` and `||`, both results of `?:`, and what macros evaluate for each item. */
function watchBranches(expr: Expr, watches: Watches, newBranch: NewBranch): void {
  for (const part of branchesOf(expr)) {
    if (part.kind === 'literal') continue;
    const point = newBranch(part);
    watch(watches, part, (value) => hitBy(point, value));
  }
  if (isChoice(expr)) watch(watches, expr, watchChoice(expr, watches, newBranch));
  for (const part of writtenParts(expr)) watchBelow(part, expr, watches, newBranch);
}

/** What of an expression is evaluated for one reason or another; of a choice that is more than its parts can tell. */
function branchesOf(expr: Expr): readonly Expr[] {
  // What cel.bind() binds is always evaluated.
  if (expr.macro) return expr.macro.name === 'bind' ? [] : writtenArgs(expr.macro);
  if (!isCallOf(expr, '_&&_') && !isCallOf(expr, '_||_')) return [];
  // `a && b && c` has three sides.
  return expr.args.filter((arg) => !isCallOf(arg, expr.name));
}

/** A choice that is a result of another one is watched with that. */
function watchBelow(part: Expr, of: Expr, watches: Watches, newBranch: NewBranch): void {
  const isResult = isChoice(of) && part !== of.args[0];
  if (isResult && isChoice(part)) for (const inner of part.args) watchBelow(inner, part, watches, newBranch);
  else watchBranches(part, watches, newBranch);
}

/**
 * Which result is taken is told by the condition, since a result that is a plain field is not evaluated by itself. Gives
 * what is to be told of the value of the choice.
 */
function watchChoice(choice: Call, watches: Watches, newBranch: NewBranch): (value: Val) => void {
  const [test, ...results] = choice.args;
  const sides = results.map((part) => ({
    point: newBranch(part),
    settle: isChoice(part) ? watchChoice(part, watches, newBranch) : undefined,
  }));
  let taken: (typeof sides)[number] | undefined;
  watch(watches, test!, (value) => {
    taken = typeof value === 'boolean' ? sides[value ? 0 : 1] : undefined;
    if (taken) hit(taken.point, 'evaluated');
  });
  return (value) => {
    if (taken && typeof value === 'boolean') hit(taken.point, value ? 'true' : 'false');
    taken?.settle?.(value);
  };
}

function isCallOf(expr: Expr, name: string): expr is Call {
  return expr.kind === 'call' && expr.name === name && !expr.macro;
}

function isChoice(expr: Expr): expr is Call {
  return isCallOf(expr, '_?_:_');
}
