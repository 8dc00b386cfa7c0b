/** Paths to ranges and offsets to paths, within one document. */
import { memo } from '../base/memo.ts';
import { columnOf, lastNotAbove, lineStartBefore, type Range } from '../base/text.ts';
import type { DocumentPath } from '../base/value.ts';
import { breakLength, isBreak } from './chars.ts';
import { keyName } from './decode.ts';
import type { YamlDocument } from './document.ts';
import type { Item, MapNode, Node, Pair, PlacedNode } from './node.ts';
import { isMissing } from './node.ts';
import { isMergeKey } from './resolve.ts';

/** How many line breaks, as the API server's reader counts them, stand before an offset. */
export function linesBefore(text: string, offset: number): number {
  let lines = 0;
  for (let i = 0; i < offset; ) {
    const c = text.charCodeAt(i);
    if (isBreak(c)) {
      lines++;
      i += breakLength(text, i);
    } else i++;
  }
  return lines;
}

/** The same for many offsets of one text: the text is gone through once. */
export function lineCounter(text: string): (offset: number) => number {
  const breaks: number[] = [];
  for (let i = 0; i < text.length; ) {
    if (isBreak(text.charCodeAt(i))) {
      breaks.push(i);
      i += breakLength(text, i);
    } else i++;
  }
  return (offset) => (breaks.length === 0 || breaks[0]! >= offset ? 0 : lastNotAbove(breaks, offset - 1) + 1);
}

/** Where every map stands. */
export function startsOfNodes(document: YamlDocument): Map<Node, number> {
  const starts = new Map<Node, number>();
  const stack: PlacedNode[] = document.root ? [{ node: document.root, start: document.rootStart }] : [];
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node, start } = at;
    if (node.kind === 'map') {
      starts.set(node, start);
      for (const pair of node.pairs) {
        stack.push({ node: pair.key, start: start + pair.at + pair.keyAt });
        stack.push({ node: pair.value, start: start + pair.at + pair.valueAt });
      }
    } else if (node.kind === 'list') {
      for (const item of node.items) stack.push({ node: item.node, start: start + item.at + item.nodeAt });
    }
  }
  return starts;
}

export interface PlacedPair {
  readonly pair: Pair;
  readonly start: number;
}

export interface PlacedItem {
  readonly item: Item;
  readonly start: number;
}

/** What a path leads to: the node and, where there is one, the pair or item it stands in. */
export interface Found extends PlacedNode {
  readonly pair: PlacedPair | undefined;
  readonly item: PlacedItem | undefined;
  /** The path goes on through an alias or a merge key: this is the place from where. */
  readonly through: boolean;
}

/** The pair of a key: the last one, for that is the one that counts. */
export function pairOf(map: MapNode, key: string): Pair | undefined {
  if (map.pairs.length >= worthIndexing) return indexOf(map).get(key);
  return map.pairs.findLast((pair) => isNamed(pair) && keyName(pair.key) === key);
}

function isNamed({ key }: Pair): boolean {
  return !(key.kind === 'scalar' && isMergeKey(key));
}

/** In smaller maps looking through the pairs is as fast. */
const worthIndexing = 16;

const indexOf = memo((map: MapNode): ReadonlyMap<string, Pair> => {
  return new Map(map.pairs.filter(isNamed).map((pair) => [keyName(pair.key), pair]));
});

export function nodeAtPath(document: YamlDocument, path: DocumentPath): Found | undefined {
  if (!document.root) return undefined;
  let found: Found = {
    node: document.root,
    start: document.rootStart,
    pair: undefined,
    item: undefined,
    through: false,
  };
  for (const step of path) {
    const next = typeof step === 'number' ? itemAt(found, step) : childAt(found, step);
    if (!next) return undefined;
    if (next.through) return next;
    found = next;
  }
  return found;
}

function itemAt({ node, start, pair, item }: Found, index: number): Found | undefined {
  if (node.kind === 'alias') return { node, start, pair, item, through: true };
  if (node.kind !== 'list') return undefined;
  const inner = node.items[index];
  return (
    inner && {
      node: inner.node,
      start: start + inner.at + inner.nodeAt,
      pair: undefined,
      item: { item: inner, start: start + inner.at },
      through: false,
    }
  );
}

function childAt({ node, start, pair, item }: Found, key: string): Found | undefined {
  if (node.kind === 'alias') return { node, start, pair, item, through: true };
  if (node.kind !== 'map') return undefined;
  const own = pairOf(node, key);
  const inner = own ?? node.pairs.findLast(({ key: name }) => name.kind === 'scalar' && isMergeKey(name));
  if (!inner) return undefined;
  const at = start + inner.at;
  return {
    node: inner.value,
    start: at + inner.valueAt,
    pair: { pair: inner, start: at },
    item: undefined,
    through: own === undefined,
  };
}

/** The range of the key, the value or the whole pair (or list item) at a path; undefined where there is none. */
export function rangeOf(document: YamlDocument, path: DocumentPath, part: 'key' | 'value' | 'pair'): Range | undefined {
  const found = nodeAtPath(document, path);
  if (!found) return undefined;
  if (part === 'value') return { start: found.start, end: found.start + found.node.length };
  if (part === 'key') {
    if (!found.pair) return undefined;
    const start = found.pair.start + found.pair.pair.keyAt;
    return { start, end: start + found.pair.pair.key.length };
  }
  const around = found.pair
    ? { start: found.pair.start, length: found.pair.pair.length }
    : found.item && { start: found.item.start, length: found.item.item.length };
  return around && { start: around.start, end: around.start + around.length };
}

export interface PlaceAt {
  /** The path of the innermost thing at the offset. In a gap: of the map or list that a new entry would belong to. */
  readonly path: DocumentPath;
  readonly where: 'key' | 'value' | 'gap';
  readonly node: Node | undefined;
  /** Where the node starts. */
  readonly start: number;
  /** The column of the offset's line at which text starts, or the offset's own column on an empty line. */
  readonly indent: number;
}

/** What stands at an offset: where a completion or hover is asked for. */
export function pathAt(document: YamlDocument, offset: number): PlaceAt {
  const { text } = document;
  const lineStart = lineStartBefore(text, offset);
  const lead = /^[ ]*/.exec(text.slice(lineStart, offset))![0].length;
  const blank = lineStart + lead === offset;
  const indent = lead;
  if (!document.root) return { path: [], where: 'gap', node: undefined, start: 0, indent };
  return descend(document, offset, blank ? offset - lineStart : Number.POSITIVE_INFINITY, indent);
}

/** Walks from the root to the innermost node around or before an offset, no further in than a column allows. */
function descend(document: YamlDocument, offset: number, column: number, indent: number): PlaceAt {
  let node: Node = document.root!;
  let start = document.rootStart;
  const path: (string | number)[] = [];
  for (;;) {
    if (node.kind === 'scalar' || node.kind === 'alias') {
      const inside = offset >= start && offset <= start + node.length;
      return { path, where: inside ? 'value' : 'gap', node, start, indent };
    }
    const gap: PlaceAt = { path, where: 'gap', node, start, indent };
    const next: Step | undefined =
      node.kind === 'map' ? stepMap(document, node, start, offset) : stepList(node, start, offset);
    if (!next) return gap;
    const enters = !next.onKey && entersAt(document.text, next, offset, column);
    if (!enters && next.pastValue) return gap;
    path.push(next.step);
    if (!enters) return { path, where: next.onKey ? 'key' : 'value', node: next.node, start: next.start, indent };
    node = next.node;
    start = next.start;
  }
}

interface Step {
  readonly step: string | number;
  readonly node: Node;
  readonly start: number;
  readonly onKey: boolean;
  /** The offset lies after the value. */
  readonly pastValue: boolean;
  /** Where the pair starts; undefined for an item of a list. */
  readonly from: number | undefined;
}

/** Whether the walk goes on into a value: the offset is inside it, or below it and indented enough to belong to it. */
function entersAt(text: string, { node, start, pastValue, from }: Step, offset: number, column: number): boolean {
  if (offset < start || isMissing(node)) {
    // Between the colon and the value, or on an empty line below a key without value.
    return isMissing(node) ? column > (from === undefined ? 0 : columnOf(text, from)) : false;
  }
  if (!pastValue) return true;
  if (node.kind === 'scalar' || node.kind === 'alias') return false;
  if (node.kind === 'map' && node.style === 'block') return column >= columnOf(text, start + (node.props?.bodyAt ?? 0));
  if (node.kind === 'list' && node.style === 'block') return column >= columnOf(text, start);
  return false;
}

function stepMap(document: YamlDocument, map: MapNode, start: number, offset: number): Step | undefined {
  const at = lastStarting(map.pairs, offset - start);
  const pair = map.pairs[at];
  if (!pair) return undefined;
  const from = start + pair.at;
  const step = keyName(pair.key);
  const keyEnd = from + pair.keyAt + pair.key.length;
  if (offset <= keyEnd) return { step, node: pair.key, start: from + pair.keyAt, onKey: true, pastValue: false, from };
  const valueStart = from + pair.valueAt;
  const pastValue = isMissing(pair.value)
    ? hasBreak(document.text, from, offset)
    : offset > valueStart + pair.value.length;
  return {
    step,
    node: pair.value,
    start: valueStart,
    onKey: false,
    pastValue,
    from,
  };
}

function stepList(list: Node & { kind: 'list' }, start: number, offset: number): Step | undefined {
  const at = lastStarting(list.items, offset - start);
  const item = list.items[at];
  if (!item) return undefined;
  const nodeStart = start + item.at + item.nodeAt;
  const pastValue = offset > nodeStart + item.node.length;
  return { step: at, node: item.node, start: nodeStart, onKey: false, pastValue, from: undefined };
}

function hasBreak(text: string, from: number, to: number): boolean {
  return /[\r\n]/.test(text.slice(from, to));
}

/** The index of the last entry that starts at or before a relative offset; -1 where all start after it. */
function lastStarting(entries: readonly { readonly at: number }[], offset: number): number {
  let low = -1;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (entries[middle]!.at <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The innermost node around an offset. */
export function nodeAt(document: YamlDocument, offset: number): PlacedNode | undefined {
  const { node, start } = pathAt(document, offset);
  return node && { node, start };
}
