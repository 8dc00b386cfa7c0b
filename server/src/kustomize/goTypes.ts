import type { BuiltNode } from './types.ts';

/** The Go type of a decoded value, as %T prints it. */
export function goTypeName(node: BuiltNode): string {
  if (node.kind === 'map') return 'map[string]interface {}';
  if (node.kind === 'list') return '[]interface {}';
  const { value } = node;
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  return value === null ? '<nil>' : 'string';
}
