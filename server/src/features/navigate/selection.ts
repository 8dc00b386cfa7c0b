import { append } from '../../base/append.ts';
import { movedRange, type Range } from '../../base/text.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { Node } from '../../yaml/node.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { cursorAt } from '../place/cursor.ts';
import { expressionAt } from '../place/expressionAt.ts';
import { nodesOf } from '../place/nodesAt.ts';

/**
 * What a growing selection at an offset takes in, the smallest first: of an expression its parts, then a value, its
 * entry, the map or list around it, and so on. Each contains the one before.
 */
export function selectionAt(snapshot: Snapshot, uri: string, offset: number): Range[] {
  return growing([...expressionSelection(snapshot, uri, offset), ...yamlSelection(snapshot, uri, offset)]);
}

/** The parts of the rule at an offset. */
export function expressionSelection(snapshot: Snapshot, uri: string, offset: number): Range[] {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  if (!expression) return [];
  const { place, offset: at, toFile } = expression;
  const around = [...nodesOf(place.compiled.expr)].filter(({ start, end }) => start <= at && at <= end && end > start);
  return growing(around.map(({ start, end }) => toFile({ start, end })));
}

/** The whole rule at an offset, however broken it is. */
export function ruleAround(snapshot: Snapshot, uri: string, offset: number): Range | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  return expression?.toFile({ start: 0, end: expression.place.map.value.length });
}

function yamlSelection(snapshot: Snapshot, uri: string, offset: number): Range[] {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor) return [];
  const { document, start } = cursor.placed;
  const shift = (range: Range) => movedRange(range, start);
  const whole = { start: 0, end: cursor.file.text.length };
  const own = { start: 0, end: document.text.length };
  return [...entriesAround(document, offset - start), own].map(shift).concat(whole);
}

/** The ranges by size, without those that do not contain all smaller ones. */
export function growing(ranges: readonly Range[]): Range[] {
  const kept: Range[] = [];
  for (const one of [...ranges].sort((a, b) => a.end - a.start - (b.end - b.start))) {
    const last = kept.at(-1);
    const larger = !last || one.end - one.start > last.end - last.start;
    if (one.end > one.start && larger && one.start <= (last?.start ?? one.start) && one.end >= (last?.end ?? 0))
      kept.push(one);
  }
  return kept;
}

function entriesAround(document: YamlDocument, offset: number): Range[] {
  const around: Range[] = [];
  const holds = (start: number, length: number) => start <= offset && offset <= start + length;
  const add = (start: number, length: number) => {
    const text = document.text.slice(start, start + length);
    around.push({ start, end: start + text.trimEnd().length });
  };
  let node: Node | undefined = document.root;
  let start = document.rootStart;
  while (node && holds(start, node.length)) {
    add(start, node.length);
    if (node.kind === 'scalar') append(around, insideQuotes(document.text, node, start));
    const entry = entryAt(node, start, offset);
    if (!entry) break;
    add(entry.start, entry.length);
    if (entry.key && holds(entry.key.start, entry.key.length)) add(entry.key.start, entry.key.length);
    node = entry.value;
    start = entry.valueStart;
  }
  return around.filter((range) => range.start <= offset && offset <= range.end);
}

interface Entry {
  readonly start: number;
  readonly length: number;
  readonly key: { readonly start: number; readonly length: number } | undefined;
  readonly value: Node;
  readonly valueStart: number;
}

function entryAt(node: Node, start: number, offset: number): Entry | undefined {
  if (node.kind === 'map') {
    const pair = node.pairs.find(({ at, length }) => start + at <= offset && offset <= start + at + length);
    if (!pair) return undefined;
    const from = start + pair.at;
    const key = { start: from + pair.keyAt, length: pair.key.length };
    return { start: from, length: pair.length, key, value: pair.value, valueStart: from + pair.valueAt };
  }
  if (node.kind !== 'list') return undefined;
  const item = node.items.find(({ at, length }) => start + at <= offset && offset <= start + at + length);
  if (!item) return undefined;
  const from = start + item.at;
  return { start: from, length: item.length, key: undefined, value: item.node, valueStart: from + item.nodeAt };
}

function insideQuotes(text: string, { length, props, style }: Node & { kind: 'scalar' }, start: number): Range[] {
  const from = start + (props?.bodyAt ?? 0);
  if (style !== 'single' && style !== 'double') return [{ start: from, end: start + length }];
  const closed = length > 1 && text[start + length - 1] === text[from];
  return [{ start: from + 1, end: start + length - Number(closed) }];
}
