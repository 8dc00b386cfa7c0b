import type { Expr } from '../ast.ts';
import type { CelEnv } from '../env.ts';
import { type Attribute, resolved } from './attribute.ts';
import { closure } from './closures.ts';
import type { Code, OtherCode } from './code.ts';
import type { Step } from './frame.ts';
import type { EvalRules } from './implementation.ts';
import { type CelError, growingList, isKind, mapFrom, sizeOfList, type Val } from './values.ts';

/** What a node was planned as: constants fold into their parents, attributes grow with the selections on them. */
export type Planned =
  | { readonly kind: 'constant'; readonly value: Val }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly testOnly: boolean; readonly expr: Expr }
  | Exclude<Code, { kind: 'constant' | 'slot' | 'path' | 'choice' }>;

/** Called with the value of every sub-expression as it is evaluated. */
export type Trace = (expr: Expr, value: Val) => void;

/** The state of planning one expression. */
export interface Plan {
  readonly env: CelEnv;
  readonly rules: EvalRules;
  readonly trace: Trace | undefined;
  /** Plans a node: what the files of planning ask each other for. */
  node(expr: Expr): Planned;
  /** Comprehension variables by name, the innermost last. */
  readonly scope: Map<string, number[]>;
  readonly globals: Map<string, Global>;
  /** What accumulators start from, which is evaluated where one is asked for first. */
  readonly initializers: Map<number, Step>;
  slots: number;
}

/** A variable from outside, and what reading it gives where it is missing. */
export interface Global {
  readonly name: string;
  readonly slot: number;
  readonly missing: CelError;
}

/** Why no program can be made of an expression. */
export interface PlanError {
  readonly planError: string;
}

export function isPlanError(thrown: unknown): thrown is PlanError {
  return typeof thrown === 'object' && thrown !== null && 'planError' in thrown;
}

export function refuse(message: string): never {
  throw { planError: message } satisfies PlanError;
}

export const constant = (value: Val): Planned => ({ kind: 'constant', value });
export const other = (step: Step): OtherCode => ({ kind: 'other', step });

export function traced(trace: Trace, expr: Expr, code: Code): OtherCode {
  const step = closure(code);
  return other((f) => {
    const value = step(f);
    trace(expr, value);
    return value;
  });
}

/** The code that evaluates a node and counts what that costs. */
export function codeOf(p: Plan, planned: Planned): Code {
  if (planned.kind !== 'attribute') return planned;
  const { attribute, testOnly, expr } = planned;
  const own = (attribute.kind === 'conditional' ? 0 : 1) - (testOnly ? 1 : 0);
  const code = resolved(attribute, own);
  const answered = testOnly ? presence(code) : code;
  return p.trace ? traced(p.trace, expr, answered) : answered;
}

export function stepOf(p: Plan, planned: Planned): Step {
  return closure(codeOf(p, planned));
}

/** has(): an optional that is found tells whether it has a value. */
function presence(code: Code): Code {
  if (code.kind === 'path') {
    const { otherwise } = code;
    return { ...code, otherwise: (f, from) => present(otherwise(f, from)) };
  }
  const resolve = closure(code);
  return other((f) => present(resolve(f)));
}

function present(value: Val): Val {
  return isKind(value, 'optional') ? value.value !== undefined : value;
}

/** An empty list or map that a comprehension starts from grows in place. */
export function opened(value: Val): Val {
  if (isKind(value, 'list') && sizeOfList(value) === 0) return growingList();
  if (isKind(value, 'map') && value.size === 0) return mapFrom(new Map(), true);
  return value;
}
