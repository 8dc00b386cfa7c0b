/** The kinds of token, numbered for the parser's tables. */
export const T = {
  end: 0,
  equals: 1,
  notEquals: 2,
  in: 3,
  less: 4,
  lessEquals: 5,
  greaterEquals: 6,
  greater: 7,
  and: 8,
  or: 9,
  leftBracket: 10,
  rightBracket: 11,
  leftBrace: 12,
  rightBrace: 13,
  leftParen: 14,
  rightParen: 15,
  dot: 16,
  comma: 17,
  minus: 18,
  not: 19,
  question: 20,
  colon: 21,
  plus: 22,
  star: 23,
  slash: 24,
  percent: 25,
  true: 26,
  false: 27,
  null: 28,
  float: 29,
  int: 30,
  uint: 31,
  string: 32,
  bytes: 33,
  ident: 34,
  quotedIdent: 35,
} as const;

/** Text that is not a token: cel-go reports it and goes on behind it. */
export interface LexError {
  readonly start: number;
  readonly end: number;
}

/** The tokens of a text, as columns. The last one is `end`, at the text's end. */
export interface Tokens {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  count: number;
  errors: LexError[];
}

// Character classes; a character beyond ASCII is in none of them.
const letter = 1;
const digit = 2;
const hexDigit = 4;
const space = 8;
const quotable = 16;
const classes = new Uint8Array(128);
for (let c = 0; c < 128; c++) {
  const char = String.fromCharCode(c);
  if (/[A-Za-z_]/.test(char)) classes[c]! |= letter;
  if (/[0-9]/.test(char)) classes[c]! |= digit;
  if (/[0-9A-Fa-f]/.test(char)) classes[c]! |= hexDigit;
  if (/[\t \r\n\f]/.test(char)) classes[c]! |= space;
  if (/[A-Za-z0-9_.\-/ ]/.test(char)) classes[c]! |= quotable;
}

function is(code: number, kind: number): boolean {
  return code < 128 && (classes[code]! & kind) !== 0;
}

const single = new Uint8Array(128);
for (const [char, kind] of [
  ['[', T.leftBracket],
  [']', T.rightBracket],
  ['{', T.leftBrace],
  ['}', T.rightBrace],
  ['(', T.leftParen],
  [')', T.rightParen],
  ['.', T.dot],
  [',', T.comma],
  ['-', T.minus],
  ['?', T.question],
  [':', T.colon],
  ['+', T.plus],
  ['*', T.star],
  ['/', T.slash],
  ['%', T.percent],
] as const) {
  single[char.charCodeAt(0)] = kind;
}

const keywords: readonly (readonly [string, number])[] = [
  ['in', T.in],
  ['true', T.true],
  ['false', T.false],
  ['null', T.null],
];

function keywordAt(text: string, at: number, length: number): number {
  for (const [word, kind] of keywords) if (word.length === length && text.startsWith(word, at)) return kind;
  return T.ident;
}

const scratch: Tokens = {
  kinds: new Uint8Array(256),
  starts: new Int32Array(256),
  ends: new Int32Array(256),
  count: 0,
  errors: [],
};

function grow(tokens: Tokens): void {
  const size = tokens.kinds.length * 2;
  const kinds = new Uint8Array(size);
  const starts = new Int32Array(size);
  const ends = new Int32Array(size);
  kinds.set(tokens.kinds);
  starts.set(tokens.starts);
  ends.set(tokens.ends);
  tokens.kinds = kinds;
  tokens.starts = starts;
  tokens.ends = ends;
}

function push(tokens: Tokens, kind: number, start: number, end: number): void {
  if (tokens.count === tokens.kinds.length) grow(tokens);
  tokens.kinds[tokens.count] = kind;
  tokens.starts[tokens.count] = start;
  tokens.ends[tokens.count] = end;
  tokens.count++;
}

/**
 * Splits a text into tokens. The result is reused by the next call. With `quotedIdents` a name in backquotes is one
 * token, without it the backquote is an error, as in the grammar of older releases.
 */
export function lex(text: string, quotedIdents: boolean): Tokens {
  scratch.count = 0;
  scratch.errors = [];
  for (let at = 0; at < text.length; ) at = next(scratch, text, at, quotedIdents);
  push(scratch, T.end, text.length, text.length);
  return scratch;
}

/** Reads what starts at an offset: a token, a blank, a comment or an error. Gives the offset behind it. */
function next(tokens: Tokens, text: string, at: number, quotedIdents: boolean): number {
  const code = text.charCodeAt(at);
  if (is(code, space)) return at + 1;
  if (is(code, letter)) return word(tokens, text, at);
  if (is(code, digit)) return number(tokens, text, at);
  if (code === 34 || code === 39) return string(tokens, text, at, at, false, T.string);
  if (code === 46 && is(text.charCodeAt(at + 1), digit)) return number(tokens, text, at);
  if (code === 47 && text.charCodeAt(at + 1) === 47) return comment(text, at);
  if (code === 96 && quotedIdents) return quoted(tokens, text, at);
  const kind = code < 128 ? single[code]! : 0;
  if (kind === 0) return operator(tokens, text, at, code);
  push(tokens, kind, at, at + 1);
  return at + 1;
}

function comment(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function operator(tokens: Tokens, text: string, at: number, code: number): number {
  const second = text.charCodeAt(at + 1);
  const doubled = doubleOperator(code, second);
  if (doubled !== 0) {
    push(tokens, doubled, at, at + 2);
    return at + 2;
  }
  const kind = code === 60 ? T.less : code === 62 ? T.greater : code === 33 ? T.not : 0;
  if (kind !== 0) {
    push(tokens, kind, at, at + 1);
    return at + 1;
  }
  // `=`, `&` and `|` look like the start of an operator: the character that disappoints is part of the error.
  const half = code === 61 || code === 38 || code === 124;
  return lexError(tokens, text, at, half ? at + 1 : at);
}

function doubleOperator(code: number, second: number): number {
  if (second === 61) {
    if (code === 61) return T.equals;
    if (code === 33) return T.notEquals;
    if (code === 60) return T.lessEquals;
    if (code === 62) return T.greaterEquals;
  }
  if (code === 38 && second === 38) return T.and;
  if (code === 124 && second === 124) return T.or;
  return 0;
}

/** An error that ends with the character at `last`, or at the end of the text. */
function lexError(tokens: Tokens, text: string, start: number, last: number): number {
  const end = Math.min(last + (isHighSurrogate(text, last) ? 2 : 1), text.length);
  tokens.errors.push({ start, end });
  return end;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00 && at + 1 < text.length;
}

function word(tokens: Tokens, text: string, at: number): number {
  const prefixed = prefixedString(tokens, text, at);
  if (prefixed >= 0) return prefixed;
  let end = at + 1;
  while (is(text.charCodeAt(end), letter | digit)) end++;
  const first = text.charCodeAt(at);
  // i, t, f and n: what a keyword starts with.
  const keyword = first === 105 || first === 116 || first === 102 || first === 110;
  push(tokens, keyword ? keywordAt(text, at, end - at) : T.ident, at, end);
  return end;
}

/** `r'…'`, `b'…'` and `br'…'`; −1 where what starts here is a plain name. */
function prefixedString(tokens: Tokens, text: string, at: number): number {
  const first = text.charCodeAt(at) | 32;
  if (first !== 98 && first !== 114) return -1;
  const second = text.charCodeAt(at + 1);
  if (second === 34 || second === 39) {
    return string(tokens, text, at, at + 1, first === 114, first === 98 ? T.bytes : T.string);
  }
  if (first !== 98 || (second | 32) !== 114) return -1;
  const third = text.charCodeAt(at + 2);
  return third === 34 || third === 39 ? string(tokens, text, at, at + 2, true, T.bytes) : -1;
}

/** A string whose quote stands at `quoteAt`; the longest form that matches wins, as in cel-go's lexer. */
function string(tokens: Tokens, text: string, start: number, quoteAt: number, raw: boolean, kind: number): number {
  const quote = text.charCodeAt(quoteAt);
  const triple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
  let end = triple ? tripleEnd(text, quoteAt + 3, quote, raw) : lineEnd(text, quoteAt + 1, quote, raw);
  if (end >= 0) {
    push(tokens, kind, start, end);
    return end;
  }
  // What follows an unfinished `'''` is the empty string and then another one.
  if (triple) end = quoteAt + 2;
  else if (quoteAt > start) return unfinishedPrefixed(tokens, start, quoteAt);
  else return lexError(tokens, text, start, ~end);
  push(tokens, kind, start, end);
  return end;
}

/** `r'abc` without an end: the letters before the quote are a name, and the quote starts anew. */
function unfinishedPrefixed(tokens: Tokens, start: number, quoteAt: number): number {
  push(tokens, T.ident, start, quoteAt);
  return quoteAt;
}

/** The offset behind the closing quote; where there is none, the complement of where reading stopped. */
function lineEnd(text: string, at: number, quote: number, raw: boolean): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i + 1;
    if (code === 10 || code === 13) return ~i;
    if (code !== 92 || raw) continue;
    const end = escapeEnd(text, i);
    if (end < 0) return end;
    i = end - 1;
  }
  return ~text.length;
}

function tripleEnd(text: string, at: number, quote: number, raw: boolean): number {
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote && text.charCodeAt(i + 1) === quote && text.charCodeAt(i + 2) === quote) return i + 3;
    if (code !== 92 || raw) continue;
    const end = escapeEnd(text, i);
    if (end < 0) return end;
    i = end - 1;
  }
  return ~text.length;
}

const simpleEscapes = new Set([...'abfnrtv"\'\\?`'].map((char) => char.charCodeAt(0)));

/** The offset behind the escape sequence at `at`, or the complement of the character that it cannot have. */
function escapeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at + 1);
  if (simpleEscapes.has(code)) return at + 2;
  if (code === 120 || code === 88) return digitsEnd(text, at + 2, 2, 16);
  if (code === 117) return digitsEnd(text, at + 2, 4, 16);
  if (code === 85) return digitsEnd(text, at + 2, 8, 16);
  if (code >= 48 && code <= 51) return digitsEnd(text, at + 2, 2, 8);
  return ~(at + 1);
}

function digitsEnd(text: string, at: number, count: number, base: 8 | 16): number {
  for (let i = at; i < at + count; i++) {
    const code = text.charCodeAt(i);
    if (base === 16 ? !is(code, hexDigit) : !(code >= 48 && code <= 55)) return ~i;
  }
  return at + count;
}

function quoted(tokens: Tokens, text: string, at: number): number {
  let end = at + 1;
  while (is(text.charCodeAt(end), quotable)) end++;
  if (text.charCodeAt(end) !== 96 || end === at + 1) return lexError(tokens, text, at, end);
  push(tokens, T.quotedIdent, at, end + 1);
  return end + 1;
}

function digitsFrom(text: string, at: number): number {
  let end = at;
  while (is(text.charCodeAt(end), digit)) end++;
  return end;
}

function number(tokens: Tokens, text: string, at: number): number {
  if (text.charCodeAt(at) === 48 && text.charCodeAt(at + 1) === 120 && is(text.charCodeAt(at + 2), hexDigit)) {
    let end = at + 2;
    while (is(text.charCodeAt(end), hexDigit)) end++;
    return integer(tokens, text, at, end);
  }
  const whole = digitsFrom(text, at);
  let end = whole;
  if (text.charCodeAt(end) === 46 && is(text.charCodeAt(end + 1), digit)) end = digitsFrom(text, end + 1);
  end = exponentEnd(text, end);
  if (end === whole) return integer(tokens, text, at, end);
  push(tokens, T.float, at, end);
  return end;
}

function integer(tokens: Tokens, text: string, at: number, end: number): number {
  const unsigned = (text.charCodeAt(end) | 32) === 117;
  push(tokens, unsigned ? T.uint : T.int, at, unsigned ? end + 1 : end);
  return unsigned ? end + 1 : end;
}

function exponentEnd(text: string, at: number): number {
  if ((text.charCodeAt(at) | 32) !== 101) return at;
  const sign = text.charCodeAt(at + 1);
  const from = sign === 43 || sign === 45 ? at + 2 : at + 1;
  const end = digitsFrom(text, from);
  return end === from ? at : end;
}
