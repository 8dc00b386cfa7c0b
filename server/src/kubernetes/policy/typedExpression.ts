import { memo } from '../../base/memo.ts';
import type { ValueMap } from '../../base/value.ts';
import type { CelEnv } from '../../cel/env.ts';
import type { CelType } from '../../cel/types.ts';
import { namedFromHere } from '../cel/declNames.ts';
import { type DeclType, declType } from '../cel/declType.ts';
import { type SchemaEnv, schemaEnvironment } from '../cel/environment.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';
import type { PolicyExpression } from './expressions.ts';
import { mergedSchema } from './mergedTypes.ts';
import type { TypedKind } from './objectTypes.ts';
import { typedEnvironments } from './typeCheck.ts';
import { composed, type Declared, variablesType } from './variables.ts';

/** A value of some kinds, as an expression sees it. Its types are named under `name`. */
export interface TypedValue extends Declared {
  readonly name: string;
}

/** What the objects are that a policy looks at; several kinds are taken together. */
export const typedObject = memo(
  (kinds: readonly TypedKind[], kubernetes: KubernetesVersion): TypedValue | undefined => {
    const [first] = kinds;
    if (!first) return undefined;
    if (kinds.length === 1) return first.decl && { name: first.kind, decl: first.decl, structural: first.structural };
    const name = 'object';
    const structural = mergedSchema(kinds);
    const decl = declType(structural, true, kubernetes.cel, name);
    return decl && { name, decl, structural };
  },
);

/** The parameters. Objects of the same kind have types of another name. */
export function typedParams(params: TypedKind | undefined, object: TypedValue | undefined): TypedValue | undefined {
  if (!params?.decl) return undefined;
  const { kind, structural, decl } = params;
  if (object?.name !== kind) return { name: kind, structural, decl };
  const name = `${kind}1`;
  return { name, structural, decl: namedFromHere(decl, name) };
}

/** The environment of an expression and what it may read, where the kinds are known that its policy looks at. */
export function typedExpression(
  one: PolicyExpression,
  policy: ValueMap,
  all: readonly PolicyExpression[],
  { object, params }: { readonly object: TypedValue | undefined; readonly params: TypedValue | undefined },
  kubernetes: KubernetesVersion,
): { readonly env: CelEnv; readonly declared: Declared } {
  const types = { object: object?.decl, params: params?.decl, isWhole: true };
  const { above, last } = typedEnvironments(policy, all, types, kubernetes);
  const { structs } = above.get(one) ?? last;
  const { env } = one.schemaEnv;
  const known: ReadonlyMap<string, TypedValue | undefined> = new Map([
    ['object', object],
    ['oldObject', object],
    ['params', params],
  ]);
  const idents = new Map([...env.idents].map(([name, type]) => [name, known.get(name)?.decl.type ?? type]));
  return { env: { ...env, idents, structs }, declared: withTypes(one.variables(), known, structs) };
}

function withTypes(
  { decl, structural }: Declared,
  known: ReadonlyMap<string, TypedValue | undefined>,
  structs: CelEnv['structs'],
): Declared {
  const fields = new Map<string, DeclType>();
  const properties = new Map<string, Structural>();
  for (const [name, declared] of decl.fields ?? []) {
    const { description = '' } = structural.properties?.get(name) ?? {};
    const own = name === 'variables' ? typedVariables(declared, structs) : known.get(name);
    fields.set(name, own?.decl ?? declared);
    const schema = own?.structural ?? structural.properties?.get(name);
    if (schema) properties.set(name, { ...schema, description });
  }
  return { decl: { ...decl, fields }, structural: { ...structural, properties } };
}

function typedVariables({ fields = new Map() }: DeclType, structs: CelEnv['structs']): Declared {
  const info = structs(variablesType.name);
  const types = [...fields].map(([name, { type }]): [string, CelType] => [name, info?.field(name) ?? type]);
  return composed(new Map(types));
}

/** The same for an expression whose variables are the fields of an object of a kind. */
export function typedWatched(
  { schemaEnv }: PolicyExpression,
  { structural, decl }: TypedKind,
  kubernetes: KubernetesVersion,
): { readonly schemaEnv: SchemaEnv; readonly declared: Declared } | undefined {
  if (!decl?.fields) return undefined;
  const { structs } = schemaEnvironment(kubernetes, kubernetes.name, decl).env;
  const idents = new Map([
    ...schemaEnv.env.idents,
    ...[...decl.fields].map(([name, { type }]) => [name, type] as const),
  ]);
  return { schemaEnv: { ...schemaEnv, env: { ...schemaEnv.env, idents, structs } }, declared: { decl, structural } };
}
