import { lineStartBefore, type TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import type { PlacedNode } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import { edit, nextLine, type Parent, parentOf, startsItsLine, type Target, targetAt, trimmedEnd } from './entries.ts';
import { replaceNode } from './set.ts';

/** Takes a key or a list item out. */
export function removeAt(document: YamlDocument, path: DocumentPath): TextEdit[] {
  const target = targetAt(document, path);
  if (!target) return [];
  const { parent } = target;
  if (parent.flow) return removeFromFlow(document.text, target);
  if (parent.entries.length === 1) return emptied(document, path.slice(0, -1), parent);
  return removeLines(document.text, target);
}

/** Takes one of the entries of a map or list out, also of those that share a key. Others must be left. */
export function removeNth({ text }: YamlDocument, placed: PlacedNode, index: number): TextEdit[] {
  const parent = parentOf(placed);
  const entry = parent?.entries[index];
  if (!parent || !entry) return [];
  return parent.flow ? removeFromFlow(text, { parent, index, entry }) : removeLines(text, { parent, index, entry });
}

export function removeLines(text: string, { parent, index, entry }: Target): TextEdit[] {
  const end = nextLine(text, entry.end);
  if (startsItsLine(text, entry.start)) {
    return [edit(lineStartBefore(text, entry.start), end, '')];
  }
  // The first entry shares its line with the dash before it: what follows moves up.
  const next = parent.entries[index + 1];
  if (!next) return [edit(entry.start, trimmedEnd(text, entry), '')];
  const rest = /^\s*/.exec(text.slice(end, next.start))![0].length;
  return [edit(entry.start, end + rest, '')];
}

/** The last entry of a block leaves `{}` or `[]` behind, for nothing at all would be null. */
function emptied(document: YamlDocument, path: DocumentPath, parent: Parent): TextEdit[] {
  const empty = parent.node.kind === 'map' ? '{}' : '[]';
  return replaceNode(document, path, () => empty, true);
}

export function removeFromFlow(text: string, { parent, index, entry }: Target): TextEdit[] {
  const next = parent.entries[index + 1];
  const before = parent.entries[index - 1];
  if (parent.node.style === 'pair') return [edit(entry.start, entry.end, '{}')];
  if (next) return [cutBetween(text, entry.start, entry.end, next.start)];
  const comma = commaAfter(text, entry.end);
  if (comma !== -1 || !before) return [edit(entry.start, comma === -1 ? entry.end : comma + 1, '')];
  const gap = text.slice(before.end, entry.start);
  if (!gap.includes('#')) return [edit(before.end, entry.end, '')];
  const own = commaAfter(text, before.end);
  return [edit(own, own + 1, ''), edit(entry.start, entry.end, '')];
}

/** Up to the next entry, or only over the comma where a comment stands between. */
function cutBetween(text: string, start: number, end: number, next: number): TextEdit {
  return edit(start, text.slice(end, next).includes('#') ? commaAfter(text, end) + 1 : next, '');
}

function commaAfter(text: string, from: number): number {
  const gap = /(?:\s|#[^\r\n]*[\r\n])*,/y;
  gap.lastIndex = from;
  return gap.test(text) ? gap.lastIndex - 1 : -1;
}
