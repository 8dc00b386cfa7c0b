import { isList, isMap, type Value } from '../base/value.ts';
import { valueOfBuilt } from './tree/built.ts';
import type { BuiltNode } from './types.ts';

/** The Go type of a decoded value, as %T prints it. */
export function goTypeName(node: BuiltNode): string {
  return typeName(valueOfBuilt(node));
}

export function typeName(value: Value): string {
  if (isMap(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? '<nil>' : 'string';
}
