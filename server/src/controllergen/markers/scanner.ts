/** The tokens of a marker's arguments, as Go's text/scanner gives them: `1Gi` are a number and a name, `'` is a sign. */
import { quote } from '../../gostd/quote.ts';
import { literalName } from '../syntax/strict/numbers.ts';

/** A kind in capitals, or the sign itself. */
export type Token = string;
export const END = 'END';
export const IDENT = 'IDENT';
export const INT = 'INT';
export const FLOAT = 'FLOAT';
export const STRING = 'STRING';
export const RAW_STRING = 'RAW_STRING';

const letter = /^[\p{L}_]$/u;
const inName = /^[\p{L}\p{Nd}_]$/u;
const blank = /^[ \t\r\n]$/;

function isDecimal(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

function isHex(character: string): boolean {
  return /^[0-9a-fA-F]$/.test(character);
}

/** In messages a character is in single quotes. */
function quoteRune(character: string): string {
  return `'${quote(character).slice(1, -1)}'`;
}

const bases = new Map([
  ['x', 16],
  ['o', 8],
  ['b', 2],
]);

export class Scanner {
  readonly text: string;
  /** The next character to be read. */
  at = 0;
  /** Where the last token starts. */
  start = 0;
  /** Whether digits together are a number, or each is a sign. */
  readsNumbers = true;
  private readonly report: (message: string) => void;
  /** Blanks were skipped since the last token, and so its text is lost, as it is in Go. */
  private lost = true;
  private end = 0;

  constructor(text: string, report?: (message: string) => void) {
    this.text = text;
    this.report = report ?? (() => undefined);
  }

  /** Empty at the end. */
  peek(): string {
    const code = this.text.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** The next character that is not blank. */
  peekPastBlanks(): string {
    for (let next = this.peek(); ; next = this.peek()) {
      if (!blank.test(next)) return next;
      this.lost = true;
      this.at++;
    }
  }

  get tokenText(): string {
    return this.lost ? '' : this.text.slice(this.start, this.end);
  }

  get tokenEnd(): number {
    return this.lost ? this.start : this.end;
  }

  /** That of the last token, from 1 on; undefined where Go knows none. */
  get column(): number | undefined {
    const isNowhere = this.lost || this.text === '';
    return isNowhere ? undefined : Array.from(this.text.slice(0, this.start)).length + 1;
  }

  fail(message: string): void {
    this.report(message);
  }

  scan(): Token {
    while (blank.test(this.peek())) this.at++;
    this.start = this.at;
    this.lost = false;
    const token = this.token();
    this.end = this.at;
    return token;
  }

  private token(): Token {
    const first = this.peek();
    if (first === '') return END;
    if (letter.test(first)) return this.name();
    if (isDecimal(first) && this.readsNumbers) return this.number(false);
    this.at += first.length;
    if (first === '"') return this.string();
    if (first === '`') return this.rawString();
    if (first === '.' && isDecimal(this.peek()) && this.readsNumbers) return this.number(true);
    return first;
  }

  private name(): Token {
    for (let next = this.peek(); inName.test(next); next = this.peek()) this.at += next.length;
    return IDENT;
  }

  private rawString(): Token {
    const close = this.text.indexOf('`', this.at);
    if (close === -1) this.fail('literal not terminated');
    this.at = close === -1 ? this.text.length : close + 1;
    return RAW_STRING;
  }

  private string(): Token {
    for (let next = this.peek(); next !== '"'; next = this.peek()) {
      if (next === '' || next === '\n') {
        this.fail('literal not terminated');
        if (next !== '') this.at++;
        return STRING;
      }
      this.at += next.length;
      if (next === '\\') this.escape();
    }
    this.at++;
    return STRING;
  }

  private escape(): void {
    const kind = this.peek();
    if (kind !== '' && 'abfnrtv\\"'.includes(kind)) this.at++;
    else if (kind >= '0' && kind <= '7') this.digitsOf(8, 3);
    else if (kind === 'x') this.hexDigits(2);
    else if (kind === 'u') this.hexDigits(4);
    else if (kind === 'U') this.hexDigits(8);
    else this.fail('invalid char escape');
  }

  private hexDigits(count: number): void {
    this.at++;
    this.digitsOf(16, count);
  }

  private digitsOf(base: number, count: number): void {
    for (let left = count; left > 0; left--) {
      if (!isHex(this.peek()) || Number.parseInt(this.peek(), 16) >= base) {
        this.fail('invalid char escape');
        return;
      }
      this.at++;
    }
  }

  private number(afterDot: boolean): Token {
    const from = this.at;
    const run: Run = { digits: false, separators: false, invalid: '' };
    let prefix = '';
    let isFloat = afterDot;
    if (!afterDot) {
      prefix = this.prefix();
      if (prefix === '0') run.digits = true;
      this.digits(prefix, run);
      if (this.peek() === '.') {
        this.at++;
        isFloat = true;
      }
    }
    if (isFloat) {
      if (prefix === 'o' || prefix === 'b') this.fail(`invalid radix point in ${literalName(prefix)}`);
      this.digits(prefix, run);
    }
    if (!run.digits) this.fail(`${literalName(prefix)} has no digits`);
    isFloat = this.exponent(prefix, isFloat, run);
    if (!isFloat && run.invalid) this.fail(`invalid digit ${quoteRune(run.invalid)} in ${literalName(prefix)}`);
    const written = this.text.slice(afterDot ? from - 1 : from, this.at);
    if (run.separators && hasLooseSeparator(written)) this.fail("'_' must separate successive digits");
    return isFloat ? FLOAT : INT;
  }

  /** Of `0x`, `0o` and `0b` the letter, for other numbers with a leading zero that, and else nothing. */
  private prefix(): string {
    if (this.peek() !== '0') return '';
    this.at++;
    const next = this.peek().toLowerCase();
    if (!bases.has(next)) return '0';
    this.at++;
    return next;
  }

  private exponent(prefix: string, isFloat: boolean, run: Run): boolean {
    const written = this.peek();
    const kind = written.toLowerCase();
    if (kind !== 'e' && kind !== 'p') {
      if (prefix === 'x' && isFloat) this.fail("hexadecimal mantissa requires a 'p' exponent");
      return isFloat;
    }
    if (kind === 'e' && prefix !== '' && prefix !== '0') {
      this.fail(`${quoteRune(written)} exponent requires decimal mantissa`);
    } else if (kind === 'p' && prefix !== 'x') {
      this.fail(`${quoteRune(written)} exponent requires hexadecimal mantissa`);
    }
    this.at++;
    if (this.peek() === '+' || this.peek() === '-') this.at++;
    const digits: Run = { digits: false, separators: false, invalid: '' };
    this.digits('', digits);
    if (digits.separators) run.separators = true;
    if (!digits.digits) this.fail('exponent has no digits');
    return true;
  }

  /** Any decimal digit is taken, and the first one that is too large noted. */
  private digits(prefix: string, run: Run): void {
    const base = prefix === '0' ? 8 : (bases.get(prefix) ?? 10);
    const belongs = base === 16 ? isHex : isDecimal;
    for (let next = this.peek(); belongs(next) || next === '_'; next = this.peek()) {
      if (next === '_') run.separators = true;
      else {
        run.digits = true;
        if (base < 10 && Number(next) >= base) run.invalid ||= next;
      }
      this.at++;
    }
  }
}

interface Run {
  digits: boolean;
  separators: boolean;
  invalid: string;
}

/** An underscore without a digit, or the prefix, on both of its sides. */
function hasLooseSeparator(number: string): boolean {
  const [, prefix = '', rest = ''] = /^(0[xXoObB])?(.*)$/s.exec(number) ?? [];
  const digits = /^0[xX]/.test(prefix) ? rest.replace(/[0-9a-fA-F]/g, '0') : rest.replace(/[0-9]/g, '0');
  return /(?:^|[^0])_|_(?:$|[^0])/.test((prefix && '0') + digits);
}
