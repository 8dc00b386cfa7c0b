import { listOf, mapOf, structType } from '../../cel/types.ts';
import type { DeclType } from './declType.ts';

/**
 * A node's type with its objects named from the node on. A type taken out of its parent's names them from there, but
 * the API server names them anew for each node whose rules it compiles, and the names show in errors.
 */
export function namedFromHere(decl: DeclType, name = 'selfType'): DeclType {
  if (decl.fields) {
    const fields = new Map([...decl.fields].map(([key, field]) => [key, namedFromHere(field, `${name}.${key}`)]));
    return { ...decl, type: structType(name), fields };
  }
  if (!decl.element) return decl;
  const element = namedFromHere(decl.element, `${name}.${decl.key ? '@elem' : '@idx'}`);
  const type = decl.key ? mapOf(decl.key.type, element.type) : listOf(element.type);
  return { ...decl, element, type };
}
