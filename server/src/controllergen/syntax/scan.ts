import type { Range } from '../../base/text.ts';

/** `end` is the last one; `other` is one character of punctuation, or one that Go has no use for. */
export type TokenKind = 'word' | 'string' | 'number' | 'other' | 'end';

export interface Token extends Range {
  readonly kind: TokenKind;
  readonly text: string;
  /** It is the first of its line: Go ends a statement before it where one may end. */
  readonly first: boolean;
}

/** The tokens of a Go file, and its comments on the way. Nothing it meets ends it early. */
export class Scanner {
  readonly comments: Range[] = [];
  private at = 0;
  private first = true;

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  next(): Token {
    this.skipBlank();
    const start = this.at;
    const { first } = this;
    this.first = false;
    const name = matchEnd(word, this.text, start);
    const { kind, end } = name === undefined ? this.otherAt(start) : { kind: 'word' as const, end: name };
    this.at = end;
    return { kind, text: this.text.slice(start, end), start, end, first };
  }

  /** Goes back to a token that is not the first of its line; comments behind it are forgotten. */
  jump(to: number): void {
    this.at = to;
    while (this.comments.length > 0 && this.comments[this.comments.length - 1]!.start >= to) this.comments.pop();
    this.first = false;
  }

  private otherAt(at: number): { readonly kind: TokenKind; readonly end: number } {
    const char = this.text[at];
    if (char === undefined) return { kind: 'end', end: at };
    if (char === '"') return { kind: 'string', end: matchEnd(quoted, this.text, at)! };
    if (char === "'") return { kind: 'string', end: matchEnd(character, this.text, at)! };
    if (char === '`') {
      const end = this.text.indexOf('`', at + 1);
      return { kind: 'string', end: end === -1 ? this.text.length : end + 1 };
    }
    if (char >= '0' && char <= '9') return { kind: 'number', end: matchEnd(number, this.text, at)! };
    return { kind: 'other', end: at + (this.text.startsWith('...', at) ? 3 : 1) };
  }

  private skipBlank(): void {
    for (;;) {
      const blank = matchEnd(blanks, this.text, this.at);
      if (blank !== undefined) {
        this.first ||= hasBreak(this.text, this.at, blank);
        this.at = blank;
      }
      if (this.text[this.at] !== '/') return;
      const next = this.text[this.at + 1];
      if (next !== '/' && next !== '*') return;
      const start = this.at;
      this.at = next === '/' ? matchEnd(restOfLine, this.text, start)! : endOfBlock(this.text, start);
      this.comments.push({ start, end: this.at });
      if (next === '*') this.first ||= hasBreak(this.text, start, this.at);
    }
  }
}

const word = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const number = /[0-9][0-9a-zA-Z_.]*/y;
const blanks = /[ \t\r\n]+/y;
const restOfLine = /[^\r\n]*/y;
// What is not closed ends with its line, as it would while it is being typed.
const quoted = /"(?:\\[^\r\n]|[^"\\\r\n])*"?/y;
const character = /'(?:\\[^\r\n]|[^'\\\r\n])*'?/y;

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function hasBreak(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return true;
  }
  return false;
}

function endOfBlock(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end === -1 ? text.length : end + 2;
}
