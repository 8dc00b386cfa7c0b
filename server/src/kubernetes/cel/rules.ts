import type { U64 } from '../../base/u64.ts';
import { type Compiled, compile, issuesOf } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import { boolType, type CelType, stringType } from '../../cel/types.ts';
import type { Structural, ValidationRule } from '../schema/structural.ts';
import type { KubernetesVersion } from '../versions.ts';
import { type DeclType, declType, maxCardinality } from './declType.ts';
import { environmentMinor, type SchemaEnv, schemaEnvironment } from './environment.ts';

export interface RuleOptions {
  readonly kubernetes: KubernetesVersion;
  /**
   * Whether an expression stood in the old CRD already: it compiles with everything that any release has known.
   * Absent means that all expressions are new.
   */
  isStored?(expression: string): boolean;
}

/** What is wrong with one expression of a rule. */
export interface ExpressionError {
  /** The server's text, such as `compilation failed: ERROR: …`. */
  readonly detail: string;
  /** An internal error of the server, not the author's. */
  readonly internal: boolean;
}

/** One rule, compiled. A rule that is blank is neither compiled nor an error. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly compiled?: Compiled;
  readonly error?: ExpressionError;
  /** The worst-case cost of one evaluation; 0 where there is an error. */
  readonly maxCost: U64;
  /** How often at most the rule can be evaluated below an unbounded list or map; 0 where there is an error. */
  readonly maxCardinality: U64;
  readonly usesOldSelf: boolean;
  readonly message?: Compiled;
  readonly messageError?: ExpressionError;
  readonly messageMaxCost: U64;
  /** The server panics on one of the expressions (1.31). */
  readonly crashes: boolean;
}

/** The CEL type of a schema as the API server's rules see it; undefined where rules cannot see it. */
export function schemaDeclType(
  schema: Structural,
  isRoot: boolean,
  kubernetes: KubernetesVersion,
): DeclType | undefined {
  return declType(schema, isRoot, kubernetes.cel);
}

/** What the server answers where a node has rules but no type. */
export const noDeclType = 'failed to convert to declType for CEL validation rules';

/** Compiles the rules of one node, not of those below it. `decl` is the node's type as its parent sees it. */
export function compileRules(schema: Structural, decl: DeclType, options: RuleOptions): CompiledRule[] {
  const environments = new Map<string, SchemaEnv>();
  const environment = (expression: string, optionalOldSelf: boolean) => {
    const stored = options.isStored?.(expression) ?? false;
    const key = `${stored} ${optionalOldSelf}`;
    let found = environments.get(key);
    if (!found) {
      found = schemaEnvironment(
        options.kubernetes,
        environmentMinor(options.kubernetes, stored),
        decl,
        optionalOldSelf,
      );
      environments.set(key, found);
    }
    return found;
  };
  const cardinality = maxCardinality(decl);
  return schema.extensions.validations.map((rule) => compileRule(rule, environment, Number(cardinality)));
}

type Environments = (expression: string, optionalOldSelf: boolean) => SchemaEnv;

function compileRule(rule: ValidationRule, environment: Environments, cardinality: number): CompiledRule {
  const nothing = { rule, maxCost: 0, maxCardinality: 0, usesOldSelf: false, messageMaxCost: 0, crashes: false };
  if (rule.rule.trim() === '') return nothing;
  const optional = rule.optionalOldSelf === true;
  const judged = judge(rule.rule, environment(rule.rule, optional), ruleTexts);
  const { compiled } = judged;
  if (compiled.crashes) return { ...nothing, compiled, crashes: true };
  if (judged.error) return { ...nothing, compiled, error: judged.error };
  const usesOldSelf = compiled.used.has('oldSelf');
  const done = { rule, compiled, crashes: false, maxCost: judged.maxCost, maxCardinality: cardinality, usesOldSelf };
  if (rule.messageExpression === '') return { ...done, messageMaxCost: 0 };
  const message = judge(rule.messageExpression, environment(rule.messageExpression, optional), messageTexts);
  if (message.compiled.crashes) return { ...done, message: message.compiled, messageMaxCost: 0, crashes: true };
  if (message.error) return { ...done, message: message.compiled, messageError: message.error, messageMaxCost: 0 };
  return { ...done, message: message.compiled, messageMaxCost: message.maxCost };
}

interface Texts {
  readonly prefix: string;
  readonly wanted: CelType;
  readonly otherwise: string;
}

const ruleTexts: Texts = {
  prefix: 'compilation failed: ',
  wanted: boolType,
  otherwise: 'cel expression must evaluate to a bool',
};

const messageTexts: Texts = {
  prefix: 'messageExpression compilation failed: ',
  wanted: stringType,
  otherwise: 'messageExpression must evaluate to a string',
};

interface Judged {
  readonly compiled: Compiled;
  readonly error?: ExpressionError;
  readonly maxCost: U64;
}

function judge(text: string, { env, model }: SchemaEnv, texts: Texts): Judged {
  const compiled = compile(text, env);
  const issues = issuesOf(compiled, env);
  if (issues !== undefined) return { compiled, error: { detail: texts.prefix + issues, internal: false }, maxCost: 0 };
  if (compiled.expr.type !== texts.wanted) {
    return { compiled, error: { detail: texts.otherwise, internal: false }, maxCost: 0 };
  }
  return { compiled, maxCost: estimateCost(compiled.expr, model).total.max };
}
