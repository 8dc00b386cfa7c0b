import type { Value } from '../../base/value.ts';
import type { Expr } from '../../cel/ast.ts';
import { compile, issuesOf } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { Trace } from '../../cel/eval/planning.ts';
import { programOf } from '../../cel/eval/run.ts';
import { isError, type Val } from '../../cel/eval/values.ts';
import { addWork } from '../../cel/eval/work.ts';
import { runtimeText } from '../../cel/types.ts';
import { callCostLimit } from '../bounds.ts';
import { environmentName } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';
import { namedFromHere } from './declNames.ts';
import { schemaEnvironment } from './environment.ts';
import { noDeclType, schemaDeclType } from './rules.ts';
import { lookup } from './ruleVariables.ts';
import { evalRules } from './runtime.ts';
import { asResource, schemaValue } from './values.ts';

/** Where an expression is tried: as a rule of a schema, over a value and, if there is one, the value before it. */
export interface Trial {
  readonly schema: Structural;
  /** The schema of a whole object, whose kind and name can be asked for whatever it declares. */
  readonly isRoot: boolean;
  readonly value: Value;
  readonly old: Value | undefined;
  /** Whether `oldSelf` is an optional, as a rule's optionalOldSelf has it. */
  readonly optionalOld?: boolean;
}

/** What came of an expression; `problem` where it does not compile or cannot be evaluated, in the server's words. */
export type Tried =
  | { readonly problem: string }
  | {
      readonly type: string;
      /** What it costs at most, as the CRD is charged for it, and what it has cost here. */
      readonly most: bigint | number;
      readonly cost: bigint | number;
      readonly result: { readonly value: Val } | { readonly error: string };
      readonly expr: Expr;
    };

/** Evaluates an expression that need not be a rule: it may be of any type. `watch` is told what its parts come to. */
export function tryExpression(text: string, trial: Trial, kubernetes: KubernetesVersion, watch?: Trace): Tried {
  const decl = schemaDeclType(trial.schema, trial.isRoot, kubernetes);
  if (!decl) return { problem: noDeclType };
  const { optionalOld = false } = trial;
  const release = environmentName(kubernetes, false);
  const { env, model } = schemaEnvironment(kubernetes, release, namedFromHere(decl), optionalOld);
  const compiled = compile(text, env);
  const issues = compiled.panic ?? issuesOf(compiled, env);
  if (issues !== undefined) return { problem: issues };
  const programmed = programOf(compiled, env, evalRules(kubernetes), watch);
  if (!('program' in programmed)) return { problem: Object.values(programmed).join('') };
  const schema = trial.isRoot ? asResource(trial.schema) : trial.schema;
  const read = (value: Value) => schemaValue(value, schema, kubernetes.cel);
  const variables = { self: read(trial.value), oldSelf: trial.old === undefined ? undefined : read(trial.old) };
  const result = programmed.program.evaluate(lookup(variables, optionalOld), callCostLimit);
  if ('unsupported' in result) return { problem: String(result.unsupported) };
  const { cost, value, exceeded } = result;
  addWork(Math.min(Number(cost), callCostLimit));
  const error = exceeded
    ? 'operation cancelled: actual cost limit exceeded'
    : isError(value)
      ? value.message
      : undefined;
  return {
    type: runtimeText(compiled.expr.type),
    most: estimateCost(compiled.expr, model).total.max,
    cost,
    result: error === undefined ? { value } : { error },
    expr: compiled.expr,
  };
}
