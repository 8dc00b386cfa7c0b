/**
 * A later version of a document, read as far as it changed. The entry of a block map around the change is read anew
 * between two entries made up for it, which give the scanner the place that it has in the whole document; the rest of
 * the tree is kept. What cannot be known from the entry alone is left to a reading from scratch: the two never differ.
 */
import { type Difference, difference, lineStartBefore, movedRange, type Range } from '../base/text.ts';
import { type Built, build } from './build.ts';
import { firstRefused, looksLikeBlockLine } from './chars.ts';
import { rangesOf, readingsAgree, refusal, scannable, setReadingsAgree, type YamlDocument } from './document.ts';
import type { Item, ListNode, MapNode, Node, Pair } from './node.ts';
import { linesBefore } from './place.ts';
import type { ReadError, Scan } from './scanState.ts';

/** Longer entries are not worth the trouble, and could nest deeper than the scanner's limits allow for. */
const longest = 16_000;
const deepest = 2_000;

/** For documents that are refused: the last version before them that was not. Not a memo: it does not follow from them. */
const goodVersions = new WeakMap<YamlDocument, YamlDocument>();

export function lastGood(document: YamlDocument): YamlDocument | undefined {
  return document.readerError ? goodVersions.get(document) : document;
}

export function remember(refused: YamlDocument, good: YamlDocument): void {
  goodVersions.set(refused, good);
}

/** The document of a text, made from an earlier version of it that was not refused; undefined where that is not safe. */
export function reparse(base: YamlDocument, text: string): YamlDocument | undefined {
  if (!canBeBase(base)) return undefined;
  const change = difference(base.text, text);
  const grown = text.length - base.text.length;
  const entry = innermost(entryAround(base, text, change), entryAtLineEnd(base, text, change));
  if (!entry) return undefined;
  if (entry.to + grown - entry.from > longest || entry.steps.length > deepest) return undefined;
  return readEntry({ base, text, grown, entry });
}

/** Anchors, tag handles and text behind the document's end tie places together that lie far apart. */
function canBeBase({ root, rootStart, text, hasAlias, problems, readerError }: YamlDocument): boolean {
  if (root?.kind !== 'map' || root.shared || hasAlias || readerError || problems.length > 0) return false;
  return !text.slice(0, rootStart).includes('%');
}

/**
 * A line that is put in or taken out begins where the entry after it does. The same text comes of a change at the end
 * of the line before, which lies inside the entry there.
 */
function entryAtLineEnd(base: YamlDocument, text: string, { start, end, endAfter }: Difference): Entry | undefined {
  const before = base.text;
  const grown = text.length - before.length;
  if (end - start !== Math.max(0, -grown)) return undefined;
  const [longer, by] = grown > 0 ? [text, grown] : [before, -grown];
  for (let at = start - 1; at >= 0 && longer.charCodeAt(at) === longer.charCodeAt(at + by); at--) {
    if (longer[at] === '\n')
      return entryAround(base, text, { start: at, end: at + end - start, endAfter: at + endAfter - start });
  }
  return undefined;
}

function innermost(a: Entry | undefined, b: Entry | undefined): Entry | undefined {
  return (b?.steps.length ?? 0) > (a?.steps.length ?? 0) ? b : a;
}

/** One step down the tree: into the value of a pair, into an item. */
interface Step {
  readonly node: MapNode | ListNode;
  readonly start: number;
  readonly index: number;
}

/** An entry of a block map, on lines of its own. */
interface Entry {
  /** The way to it; the last step is the map's. */
  readonly steps: readonly Step[];
  /** Its lines, up to those of the next entry. */
  readonly from: number;
  readonly to: number;
  readonly column: number;
}

/**
 * The innermost entry that a change lies inside of, behind its first character. Lines that were put in and stand further
 * out than an entry belong to one around it.
 */
function entryAround({ root, rootStart, text }: YamlDocument, now: string, change: Difference): Entry | undefined {
  const least = leastIndent(now, change.start, change.endAfter);
  let found: Entry | undefined;
  const steps: Step[] = [];
  let node: Node = root!;
  let start = rootStart;
  let to = text.length;
  while ((node.kind === 'map' || node.kind === 'list') && node.style === 'block') {
    const entries: readonly (Pair | Item)[] = node.kind === 'map' ? node.pairs : node.items;
    const index = lastBefore(entries, change.start - start);
    const at = entries[index]?.at;
    if (at === undefined) break;
    const next = entries[index + 1];
    const line = next && ownLine(text, start + next.at);
    if (next && line === undefined) break;
    to = line ?? to;
    if (change.end >= to && to < text.length) break;
    steps.push({ node, start, index });
    const from = ownLine(text, start + at);
    const column = from === undefined ? 0 : start + at - from;
    if (column > least) break;
    if (node.kind === 'map' && from !== undefined) found = { steps: [...steps], from, to, column };
    start += at + insideOf(node, index);
    node = node.kind === 'map' ? node.pairs[index]!.value : node.items[index]!.node;
  }
  return found;
}

/** The least indentation of the lines that begin in a part of a text, but for those that hold nothing. */
function leastIndent(text: string, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let line = text.indexOf('\n', from); line !== -1 && line < to; line = text.indexOf('\n', line + 1)) {
    let at = line + 1;
    while (text[at] === ' ') at++;
    if (at < text.length && !blank.has(text[at]!)) least = Math.min(least, at - line - 1);
  }
  return least;
}

const blank: ReadonlySet<string> = new Set(['\n', '\r', '#']);

function insideOf(node: MapNode | ListNode, index: number): number {
  return node.kind === 'map' ? node.pairs[index]!.valueAt : node.items[index]!.nodeAt;
}

/** The index of the last entry that starts before a relative offset, -1 where none does. */
function lastBefore(entries: readonly { readonly at: number }[], offset: number): number {
  let low = -1;
  let high = entries.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (entries[middle]!.at < offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The start of the line of an offset, if only spaces stand before it. */
function ownLine(text: string, offset: number): number | undefined {
  const start = lineStartBefore(text, offset);
  return /^ *$/.test(text.slice(start, offset)) ? start : undefined;
}

interface Task {
  readonly base: YamlDocument;
  readonly text: string;
  /** How much longer the new text is. */
  readonly grown: number;
  readonly entry: Entry;
}

/** An entry's text between two made-up entries. */
interface Setting {
  readonly text: string;
  /** Where the entry's lines begin, and where the entry after it does. */
  readonly from: number;
  readonly next: number | undefined;
  /** From offsets of this text to those of the document. */
  readonly shift: number;
  readonly column: number;
}

function readEntry(task: Task): YamlDocument | undefined {
  const setting = settingOf(task);
  if (firstRefused(setting.text) !== -1) return undefined;
  const exact = scannable(setting.text, false);
  const built = build(exact);
  const [error] = exact.errors;
  if (error) return refusedEntry(task, setting, exact, error);
  const pairs = newPairs(setting, exact, built);
  if (!pairs) return undefined;
  const document = spliced(task, setting, pairs, exact, { problems: [], readerError: undefined });
  if (readingsAgree(task.base) && !exact.readingsDiffer) setReadingsAgree(document);
  return document;
}

function settingOf({ text, grown, base, entry: { from, to, column } }: Task): Setting {
  const made = `${' '.repeat(column)}k:\n`;
  const atEnd = to === base.text.length;
  const own = text.slice(from, to + grown);
  return {
    text: `${made}${own}${atEnd ? '' : made}`,
    from: made.length,
    next: atEnd ? undefined : made.length + own.length + column,
    shift: from - made.length,
    column,
  };
}

/** The pairs that stand for the entry now; undefined where its text reaches out of its place. */
function newPairs({ from, next, column }: Setting, scan: Scan, { root, rootStart, hasAlias, end }: Built) {
  if (root?.kind !== 'map' || root.style !== 'block' || root.shared || hasAlias) return undefined;
  const pairs = next === undefined ? root.pairs.slice(1) : root.pairs.slice(1, -1);
  const [first] = pairs;
  const last = root.pairs[root.pairs.length - 1]!;
  const stays = first !== undefined && rootStart === column && rootStart + first.at === from + column;
  const ends = next === undefined ? end === scan.end : rootStart + last.at === next;
  return stays && ends ? pairs : undefined;
}

/**
 * An entry that is refused. The error is the document's if the reader has not looked beyond the entry when it finds
 * it; the tree is that of the tolerant reading, which keeps to the entry if the next line looks like one.
 */
function refusedEntry(task: Task, setting: Setting, exact: Scan, error: ReadError): YamlDocument | undefined {
  const { base, text, grown, entry } = task;
  const { next = Number.POSITIVE_INFINITY } = setting;
  const before = linesBefore(text, entry.from);
  if (!readingsAgree(base) || before === 0 || exact.pos > next || error.line === 0) return undefined;
  if (setting.next !== undefined && !looksLikeBlockLine(lineAt(text, entry.to + grown), 0)) return undefined;
  const tolerant = scannable(setting.text, true);
  const pairs = newPairs(setting, tolerant, build(tolerant));
  const errors = [error, ...tolerant.errors];
  if (!pairs || errors.some(({ end, text: words }) => end > next || reachesFar.test(words))) return undefined;
  const [first, ...others] = errors.map((one) => ({
    ...one,
    line: one.line === 0 ? 0 : one.line - 1 + before,
    start: one.start + setting.shift,
    end: one.end + setting.shift,
    ...(one.context !== undefined && { context: contextIn(one.context, setting, entry) }),
  }));
  return spliced(task, setting, pairs, tolerant, refusal(first!, others));
}

/** Where what an error is in begins: in the entry, or it is the map around it. */
function contextIn(context: number, { from, shift }: Setting, { steps }: Entry): number {
  if (context >= from) return context + shift;
  const { node, start } = steps[steps.length - 1]!;
  return start + (node.props?.bodyAt ?? 0);
}

/** Errors of what may go on far behind the entry. */
const reachesFar = /unexpected end of stream|document indicator|unknown anchor|max depth/;

/** The line at an offset, from its first character on, as the scanner sees it. */
function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return `${text.slice(start, end === -1 ? text.length : end).replace(/^ +/, '')}\n\0`;
}

/** The document with the entry's new pairs in place of the old one. */
function spliced(
  { base, text, grown, entry }: Task,
  setting: Setting,
  pairs: readonly Pair[],
  scan: Scan,
  verdict: Pick<YamlDocument, 'problems' | 'readerError'>,
): YamlDocument {
  const { node, start, index } = entry.steps[entry.steps.length - 1]!;
  const shift = entry.column + setting.shift - start;
  const own = pairs.map((pair) => ({ ...pair, at: pair.at + shift }));
  let inner: Node = withPairs(node as MapNode, index, own, grown);
  for (const step of entry.steps.slice(0, -1).reverse()) inner = withInner(step, inner, grown);
  const { rootStart, hasAlias } = base;
  const comments = commentsOf(base.comments, entry, grown, setting, rangesOf(scan.comments));
  return { text, root: inner, rootStart, comments, hasAlias, ...verdict };
}

function moved<T extends { readonly at: number }>(entries: readonly T[], by: number): readonly T[] {
  return by === 0 ? entries : entries.map((entry) => ({ ...entry, at: entry.at + by }));
}

function withPairs(map: MapNode, index: number, own: readonly Pair[], grown: number): MapNode {
  const pairs = [...map.pairs.slice(0, index), ...own, ...moved(map.pairs.slice(index + 1), grown)];
  return { ...map, pairs, length: lengthOf(pairs) };
}

/** The node of a step with another node inside. */
function withInner({ node, index }: Step, inner: Node, grown: number): Node {
  const around = <T extends Pair | Item>(entries: readonly T[], entry: T) => [
    ...entries.slice(0, index),
    entry,
    ...moved(entries.slice(index + 1), grown),
  ];
  if (node.kind === 'map') {
    const pair = node.pairs[index]!;
    const pairs = around(node.pairs, { ...pair, value: inner, length: pair.valueAt + inner.length });
    return { ...node, pairs, length: lengthOf(pairs) };
  }
  const item = node.items[index]!;
  const items = around(node.items, { ...item, node: inner, length: item.nodeAt + inner.length });
  return { ...node, items, length: lengthOf(items) };
}

/** A block collection ends where its last entry does. */
function lengthOf(entries: readonly (Pair | Item)[]): number {
  const last = entries[entries.length - 1]!;
  return last.at + last.length;
}

function commentsOf(
  old: readonly Range[],
  { from, to }: Entry,
  grown: number,
  setting: Setting,
  read: readonly Range[],
): Range[] {
  const end = setting.next === undefined ? setting.text.length : setting.next - setting.column;
  return [
    ...old.filter((comment) => comment.start < from),
    ...shifted(
      read.filter(({ start }) => start >= setting.from && start < end),
      setting.shift,
    ),
    ...shifted(
      old.filter(({ start }) => start >= to),
      grown,
    ),
  ];
}

function shifted(ranges: readonly Range[], by: number): Range[] {
  return ranges.map((range) => movedRange(range, by));
}
