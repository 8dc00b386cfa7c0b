/**
 * Text edits on a document: they say what the values become, and leave every line alone that they need not touch.
 * Where an edit cannot be made (the path leads nowhere, or through an alias) there are no edits.
 */
import { columnOf, lineStartBefore, type Range, type TextEdit } from '../base/text.ts';
import type { Path, Value } from '../base/value.ts';
import { isBreak } from './chars.ts';
import type { ListNode, MapNode, Node, PlacedNode } from './node.ts';
import { isMissing } from './node.ts';
import type { YamlDocument } from './parse.ts';
import { type Found, nodeAtPath, pairOf } from './place.ts';
import { doubleQuoted } from './quoting.ts';
import {
  isScalar,
  renderBlock,
  renderFlow,
  renderItem,
  renderKey,
  renderPair,
  renderScalar,
  type Style,
} from './render.ts';

/** Where in its map or list a new entry goes; at the end by default. */
export interface Where {
  readonly first?: true;
  readonly before?: string | number;
  readonly after?: string | number;
}

function edit(start: number, end: number, text: string): TextEdit {
  return { range: { start, end }, text };
}

function nodeAt(document: YamlDocument, path: Path): Found | undefined {
  const found = nodeAtPath(document, path);
  return found?.through ? undefined : found;
}

/** Whether a node stands inside braces or brackets. */
function inFlow(document: YamlDocument, path: Path): boolean {
  for (let length = path.length - 1; length >= 0; length--) {
    const node = nodeAt(document, path.slice(0, length))?.node;
    if ((node?.kind === 'map' || node?.kind === 'list') && node.style !== 'block') return true;
  }
  return false;
}

// How the file is written

const memo = new WeakMap<YamlDocument, Style>();

export function styleOf(document: YamlDocument): Style {
  let style = memo.get(document);
  if (!style) {
    style = findStyle(document);
    memo.set(document, style);
  }
  return style;
}

function findStyle({ text, root, rootStart }: YamlDocument): Style {
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  let step: number | undefined;
  let indentLists: boolean | undefined;
  const stack: PlacedNode[] = root ? [{ node: root, start: rootStart }] : [];
  for (let at = stack.pop(); at && (step === undefined || indentLists === undefined); at = stack.pop()) {
    const { node, start } = at;
    if (node.kind === 'list')
      for (const item of node.items) stack.push({ node: item.node, start: start + item.at + item.nodeAt });
    if (node.kind !== 'map' || node.style !== 'block') continue;
    const column = columnOf(text, start + (node.pairs[0]?.at ?? 0));
    for (const pair of node.pairs) {
      const { value } = pair;
      const valueStart = start + pair.at + pair.valueAt;
      const deeper = columnOf(text, valueStart) - column;
      const ownLine = value.props === undefined && lineStartBefore(text, valueStart) > start + pair.at;
      if (value.kind === 'map' && value.style === 'block' && ownLine && deeper > 0) step ??= deeper;
      if (value.kind === 'list' && value.style === 'block' && ownLine) indentLists ??= deeper > 0;
      stack.push({ node: value, start: valueStart });
    }
  }
  return { eol, step: step ?? 2, indentLists: indentLists ?? false };
}

// Entries: the pairs of a map and the items of a list alike

interface Entry extends Range {
  /** The value's node and place. */
  readonly node: Node;
}

interface Parent extends PlacedNode {
  readonly node: MapNode | ListNode;
  readonly entries: readonly Entry[];
  readonly flow: boolean;
}

function parentOf({ node, start }: PlacedNode): Parent | undefined {
  if (node.kind === 'map') {
    const entries = node.pairs.map((pair) => ({
      start: start + pair.at,
      end: start + pair.at + pair.length,
      node: pair.value,
    }));
    return { node, start, entries, flow: node.style !== 'block' };
  }
  if (node.kind !== 'list') return undefined;
  const entries = node.items.map((item) => ({
    start: start + item.at,
    end: start + item.at + item.length,
    node: item.node,
  }));
  return { node, start, entries, flow: node.style === 'flow' };
}

function indexIn({ node }: Parent, step: string | number | undefined): number {
  if (node.kind === 'list') return typeof step === 'number' && step < node.items.length ? step : -1;
  const pair = step === undefined ? undefined : pairOf(node, String(step));
  return pair ? node.pairs.indexOf(pair) : -1;
}

interface Target {
  readonly parent: Parent;
  readonly index: number;
  readonly entry: Entry;
}

function targetAt(document: YamlDocument, path: Path): Target | undefined {
  const around = path.length > 0 ? nodeAt(document, path.slice(0, -1)) : undefined;
  const parent = around && parentOf(around);
  const index = parent ? indexIn(parent, path.at(-1)) : -1;
  const entry = parent?.entries[index];
  return parent && entry && { parent, index, entry };
}

/** The end of the line that an offset is on, its line break not included; the offset itself at the start of a line. */
function lineEndAfter(text: string, offset: number): number {
  if (offset > 0 && isBreak(text.charCodeAt(offset - 1))) return offset;
  let at = offset;
  while (at < text.length && !isBreak(text.charCodeAt(at))) at++;
  return at;
}

/** The start of the line after an entry. */
function nextLine(text: string, entryEnd: number): number {
  const end = lineEndAfter(text, entryEnd);
  if (end === entryEnd && end > 0 && isBreak(text.charCodeAt(end - 1))) return end;
  if (text.startsWith('\r\n', end)) return end + 2;
  return Math.min(end + 1, text.length);
}

/** An entry's end without line breaks. */
function trimmedEnd(text: string, { start, end }: Range): number {
  let at = end;
  while (at > start && (isBreak(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 32)) at--;
  return at;
}

function startsItsLine(text: string, offset: number): boolean {
  return /^[ \ufeff]*$/.test(text.slice(lineStartBefore(text, offset), offset));
}

// Removing

/** Takes a key or a list item out. */
export function removeAt(document: YamlDocument, path: Path): TextEdit[] {
  const target = targetAt(document, path);
  if (!target) return [];
  const { parent } = target;
  if (parent.flow) return removeFromFlow(document.text, target);
  if (parent.entries.length === 1) return emptied(document, path.slice(0, -1), parent);
  return removeLines(document.text, target);
}

function removeLines(text: string, { parent, index, entry }: Target): TextEdit[] {
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

function lastBreakBefore(text: string, lineStart: number): number {
  if (lineStart === 0) return 0;
  return text.startsWith('\r\n', lineStart - 2) ? lineStart - 2 : lineStart - 1;
}

/** The last entry of a block leaves `{}` or `[]` behind, for nothing at all would be null. */
function emptied(document: YamlDocument, path: Path, parent: Parent): TextEdit[] {
  const empty = parent.node.kind === 'map' ? '{}' : '[]';
  return replaceNode(document, path, () => empty, true);
}

function removeFromFlow(text: string, { parent, index, entry }: Target): TextEdit[] {
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
  const gap = /^(?:\s|#[^\r\n]*)*,/.exec(text.slice(from, from + 2000));
  return gap ? from + gap[0].length - 1 : -1;
}

// Renaming

/** Gives a key another name, in the quotes that it has. */
export function renameKey(document: YamlDocument, path: Path, key: string): TextEdit[] {
  const found = nodeAt(document, path);
  if (!found?.pair) return [];
  const { pair, start } = found.pair;
  const from = start + pair.keyAt;
  const style = pair.key.kind === 'scalar' ? pair.key.style : 'plain';
  return [
    edit(from + (pair.key.props?.bodyAt ?? 0), from + pair.key.length, requoted(key, style, pair.key.length === 0)),
  ];
}

function requoted(text: string, style: string, missing: boolean): string {
  if (style === 'double') return doubleQuoted(text);
  if (style === 'single' && !/[^\x20-\x7e]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return missing ? `${renderKey(text)} ` : renderKey(text);
}

/** Puts a plain scalar in quotes, so that it stays the string it looks like. */
export function quoteScalar(document: YamlDocument, range: Range): TextEdit[] {
  const text = document.text.slice(range.start, range.end);
  const quoted = /[^\x20-\x7e]/.test(text) ? doubleQuoted(text) : `'${text.replaceAll("'", "''")}'`;
  return [edit(range.start, range.end, quoted)];
}

// Setting

/** Gives what stands at a path another value. */
export function setValue(document: YamlDocument, path: Path, value: Value): TextEdit[] {
  if (!document.root && path.length === 0) {
    return [
      edit(
        document.text.length,
        document.text.length,
        `${renderBlock(value, 0, styleOf(document))}${styleOf(document).eol}`,
      ),
    ];
  }
  const style = styleOf(document);
  return replaceNode(
    document,
    path,
    (column) => (column < 0 ? renderFlow(value) : renderInPlace(value, column, style)),
    isScalar(value),
  );
}

/** A value that starts at a column; nested lines stand at that column or further in. */
function renderInPlace(value: Value, column: number, style: Style): string {
  return isScalar(value) ? renderScalar(value, column, style) : renderBlock(value, column, style);
}

/**
 * Replaces a node. `render` gets the column that lines after the first must keep to, -1 for text on one line. Short
 * text goes behind the colon or dash; a block gets lines of its own.
 */
function replaceNode(
  document: YamlDocument,
  path: Path,
  render: (column: number) => string,
  short: boolean,
): TextEdit[] {
  const found = nodeAt(document, path);
  if (!found) return [];
  const { text } = document;
  const { node, start } = found;
  const anchor = node.props?.anchor === undefined ? '' : `&${node.props.anchor} `;
  if (inFlow(document, path) || ((node.kind === 'map' || node.kind === 'list') && node.style !== 'block' && short)) {
    const lead = isMissing(node) && found.pair ? (found.pair.pair.colonAt < 0 ? ': ' : ' ') : '';
    return [edit(start, start + node.length, lead + anchor + render(-1))];
  }
  const end = trimmedEnd(text, { start, end: start + node.length });
  const indicator = indicatorEnd(found);
  const gap = indicator === -1 ? '' : text.slice(indicator, start);
  const { eol, step, indentLists } = styleOf(document);
  const tail = trailingComment(text, end);
  if (indicator === -1 || gap.includes('#'))
    return overLines(start, end, anchor + render(columnOf(text, start)), tail, eol);
  const outer = columnOf(text, found.pair?.start ?? found.item?.start ?? start);
  const colon = found.pair && found.pair.pair.colonAt < 0 ? ':' : '';
  const last = Math.max(end, indicator);
  if (short) return overLines(indicator, last, `${colon} ${anchor}${render(outer + step)}`, tail, eol);
  if (found.item) return overLines(indicator, last, ` ${anchor}${render(outer + 2)}`, tail, eol);
  const inner = outer + (indentLists || !render(0).startsWith('- ') ? step : 0);
  const head = `${colon}${anchor === '' ? '' : ` ${anchor.trim()}`}`;
  return overLines(indicator, last, `${head}${eol}${' '.repeat(inner)}${render(inner)}`, tail, eol);
}

/** A comment behind the old value stays on the first line of the new one: behind its last it might become text. */
function overLines(start: number, end: number, text: string, tail: string, eol: string): TextEdit[] {
  const firstEnd = text.indexOf(eol);
  if (tail === '' || firstEnd === -1) return [edit(start, end, text)];
  return [edit(start, end + tail.length, text.slice(0, firstEnd) + tail + text.slice(firstEnd))];
}

/** A comment behind a value on its line, which stays on the line of the key when the value moves below it. */
function trailingComment(text: string, end: number): string {
  if (end > 0 && isBreak(text.charCodeAt(end - 1))) return '';
  return /^[ \t]+#[^\r\n\x85\u2028\u2029]*/.exec(text.slice(end, end + 2000))?.[0] ?? '';
}

/** Where the colon or dash before a node ends; -1 at the root. */
function indicatorEnd({ pair, item }: Found): number {
  if (item) return item.start + 1;
  if (!pair) return -1;
  const { colonAt, keyAt, key } = pair.pair;
  return pair.start + (colonAt < 0 ? keyAt + key.length : colonAt + 1);
}

// Inserting

/** Puts a new key into a map. The map may be missing, or null. */
export function insertKey(
  document: YamlDocument,
  mapPath: Path,
  key: string,
  value: Value,
  where: Where = {},
): TextEdit[] {
  const found = nodeAt(document, mapPath);
  if (found?.node.kind !== 'map')
    return found && isNull(found.node)
      ? setValue(document, mapPath, new Map([[key, value]]))
      : newRoot(document, mapPath, key, value);
  return insertEntry(document, mapPath, found, where, {
    flow: () => `${renderKey(key)}: ${renderFlow(value)}`,
    block: (column, style) => renderPair(key, value, column, style),
  });
}

function newRoot(document: YamlDocument, path: Path, key: string, value: Value): TextEdit[] {
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
export function insertItem(document: YamlDocument, listPath: Path, value: Value, where: Where = {}): TextEdit[] {
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
  path: Path,
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

/** The index that the new entry gets. */
function placeOf(parent: Parent, where: Where): number {
  if (where.first) return 0;
  const before = indexIn(parent, where.before);
  if (before !== -1) return before;
  const after = indexIn(parent, where.after);
  return after === -1 ? parent.entries.length : after + 1;
}

function insertIntoFlow({ text }: YamlDocument, parent: Parent, at: number, entry: string): TextEdit[] {
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

function insertLines(
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

// Moving

/** Moves a key or an item to another place in its map or list, as it is written. */
export function moveEntry(document: YamlDocument, path: Path, where: Where): TextEdit[] {
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
