// CEL alone, for programs: parse, check, price and evaluate, as the newest cel-go does. Nothing of Kubernetes is loaded.
// The types here and in values.ts are the package's interface: they name nothing of the rest of the program.

import { type Compiled, compile as compileIn, issuesOf } from '../cel/compile.ts';
import { estimateCost } from '../cel/cost.ts';
import type { CelEnv, StructInfo, Structs } from '../cel/env.ts';
import { environmentOf } from '../cel/environment.ts';
import type { CostModel } from '../cel/estimate.ts';
import { programOf } from '../cel/eval/run.ts';
import { isError } from '../cel/eval/values.ts';
import { everything } from '../cel/newest.ts';
import { newestOptions, newestRules } from '../cel/newestOptions.ts';
import { type CelType, structType } from '../cel/types.ts';
import { typeNamed } from './celTypes.ts';
import type { Input, Output } from './values.ts';

export type { Input, Output };

import { toCel, toJs } from './celValues.ts';

export interface EnvironmentOptions {
  /** The variables by name, with their types: `int`, `list(string)`, `map(string, dyn)`, or a name in `types`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Types with fields: the type of each field by name. */
  readonly types?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * How large values are at most, for prices: characters, items, entries. A path is a variable with fields, and
   * `@items`, `@keys` or `@values` for what is inside, such as `names.@items`.
   */
  readonly sizes?: Readonly<Record<string, number>>;
}

export interface Environment {
  compile(expression: string): Expression;
}

/** An expression that has been parsed and checked. */
export interface Expression {
  readonly text: string;
  /** Its type, such as `list(int)`; undefined where it does not compile. */
  readonly type: string | undefined;
  /** What is wrong; empty where it can be evaluated. Offsets are in UTF-16 units. */
  readonly problems: readonly Problem[];
  /** The same, in cel-go's words and form; undefined where nothing is wrong. */
  readonly issues: string | undefined;
  /** The least and the most that evaluating it can cost, in cel-go's units; undefined where it does not compile. */
  readonly cost: { readonly min: bigint; readonly max: bigint } | undefined;
  /** Throws where it does not compile. */
  evaluate(variables?: Readonly<Record<string, Input>>, options?: EvaluateOptions): Outcome;
}

export interface Problem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface EvaluateOptions {
  /** What evaluation may cost before it is given up. */
  readonly limit?: number;
}

export interface Outcome {
  /** Undefined where evaluation ended in an error, and for an optional that is empty. */
  readonly value: Output;
  /** What ended evaluation, such as `division by zero`. */
  readonly error: string | undefined;
  readonly cost: bigint;
}

const language = environmentOf(newestOptions, everything);

/** An environment in which expressions are compiled: the language, cel-go's libraries, and variables. */
export function environment({ variables = {}, types = {}, sizes = {} }: EnvironmentOptions = {}): Environment {
  const structs = structsOf(types);
  const named = (text: string) => typeNamed(text, structs.has.bind(structs));
  const declared = new Map(Object.entries(variables).map(([name, type]) => [name, named(type)]));
  const env: CelEnv = {
    ...language,
    idents: new Map([...language.idents, ...declared]),
    structs: lookupIn(structs, types, named),
  };
  const model = modelOf(new Map(Object.entries(sizes)));
  return { compile: (text) => expressionOf(text, env, model, declared) };
}

function structsOf(types: NonNullable<EnvironmentOptions['types']>): ReadonlyMap<string, CelType> {
  return new Map(Object.keys(types).map((name) => [name, structType(name)]));
}

function lookupIn(
  structs: ReadonlyMap<string, CelType>,
  types: NonNullable<EnvironmentOptions['types']>,
  named: (text: string) => CelType,
): Structs {
  const infos = new Map<string, StructInfo>();
  for (const [name, type] of structs) {
    const fields = new Map(Object.entries(types[name]!).map(([field, of]) => [field, named(of)]));
    infos.set(name, { type, field: (field) => fields.get(field) });
  }
  return (name) => infos.get(name) ?? language.structs(name);
}

function modelOf(sizes: ReadonlyMap<string, number>): CostModel {
  return {
    sizeOf: ({ steps, length }) => {
      const max = sizes.get(steps.slice(0, length).join('.'));
      return max === undefined ? undefined : { min: 0, max };
    },
    equality: () => undefined,
    rules: newestOptions.cost,
  };
}

function expressionOf(text: string, env: CelEnv, model: CostModel, declared: ReadonlyMap<string, CelType>): Expression {
  const compiled = compileIn(text, env);
  const issues = issuesOf(compiled, env);
  const isSound = issues === undefined;
  const total = isSound ? estimateCost(compiled.expr, model).total : undefined;
  return {
    text,
    type: isSound ? compiled.expr.type.text : undefined,
    problems: isSound ? [] : problemsOf(compiled),
    issues,
    cost: total && { min: BigInt(total.min), max: BigInt(total.max) },
    evaluate: (variables = {}, options = {}) => {
      if (!isSound) throw new Error(issues);
      return evaluated(compiled, env, declared, variables, options);
    },
  };
}

function problemsOf({ syntax, problems, text }: Compiled): Problem[] {
  const all = syntax.length > 0 ? syntax : problems;
  return all.map(({ message, at, start = at, end = Math.min(text.length, at + 1) }) => ({ message, start, end }));
}

const unlimited = Number.MAX_SAFE_INTEGER;

function evaluated(
  compiled: Compiled,
  env: CelEnv,
  declared: ReadonlyMap<string, CelType>,
  variables: Readonly<Record<string, Input>>,
  { limit = unlimited }: EvaluateOptions,
): Outcome {
  const programmed = programOf(compiled, env, newestRules);
  if ('error' in programmed) return failure(programmed.error, 0n);
  if (!('program' in programmed)) throw new Error(Object.values(programmed).join());
  const given = new Map(Object.entries(variables));
  const result = programmed.program.evaluate((name) => {
    const value = given.get(name);
    return value === undefined ? undefined : toCel(value, declared.get(name));
  }, limit);
  if ('unsupported' in result) throw new Error(String(result.unsupported));
  const cost = BigInt(result.cost);
  if (result.exceeded) return failure('operation cancelled: actual cost limit exceeded', cost);
  return isError(result.value)
    ? failure(result.value.message, cost)
    : { value: toJs(result.value), error: undefined, cost };
}

const failure = (error: string, cost: bigint): Outcome => ({ value: undefined, error, cost });
