/** The tokens of Go's text/template. */
import { codePoint, isPrint, quote } from '../gostd/quote.ts';

const keywords = [
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;

export type Keyword = (typeof keywords)[number];

export type TokenType =
  | Keyword
  | 'assign'
  | 'bool'
  | 'char'
  | 'charConstant'
  | 'comment'
  | 'complex'
  | 'declare'
  | 'dot'
  | 'eof'
  | 'error'
  | 'field'
  | 'identifier'
  | 'leftDelim'
  | 'leftParen'
  | 'number'
  | 'pipe'
  | 'rawString'
  | 'rightDelim'
  | 'rightParen'
  | 'space'
  | 'string'
  | 'text'
  | 'variable';

export interface Token {
  readonly type: TokenType;
  readonly pos: number;
  readonly text: string;
}

const word = /[\p{L}\p{Nd}_]*/uy;
const blanks = /[ \t\r\n]*/y;
const number =
  /[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?/y;
const quoted = /"(?:[^"\\\n]|\\[^\n])*"/y;
const character = /'(?:[^'\\\n]|\\[^\n])*'/y;
const single: ReadonlyMap<string, TokenType> = new Map([
  ['=', 'assign'],
  ['|', 'pipe'],
]);

/** Reads tokens one by one. After an error it gives nothing more, until it is told where to go on. */
export class Lexer {
  readonly text: string;
  private pos = 0;
  private start = 0;
  private parens = 0;
  private isInAction = false;
  private hasFailed = false;

  constructor(text: string) {
    this.text = text;
  }

  next(): Token {
    if (this.hasFailed) return { type: 'eof', pos: 0, text: 'EOF' };
    return this.isInAction ? this.inAction() : this.outside();
  }

  /** Goes on behind the end of the broken action, which the next one or a line without an end may be before. */
  recover(from: number): void {
    const close = this.text.indexOf('}}', from);
    const open = this.text.indexOf('{{', from + 1);
    const isClosed = close !== -1 && (open === -1 || close < open);
    this.pos = isClosed ? close + 2 : open === -1 ? this.text.length : open;
    if (isClosed && this.isTrimBefore(close)) this.pos = this.match(blanks, this.pos);
    this.start = this.pos;
    this.isInAction = false;
    this.hasFailed = false;
  }

  /** Reads nothing more. */
  finish(): void {
    this.pos = this.text.length;
    this.start = this.pos;
    this.isInAction = false;
    this.hasFailed = false;
  }

  private token(type: TokenType, end: number): Token {
    const made = { type, pos: this.start, text: this.text.slice(this.start, end) };
    this.pos = end;
    this.start = end;
    return made;
  }

  private error(text: string): Token {
    this.hasFailed = true;
    return { type: 'error', pos: this.start, text };
  }

  private match(expression: RegExp, at: number): number {
    expression.lastIndex = at;
    return expression.test(this.text) ? expression.lastIndex : at;
  }

  private outside(): Token {
    for (;;) {
      const open = this.text.indexOf('{{', this.pos);
      if (open === -1) {
        if (this.start < this.text.length) return this.token('text', this.text.length);
        return { type: 'eof', pos: this.pos, text: 'EOF' };
      }
      const end = this.isTrimAfter(open + 2) ? this.trimmedEnd(open) : open;
      if (end > this.start) {
        const text = this.token('text', end);
        this.pos = open;
        this.start = open;
        return text;
      }
      this.start = open;
      const opened = this.leftDelim(open);
      if (opened) return opened;
    }
  }

  /** The end of the text before a delimiter that trims. */
  private trimmedEnd(end: number): number {
    let at = end;
    while (at > this.start && ' \t\r\n'.includes(this.text[at - 1]!)) at--;
    return at;
  }

  private isTrimAfter(at: number): boolean {
    return this.text[at] === '-' && this.isSpace(at + 1);
  }

  private isTrimBefore(close: number): boolean {
    return this.text[close - 1] === '-' && this.isSpace(close - 2);
  }

  private isSpace(at: number): boolean {
    return at < this.text.length && ' \t\r\n'.includes(this.text[at]!);
  }

  /** The start of an action; undefined where it is a comment, which is passed over. */
  private leftDelim(open: number): Token | undefined {
    const inside = open + 2 + (this.isTrimAfter(open + 2) ? 2 : 0);
    if (this.text.startsWith('/*', inside)) return this.comment(inside);
    const token = this.token('leftDelim', open + 2);
    this.pos = inside;
    this.start = inside;
    this.isInAction = true;
    this.parens = 0;
    return token;
  }

  private comment(inside: number): Token | undefined {
    this.start = inside;
    const close = this.text.indexOf('*/', inside + 2);
    if (close === -1) return this.error('unclosed comment');
    const end = this.rightDelimAt(close + 2);
    if (end === undefined) {
      this.pos = close + 2;
      return this.error('comment ends before closing delimiter');
    }
    this.pos = end;
    this.start = end;
    return undefined;
  }

  /** Where a right delimiter ends, with the blanks that it trims; undefined where there is none. */
  private rightDelimAt(at: number): number | undefined {
    if (this.text.startsWith('}}', at)) return at + 2;
    if (this.isSpace(at) && this.text.startsWith('-}}', at + 1)) return this.match(blanks, at + 4);
    return undefined;
  }

  private rightDelim(at: number, end: number): Token {
    this.start = this.text.startsWith('}}', at) ? at : at + 2;
    const token = this.token('rightDelim', this.start + 2);
    this.pos = end;
    this.start = end;
    this.isInAction = false;
    return token;
  }

  private inAction(): Token {
    const { pos, text } = this;
    const end = this.rightDelimAt(pos);
    if (end !== undefined) return this.parens === 0 ? this.rightDelim(pos, end) : this.error('unclosed left paren');
    if (pos >= text.length) return this.error('unclosed action');
    if (this.isSpace(pos)) return this.space();
    const first = text[pos]!;
    const type = single.get(first);
    if (type) return this.token(type, pos + 1);
    return this.special(first) ?? this.rest(String.fromCodePoint(text.codePointAt(pos)!));
  }

  private space(): Token {
    let end = this.match(blanks, this.pos);
    // The last blank may belong to a delimiter that trims.
    if (this.text.startsWith('-}}', end)) end--;
    return this.token('space', end);
  }

  private special(first: string): Token | undefined {
    const { pos, text } = this;
    switch (first) {
      case ':':
        return text[pos + 1] === '=' ? this.token('declare', pos + 2) : this.error('expected :=');
      case '"':
        return this.closed('string', quoted, 'unterminated quoted string');
      case "'":
        return this.closed('charConstant', character, 'unterminated character constant');
      case '`': {
        const close = text.indexOf('`', pos + 1);
        return close === -1 ? this.error('unterminated raw quoted string') : this.token('rawString', close + 1);
      }
      case '$':
        return this.fieldOrVariable('variable');
      case '(':
        this.parens++;
        return this.token('leftParen', pos + 1);
      case ')':
        this.parens--;
        return this.parens < 0 ? this.error('unexpected right paren') : this.token('rightParen', pos + 1);
    }
    return undefined;
  }

  private closed(type: TokenType, expression: RegExp, otherwise: string): Token {
    const end = this.match(expression, this.pos);
    return end === this.pos ? this.error(otherwise) : this.token(type, end);
  }

  private rest(first: string): Token {
    const next = this.text[this.pos + 1];
    if (first === '.' && next !== undefined && !(next >= '0' && next <= '9')) return this.fieldOrVariable('field');
    if (/[.+\-0-9]/.test(first)) return this.number();
    if (/[\p{L}\p{Nd}_]/u.test(first)) return this.identifier();
    if (first < '\x80' && isPrint(first)) return this.token('char', this.pos + 1);
    return this.error(`unrecognized character in action: ${codePoint(first)}`);
  }

  private isTerminator(at: number): boolean {
    if (at >= this.text.length || this.isSpace(at)) return true;
    return '.,|:)('.includes(this.text[at]!) || this.text.startsWith('}}', at);
  }

  private fieldOrVariable(type: 'field' | 'variable'): Token {
    if (this.isTerminator(this.pos + 1)) return this.token(type === 'field' ? 'dot' : type, this.pos + 1);
    const end = this.match(word, this.pos + 1);
    return this.isTerminator(end) ? this.token(type, end) : this.badCharacter(end);
  }

  private badCharacter(at: number): Token {
    return this.error(`bad character ${codePoint(String.fromCodePoint(this.text.codePointAt(at)!))}`);
  }

  private identifier(): Token {
    const end = this.match(word, this.pos);
    if (!this.isTerminator(end)) return this.badCharacter(end);
    const text = this.text.slice(this.pos, end);
    const type = (keywords as readonly string[]).includes(text) ? (text as Keyword) : undefined;
    return this.token(type ?? (text === 'true' || text === 'false' ? 'bool' : 'identifier'), end);
  }

  private number(): Token {
    const end = this.scanNumber(this.pos);
    if (end < 0) return this.error(`bad number syntax: ${quote(this.text.slice(this.start, -end))}`);
    const sign = this.text[end];
    if (sign !== '+' && sign !== '-') return this.token('number', end);
    const second = this.scanNumber(end);
    if (second < 0 || this.text[second - 1] !== 'i')
      return this.error(`bad number syntax: ${quote(this.text.slice(this.start, Math.abs(second)))}`);
    return this.token('complex', second);
  }

  /** Where a number ends; negative where a letter or digit follows that is no part of it: the end with that one. */
  private scanNumber(at: number): number {
    const end = this.match(number, at);
    const after = this.text.codePointAt(end);
    if (after === undefined) return end;
    const next = String.fromCodePoint(after);
    return /[\p{L}\p{Nd}_]/u.test(next) ? -(end + next.length) : end;
  }
}

/** A token as errors name it. */
export function printToken({ type, text }: Token): string {
  if (type === 'eof') return 'EOF';
  if (type === 'error') return text;
  if (type === 'dot' || (keywords as readonly string[]).includes(type)) return `<${text}>`;
  const characters = [...text];
  return characters.length > 10 || new TextEncoder().encode(text).length > 10
    ? `${quote(characters.slice(0, 10).join(''))}...`
    : quote(text);
}
