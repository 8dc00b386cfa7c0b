/** Scalars: from their text to what they mean. */

import { ownText } from '../base/text.ts';
import {
  breakLength,
  breakText,
  CR,
  hexValue,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDigit,
  isDocumentMark,
  looksLikeBlockLine,
  SPACE,
  TAB,
} from './chars.ts';
import { codeLengths, simpleEscapes } from './escapes.ts';
import type { ScalarNode, ScalarStyle } from './node.ts';
import { plainWord } from './plainWords.ts';
import { fail, type Scan } from './scanState.ts';

/** A scalar without properties. Nodes outlive the text that they were read from: they are shared with later versions. */
function scanned(style: ScalarStyle, value: string, length: number, indent = 0): ScalarNode {
  return { kind: 'scalar', length, props: undefined, style, value: ownText(value), indent };
}

/** An error at the place, in the scalar that starts there. */
function failIn(s: Scan, start: number, text: string, end = s.pos + 1): boolean {
  return fail(s, text, s.pos, end, start);
}

function lineBreak(s: Scan): string {
  const c = s.text.charCodeAt(s.pos);
  s.pos += c === CR ? breakLength(s.text, s.pos) : 1;
  s.line++;
  s.lineStart = s.pos;
  return breakText(c);
}

/** The line breaks (and blanks) between two lines of a scalar, and what they fold to. */
interface Fold {
  first: string;
  more: string;
}

function folded({ first, more }: Fold): string {
  if (first !== '\n') return first + more;
  return more === '' ? ' ' : more;
}

// Plain

export function scanPlain(s: Scan): ScalarNode {
  const start = s.pos;
  const end = plainLine(s);
  const more = isBreak(s.text.charCodeAt(s.pos)) ? nextPlainLine(s, start) : undefined;
  return more === undefined ? plainWord(s.text, start, end) : plainLines(s, start, end, more);
}

/** A plain scalar of several lines, of which the second was just read. */
function plainLines(s: Scan, start: number, firstEnd: number, second: PlainLine): ScalarNode {
  let value = s.text.slice(start, firstEnd);
  let end = firstEnd;
  for (let line: PlainLine | undefined = second; line; ) {
    value += line.text;
    end = line.end;
    line = isBreak(s.text.charCodeAt(s.pos)) ? nextPlainLine(s, start) : undefined;
  }
  return scanned('plain', value, end - start);
}

interface PlainLine {
  /** With what the break before it folds to. */
  readonly text: string;
  readonly end: number;
}

/** One more line of a plain scalar; undefined where it ends. */
function nextPlainLine(s: Scan, start: number): PlainLine | undefined {
  const fold: Fold = { first: '', more: '' };
  if (!plainGap(s, fold, start)) return undefined;
  s.keyAllowed = true;
  if (!plainContinues(s)) return undefined;
  const from = s.pos;
  const end = plainLine(s);
  if (end === from) return undefined;
  s.keyAllowed = false;
  return { text: folded(fold) + s.text.slice(from, end), end };
}

/** The end of a plain scalar's text on the current line; the place moves past blanks after it. */
function plainLine(s: Scan): number {
  const { text } = s;
  const flow = s.flow > 0;
  let i = s.pos;
  let end = i;
  for (;;) {
    const c = text.charCodeAt(i);
    if (c === SPACE || c === TAB) {
      i++;
      continue;
    }
    if (isBreakOrEnd(c)) break;
    // After blanks, a hash starts a comment.
    if (c === 35 && i > end) break;
    if (c === 58 && isBlankOrEnd(text.charCodeAt(i + 1))) break;
    if (flow && (c === 44 || c === 63 || c === 91 || c === 93 || c === 123 || c === 125)) break;
    end = ++i;
  }
  s.pos = i;
  return end;
}

/** Steps over the line breaks after a line of a plain scalar. False after an error. */
function plainGap(s: Scan, fold: Fold, start: number): boolean {
  for (;;) {
    const c = s.text.charCodeAt(s.pos);
    if (isBreak(c)) {
      const text = lineBreak(s);
      if (fold.first === '') fold.first = text;
      else fold.more += text;
    } else if (isBlank(c)) {
      if (c === TAB && s.pos - s.lineStart <= s.indent) {
        s.keyAllowed = false;
        if (!failIn(s, start, 'found a tab character that violates indentation')) return false;
      }
      s.pos++;
    } else return true;
  }
}

function plainContinues(s: Scan): boolean {
  const column = s.pos - s.lineStart;
  if (s.flow === 0 && column <= s.indent) return false;
  if (s.text.charCodeAt(s.pos) === 35) return false;
  if (column === 0 && isDocumentMark(s.text, s.pos)) return false;
  if (!looksLikeBlockLine(s.text, s.pos)) return true;
  s.readingsDiffer = true;
  // Half-typed text: the next line is more likely a key of its own.
  return !s.tolerant;
}

// Quoted

export function scanQuoted(s: Scan, style: 'single' | 'double'): ScalarNode {
  const before = { pos: s.pos, line: s.line, lineStart: s.lineStart };
  const whole = quoted(s, style);
  if (s.failed) return whole ?? scanned(style, '', s.pos - before.pos);
  if (whole && (s.line === before.line || !swallowsLines(s, before.pos, s.pos))) return whole;
  s.readingsDiffer = true;
  if (!s.tolerant) return whole ?? scanned(style, '', s.pos - before.pos);
  // Half-typed text: a quote that is not closed ends with its line.
  if (whole) fail(s, 'found unexpected end of stream', before.pos, before.pos + 1);
  Object.assign(s, before);
  while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
  return scanned(
    style,
    s.text.slice(before.pos + 1, s.pos).trimEnd(),
    s.text.slice(before.pos, s.pos).trimEnd().length,
  );
}

/** Whether some line after the first looks like the block around the quotes. */
function swallowsLines(s: Scan, start: number, end: number): boolean {
  for (let at = s.text.indexOf('\n', start) + 1; at > 0 && at < end; at = s.text.indexOf('\n', at) + 1) {
    let column = 0;
    while (s.text.charCodeAt(at + column) === SPACE) column++;
    if (column <= s.indent && looksLikeBlockLine(s.text, at + column)) return true;
  }
  return false;
}

function quoted(s: Scan, style: 'single' | 'double'): ScalarNode | undefined {
  const { text } = s;
  const start = s.pos++;
  const quote = style === 'single' ? 39 : 34;
  let value = '';
  for (;;) {
    if (s.pos === s.lineStart && isDocumentMark(text, s.pos)) {
      fail(s, 'found unexpected document indicator', start, s.pos);
      return undefined;
    }
    if (s.pos >= s.end && text.charCodeAt(s.pos) === 0) {
      fail(s, 'found unexpected end of stream', start, s.pos);
      return undefined;
    }
    const part = style === 'single' ? singleWords(s) : doubleWords(s, start);
    if (part === undefined) return undefined;
    value += part.value;
    if (text.charCodeAt(s.pos) === quote) {
      s.pos++;
      return scanned(style, value, s.pos - start);
    }
    value += quotedGap(s, part.escapedBreak);
  }
}

interface Words {
  readonly value: string;
  /** A backslash joined this line with the next one. */
  readonly escapedBreak: boolean;
}

function singleWords(s: Scan): Words {
  const { text } = s;
  let value = '';
  let from = s.pos;
  let i = s.pos;
  for (let c = text.charCodeAt(i); !isBlankOrEnd(c); c = text.charCodeAt(i)) {
    if (c === 39) {
      if (text.charCodeAt(i + 1) !== 39) break;
      value += text.slice(from, i + 1);
      i += 2;
      from = i;
    } else i++;
  }
  s.pos = i;
  return { value: value + text.slice(from, i), escapedBreak: false };
}

function doubleWords(s: Scan, start: number): Words | undefined {
  const { text } = s;
  let value = '';
  let from = s.pos;
  for (let c = text.charCodeAt(s.pos); !isBlankOrEnd(c) && c !== 34; c = text.charCodeAt(s.pos)) {
    if (c !== 92) {
      s.pos++;
      continue;
    }
    value += text.slice(from, s.pos);
    if (isBreak(text.charCodeAt(s.pos + 1))) {
      s.pos++;
      lineBreak(s);
      return { value, escapedBreak: true };
    }
    const escape = escaped(s, start);
    if (escape === undefined) return undefined;
    value += escape;
    from = s.pos;
  }
  return { value: value + text.slice(from, s.pos), escapedBreak: false };
}

/** The character behind a backslash; undefined after an error of the exact reading. */
function escaped(s: Scan, start: number): string | undefined {
  const letter = s.text[s.pos + 1]!;
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) {
    s.pos += 2;
    return simple;
  }
  const length = codeLengths.get(letter);
  if (length === undefined) return badEscape(s, start, 'found unknown escape character', letter);
  s.pos += 2;
  let code = 0;
  for (let k = 0; k < length; k++) {
    const digit = hexValue(s.text.charCodeAt(s.pos + k));
    if (digit < 0) return badEscape(s, start, 'did not find expected hexdecimal number', '');
    code = code * 16 + digit;
  }
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    return badEscape(s, start, 'found invalid Unicode character escape code', '');
  }
  s.pos += length;
  return String.fromCodePoint(code);
}

function badEscape(s: Scan, start: number, text: string, letter: string): string | undefined {
  if (!failIn(s, start, text, s.pos + 2)) return undefined;
  if (letter !== '' && s.text.charCodeAt(s.pos) === 92) s.pos++;
  return '';
}

/** Blanks stay inside a line; around line breaks they go, and the breaks fold. */
function quotedGap(s: Scan, escapedBreak: boolean): string {
  const from = s.pos;
  const fold: Fold = { first: '', more: '' };
  let broken = escapedBreak;
  for (let c = s.text.charCodeAt(s.pos); isBlank(c) || isBreak(c); c = s.text.charCodeAt(s.pos)) {
    if (isBlank(c)) {
      s.pos++;
      continue;
    }
    const text = lineBreak(s);
    if (broken) fold.more += text;
    else fold.first = text;
    broken = true;
  }
  return broken ? folded(fold) : s.text.slice(from, s.pos);
}

// Block

export interface BlockHeader {
  readonly chomp: -1 | 0 | 1;
  readonly increment: number;
}

export function scanBlockScalar(s: Scan, style: 'literal' | 'folded'): ScalarNode {
  const start = s.pos;
  const header = blockHeader(s);
  if (s.failed) return scanned(style, '', s.pos - start);
  return blockContent(s, style, header, start);
}

function blockHeader(s: Scan): BlockHeader {
  s.pos++;
  let chomp = chompOf(s);
  const increment = incrementOf(s);
  if (chomp === 0 && increment > 0) chomp = chompOf(s);
  if (s.failed) return { chomp, increment };
  while (isBlank(s.text.charCodeAt(s.pos))) s.pos++;
  if (s.text.charCodeAt(s.pos) === 35) {
    const start = s.pos;
    while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
    s.comments.push(start, s.pos);
  }
  if (!isBreakOrEnd(s.text.charCodeAt(s.pos))) {
    if (fail(s, 'did not find expected comment or line break')) {
      while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
    }
  }
  return { chomp, increment };
}

function chompOf(s: Scan): -1 | 0 | 1 {
  const c = s.text.charCodeAt(s.pos);
  if (c !== 43 && c !== 45) return 0;
  s.pos++;
  return c === 43 ? 1 : -1;
}

function incrementOf(s: Scan): number {
  const c = s.text.charCodeAt(s.pos);
  if (!isDigit(c)) return 0;
  if (c === 48) fail(s, 'found an indentation indicator equal to 0');
  s.pos++;
  return c - 48;
}

function blockContent(
  s: Scan,
  style: 'literal' | 'folded',
  { chomp, increment }: BlockHeader,
  start: number,
): ScalarNode {
  const headerEnd = s.pos;
  if (isBreak(s.text.charCodeAt(s.pos))) lineBreak(s);
  const gap = { start, text: '', indent: increment > 0 ? Math.max(s.indent, 0) + increment : 0 };
  if (!blockGap(s, gap)) return scanned(style, '', headerEnd - start);
  let value = '';
  let leading = '';
  let wasBlank = false;
  let end = headerEnd;
  let afterBreak = headerEnd;
  while (s.pos - s.lineStart === gap.indent && !(s.pos >= s.end && s.text.charCodeAt(s.pos) === 0)) {
    const blank = isBlank(s.text.charCodeAt(s.pos));
    if (style === 'folded' && !wasBlank && !blank && leading === '\n') value += gap.text === '' ? ' ' : gap.text;
    else value += leading + gap.text;
    wasBlank = blank;
    const from = s.pos;
    while (!isBreakOrEnd(s.text.charCodeAt(s.pos))) s.pos++;
    value += s.text.slice(from, s.pos);
    end = s.pos;
    leading = isBreak(s.text.charCodeAt(s.pos)) ? lineBreak(s) : '';
    afterBreak = s.pos;
    gap.text = '';
    if (!blockGap(s, gap)) break;
  }
  if (chomp !== -1) {
    value += leading;
    end = afterBreak;
  }
  if (chomp === 1) {
    value += gap.text;
    if (gap.text !== '') end = s.lineStart;
  }
  return scanned(style, value, end - start, gap.indent);
}

/** Steps over indentation and empty lines; finds the indentation where it is not known yet. False after an error. */
function blockGap(s: Scan, gap: { readonly start: number; text: string; indent: number }): boolean {
  let widest = 0;
  for (;;) {
    while ((gap.indent === 0 || s.pos - s.lineStart < gap.indent) && s.text.charCodeAt(s.pos) === SPACE) s.pos++;
    const column = s.pos - s.lineStart;
    widest = Math.max(widest, column);
    const c = s.text.charCodeAt(s.pos);
    if (c === TAB && (gap.indent === 0 || column < gap.indent)) {
      if (!failIn(s, gap.start, 'found a tab character where an indentation space is expected')) return false;
    }
    if (!isBreak(c)) break;
    gap.text += lineBreak(s);
  }
  if (gap.indent === 0) gap.indent = Math.max(widest, s.indent + 1, 1);
  return true;
}
