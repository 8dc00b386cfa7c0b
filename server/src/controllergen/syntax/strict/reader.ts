import type { SyntaxFault } from '../model.ts';
import { badCharacters, literals, type Token, type TokenKind, Tokens } from './tokens.ts';

/** How deep something may be inside of something else here; Go's own limit is far beyond. */
const mostNested = 300;
/** How often reading goes on at one and the same token, as Go's parser counts it. */
const mostAgain = 10;

/** Goes through the tokens of a file as Go's parser does, and notes what is wrong. */
export class Reader {
  token: Token;
  /** The end of the token before. */
  lastEnd = 0;
  private readonly tokens: Tokens;
  private readonly found: SyntaxFault[] = [];
  private readonly bad: readonly SyntaxFault[];
  private nested = 0;
  private isTooDeep = false;
  /** Where reading went on behind something wrong, and how often it did since. */
  private again = { at: -1, times: 0 };

  constructor(text: string) {
    this.bad = badCharacters(text);
    this.tokens = new Tokens(text, (at, message) => this.found.push({ at, message }));
    this.token = this.tokens.next();
  }

  /** What was wrong so far, in the order of the text; nothing of what is too deep to be read. */
  faults(): readonly SyntaxFault[] {
    if (this.isTooDeep) return [];
    return [...this.found, ...this.bad.filter((one) => this.isRead(one))].sort(
      (a, b) => a.at - b.at || (a.message < b.message ? -1 : 1),
    );
  }

  get hasFaults(): boolean {
    return this.found.length > 0 || (this.bad[0] !== undefined && this.isRead(this.bad[0]));
  }

  private isRead({ at }: SyntaxFault): boolean {
    return at <= this.token.end;
  }

  at(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.token.kind);
  }

  /** Whether a line ends here, and with it something. */
  atBreak(): boolean {
    return this.token.kind === ';' && this.token.text === '\n';
  }

  advance(): void {
    this.lastEnd = this.token.end;
    if (!this.isTooDeep) this.token = this.tokens.next();
  }

  takeIf(kind: TokenKind): boolean {
    if (!this.at(kind)) return false;
    this.advance();
    return true;
  }

  /** Goes on behind a token that has to be here, and behind another one that is in its place; says where it is. */
  expect(kind: TokenKind): number {
    const { start } = this.token;
    if (!this.at(kind)) this.expected(`'${kind}'`);
    this.advance();
    return start;
  }

  /** Says what should be somewhere, and here also what is there. */
  expected(what: string, at = this.token.start): void {
    const { kind, text, start } = this.token;
    const shown = this.atBreak() ? 'newline' : literals.has(kind) ? text.replaceAll('\r', '') : `'${kind}'`;
    this.fault(`expected ${what}${at === start ? `, found ${shown}` : ''}`, at);
  }

  fault(message: string, at = this.token.start): void {
    this.found.push({ message, at });
  }

  /** Leaves out what is in front of tokens, but comes to the same one only so often. */
  skipTo(kinds: ReadonlySet<TokenKind>): void {
    for (; !this.at('EOF'); this.advance()) {
      const { kind, start } = this.token;
      if (!kinds.has(kind)) continue;
      if (start === this.again.at && this.again.times < mostAgain) {
        this.again.times++;
        return;
      }
      if (start <= this.again.at) continue;
      this.again = { at: start, times: 0 };
      return;
    }
  }

  /** Reads something that may be within itself; what is too deep ends everything. */
  nest<T>(read: () => T, otherwise: T): T {
    if (this.nested === mostNested) {
      this.isTooDeep = true;
      const { end } = this.token;
      this.token = { kind: 'EOF', text: '', start: end, end };
      return otherwise;
    }
    this.nested++;
    const result = read();
    this.nested--;
    return result;
  }
}
