import type { Compiled } from '../compile.ts';
import type { CelEnv } from '../env.ts';
import { costExceeded, type Frame, isEnded } from './frame.ts';
import type { EvalRules } from './implementation.ts';
import { isPlanError, type Planning, plan, type Trace } from './plan.ts';
import { error, isUnsupported, type Val } from './values.ts';

/** The variables of an evaluation, by name. */
export type Variables = (name: string) => Val | undefined;

export interface Evaluation {
  readonly value: Val;
  readonly cost: number | bigint;
  /** The value is an error that ended evaluation because of what it cost. */
  readonly exceeded: boolean;
}

/** An expression ready to be evaluated any number of times. */
export interface Program {
  evaluate(variables: Variables, limit: number): Evaluation | { readonly unsupported: string };
}

/** A program, why there can be none, what of it is not implemented, or over what the server crashes making it. */
export type Programmed =
  | { readonly program: Program }
  | { readonly error: string }
  | { readonly unsupported: string }
  | { readonly panic: string };

const exceeded = error('operation cancelled: actual cost limit exceeded');

/** Makes a program of a compiled expression without problems. */
export function programOf(compiled: Compiled, env: CelEnv, rules: EvalRules, trace?: Trace): Programmed {
  try {
    const planned = plan(compiled.expr, env, rules, trace);
    return { program: { evaluate: (variables, limit) => evaluate(planned, variables, limit) } };
  } catch (thrown) {
    if (isPlanError(thrown)) return { error: thrown.planError };
    if (isUnsupported(thrown)) return thrown;
    // While it evaluates, the server recovers from a panic; while it plans, it does not.
    if (isEnded(thrown)) return { panic: thrown.ended.message.replace('internal error: ', '') };
    throw thrown;
  }
}

function evaluate(
  { step, slots, globals }: Planning,
  variables: Variables,
  limit: number,
): Evaluation | { readonly unsupported: string } {
  const frame: Frame = { cost: 0, excess: undefined, limit, slots: new Array(slots) };
  for (const { name, slot, missing } of globals) {
    const value = variables(name);
    frame.slots[slot] = value === undefined ? missing : value;
  }
  try {
    return { value: step(frame), cost: frame.cost, exceeded: false };
  } catch (thrown) {
    if (thrown === costExceeded) return { value: exceeded, cost: frame.excess ?? frame.cost, exceeded: true };
    if (isEnded(thrown)) return { value: thrown.ended, cost: frame.cost, exceeded: false };
    if (isUnsupported(thrown)) return thrown;
    throw thrown;
  }
}
