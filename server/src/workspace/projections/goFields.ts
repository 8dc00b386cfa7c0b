import type { Range } from '../../base/text.ts';
import { jsonTag } from '../../controllergen/crd/tags.ts';
import type { Field, GoFile, TypeDeclaration } from '../../controllergen/syntax/model.ts';

/** The type that an offset of a file is in, and the field. */
export function declarationAt({ types }: GoFile, offset: number): { type?: TypeDeclaration; field?: Field } {
  const type = types.find(({ range }) => offset <= range.end);
  if (type?.type.kind !== 'struct' || offset <= type.nameRange.end) return type ? { type } : {};
  const field = type.type.fields.find(({ range }) => offset <= range.end);
  return field ? { type, field } : { type };
}

/** The field whose name or tag an offset is in. */
export function fieldNamedAt(file: GoFile, offset: number): Field | undefined {
  const { field } = declarationAt(file, offset);
  const isIn = (range: Range | undefined) => range !== undefined && range.start <= offset && offset <= range.end;
  return field && (isIn(field.tag?.range) || field.names.some(({ range }) => isIn(range))) ? field : undefined;
}

/** What stands for a field in the origins of its schema. */
export function nameOfField({ names, type }: Field): Range {
  return names[0]?.range ?? type.range;
}

/** Where the tag of a field says the name of its property; undefined where it says none. */
export function nameInTag(field: Field): Range | undefined {
  const name = jsonTag(field)?.name;
  const found = field.tag && /(?:^|[\s`"])json:\\?"([^",\\]+)/.exec(field.tag.text);
  if (!field.tag || !found || !name || found[1] !== name) return undefined;
  const start = field.tag.range.start + found.index + found[0].length - name.length;
  return { start, end: start + name.length };
}
