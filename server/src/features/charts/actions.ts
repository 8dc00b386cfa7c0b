/**
 * The actions of a template as they are written, half-typed ones too: what editors ask about while somebody types. (What
 * Helm makes of them is for `template/parse.ts` to say.)
 */
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';

/** One name of a chain such as `.Values.image.tag`. */
export interface Part extends Range {
  readonly name: string;
}

export type Token = Range &
  (
    | {
        readonly kind: 'chain';
        /** `''` where it starts at the dot, `$`, or a variable. */
        readonly head: string;
        /** The names behind it; the last one is empty where somebody has just typed its dot. */
        readonly parts: readonly Part[];
        /** It follows a closing bracket: nobody knows what it is a part of. */
        readonly isBehindBracket: boolean;
      }
    | { readonly kind: 'string'; readonly text: string; readonly isClosed: boolean; readonly content: Range }
    | { readonly kind: 'word' | 'other'; readonly text: string }
  );

export type Chain = Extract<Token, { kind: 'chain' }>;

export interface Action extends Range {
  readonly tokens: readonly Token[];
  readonly isClosed: boolean;
  readonly isComment: boolean;
  /** What is between its delimiters. */
  readonly inner: Range;
}

/** All actions of a text, in order. */
function actionsIn(text: string): readonly Action[] {
  const found: Action[] = [];
  const scanner = new Scanner(text);
  for (let at = text.indexOf('{{'); at !== -1; at = text.indexOf('{{', at)) {
    const action = scanner.action(at);
    found.push(action);
    at = Math.max(action.end, at + 2);
  }
  return found;
}

export const actionsOf = memo((file: ChartFile) => actionsIn(file.text));

/** The action that an offset is in, between its delimiters. */
export function actionAt(actions: readonly Action[], offset: number): Action | undefined {
  return actions.find(({ inner }) => inner.start <= offset && offset <= inner.end);
}

const pieces: readonly (readonly [Token['kind'] | 'blank' | 'open string', RegExp])[] = [
  ['blank', /\s+/y],
  ['string', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y],
  ['open string', /"(?:[^"\\\n]|\\.)*|'(?:[^'\\\n]|\\.)*/y],
  ['chain', /\$\w*(?:\.[\p{L}_][\p{L}\p{N}_]*)*\.?|(?:\.[\p{L}_][\p{L}\p{N}_]*)+\.?|\./uy],
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['other', /[+-]?\d[\w.]*|:=|[^\s]/uy],
];

class Scanner {
  private readonly text: string;
  private readonly lastComment: number;
  private readonly lastRaw: number;

  constructor(text: string) {
    this.text = text;
    this.lastComment = text.lastIndexOf('*/');
    this.lastRaw = text.lastIndexOf('`');
  }

  action(start: number): Action {
    const { text } = this;
    const from = start + (/^\{\{-\s/.test(text.slice(start, start + 4)) ? 3 : 2);
    const comment = /^\s*\/\*/.exec(text.slice(from, from + 200));
    if (comment && this.lastComment > from) return this.comment(start, from);
    const tokens: Token[] = [];
    for (let at = from; at < text.length; ) {
      if (text.startsWith('}}', at)) return closed(start, from, at, at + 2, tokens);
      if (/^\s-\}\}/.test(text.slice(at, at + 4))) return closed(start, from, at + 1, at + 4, tokens);
      if (text.startsWith('{{', at)) break;
      at = this.token(at, tokens);
    }
    return this.open(start, from, tokens);
  }

  private comment(start: number, from: number): Action {
    const stop = this.text.indexOf('*/', from) + 2;
    const end = stop + (/^\s*-?\}\}/.exec(this.text.slice(stop, stop + 200))?.[0].length ?? 0);
    const inner = { start: from, end: stop };
    return { start, end, tokens: [], isClosed: true, isComment: true, inner };
  }

  /** One that nobody has closed yet goes to the end of its line. */
  private open(start: number, from: number, tokens: readonly Token[]): Action {
    const line = this.text.slice(from).search(/[\r\n]|\{\{/);
    const end = line === -1 ? this.text.length : from + line;
    const inner = { start: from, end };
    return {
      ...{ start, end, inner, isClosed: false, isComment: false },
      tokens: tokens.filter((token) => token.end <= end),
    };
  }

  private token(at: number, tokens: Token[]): number {
    const { text } = this;
    if (text[at] === '`') return this.raw(at, tokens);
    for (const [kind, piece] of pieces) {
      piece.lastIndex = at;
      const written = piece.exec(text)?.[0];
      if (written === undefined) continue;
      const end = at + written.length;
      if (kind === 'string' || kind === 'open string') tokens.push(quoted(written, at, kind === 'string'));
      else if (kind === 'chain') tokens.push(chain(written, at, text[at - 1] === ')'));
      else if (kind !== 'blank') tokens.push({ kind, text: written, start: at, end });
      return end;
    }
    return at + 1;
  }

  private raw(at: number, tokens: Token[]): number {
    const close = this.lastRaw > at ? this.text.indexOf('`', at + 1) : -1;
    if (close === -1) return at + 1;
    const content = { start: at + 1, end: close };
    const text = this.text.slice(content.start, close);
    tokens.push({ kind: 'string', text, isClosed: true, content, start: at, end: close + 1 });
    return close + 1;
  }
}

function closed(start: number, from: number, to: number, end: number, tokens: readonly Token[]): Action {
  return { start, end, tokens, isClosed: true, isComment: false, inner: { start: from, end: to } };
}

function quoted(written: string, start: number, isClosed: boolean): Token {
  const end = start + written.length;
  const content = { start: start + 1, end: isClosed ? end - 1 : end };
  const text = written.slice(1, isClosed ? -1 : undefined);
  return { kind: 'string', text, isClosed, content, start, end };
}

function chain(written: string, start: number, isBehindBracket: boolean): Chain {
  const head = /^\$\w*/.exec(written)?.[0] ?? '';
  const parts: Part[] = [];
  let at = start + head.length;
  for (const name of written.slice(head.length).split('.').slice(1)) {
    parts.push({ name, start: at + 1, end: at + 1 + name.length });
    at += 1 + name.length;
  }
  // The dot alone is all of what is there.
  const isDot = written === '.';
  return {
    ...{ kind: 'chain', head, start, end: start + written.length, isBehindBracket },
    parts: isDot ? [] : parts,
  };
}
