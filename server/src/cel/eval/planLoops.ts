import type { Call, Comprehension, Expr } from '../ast.ts';
import { closure, fold, type Turn } from './closures.ts';
import type { Code, LoopSlots } from './code.ts';
import { type Step, unset } from './frame.ts';
import { codeOf, opened, other, type Plan, type Planned, stepOf } from './planning.ts';
import { isError, isKind, type Val } from './values.ts';

function enter(p: Plan, name: string): number {
  const slot = p.slots++;
  if (name === '') return slot;
  const known = p.scope.get(name);
  if (known) known.push(slot);
  else p.scope.set(name, [slot]);
  return slot;
}

function leave(p: Plan, ...names: readonly string[]): void {
  for (const name of names) p.scope.get(name)?.pop();
}

/** Plans a comprehension: `all`, `exists`, `filter` and `map` in forms of their own. */
export function comprehension(p: Plan, expr: Comprehension): Planned {
  const initialize = stepOf(p, p.node(expr.init));
  const range = codeOf(p, p.node(expr.range));
  const accu = enter(p, expr.accuVar);
  p.initializers.set(accu, initialize);
  const first = enter(p, expr.iterVar);
  const two = expr.iterVar2 !== '';
  const slots = { accu, first, second: two ? enter(p, expr.iterVar2) : undefined };
  const loop: LoopPlan = { expr, range, slots, seesErrors: two && p.rules.ignoresRangeErrors };
  const known = p.trace ? undefined : (quantifier(p, loop) ?? collection(p, loop));
  const turn = known ? undefined : anyTurn(p, loop);
  leave(p, expr.iterVar, ...(two ? [expr.iterVar2] : []));
  const start = p.rules.eagerAccumulators ? initialize : undefined;
  const code = known ?? other(anyLoop(loop, start, turn!, stepOf(p, p.node(expr.result))));
  leave(p, expr.accuVar);
  return code;
}

interface LoopPlan {
  readonly expr: Comprehension;
  readonly range: Code;
  readonly slots: LoopSlots;
  /** Whether it runs over an error too, rather than handing it on. */
  readonly seesErrors: boolean;
}

/** `all` and `exists`. */
function quantifier(p: Plan, { expr, range, slots, seesErrors }: LoopPlan): Planned | undefined {
  const stop = stopOf(expr);
  if (stop === undefined) return undefined;
  const predicate = codeOf(p, p.node((expr.step as Call).args[1]!));
  return { kind: 'quantifier', stop, range, predicate, seesErrors, slots };
}

/** The value that ends `all` (false) or `exists` (true); undefined where a comprehension is none of the two. */
function stopOf({ init, condition, step, result, accuVar }: Comprehension): boolean | undefined {
  if (init.kind !== 'literal' || condition.kind !== 'call' || step.kind !== 'call') return undefined;
  if (condition.name !== '@not_strictly_false' || !isNamed(step.args[0], accuVar)) return undefined;
  if (!isNamed(result, accuVar)) return undefined;
  const [tested] = condition.args;
  if (init.literal.value === true && step.name === '_&&_') return isNamed(tested, accuVar) ? false : undefined;
  if (init.literal.value !== false || step.name !== '_||_') return undefined;
  return tested?.kind === 'call' && tested.name === '!_' && isNamed(tested.args[0], accuVar) ? true : undefined;
}

function isNamed(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === 'ident' && expr.name === name;
}

/** `filter` and `map`: with `accumulator + [item]` the item joins a list that grows, without a list of its own. */
function collection(p: Plan, { expr, range, slots, seesErrors }: LoopPlan): Planned | undefined {
  const { init, condition, step, result, accuVar } = expr;
  if (init.kind !== 'list' || init.elements.length > 0 || !isNamed(result, accuVar)) return undefined;
  if (condition.kind !== 'literal' || condition.literal.value !== true || step.kind !== 'call') return undefined;
  const filters = step.name === '_?_:_';
  if (filters && !isNamed(step.args[2], accuVar)) return undefined;
  const item = appended(filters ? step.args[1] : step, accuVar);
  const made = item && p.node(item);
  // A list of constants is made, and paid for, only once.
  if (!made || made.kind === 'constant') return undefined;
  const test = filters ? codeOf(p, p.node(step.args[0]!)) : undefined;
  return { kind: 'collect', range, test, item: codeOf(p, made), seesErrors, slots };
}

function appended(step: Expr | undefined, accuVar: string): Expr | undefined {
  if (step?.kind !== 'call' || step.name !== '_+_' || step.overloads.length !== 1) return undefined;
  const [target, added] = step.args;
  if (!isNamed(target, accuVar) || added?.kind !== 'list') return undefined;
  return added.elements.length === 1 && added.optionals.length === 0 ? added.elements[0] : undefined;
}

function anyTurn(p: Plan, { expr, slots }: LoopPlan): Turn {
  const condition = stepOf(p, p.node(expr.condition));
  const step = stepOf(p, p.node(expr.step));
  return (f) => {
    // An error in the condition does not end the loop.
    if (condition(f) === false) return false;
    f.slots[slots.accu] = step(f);
    return true;
  };
}

function anyLoop({ range, slots, seesErrors }: LoopPlan, start: Step | undefined, turn: Turn, result: Step): Step {
  const items = closure(range);
  return (f) => {
    const over = items(f);
    if (isError(over) && !seesErrors) return over;
    f.slots[slots.accu] = start ? opened(start(f)) : unset;
    return fold(f, over, slots, turn) ?? closed(result(f));
  };
}

function closed(value: Val): Val {
  if ((isKind(value, 'list') || isKind(value, 'map')) && value.growing) value.growing = false;
  return value;
}
