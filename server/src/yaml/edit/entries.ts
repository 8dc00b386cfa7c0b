import { lineStartBefore, type Range, type TextEdit } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import { isBreak } from '../chars.ts';
import type { ListNode, MapNode, Node, PlacedNode } from '../node.ts';
import type { YamlDocument } from '../parse.ts';
import { type Found, nodeAtPath, pairOf } from '../place.ts';

// What edits work on: the pairs of a map and the items of a list alike, and the lines that they take up.

/** Where in its map or list a new entry goes; at the end by default. */
export interface Where {
  readonly first?: true;
  readonly before?: string | number;
  readonly after?: string | number;
}

export function edit(start: number, end: number, text: string): TextEdit {
  return { range: { start, end }, text };
}

export function nodeAt(document: YamlDocument, path: DocumentPath): Found | undefined {
  const found = nodeAtPath(document, path);
  return found?.through ? undefined : found;
}

export interface Entry extends Range {
  /** The value's node and place. */
  readonly node: Node;
}

export interface Parent extends PlacedNode {
  readonly node: MapNode | ListNode;
  readonly entries: readonly Entry[];
  readonly flow: boolean;
}

export function parentOf({ node, start }: PlacedNode): Parent | undefined {
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

/** The index that the new entry gets. */
export function placeOf(parent: Parent, where: Where): number {
  if (where.first) return 0;
  const before = indexIn(parent, where.before);
  if (before !== -1) return before;
  const after = indexIn(parent, where.after);
  return after === -1 ? parent.entries.length : after + 1;
}

export interface Target {
  readonly parent: Parent;
  readonly index: number;
  readonly entry: Entry;
}

export function targetAt(document: YamlDocument, path: DocumentPath): Target | undefined {
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
export function nextLine(text: string, entryEnd: number): number {
  const end = lineEndAfter(text, entryEnd);
  if (end === entryEnd && end > 0 && isBreak(text.charCodeAt(end - 1))) return end;
  if (text.startsWith('\r\n', end)) return end + 2;
  return Math.min(end + 1, text.length);
}

/** An entry's end without line breaks. */
export function trimmedEnd(text: string, { start, end }: Range): number {
  let at = end;
  while (at > start && (isBreak(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 32)) at--;
  return at;
}

export function startsItsLine(text: string, offset: number): boolean {
  return /^[ \ufeff]*$/.test(text.slice(lineStartBefore(text, offset), offset));
}
