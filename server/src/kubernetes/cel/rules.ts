import { lru } from '../../base/lru.ts';
import type { U64 } from '../../base/u64.ts';
import { type Compiled, compile, issuesOf, namesVariable } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { EvalRules } from '../../cel/eval/implementation.ts';
import { type Program, type Programmed, programOf } from '../../cel/eval/run.ts';
import { boolType, type CelType, stringType } from '../../cel/types.ts';
import { environmentName } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural, ValidationRule } from '../schema/structural.ts';
import { namedFromHere } from './declNames.ts';
import { type DeclType, declType, maxCardinality } from './declType.ts';
import { type SchemaEnv, schemaEnvironment } from './environment.ts';
import { evalRules } from './runtime.ts';

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
  /** Present where there is neither an error nor anything that is not implemented. */
  readonly program?: Program;
  /** What evaluating the rule or its message would need that is not implemented. */
  readonly unsupported?: string;
  readonly error?: ExpressionError;
  /** The worst-case cost of one evaluation; 0 where there is an error. */
  readonly maxCost: U64;
  /** How often at most the rule can be evaluated below an unbounded list or map; 0 where there is an error. */
  readonly maxCardinality: U64;
  readonly usesOldSelf: boolean;
  readonly message?: Compiled;
  readonly messageProgram?: Program;
  readonly messageError?: ExpressionError;
  readonly messageMaxCost: U64;
  /** What the server panics with on one of the expressions. */
  readonly panic?: string;
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

/** Compiles the rules of one node, not of those below it. `decl` is the node's type, under any names. */
export function compileRules(schema: Structural, decl: DeclType, options: RuleOptions): CompiledRule[] {
  const cardinality = Number(maxCardinality(decl));
  const judge: Judge = (text, texts, optionalOldSelf) => {
    const stored = options.isStored?.(text) ?? false;
    return judgeIn(environmentOf(decl, options.kubernetes, stored, optionalOldSelf), text, texts);
  };
  return schema.extensions.validations.map((rule) => compileRule(rule, judge, cardinality));
}

/** Where expressions of one shape compile, and what became of those that did. */
interface Environment {
  readonly schemaEnv: SchemaEnv;
  readonly evalRules: EvalRules;
  readonly id: string;
}

/**
 * A schema that is read again after an edit has other objects, but most of its types are alike: their expressions need
 * no compiling again. The numbers are those of the rules of a few large CRDs: what is compiled is also kept by the
 * schema that it was compiled for.
 */
const environments = lru<Environment>(150);
const judgements = lru<Judged>(150);

function environmentOf(
  decl: DeclType,
  kubernetes: KubernetesVersion,
  stored: boolean,
  optionalOldSelf: boolean,
): Environment {
  const id = `${decl.shape} ${kubernetes.name} ${stored} ${optionalOldSelf}`;
  let found = environments.get(id);
  if (!found) {
    const release = environmentName(kubernetes, stored);
    const schemaEnv = schemaEnvironment(kubernetes, release, namedFromHere(decl), optionalOldSelf);
    found = { schemaEnv, evalRules: evalRules(kubernetes), id };
    environments.set(id, found);
  }
  return found;
}

function judgeIn(environment: Environment, text: string, texts: Texts): Judged {
  const key = `${environment.id} ${texts.wanted.name} ${text}`;
  let found = judgements.get(key);
  if (!found) {
    found = judge(text, environment.schemaEnv, texts, environment.evalRules);
    judgements.set(key, found);
  }
  return found;
}

type Judge = (text: string, texts: Texts, optionalOldSelf: boolean) => Judged;

function compileRule(rule: ValidationRule, judge: Judge, cardinality: number): CompiledRule {
  const nothing = { rule, maxCost: 0, maxCardinality: 0, usesOldSelf: false, messageMaxCost: 0 };
  if (rule.rule.trim() === '') return nothing;
  const optional = rule.optionalOldSelf === true;
  const judged = judge(rule.rule, ruleTexts, optional);
  const { compiled } = judged;
  if (judged.panic !== undefined) return { ...nothing, compiled, panic: judged.panic };
  if (judged.error) return { ...nothing, compiled, error: judged.error };
  const usesOldSelf = namesVariable(compiled, 'oldSelf');
  const made = programParts(judged.programmed);
  const done = {
    rule,
    compiled,
    ...made,
    maxCost: judged.maxCost,
    maxCardinality: cardinality,
    usesOldSelf,
  };
  if (rule.messageExpression === '') return { ...done, messageMaxCost: 0 };
  const message = judge(rule.messageExpression, messageTexts, optional);
  if (message.panic !== undefined) {
    return { ...done, message: message.compiled, messageMaxCost: 0, panic: message.panic };
  }
  if (message.error) return { ...done, message: message.compiled, messageError: message.error, messageMaxCost: 0 };
  const { program: messageProgram, unsupported } = programParts(message.programmed);
  return {
    ...done,
    ...(unsupported !== undefined && { unsupported }),
    message: message.compiled,
    ...(messageProgram && { messageProgram }),
    messageMaxCost: message.maxCost,
  };
}

function programParts(programmed: Programmed | undefined): { program?: Program; unsupported?: string } {
  if (!programmed || 'error' in programmed || 'panic' in programmed) return {};
  return programmed;
}

interface Texts {
  readonly prefix: string;
  readonly wanted: CelType;
  readonly otherwise: string;
  readonly instantiation: string;
}

const ruleTexts: Texts = {
  prefix: 'compilation failed: ',
  wanted: boolType,
  otherwise: 'cel expression must evaluate to a bool',
  instantiation: 'program instantiation failed: ',
};

const messageTexts: Texts = {
  prefix: 'messageExpression compilation failed: ',
  wanted: stringType,
  otherwise: 'messageExpression must evaluate to a string',
  instantiation: 'messageExpression instantiation failed: ',
};

interface Judged {
  readonly compiled: Compiled;
  readonly programmed?: Programmed;
  readonly error?: ExpressionError;
  /** What the server panics with. */
  readonly panic?: string;
  readonly maxCost: U64;
}

function judge(text: string, { env, model }: SchemaEnv, texts: Texts, evalRules: EvalRules): Judged {
  const compiled = compile(text, env);
  if (compiled.panic !== undefined) return { compiled, panic: compiled.panic, maxCost: 0 };
  const issues = issuesOf(compiled, env);
  if (issues !== undefined) return { compiled, error: { detail: texts.prefix + issues, internal: false }, maxCost: 0 };
  if (compiled.expr.type !== texts.wanted) {
    return { compiled, error: { detail: texts.otherwise, internal: false }, maxCost: 0 };
  }
  const programmed = programOf(compiled, env, evalRules);
  if ('error' in programmed) {
    return { compiled, error: { detail: texts.instantiation + programmed.error, internal: false }, maxCost: 0 };
  }
  if ('panic' in programmed) return { compiled, panic: programmed.panic, maxCost: 0 };
  return { compiled, programmed, maxCost: estimateCost(compiled.expr, model).total.max };
}
