/**
 * Text to tokens, by the rules of the API server's YAML 1.1 reader: where a simple key may start and must end, what
 * opens and closes a block, which tabs are allowed. Tokens are made on demand, so that the first error found is the one
 * that the API server finds first.
 */
import {
  breakLength,
  CR,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDocumentMark,
  LF,
  looksLikeBlockLine,
  SPACE,
  TAB,
} from './chars.ts';
import { scanBlockScalar, scanPlain, scanQuoted } from './scanScalar.ts';
import { fail, Mark, type Scan, Token, type TokenFact } from './scanState.ts';
import { scanDirective, scanName, scanTag } from './scanTag.ts';

const maxDepth = 10000;
const maxKeyLength = 1024;

/** The kind of the next token or of the mark before it; `Token.Failed` after an error of the exact reading. */
export function peek(s: Scan): number {
  while (!s.failed && needsMore(s)) fetch(s);
  if (s.failed) return Token.Failed;
  const marks = s.marks[s.head]!;
  if (marks === 0) return s.kinds[s.head]!;
  if (marks & Mark.seq) return Token.SeqStart;
  return marks & Mark.map ? Token.MapStart : Token.Key;
}

/** Steps over what `peek` showed. */
export function skip(s: Scan): void {
  const marks = s.marks[s.head]!;
  if (marks === 0) {
    s.facts[s.head] = undefined;
    s.head++;
  } else if (marks & Mark.seq) s.marks[s.head] = marks & ~Mark.seq;
  else if (marks & Mark.map) s.marks[s.head] = marks & ~Mark.map;
  else s.marks[s.head] = marks & ~Mark.key;
}

/** A token that may turn out to be a key is not settled before it is known whether a colon follows. */
function needsMore(s: Scan): boolean {
  if (s.head === s.count) {
    if (s.ended) return false;
    s.base += s.count;
    s.head = 0;
    s.count = 0;
    return true;
  }
  const slot = s.slots[s.head]!;
  return slot !== 0 && slot <= s.keyPossible.length && keyStillPossible(s, slot - 1);
}

function push(s: Scan, kind: number, start: number, end: number, line: number, marks: number, fact: TokenFact): void {
  const i = s.count++;
  s.kinds[i] = kind;
  // The line break that a last line lacks is not a place.
  s.starts[i] = Math.min(start, s.end);
  s.ends[i] = Math.min(end, s.end);
  s.lines[i] = line;
  s.marks[i] = marks;
  s.facts[i] = fact;
  s.slots[i] = s.nextSlot;
  s.nextSlot = 0;
}

function fetch(s: Scan): void {
  toNextToken(s);
  if (s.tolerant && s.flow > 0 && s.pos >= s.flowLimit) {
    stopFlow(s);
    return;
  }
  const column = s.pos - s.lineStart;
  unroll(s, column);
  const c = s.text.charCodeAt(s.pos);
  if (s.pos >= s.end && c === 0) fetchEnd(s);
  else if (column !== 0 || (c !== 37 && c !== 45 && c !== 46) || !fetchAtLineStart(s, c)) fetchByCharacter(s, c);
}

/** `%`, `---` and `...` mean something only at the start of a line. */
function fetchAtLineStart(s: Scan, c: number): boolean {
  if (c === 37) {
    fetchDirective(s);
    return true;
  }
  if (!isDocumentMark(s.text, s.pos)) return false;
  unroll(s, -1);
  dropKey(s);
  s.keyAllowed = false;
  push(s, c === 45 ? Token.DocumentStart : Token.DocumentEnd, s.pos, s.pos + 3, s.line, 0, undefined);
  s.pos += 3;
  return true;
}

function fetchByCharacter(s: Scan, c: number): void {
  const next = s.text.charCodeAt(s.pos + 1);
  const flow = s.flow > 0;
  switch (c) {
    case 91: // [
      openFlow(s, Token.ListStart);
      break;
    case 123: // {
      openFlow(s, Token.FlowMapStart);
      break;
    case 93: // ]
      closeFlow(s, Token.ListEnd);
      break;
    case 125: // }
      closeFlow(s, Token.FlowMapEnd);
      break;
    case 44: // ,
      dropKey(s);
      s.keyAllowed = true;
      one(s, Token.Comma, 0);
      break;
    case 45: // -
      if (isBlankOrEnd(next)) fetchEntry(s);
      else fetchScalar(s, 'plain');
      break;
    case 63: // ?
      if (flow || isBlankOrEnd(next)) fetchKey(s);
      else fetchScalar(s, 'plain');
      break;
    case 58: // :
      if (flow || isBlankOrEnd(next)) fetchColon(s);
      else fetchScalar(s, 'plain');
      break;
    case 42: // *
      fetchProperty(s, Token.Alias);
      break;
    case 38: // &
      fetchProperty(s, Token.Anchor);
      break;
    case 33: // !
      fetchProperty(s, Token.Tag);
      break;
    case 124: // |
      if (flow) fetchStray(s);
      else fetchBlock(s, 'literal');
      break;
    case 62: // >
      if (flow) fetchStray(s);
      else fetchBlock(s, 'folded');
      break;
    case 39: // '
      fetchScalar(s, 'single');
      break;
    case 34: // "
      fetchScalar(s, 'double');
      break;
    case TAB:
    case 37: // %
    case 64: // @
    case 96: // `
      fetchStray(s);
      break;
    default:
      fetchScalar(s, 'plain');
  }
}

/** A character that starts nothing. The tolerant reading takes a tab for space and all others for text. */
function fetchStray(s: Scan): void {
  if (!fail(s, 'found character that cannot start any token')) return;
  if (s.text.charCodeAt(s.pos) === TAB) s.pos++;
  else fetchScalar(s, 'plain');
}

function one(s: Scan, kind: number, marks: number): void {
  push(s, kind, s.pos, s.pos + 1, s.line, marks, undefined);
  s.pos++;
}

function toNextToken(s: Scan): void {
  const { text } = s;
  for (;;) {
    let c = text.charCodeAt(s.pos);
    // Tabs are not indentation: they are skipped only where no key can start.
    while (c === SPACE || (c === TAB && (s.flow > 0 || !s.keyAllowed))) c = text.charCodeAt(++s.pos);
    if (c === 35) c = skipComment(s);
    if (!isBreak(c)) return;
    newLine(s);
    if (s.flow === 0) s.keyAllowed = true;
  }
}

function skipComment(s: Scan): number {
  const start = s.pos;
  let c = 35;
  while (!isBreakOrEnd(c)) c = s.text.charCodeAt(++s.pos);
  s.comments.push(start, s.pos);
  return c;
}

/** Steps over the line break at the current place. */
function newLine(s: Scan): void {
  const c = s.text.charCodeAt(s.pos);
  s.pos += c === LF || c !== CR ? 1 : breakLength(s.text, s.pos);
  s.line++;
  s.lineStart = s.pos;
}

// Indentation

function roll(s: Scan, column: number, mark: number): number {
  if (s.flow > 0 || s.indent >= column) return 0;
  s.indents.push(s.indent);
  s.indent = column;
  if (s.indents.length > maxDepth) {
    fail(s, `exceeded max depth of ${maxDepth}`);
    // Beyond this no tree helps anyone; the tolerant reading stops here, too.
    s.failed = true;
  }
  return mark;
}

function unroll(s: Scan, column: number): void {
  if (s.flow > 0) return;
  while (s.indent > column) {
    push(s, Token.BlockEnd, s.pos, s.pos, s.line, 0, undefined);
    s.indent = s.indents.pop()!;
  }
}

// Simple keys: a key without `?`, known as such only by the colon after it

function saveKey(s: Scan): void {
  if (!s.keyAllowed) return;
  const required = s.flow === 0 && s.indent === s.pos - s.lineStart;
  dropKey(s);
  if (s.failed) return;
  const level = s.keyPossible.length - 1;
  s.keyPossible[level] = true;
  s.keyRequired[level] = required;
  s.keyToken[level] = s.base + s.count;
  s.keyPos[level] = s.pos;
  s.keyLine[level] = s.line;
  s.keyLineStart[level] = s.lineStart;
  s.nextSlot = level + 1;
}

function dropKey(s: Scan): void {
  const level = s.keyPossible.length - 1;
  if (!s.keyPossible[level]) return;
  if (s.keyRequired[level]) missingColon(s, level);
  s.keyPossible[level] = false;
  clearSlot(s, level);
}

function clearSlot(s: Scan, level: number): void {
  const i = s.keyToken[level]! - s.base;
  if (i >= s.head && i < s.count) s.slots[i] = 0;
}

function missingColon(s: Scan, level: number): void {
  const start = s.keyPos[level]!;
  let end = start;
  while (!isBreakOrEnd(s.text.charCodeAt(end))) end++;
  fail(s, "could not find expected ':'", start, end);
}

function keyStillPossible(s: Scan, level: number): boolean {
  if (!s.keyPossible[level]) return false;
  if (s.keyLine[level]! >= s.line && !isFar(s, s.keyPos[level]!)) return true;
  if (s.keyRequired[level]) missingColon(s, level);
  s.keyPossible[level] = false;
  return false;
}

/** Keys may be 1,024 characters long, a pair of surrogates being one. */
function isFar(s: Scan, start: number): boolean {
  const units = s.pos - start;
  if (units <= maxKeyLength) return false;
  if (units > 2 * maxKeyLength) return true;
  return Array.from(s.text.slice(start, s.pos)).length > maxKeyLength;
}

// Flow collections

function openFlow(s: Scan, kind: number): void {
  saveKey(s);
  if (s.failed) return;
  const slot = s.nextSlot;
  s.keyPossible.push(false);
  s.keyRequired.push(false);
  s.keyToken.push(s.base + s.count);
  s.keyPos.push(s.pos);
  s.keyLine.push(s.line);
  s.keyLineStart.push(s.lineStart);
  if (s.flow === 0 && s.tolerant && !(s.pos < s.flowLimit && s.limitIndent === s.indent)) {
    s.flowLimit = limitOfFlow(s, s.pos);
    s.limitIndent = s.indent;
  }
  if (s.flow === 0) s.flowStart = s.pos;
  s.flow++;
  if (s.flow > maxDepth) {
    fail(s, `exceeded max depth of ${maxDepth}`);
    s.failed = true;
    return;
  }
  s.keyAllowed = true;
  s.nextSlot = slot;
  one(s, kind, 0);
}

function closeFlow(s: Scan, kind: number): void {
  dropKey(s);
  leaveFlow(s);
  if (s.flow === 0 && s.lineStart > s.flowStart && limitOfFlow(s, s.flowStart) <= s.pos) s.readingsDiffer = true;
  s.keyAllowed = false;
  one(s, kind, 0);
}

function leaveFlow(s: Scan): void {
  if (s.flow === 0) return;
  s.flow--;
  clearSlot(s, s.keyPossible.length - 1);
  s.keyPossible.pop();
  s.keyRequired.pop();
  s.keyToken.pop();
  s.keyPos.pop();
  s.keyLine.pop();
  s.keyLineStart.pop();
}

/** A flow collection that is not closed ends, for the tolerant reading, where a line looks like the block around it. */
function limitOfFlow(s: Scan, from: number): number {
  if (s.indent < 0) return Number.POSITIVE_INFINITY;
  for (let at = s.text.indexOf('\n', from) + 1; at > 0 && at < s.end; at = s.text.indexOf('\n', at) + 1) {
    let column = 0;
    while (s.text.charCodeAt(at + column) === SPACE) column++;
    if (column <= s.indent && looksLikeBlockLine(s.text, at + column)) return at;
  }
  return Number.POSITIVE_INFINITY;
}

function stopFlow(s: Scan): void {
  while (s.flow > 0) {
    dropKey(s);
    leaveFlow(s);
    push(s, Token.FlowStop, s.pos, s.pos, s.line, 0, undefined);
  }
  s.keyAllowed = true;
}

// Indicators

function fetchEntry(s: Scan): void {
  let marks = 0;
  if (s.flow === 0) {
    if (!s.keyAllowed && !fail(s, 'block sequence entries are not allowed in this context')) return;
    marks = roll(s, s.pos - s.lineStart, Mark.seq);
  }
  dropKey(s);
  s.keyAllowed = true;
  one(s, Token.Entry, marks);
}

function fetchKey(s: Scan): void {
  let marks = 0;
  if (s.flow === 0) {
    if (!s.keyAllowed && !fail(s, 'mapping keys are not allowed in this context')) return;
    marks = roll(s, s.pos - s.lineStart, Mark.map);
  }
  dropKey(s);
  s.keyAllowed = s.flow === 0;
  one(s, Token.Key, marks);
}

function fetchColon(s: Scan): void {
  const level = s.keyPossible.length - 1;
  const simple = keyStillPossible(s, level);
  if (s.failed) return;
  let marks = 0;
  if (simple) markKey(s, level);
  else if (s.flow === 0) {
    if (!s.keyAllowed) {
      if (fail(s, 'mapping values are not allowed in this context')) s.pos++;
      return;
    }
    marks = roll(s, s.pos - s.lineStart, Mark.map);
  }
  s.keyAllowed = !simple && s.flow === 0;
  one(s, Token.Value, marks);
}

function markKey(s: Scan, level: number): void {
  const i = s.keyToken[level]! - s.base;
  const column = s.keyPos[level]! - s.keyLineStart[level]!;
  s.keyPossible[level] = false;
  if (i < s.head) {
    lateKey(s, column);
    return;
  }
  s.marks[i] = s.marks[i]! | Mark.key | roll(s, column, Mark.map);
  s.slots[i] = 0;
}

/**
 * An empty flow collection is handed out before it is known to be a key: its closing bracket forgets that it may be
 * one. The key is then taken to be missing.
 */
function lateKey(s: Scan, column: number): void {
  push(s, Token.Key, s.pos, s.pos, s.line, 0, undefined);
  if (roll(s, column, Mark.map) !== 0) push(s, Token.MapStart, s.pos, s.pos, s.line, 0, undefined);
}

function fetchProperty(s: Scan, kind: number): void {
  saveKey(s);
  if (s.failed) return;
  s.keyAllowed = false;
  const start = s.pos;
  const fact = kind === Token.Tag ? scanTag(s) : scanName(s);
  if (!s.failed) push(s, kind, start, s.pos, s.line, 0, fact);
}

function fetchBlock(s: Scan, style: 'literal' | 'folded'): void {
  dropKey(s);
  if (s.failed) return;
  s.keyAllowed = true;
  const start = s.pos;
  const line = s.line;
  const scalar = scanBlockScalar(s, style);
  if (!s.failed) push(s, Token.Scalar, start, start + scalar.length, line, 0, scalar);
}

function fetchScalar(s: Scan, style: 'plain' | 'single' | 'double'): void {
  saveKey(s);
  if (s.failed) return;
  s.keyAllowed = false;
  const start = s.pos;
  const line = s.line;
  const scalar = style === 'plain' ? scanPlain(s) : scanQuoted(s, style);
  if (!s.failed) push(s, Token.Scalar, start, start + scalar.length, line, 0, scalar);
}

function fetchDirective(s: Scan): void {
  unroll(s, -1);
  dropKey(s);
  if (s.failed) return;
  s.keyAllowed = false;
  const start = s.pos;
  const line = s.line;
  const fact = scanDirective(s);
  if (!s.failed && fact !== undefined) push(s, Token.Directive, start, s.pos, line, 0, fact);
}

function fetchEnd(s: Scan): void {
  if (s.flow > 0 && s.tolerant) {
    stopFlow(s);
    return;
  }
  if (s.pos > s.lineStart) {
    s.line++;
    s.lineStart = s.pos;
  }
  unroll(s, -1);
  dropKey(s);
  if (s.failed) return;
  s.keyAllowed = false;
  push(s, Token.StreamEnd, s.pos, s.pos, s.line, 0, undefined);
  s.ended = true;
}
