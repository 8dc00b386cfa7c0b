/** Classes of characters as the API server's YAML reader tells them apart. NUL ends the text. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;

export function isBreak(c: number): boolean {
  return c === LF || c === CR || c === 0x85 || c === 0x2028 || c === 0x2029;
}

export function isBlank(c: number): boolean {
  return c === SPACE || c === TAB;
}

export function isBreakOrEnd(c: number): boolean {
  return c <= CR ? c === LF || c === CR || c === 0 : c === 0x85 || c === 0x2028 || c === 0x2029;
}

export function isBlankOrEnd(c: number): boolean {
  return c === SPACE || c === TAB || isBreakOrEnd(c);
}

export function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** Letters, digits, `_` and `-`: what anchors and handles are made of. */
export function isWord(c: number): boolean {
  return isDigit(c) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c === 45;
}

/** The value of a hexadecimal digit, -1 for anything else. */
export function hexValue(c: number): number {
  if (isDigit(c)) return c - 48;
  const lower = c | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/**
 * The length of the line break at an offset. kubectl drops one carriage return before each line feed when it splits
 * the stream into documents, so `\r\r\n` reaches the reader as one break.
 */
export function breakLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== CR) return 1;
  const next = text.charCodeAt(at + 1);
  if (next === LF) return 2;
  return next === CR && text.charCodeAt(at + 2) === LF ? 3 : 1;
}

/** What a line break contributes to a scalar: itself for U+2028 and U+2029, a line feed for all others. */
export function breakText(c: number): string {
  return c === 0x2028 ? '\u2028' : c === 0x2029 ? '\u2029' : '\n';
}

/** `---` or `...` with nothing right behind it. */
export function isDocumentMark(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c !== 45 && c !== 46) return false;
  return text.charCodeAt(at + 1) === c && text.charCodeAt(at + 2) === c && isBlankOrEnd(text.charCodeAt(at + 3));
}

/** `key:` or `- ` at an offset. */
export function looksLikeBlockLine(text: string, at: number): boolean {
  let i = at;
  for (let c = text.charCodeAt(i); !isBreakOrEnd(c); c = text.charCodeAt(++i)) {
    const next = text.charCodeAt(i + 1);
    if (i === at && c === 45 && isBlankOrEnd(next)) return true;
    if (c === 58 && isBlankOrEnd(next)) return i > at;
    if (c === 34 || c === 39 || c === 35 || c === 44 || c === 91 || c === 93 || c === 123 || c === 125) return false;
  }
  return false;
}

/** Characters that the reader refuses anywhere. */
const refused = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

export function firstRefused(text: string): number {
  return text.search(refused);
}

export function withoutRefused(text: string): string {
  return text.replace(new RegExp(refused, 'g'), '\ufffd');
}
