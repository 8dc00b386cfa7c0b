import type { Compiled } from '../compile.ts';
import type { CelEnv } from '../env.ts';
import { closure } from './closures.ts';
import { costExceeded, type Frame, type Step } from './frame.ts';
import type { EvalRules } from './implementation.ts';
import { type Planning, plan } from './plan.ts';
import { isPlanError, type Trace } from './planning.ts';
import { error, isEnded, isUnsupported, type Val } from './values.ts';
import { beginWork, endWork } from './work.ts';

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
    return { program: programFor(planned) };
  } catch (thrown) {
    if (isPlanError(thrown)) return { error: thrown.planError };
    if (isUnsupported(thrown)) return thrown;
    // While it evaluates, the server recovers from a panic; while it plans, it does not.
    if (isEnded(thrown)) return { panic: thrown.ended.message.replace('internal error: ', '') };
    throw thrown;
  }
}

/** Most programs of a CRD that is being written are never run, so that closures are made at the first evaluation. */
function programFor(planned: Planning): Program {
  let step: Step | undefined;
  return {
    evaluate: (variables, limit) => {
      step ??= closure(planned.code);
      return evaluate(step, planned, variables, limit);
    },
  };
}

function evaluate(
  step: Step,
  { slots, globals }: Planning,
  variables: Variables,
  limit: number,
): Evaluation | { readonly unsupported: string } {
  const frame: Frame = { cost: 0, excess: undefined, limit, slots: new Array(slots) };
  for (let i = 0; i < globals.length; i++) {
    const { name, slot, missing } = globals[i]!;
    const value = variables(name);
    frame.slots[slot] = value === undefined ? missing : value;
  }
  const began = beginWork();
  try {
    return { value: step(frame), cost: frame.cost, exceeded: false };
  } catch (thrown) {
    if (thrown === costExceeded) return { value: exceeded, cost: frame.excess ?? frame.cost, exceeded: true };
    if (isEnded(thrown)) return { value: thrown.ended, cost: frame.cost, exceeded: false };
    if (isUnsupported(thrown)) return thrown;
    throw thrown;
  } finally {
    endWork(began);
  }
}
