import { codePoint, quoteRune } from '../../../gostd/quote.ts';
import type { SyntaxFault } from '../model.ts';
import { numberAt, type Report } from './numbers.ts';
import { characterEnd, stringEnd } from './texts.ts';

/** A token as Go's scanner names it: keywords and operators by themselves, and these. */
export type TokenKind = 'IDENT' | 'INT' | 'FLOAT' | 'IMAG' | 'CHAR' | 'STRING' | 'ILLEGAL' | 'EOF' | (string & {});

export interface Token {
  readonly kind: TokenKind;
  /** As it is written; a line break for the semicolon that Go puts at the end of a line. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export const literals: ReadonlySet<TokenKind> = new Set(['IDENT', 'INT', 'FLOAT', 'IMAG', 'CHAR', 'STRING']);

const keywords = new Set(
  [
    'break case chan const continue default defer else fallthrough for func go goto if import interface map package',
    'range return select struct switch type var',
  ].flatMap((line) => line.split(' ')),
);

const word = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const number = /\.?[0-9]/y;
const operator = /\.\.\.|<<=|>>=|&\^=|<-|\+\+|--|&&|\|\||&\^|<<|>>|[-+*/%&|^:=!<>]=|[-+*/%&|^:=!<>~.,;()[\]{}]/y;
const blanks = /[ \t\r]*/y;
const blanksAndBreaks = /[ \t\r\n]*/y;
const restOfLine = /[^\n]*/y;

/** What a line may end behind. */
const endings = new Set([...literals, 'break', 'continue', 'fallthrough', 'return', '++', '--', ')', ']', '}']);

/** The tokens of a file as Go's scanner sees them, with the semicolons that it adds. */
export class Tokens {
  private at = 0;
  /** Whether a line break ends something here. */
  private mayEnd = false;
  /** Where a comment had the break that ended something. */
  private pending: number | undefined;

  private readonly text: string;
  private readonly report: Report;

  constructor(text: string, report: Report) {
    this.text = text;
    this.report = report;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
  }

  next(): Token {
    const broken = this.skip();
    if (broken !== undefined) {
      this.mayEnd = false;
      return { kind: ';', text: '\n', start: broken, end: this.at };
    }
    const start = this.at;
    const { kind, end } = this.tokenAt(start);
    this.at = end;
    if (kind !== 'ILLEGAL') this.mayEnd = endings.has(kind);
    return { kind, text: this.text.slice(start, end), start, end };
  }

  /** Up to the next token, or to a break that ends something: where that is. */
  private skip(): number | undefined {
    for (;;) {
      if (this.pending !== undefined) {
        const at = this.pending;
        this.pending = undefined;
        return at;
      }
      this.at = matchEnd(this.mayEnd ? blanks : blanksAndBreaks, this.text, this.at)!;
      const char = this.text[this.at];
      if (this.mayEnd && (char === undefined || char === '\n')) return char === undefined ? this.at : this.at++;
      if (!this.skipComment()) return undefined;
    }
  }

  private skipComment(): boolean {
    const start = this.at;
    if (this.text.startsWith('//', start)) {
      this.at = matchEnd(restOfLine, this.text, start)!;
      this.lineDirective(start);
      return true;
    }
    if (!this.text.startsWith('/*', start)) return false;
    const close = this.text.indexOf('*/', start + 2);
    if (close === -1) this.report(start, 'comment not terminated');
    this.at = close === -1 ? this.text.length : close + 2;
    const brk = this.text.indexOf('\n', start);
    if (this.mayEnd && brk !== -1 && brk < this.at) this.pending = brk;
    return true;
  }

  /** `//line name:12` says where what follows comes from. */
  private lineDirective(start: number): void {
    if (start > 0 && this.text[start - 1] !== '\n') return;
    const written = this.text.slice(start, this.at).replace(/\r$/, '');
    const why = written.startsWith('//line ') ? wrongLine(written.slice(7)) : undefined;
    if (why) this.report(start + 7 + why.at, why.message);
  }

  private tokenAt(start: number): { readonly kind: TokenKind; readonly end: number } {
    const { text, report } = this;
    const char = text[start];
    if (char === undefined) return { kind: 'EOF', end: start };
    const name = matchEnd(word, text, start);
    if (name !== undefined) {
      const written = text.slice(start, name);
      return { kind: keywords.has(written) ? written : 'IDENT', end: name };
    }
    if (matchEnd(number, text, start) !== undefined) return numberAt(text, start, report);
    if (char === '"') return { kind: 'STRING', end: stringEnd(text, start, report) };
    if (char === "'") return { kind: 'CHAR', end: characterEnd(text, start, report) };
    if (char === '`') return { kind: 'STRING', end: this.rawEnd(start) };
    const end = matchEnd(operator, text, start);
    return end === undefined ? this.illegal(start) : { kind: text.slice(start, end), end };
  }

  private rawEnd(start: number): number {
    const close = this.text.indexOf('`', start + 1);
    if (close !== -1) return close + 1;
    this.report(start, 'raw string literal not terminated');
    return this.text.length;
  }

  private illegal(start: number): { readonly kind: TokenKind; readonly end: number } {
    const code = this.text.codePointAt(start)!;
    const char = String.fromCodePoint(code);
    if (char === '“' || char === '”') {
      this.report(start, `curly quotation mark ${quoteRune(char)} (use neutral ${quoteRune('"')})`);
    } else if (code !== 0xfeff) this.report(start, `illegal character ${codePoint(String.fromCodePoint(code))}`);
    return { kind: 'ILLEGAL', end: start + char.length };
  }
}

/** What Go's scanner says of characters that may be nowhere. */
export function badCharacters(text: string): readonly SyntaxFault[] {
  return Array.from(text.matchAll(/\0|(?!^)\ufeff/g), ({ 0: char, index: at }) => {
    return { at, message: char === '\0' ? 'illegal character NUL' : 'illegal byte order mark' };
  });
}

/** What is wrong with `name:12` or `name:12:3`. */
function wrongLine(text: string): SyntaxFault | undefined {
  const last = text.lastIndexOf(':') + 1;
  if (last === 0) return undefined;
  const wrong = (what: string, at: number) => ({ at, message: `invalid ${what} number: ${text.slice(at)}` });
  const number = numberOf(text.slice(last));
  if (number === undefined) return wrong('line', last);
  const first = text.slice(0, last - 1).lastIndexOf(':') + 1;
  const line = first === 0 ? undefined : numberOf(text.slice(first, last - 1));
  if (line === undefined) return isPlace(number) ? undefined : wrong('line', last);
  if (!isPlace(number)) return wrong('column', last);
  return isPlace(line) ? undefined : wrong('line', first);
}

function numberOf(text: string): number | undefined {
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function isPlace(number: number): boolean {
  return number > 0 && number <= 2 ** 30;
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
