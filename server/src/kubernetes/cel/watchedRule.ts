import type { Expr } from '../../cel/ast.ts';
import { compile } from '../../cel/compile.ts';
import type { Trace } from '../../cel/eval/planning.ts';
import { programOf } from '../../cel/eval/run.ts';
import type { Val } from '../../cel/eval/values.ts';
import { callCostLimit } from '../bounds.ts';
import { environmentName } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { namedFromHere } from './declNames.ts';
import { schemaEnvironment } from './environment.ts';
import { schemaDeclType } from './rules.ts';
import { type JudgedRule, type JudgedValue, lookup, ruleVariables } from './ruleVariables.ts';
import { evalRules } from './runtime.ts';

/** A rule whose parts are watched while it is evaluated. */
export interface WatchedRule {
  readonly expr: Expr;
  /** What it comes to; undefined where its evaluation does not end. */
  evaluate(on: JudgedValue): Val | undefined;
}

/** Undefined where a rule does not compile. */
export function watchedRule(
  { schema, isRoot, rule }: Pick<JudgedRule, 'schema' | 'isRoot' | 'rule'>,
  version: KubernetesVersion,
  watch: Trace,
): WatchedRule | undefined {
  const decl = schemaDeclType(schema, isRoot, version);
  if (!decl) return undefined;
  const optionally = rule.optionalOldSelf === true;
  const { env } = schemaEnvironment(version, environmentName(version, true), namedFromHere(decl), optionally);
  const compiled = compile(rule.rule, env);
  if (compiled.problems.length > 0) return undefined;
  const programmed = programOf(compiled, env, evalRules(version), watch);
  if (!('program' in programmed)) return undefined;
  const { program } = programmed;
  const evaluate = (on: JudgedValue) => {
    const outcome = program.evaluate(lookup(ruleVariables(on, version), optionally), callCostLimit);
    return 'value' in outcome ? outcome.value : undefined;
  };
  return { expr: compiled.expr, evaluate };
}
