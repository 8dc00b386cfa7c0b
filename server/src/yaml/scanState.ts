/** The scanner's state: plain fields that the scanning functions share. */
import type { ScalarNode } from './node.ts';

/** What a token is. `MapStart`, `SeqStart` and (for simple keys) `Key` stand as marks on the token they precede. */
export const Token = {
  Failed: 0,
  StreamEnd: 1,
  DocumentStart: 2,
  DocumentEnd: 3,
  Directive: 4,
  BlockEnd: 5,
  Entry: 6,
  Key: 7,
  Value: 8,
  ListStart: 9,
  FlowMapStart: 10,
  ListEnd: 11,
  FlowMapEnd: 12,
  Comma: 13,
  Alias: 14,
  Anchor: 15,
  Tag: 16,
  Scalar: 17,
  MapStart: 18,
  SeqStart: 19,
  /** Closes a flow collection that the text left open; only the tolerant reading makes it. */
  FlowStop: 20,
} as const;

export const Mark = { map: 1, key: 2, seq: 4 } as const;

export interface Directive {
  readonly version?: string;
  readonly handle?: string;
  readonly prefix?: string;
}

export type TokenFact =
  | string
  | ScalarNode
  | Directive
  | { readonly handle: string; readonly suffix: string }
  | undefined;

/** An error of the reader, with its own words and the line it names (0: none), both of them the API server's. */
export interface ReadError {
  readonly text: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Where the collection, node or scalar begins that it is an error in. */
  readonly context?: number | undefined;
}

export interface Scan {
  /** Ends with a line break and a NUL. */
  readonly text: string;
  readonly end: number;
  /** Goes on after errors. The exact reading stops at the first one. */
  readonly tolerant: boolean;
  readonly errors: ReadError[];
  /** How many errors there were, noted or not. */
  refusals: number;
  failed: boolean;
  /** The tolerant reading may read it differently, although the exact one finds nothing wrong. */
  readingsDiffer: boolean;
  pos: number;
  line: number;
  lineStart: number;
  indent: number;
  readonly indents: number[];
  flow: number;
  /** Where the outermost flow collection opened. */
  flowStart: number;
  flowLimit: number;
  /** The last limit found: it holds for the same indentation up to its own place. */
  limitIndent: number;
  keyAllowed: boolean;
  // The possible simple key of each flow level.
  readonly keyPossible: boolean[];
  readonly keyRequired: boolean[];
  readonly keyToken: number[];
  readonly keyPos: number[];
  readonly keyLine: number[];
  readonly keyLineStart: number[];
  // The queue of tokens; `base` is the number of the first token in it.
  base: number;
  head: number;
  count: number;
  readonly kinds: number[];
  readonly marks: number[];
  readonly starts: number[];
  readonly ends: number[];
  readonly lines: number[];
  /** The flow level (plus 1) whose simple key starts at the token. */
  readonly slots: number[];
  readonly facts: TokenFact[];
  nextSlot: number;
  ended: boolean;
  /** Offsets of comments: start, end, start, end, … */
  readonly comments: number[];
}

export function newScan(text: string, end: number, tolerant: boolean): Scan {
  return {
    text,
    end,
    tolerant,
    errors: [],
    refusals: 0,
    failed: false,
    readingsDiffer: false,
    // A byte order mark only names the encoding.
    pos: text.charCodeAt(0) === 0xfeff ? 1 : 0,
    line: 0,
    lineStart: text.charCodeAt(0) === 0xfeff ? 1 : 0,
    indent: -1,
    indents: [],
    flow: 0,
    flowStart: 0,
    flowLimit: -1,
    limitIndent: -1,
    keyAllowed: true,
    keyPossible: [false],
    keyRequired: [false],
    keyToken: [0],
    keyPos: [0],
    keyLine: [0],
    keyLineStart: [0],
    base: 0,
    head: 0,
    count: 0,
    kinds: [],
    marks: [],
    starts: [],
    ends: [],
    lines: [],
    slots: [],
    facts: [],
    nextSlot: 0,
    ended: false,
    comments: [],
  };
}

const maxErrors = 50;
/** After so many errors a text is not YAML, and no tree of it is worth making; an entry that is read alone has fewer. */
const mostRefusals = 50_000;

/** Notes an error at the current place. Says whether to go on, which only the tolerant reading does. */
export function fail(s: Scan, text: string, start = s.pos, end = s.pos + 1, context?: number): boolean {
  // The reader names no line for what happens on the first one.
  note(s, { text, line: s.line === 0 ? 0 : s.line + 1, start, end, context });
  return s.tolerant && !s.failed;
}

export function note(s: Scan, error: ReadError): void {
  if (s.errors.length < maxErrors) {
    s.errors.push({ ...error, start: Math.min(error.start, s.end), end: Math.min(error.end, s.end) });
  }
  s.refusals++;
  if (!s.tolerant || s.refusals > mostRefusals) s.failed = true;
}
