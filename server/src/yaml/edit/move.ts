import { columnOf, type TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { isMissing } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import { edit, nextLine, placeOf, targetAt, type Where } from './entries.ts';
import { insertIntoFlow, insertLines } from './insert.ts';
import { removeFromFlow, removeLines } from './remove.ts';

/** Moves a key or an item to another place in its map or list, as it is written. */
export function moveEntry(document: YamlDocument, path: DocumentPath, where: Where): TextEdit[] {
  const target = targetAt(document, path);
  if (!target) return [];
  const { parent, index, entry } = target;
  const at = placeOf(parent, where);
  if (at === index || at === index + 1) return [];
  const { text } = document;
  const remove = parent.flow ? removeFromFlow(text, target) : removeLines(text, target);
  if (parent.flow) {
    const own = text.slice(entry.start, entry.end);
    const [insert] = insertIntoFlow(document, parent, at, isMissing(entry.node) ? `${own} ` : own);
    return insert ? merged(remove, insert) : [];
  }
  const column = columnOf(text, entry.start);
  const own = text.slice(entry.start, nextLine(text, entry.end)).replace(/(?:\r\n|\n|\r)$/, '');
  return merged(remove, insertLines(document, parent, at, column, own, false)[0]!);
}

/** Edits must not overlap: an insertion inside what is removed becomes part of it. */
function merged(removes: readonly TextEdit[], insert: TextEdit): TextEdit[] {
  const at = insert.range.start;
  const around = removes.find(({ range }) => at >= range.start && at <= range.end);
  if (!around) return [...removes, insert];
  const { start, end } = around.range;
  const kept = removes.filter((other) => other !== around);
  return [...kept, edit(start, end, insert.text)];
}
