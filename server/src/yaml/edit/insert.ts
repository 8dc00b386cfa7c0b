import { columnOf, lineStartBefore, type TextEdit } from '../../base/text.ts';
import type { DocumentPath, Value } from '../../base/value.ts';
import { isBreak } from '../chars.ts';
import { isMissing, type Node, type PlacedNode } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import { pairOf } from '../place.ts';
import { renderFlow, renderItem, renderKey, renderPair, type Style } from '../render.ts';
import { edit, nextLine, nodeAt, type Parent, parentOf, placeOf, startsItsLine, type Where } from './entries.ts';
import { setValue } from './set.ts';
import { styleOf } from './style.ts';

/** Puts a new key into a map. The map may be missing, or null; a key that is there already gets the value. */
export function insertKey(
  document: YamlDocument,
  mapPath: DocumentPath,
  key: string,
  value: Value,
  where: Where = {},
): TextEdit[] {
  const found = nodeAt(document, mapPath);
  if (found?.node.kind !== 'map')
    return found && isNull(found.node)
      ? setValue(document, mapPath, new Map([[key, value]]))
      : newRoot(document, mapPath, key, value);
  if (pairOf(found.node, key)) return setValue(document, [...mapPath, key], value);
  return insertEntry(document, mapPath, found, where, {
    flow: () => `${renderKey(key)}: ${renderFlow(value)}`,
    block: (column, style) => renderPair(key, value, column, style),
  });
}

function newRoot(document: YamlDocument, path: DocumentPath, key: string, value: Value): TextEdit[] {
  return document.root || path.length > 0 ? [] : setValue(document, [], new Map([[key, value]]));
}

function isNull(node: Node): boolean {
  return (
    node.kind === 'scalar' &&
    node.style === 'plain' &&
    /^(?:~|null|Null|NULL|)$/.test(node.value) &&
    node.props?.tag === undefined
  );
}

/** Puts a new item into a list. The list may be missing, or null. */
export function insertItem(
  document: YamlDocument,
  listPath: DocumentPath,
  value: Value,
  where: Where = {},
): TextEdit[] {
  const found = nodeAt(document, listPath);
  if (found?.node.kind !== 'list') return found && isNull(found.node) ? setValue(document, listPath, [value]) : [];
  return insertEntry(document, listPath, found, where, {
    flow: () => renderFlow(value),
    block: (column, style) => renderItem(value, column, style),
  });
}

interface Rendered {
  flow(): string;
  block(column: number, style: Style): string;
}

function insertEntry(
  document: YamlDocument,
  path: DocumentPath,
  found: PlacedNode,
  where: Where,
  rendered: Rendered,
): TextEdit[] {
  const parent = parentOf(found);
  if (!parent) return [];
  const at = placeOf(parent, where);
  if (parent.flow) return insertIntoFlow(document, parent, at, rendered.flow());
  const first = parent.entries[0];
  if (!first) return [];
  const column = columnOf(document.text, first.start);
  return insertLines(document, parent, at, column, rendered.block(column, styleOf(document)), path.length > 0);
}

export function insertIntoFlow({ text }: YamlDocument, parent: Parent, at: number, entry: string): TextEdit[] {
  const next = parent.entries[at];
  const before = parent.entries[at - 1];
  if (parent.node.style === 'pair' && (next ?? before)) {
    const { start, end } = (next ?? before)!;
    const own = text.slice(start, end);
    return [edit(start, end, next ? `{${entry}, ${own} }` : `{${own} , ${entry}}`)];
  }
  if (next) return [edit(next.start, next.start, `${entry}, `)];
  // A comma right after a colon would belong to the key.
  if (before) return [edit(before.end, before.end, `${isMissing(before.node) ? ' ' : ''}, ${entry}`)];
  const open = parent.start + (parent.node.props?.bodyAt ?? 0) + 1;
  return [edit(open, open, entry)];
}

export function insertLines(
  document: YamlDocument,
  parent: Parent,
  at: number,
  column: number,
  entry: string,
  attached: boolean,
): TextEdit[] {
  const { text } = document;
  const { eol } = styleOf(document);
  const pad = ' '.repeat(column);
  const next = parent.entries[at];
  if (next && !startsItsLine(text, next.start)) return [edit(next.start, next.start, `${entry}${eol}${pad}`)];
  if (next) {
    const lineStart = lineStartBefore(text, next.start);
    const limit = at > 0 ? nextLine(text, parent.entries[at - 1]!.end) : 0;
    const start = at > 0 || attached ? aboveComments(text, lineStart, column, limit) : lineStart;
    const bom = text.startsWith('\ufeff', start) ? 1 : 0;
    return [edit(start + bom, start + bom, `${pad}${entry}${eol}`)];
  }
  const before = parent.entries[at - 1]!;
  const start = nextLine(text, before.end);
  const broken = isBreak(text.charCodeAt(start - 1));
  return [edit(start, start, broken ? `${pad}${entry}${eol}` : `${eol}${pad}${entry}`)];
}

/** The start of the comment lines right above a line, at its own column: they belong to what follows. */
function aboveComments(text: string, lineStart: number, column: number, limit: number): number {
  let start = lineStart;
  while (start > limit) {
    const above = lineStartBefore(text, lastBreakBefore(text, start));
    const line = text.slice(above, start);
    if (above < limit || !/^ *#/.test(line) || line.indexOf('#') !== column) return start;
    start = above;
  }
  return start;
}

function lastBreakBefore(text: string, lineStart: number): number {
  if (lineStart === 0) return 0;
  return text.startsWith('\r\n', lineStart - 2) ? lineStart - 2 : lineStart - 1;
}
