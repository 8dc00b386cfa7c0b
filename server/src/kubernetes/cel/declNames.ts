import { listOf, mapOf, structType } from '../../cel/types.ts';
import type { DeclType } from './declType.ts';

/**
 * A node's type with its objects named from the node on. A type taken out of its parent's names them from there, but
 * the API server names them anew for each node whose rules it compiles, and the names show in errors.
 */
export function namedFromHere(decl: DeclType, name = 'selfType'): DeclType {
  if (decl.fields) return namedObject(decl, decl.fields, name);
  if (!decl.element) return decl;
  const element = namedFromHere(decl.element, `${name}.${decl.key ? '@elem' : '@idx'}`);
  const type = decl.key ? mapOf(decl.key.type, element.type) : listOf(element.type);
  return { ...decl, element, type };
}

/** Its fields are named when they are asked for: a rule reads few of those that it could. */
function namedObject(decl: DeclType, fields: NonNullable<DeclType['fields']>, name: string): DeclType {
  let named: DeclType['fields'];
  return {
    ...decl,
    type: structType(name),
    get fields() {
      named ??= new Map([...fields].map(([key, field]) => [key, namedFromHere(field, `${name}.${key}`)]));
      return named;
    },
  };
}

/** The object below a type that has a name. */
export function objectNamed(root: DeclType, name: string): DeclType | undefined {
  const rootName = nameOf(root);
  if (rootName === undefined || !`${name}.`.startsWith(`${rootName}.`)) return undefined;
  let at: DeclType | undefined = root;
  for (const step of name.split('.').slice(rootName.split('.').length)) {
    at = step.startsWith('@') ? at?.element : at?.fields?.get(step);
  }
  return at?.fields && at;
}

/** The name that a type's objects are named under. */
function nameOf({ type, fields, element }: DeclType): string | undefined {
  if (fields) return type.name;
  const name = element && nameOf(element);
  return name?.slice(0, name.lastIndexOf('.'));
}
