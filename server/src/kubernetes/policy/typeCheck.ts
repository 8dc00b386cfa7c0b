import { lru } from '../../base/lru.ts';
import { memo } from '../../base/memo.ts';
import { isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { type Compiled, compile, issuesOf } from '../../cel/compile.ts';
import type { CelEnv } from '../../cel/env.ts';
import type { CelProblem } from '../../cel/source.ts';
import { type CelType, dynType } from '../../cel/types.ts';
import { namedFromHere } from '../cel/declNames.ts';
import type { DeclType } from '../cel/declType.ts';
import { baseEnvironment, schemaEnvironment } from '../cel/environment.ts';
import { fieldOf } from '../field.ts';
import { environmentName } from '../releases/environments.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import {
  type Above,
  OwnVariables,
  type PolicyExpression,
  policyExpressions,
  spotOf,
  structsOver,
} from './expressions.ts';
import { hostGroup } from './hosts.ts';
import { askedOfOthers, forKind, type Known, type NoProblem, variablesRead, whyNone } from './kindAsked.ts';
import type { TypedKind } from './objectTypes.ts';
import { policyVariables, variableType } from './variables.ts';

// The type checking of ValidatingAdmissionPolicies. The API server stores a policy without it; the controller manager
// does it some time later, and writes what it finds into the status of the policy.

/** An expression that does not fit one of the kinds. */
export interface Misfit {
  readonly kind: TypedKind;
  readonly compiled: Compiled;
  /** The type checking's own words. */
  readonly issues: string;
  /** Those of its problems that are none when the policy runs. */
  readonly none: ReadonlyMap<CelProblem, NoProblem>;
}

export interface ExpressionWarning {
  readonly path: Path;
  readonly fieldRef: string;
  /** What the status of the policy says. */
  readonly warning: string;
  readonly misfits: readonly Misfit[];
}

/** More expressions than so many, each counted once for each kind, are not typed. */
const mostChecked = 2_000;

/** What type checking finds in a policy. `params` is the kind that it names, where that is known. */
export function typeCheck(
  policy: ValueMap,
  kinds: readonly TypedKind[],
  params: TypedKind | undefined,
  kubernetes: KubernetesVersion,
): ExpressionWarning[] {
  const all = policyExpressions(policy, hostGroup, 'ValidatingAdmissionPolicy', kubernetes, undefined);
  const checked = all.filter(isTypeChecked);
  const envs = bounded(kinds, all).map((kind) => {
    const { last } = typedEnvironments(
      policy,
      all,
      { ...typesOf(kind, params, 'checked'), isWhole: false },
      kubernetes,
    );
    return { kind, env: last, reach: reachOf(policy, all, kind, last) };
  });
  return checked.flatMap((one) => warningOf(one, envs));
}

/** The same of the expressions that type checking leaves out, by what is really there. */
export function typeCheckRest(
  policy: ValueMap,
  kinds: readonly TypedKind[],
  params: TypedKind | undefined,
  kubernetes: KubernetesVersion,
): ExpressionWarning[] {
  const all = policyExpressions(policy, hostGroup, 'ValidatingAdmissionPolicy', kubernetes, undefined);
  const rest = all.filter((one) => !isTypeChecked(one) && one.text !== '');
  const envs = bounded(kinds, all).map((kind) => {
    const types = { ...typesOf(kind, params, 'decl'), isWhole: true };
    const typed = typedEnvironments(policy, all, types, kubernetes);
    return { kind, ...typed, reach: reachOf(policy, all, kind, typed.last) };
  });
  return rest.flatMap((one) =>
    warningOf(
      one,
      envs.map(({ kind, reach, above, last }) => ({ kind, reach, env: above.get(one) ?? last })),
    ),
  );
}

/** Type checking looks at validations and at their messages. */
function isTypeChecked({ host, text }: PolicyExpression): boolean {
  return host.path[1] === 'validations' && text !== '';
}

function bounded<K>(kinds: readonly K[], all: readonly PolicyExpression[]): readonly K[] {
  return kinds.slice(0, Math.floor(mostChecked / Math.max(all.length, 1)));
}

function warningOf(
  { path, text }: PolicyExpression,
  envs: readonly { readonly kind: TypedKind; readonly env: CelEnv; readonly reach: Reach }[],
): ExpressionWarning[] {
  const all = envs.map(({ env }) => compiledIn(env, text));
  const misfits = envs.flatMap(({ kind, env, reach }, at): Misfit[] => {
    const compiled = all[at]!;
    const issues = compiled.panic === undefined ? issuesOf(compiled, env) : undefined;
    if (issues === undefined) return [];
    const asked = askedOfOthers(compiled, all);
    const { unreached } = forKind(compiled.expr, kind, reach.variables, asked);
    const isNever = reach.never.has(keyOf(path));
    const none = compiled.problems.flatMap((problem) => {
      const why = isNever ? 'unreached' : whyNone(problem, unreached, asked);
      return why ? [[problem, why] as const] : [];
    });
    return [{ kind, compiled, issues, none: new Map(none) }];
  });
  if (misfits.length === 0) return [];
  const warning = misfits.map(({ kind, issues }) => `${kindText(kind)}: ${issues}\n`).join('\n');
  return [{ path, fieldRef: fieldOf(spotOf(path)), warning, misfits }];
}

/** How far a policy goes with objects of a kind. */
interface Reach {
  /** What its variables come to. */
  readonly variables: ReadonlyMap<string, Known>;
  /**
   * Expressions that are never evaluated: a match condition says no, there is nothing to give a message for, or nothing that
   * is evaluated reads the variable.
   */
  readonly never: ReadonlySet<string>;
}

const keyOf = (path: Path) => path.join('/');

function reachOf(policy: ValueMap, all: readonly PolicyExpression[], kind: TypedKind, env: CelEnv): Reach {
  const variables = new Map<string, Known>();
  const ofKind = (text: string) => forKind(compiledIn(env, text).expr, kind, variables);
  const nameOf = ({ path }: PolicyExpression) => valueAt(policy, [...path.slice(0, -1), 'name']);
  const own = all.filter(isOf('variables'));
  for (const one of own) {
    const name = nameOf(one);
    if (isString(name)) variables.set(name, ofKind(one.text).value);
  }
  const isSkipped = all.filter(isOf('matchConditions')).some(({ text }) => ofKind(text).value === false);
  const others = all.filter((one) => !isOf('variables')(one) && !isOf('matchConditions')(one));
  const never = others.filter((one) => {
    if (isSkipped) return true;
    if (!isOf('validations')(one) || one.path.at(-1) !== 'messageExpression') return false;
    const text = valueAt(policy, [...one.path.slice(0, -1), 'expression']);
    return isString(text) && ofKind(text).value === true;
  });
  const evaluated = others.filter((one) => !never.includes(one));
  const variablesOf = (texts: readonly PolicyExpression[], readsOf: (text: string) => Iterable<string>) =>
    evaluatedVariables(own, nameOf, texts, readsOf);
  const written = variablesOf(others, (text) => variablesRead(compiledIn(env, text).expr));
  const read = variablesOf(evaluated, (text) => ofKind(text).reads);
  const unread = [...written].filter((one) => !read.has(one));
  return { variables, never: new Set([...never, ...unread].map(({ path }) => keyOf(path))) };
}

/** A variable is evaluated once something reads it; it reads those before it. */
function evaluatedVariables(
  own: readonly PolicyExpression[],
  nameOf: (one: PolicyExpression) => Value | undefined,
  readers: readonly PolicyExpression[],
  readsOf: (text: string) => Iterable<string>,
): ReadonlySet<PolicyExpression> {
  const names = new Set<Value | undefined>(readers.flatMap(({ text }) => [...readsOf(text)]));
  const evaluated = own.toReversed().filter((one) => {
    if (!names.has(nameOf(one))) return false;
    for (const before of readsOf(one.text)) names.add(before);
    return true;
  });
  return new Set(evaluated);
}

const isOf =
  (list: string) =>
  ({ host }: PolicyExpression) =>
    host.path[1] === list;

function typesOf(object: TypedKind, params: TypedKind | undefined, view: 'decl' | 'checked'): ObjectTypes {
  return { object: object[view], params: params && besides(object, params, view) };
}

/** The type of parameters is another one than that of objects of the same kind. */
function besides(object: TypedKind, params: TypedKind, view: 'decl' | 'checked'): DeclType | undefined {
  const type = params[view];
  return type && object.kind === params.kind ? namedFromHere(type, `${params.kind}1`) : type;
}

function kindText({ group, version, kind }: TypedKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** What objects and parameters are known to be. */
export interface ObjectTypes {
  readonly object: DeclType | undefined;
  readonly params: DeclType | undefined;
}

interface Types extends ObjectTypes {
  /** Also what type checking does not declare: of `authorizer` it knows no more than that it is there. */
  readonly isWhole: boolean;
}

/** The environments of a policy's variables, and that of what stands below all of them. */
export function typedEnvironments(
  policy: ValueMap,
  all: readonly PolicyExpression[],
  types: Types,
  kubernetes: KubernetesVersion,
): { readonly above: ReadonlyMap<PolicyExpression, CelEnv>; readonly last: CelEnv } {
  const own = new OwnVariables();
  const above = new Map<PolicyExpression, CelEnv>();
  const hasParams = isMap(valueAt(policy, ['spec', 'paramKind']));
  const known = environments(kubernetes, types.object, types.params);
  // What is known of the variables so far; most of it is the same after the next key.
  let text = `${types.isWhole} ${hasParams}`;
  const here = () => {
    const held = known.get(text);
    if (held) return held;
    const env = typedEnvironment(own.above(), types, hasParams, kubernetes);
    known.set(text, env);
    return env;
  };
  for (const one of all.filter(({ host }) => host.path[1] === 'variables')) {
    const env = here();
    above.set(one, env);
    const { expr, problems, unparsed } = compiledIn(env, one.text);
    const isRight = problems.length === 0 && !unparsed;
    const name = valueAt(policy, [...one.path.slice(0, -1), 'name']);
    const type = isRight ? variableType(expr.type) : dynType;
    own.add(isString(name) ? name : '', type);
    text += `\n${isString(name) ? name : ''}: ${type.text}`;
  }
  return { above, last: here() };
}

const environments = memo((_: KubernetesVersion, __: DeclType | undefined, ___: DeclType | undefined) =>
  lru<CelEnv>(30),
);

const compiledTexts = memo((_: CelEnv) => lru<Compiled>(300));

function compiledIn(env: CelEnv, text: string): Compiled {
  const known = compiledTexts(env);
  const held = known.get(text);
  if (held) return held;
  const compiled = compile(text, env);
  known.set(text, compiled);
  return compiled;
}

const authorizerParts = ['authorizer.requestResource'];

function typedEnvironment(
  above: Above,
  { isWhole, ...types }: Types,
  hasParams: boolean,
  kubernetes: KubernetesVersion,
): CelEnv {
  const release = environmentName(kubernetes, true);
  const base = baseEnvironment(kubernetes, release);
  const declared = (name: string) => [name, policyVariables[name]![0].decl.type] as const;
  const names = ['request', 'namespaceObject', 'authorizer', 'variables', ...(isWhole ? authorizerParts : [])];
  const idents = new Map<string, CelType>([
    ...base.idents,
    ...names.map(declared),
    ['object', types.object?.type ?? dynType],
    ['oldObject', types.object?.type ?? dynType],
  ]);
  if (hasParams) idents.set('params', types.params?.type ?? dynType);
  const roots = ['kubernetes', ...(isWhole ? ['authorizer'] : [])];
  return {
    ...base,
    idents,
    structs: structsOver(objectStructs(types, release, kubernetes), above, kubernetes),
    qualified: { ...base.qualified, idents: new Set([...base.qualified.idents, ...roots]) },
  };
}

/** The types of objects and parameters, by name. */
function objectStructs(
  { object, params }: ObjectTypes,
  release: string,
  kubernetes: KubernetesVersion,
): CelEnv['structs'] {
  const ofObject = schemaEnvironment(kubernetes, release, object).env.structs;
  const ofParams = schemaEnvironment(kubernetes, release, params).env.structs;
  return (name) => ofObject(name) ?? ofParams(name);
}
