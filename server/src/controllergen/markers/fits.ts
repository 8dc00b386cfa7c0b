/** What Go types look like in a schema, as far as markers depend on it. */
import { memo } from '../../base/memo.ts';
import { jsonTag } from '../crd/tags.ts';
import type { Field, GoFile, TypeDeclaration, TypeExpression } from '../syntax/model.ts';
import type { Fit, MarkerDefinition } from './model.ts';

/** Finds the types of a package by name. */
export type TypesByName = (name: string) => TypeDeclaration | undefined;

export function typesOf(file: GoFile): TypesByName {
  const types = byName(file);
  return (name) => types.get(name);
}

const byName = memo((file: GoFile): ReadonlyMap<string, TypeDeclaration> => {
  const types = new Map<string, TypeDeclaration>();
  for (const type of file.types) if (!types.has(type.name)) types.set(type.name, type);
  return types;
});

const scalars = new Map<string, Fit | 'bool'>([
  ['string', 'string'],
  ['bool', 'bool'],
  ...['byte', 'rune', 'float32', 'float64'].map((name) => [name, 'number'] as const),
  ...['', '8', '16', '32', '64'].flatMap((size) =>
    [`int${size}`, `uint${size}`].map((name) => [name, 'number'] as const),
  ),
]);

/** How many names lead to others. */
const maxSteps = 20;

/** The kind of a type; undefined where it is not known here, as of types from other packages. */
export function kindOf(type: TypeExpression, types: TypesByName, steps = 0): Fit | 'bool' | undefined {
  const under = underlying(type, types, steps);
  if (under?.kind === 'name') return scalars.get(under.name);
  if (under?.kind === 'struct' || under?.kind === 'map') return under.kind;
  if (under?.kind !== 'list') return undefined;
  // Bytes are a string.
  return under.of.kind === 'name' && under.of.name === 'byte' && under.length === undefined ? 'string' : 'list';
}

/** A type without pointers and names: a basic type's name, or what is written; undefined where that is elsewhere. */
export function underlying(type: TypeExpression, types: TypesByName, steps = 0): TypeExpression | undefined {
  if (steps > maxSteps) return undefined;
  if (type.kind === 'pointer') return underlying(type.to, types, steps + 1);
  if (type.kind === 'name' && !scalars.has(type.name)) {
    const named = types(type.name);
    return named && named.parameters.length === 0 ? underlying(named.type, types, steps + 1) : undefined;
  }
  return type.kind === 'selected' || type.kind === 'generic' || type.kind === 'other' ? undefined : type;
}

/** A marker may stand on what is not known. */
export function fitsKind({ fits }: MarkerDefinition, kind: Fit | 'bool' | undefined): boolean {
  return fits === undefined || kind === undefined || fits.some((fit) => fit === kind);
}

/** The name of a field in JSON; undefined for one that has none of its own. */
export function jsonName(field: Field): string | undefined {
  const tag = jsonTag(field);
  if (!tag) return field.names[0]?.name;
  return tag.isSkipped || tag.name === '' ? undefined : tag.name;
}
