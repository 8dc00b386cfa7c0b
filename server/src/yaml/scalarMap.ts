/** Between the offsets of a decoded scalar and the offsets of the text that it is written as. */

import type { DocumentPath } from '../base/value.ts';
import { breakLength, breakText, hexValue, isBlank, isBreak, SPACE } from './chars.ts';
import { codeLengths, simpleEscapes } from './escapes.ts';
import type { ScalarNode } from './node.ts';
import type { YamlDocument } from './parse.ts';
import { nodeAtPath } from './place.ts';

export interface ScalarMap {
  /** The decoded text. */
  readonly value: string;
  /** Where a character of the value stands in the document; the value's length gives the end of the last one. */
  toText(valueOffset: number): number;
  /** Where the text of a character ends in the document. */
  toTextEnd(valueOffset: number): number;
  /**
   * The character of the value that an offset of the document belongs to: in indentation and folded line breaks the
   * next one. Undefined outside the scalar's content.
   */
  toValue(textOffset: number): number | undefined;
}

/** The map of the scalar at a path; undefined where there is none. */
export function scalarMap(document: YamlDocument, path: DocumentPath): ScalarMap | undefined {
  const found = nodeAtPath(document, path);
  if (found?.node.kind !== 'scalar' || found.through) return undefined;
  const { node, start } = found;
  const known = last.get(document);
  if (known?.node === node && known.start === start) return known.map;
  const map = mapOfScalar(document.text, node, start);
  last.set(document, { node, start, map });
  return map;
}

/**
 * What is asked for one scalar of a document mostly is asked for again, as by the fixes of its problems.
 * Not a memo: only the last one is kept.
 */
const last = new WeakMap<
  YamlDocument,
  { readonly node: ScalarNode; readonly start: number; readonly map: ScalarMap }
>();

/** A scalar decoded once more, with the text that each unit of the value comes from. */
interface Trace {
  readonly text: string;
  readonly starts: number[];
  readonly ends: number[];
  readonly parts: string[];
}

export function mapOfScalar(text: string, node: ScalarNode, start: number): ScalarMap {
  const trace: Trace = { text, starts: [], ends: [], parts: [] };
  const from = start + (node.props?.bodyAt ?? 0);
  const to = start + node.length;
  const content = traceScalar(trace, node, from, to);
  const value = trace.parts.join('');
  return {
    value,
    toText: (offset) => startOf(trace, Math.max(0, Math.min(offset, value.length)), content),
    toTextEnd: (offset) => trace.ends[Math.max(0, Math.min(offset, value.length - 1))] ?? content.start,
    toValue: (offset) => valueOffset(trace, offset, content),
  };
}

interface Content {
  readonly start: number;
  readonly end: number;
}

function startOf({ starts, ends }: Trace, offset: number, content: Content): number {
  return starts[offset] ?? ends[ends.length - 1] ?? content.start;
}

function valueOffset({ starts, ends }: Trace, offset: number, content: Content): number | undefined {
  if (offset < content.start || offset > content.end) return undefined;
  // The first character that ends after the offset.
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > offset) high = middle;
    else low = middle + 1;
  }
  // Both halves of a pair written as one escape start at the same place.
  while (low > 0 && starts[low] !== undefined && starts[low - 1] === starts[low]) low--;
  return low;
}

/** Text that stands for itself. */
function copy(trace: Trace, from: number, to: number): void {
  trace.parts.push(trace.text.slice(from, to));
  for (let i = from; i < to; i++) {
    trace.starts.push(i);
    trace.ends.push(i + 1);
  }
}

/** Characters written as something else. */
function put(trace: Trace, value: string, from: number, to: number): void {
  trace.parts.push(value);
  for (let i = 0; i < value.length; i++) {
    trace.starts.push(from);
    trace.ends.push(to);
  }
}

function traceScalar(trace: Trace, node: ScalarNode, from: number, to: number): Content {
  if (node.style === 'literal' || node.style === 'folded') return traceBlock(trace, node, from, to);
  if (node.style === 'plain') {
    traceFlow(trace, node.style, from, to);
    return { start: from, end: to };
  }
  const quote = trace.text[from];
  // A quote that is not closed ends with its line.
  const closed = to - from > 1 && trace.text[to - 1] === quote;
  const end = closed ? to - 1 : to;
  traceFlow(trace, node.style, from + 1, end);
  return { start: from + 1, end };
}

function traceFlow(trace: Trace, style: 'plain' | 'single' | 'double', from: number, to: number): void {
  const { text } = trace;
  let verbatim = from;
  let i = from;
  const flush = () => {
    if (i > verbatim) copy(trace, verbatim, i);
  };
  while (i < to) {
    const c = text.charCodeAt(i);
    const gap = isBlank(c) || isBreak(c) ? gapEnd(text, i, to) : i;
    const special = (style === 'single' && c === 39) || (style === 'double' && c === 92);
    if (gap > i && hasBreak(text, i, gap)) {
      flush();
      traceFold(trace, i, gap, false);
      i = gap;
      verbatim = i;
    } else if (special) {
      flush();
      i = style === 'single' ? traceQuote(trace, i) : traceEscape(trace, i, to);
      verbatim = i;
    } else i = Math.max(gap, i + 1);
  }
  flush();
}

function gapEnd(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && (isBlank(text.charCodeAt(i)) || isBreak(text.charCodeAt(i)))) i++;
  return i;
}

function hasBreak(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (isBreak(text.charCodeAt(i))) return true;
  return false;
}

/** Line breaks with the blanks around them: one becomes a space, of several all but the first stay. */
function traceFold(trace: Trace, from: number, to: number, escaped: boolean): void {
  const { text } = trace;
  const breaks: number[] = [];
  for (let i = from; i < to; ) {
    const isOne = isBreak(text.charCodeAt(i));
    if (isOne) breaks.push(i);
    i += isOne ? breakLength(text, i) : 1;
  }
  const first = breaks[0];
  const foldsFirst = !escaped && first !== undefined && breakText(text.charCodeAt(first)) === '\n';
  if (foldsFirst && breaks.length === 1) {
    put(trace, ' ', from, to);
    return;
  }
  for (const at of foldsFirst ? breaks.slice(1) : breaks) {
    put(trace, breakText(text.charCodeAt(at)), at, at + breakLength(text, at));
  }
}

function traceQuote(trace: Trace, at: number): number {
  put(trace, "'", at, at + 2);
  return at + 2;
}

function traceEscape(trace: Trace, at: number, to: number): number {
  const { text } = trace;
  if (isBreak(text.charCodeAt(at + 1))) {
    const next = at + 1 + breakLength(text, at + 1);
    const end = gapEnd(text, next, to);
    traceFold(trace, next, end, true);
    return end;
  }
  const letter = text[at + 1] ?? '';
  const length = codeLengths.get(letter);
  if (length === undefined) {
    put(trace, simpleEscapes.get(letter) ?? letter, at, Math.min(at + 2, to));
    return at + 2;
  }
  let code = 0;
  for (let i = at + 2; i < at + 2 + length; i++) code = code * 16 + Math.max(hexValue(text.charCodeAt(i)), 0);
  put(trace, code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code), at, at + 2 + length);
  return at + 2 + length;
}

interface Break {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function breakAt(text: string, at: number): Break {
  return { text: breakText(text.charCodeAt(at)), from: at, to: at + breakLength(text, at) };
}

function lineEndOf(text: string, from: number, to: number): number {
  let i = from;
  while (i < to && !isBreak(text.charCodeAt(i))) i++;
  return i;
}

function traceBlock(trace: Trace, { style, indent, value }: ScalarNode, from: number, to: number): Content {
  const { text } = trace;
  const header = lineEndOf(text, from, to);
  const chomp = /^.[0-9]?([-+])?/.exec(text.slice(from, from + 3))?.[1];
  let at = header < to ? header + breakLength(text, header) : to;
  const contentStart = at;
  let pending: Break | undefined;
  let gap: Break[] = [];
  let wasBlank = false;
  while (at < to) {
    const content = skipIndent(text, at, indent, to);
    if (content < to && isBreak(text.charCodeAt(content))) {
      gap.push(breakAt(text, content));
      at = gap[gap.length - 1]!.to;
      continue;
    }
    if (content >= to) break;
    const blank = isBlank(text.charCodeAt(content));
    traceLineBreaks(trace, pending, gap, style === 'folded' && !wasBlank && !blank);
    const end = lineEndOf(text, content, to);
    copy(trace, content, end);
    wasBlank = blank;
    gap = [];
    pending = end < to ? breakAt(text, end) : undefined;
    at = pending?.to ?? to;
  }
  if (chomp !== '-' && pending) put(trace, pending.text, pending.from, pending.to);
  if (chomp === '+') for (const one of gap) put(trace, one.text, one.from, one.to);
  // The text's last line has no line break of its own, but counts as if it had.
  const rest = value.slice(trace.starts.length);
  if (rest !== '') put(trace, rest, to, to);
  return { start: contentStart, end: to };
}

function skipIndent(text: string, from: number, indent: number, to: number): number {
  let i = from;
  while (i < to && i - from < indent && text.charCodeAt(i) === SPACE) i++;
  return i;
}

function traceLineBreaks(trace: Trace, first: Break | undefined, gap: readonly Break[], folds: boolean): void {
  if (folds && first?.text === '\n') {
    if (gap.length === 0) put(trace, ' ', first.from, first.to);
  } else if (first) put(trace, first.text, first.from, first.to);
  for (const one of gap) put(trace, one.text, one.from, one.to);
}
