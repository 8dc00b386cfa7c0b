import type { Call, Comprehension, Expr } from '../../cel/ast.ts';
import type { Val } from '../../cel/eval/values.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { JudgedRule } from './ruleVariables.ts';
import { watchedRule } from './watchedRule.ts';

/** What made a rule false. */
export interface FalsePart {
  readonly part: Expr;
  /** What a part of the expression came to, the last time it was evaluated. */
  valueOf(part: Expr): Val | undefined;
}

/** Evaluates a rule once more, watching; undefined where it is not false. */
export function whyFalse(judged: JudgedRule, version: KubernetesVersion): FalsePart | undefined {
  const values = new Map<Expr, Val>();
  const watched = watchedRule(judged, version, (part, value) => void values.set(part, value));
  if (watched?.evaluate(judged) !== false) return undefined;
  return { part: falsePart(watched.expr, (part) => values.get(part)), valueOf: (part) => values.get(part) };
}

/** The innermost part that alone makes the whole false. */
export function falsePart(expr: Expr, valueOf: FalsePart['valueOf']): Expr {
  const inner = expr.kind === 'call' ? inCall(expr, valueOf) : expr.kind === 'comprehension' ? inAll(expr) : undefined;
  return inner && valueOf(inner) === false ? falsePart(inner, valueOf) : expr;
}

function inCall({ name, args }: Call, valueOf: FalsePart['valueOf']): Expr | undefined {
  if (name === '_&&_') return args.find((operand) => valueOf(operand) === false);
  if (name === '_?_:_') return valueOf(args[0]!) === true ? args[1] : args[2];
  // What stands before `||` mostly asks whether there is anything to check.
  if (name === '_||_' && asksForField(args[0]!)) return args[1];
  return undefined;
}

function asksForField(expr: Expr): boolean {
  if (expr.kind === 'select') return expr.testOnly;
  return expr.kind === 'call' && (expr.name === '!_' || expr.name === '_||_') && expr.args.every(asksForField);
}

/** The condition of `all`, which was false for the last item that was looked at. */
function inAll({ macro }: Comprehension): Expr | undefined {
  return macro?.name === 'all' ? macro.args.at(-1) : undefined;
}
