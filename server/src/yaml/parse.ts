/**
 * Text to documents. A stream is split where kubectl splits it; a document is immutable and knows only its own text,
 * so that it is shared between versions of the stream in which its text did not change.
 */
import type { Range } from '../base/text.ts';
import { build } from './build.ts';
import { firstRefused, withoutRefused } from './chars.ts';
import type { Node } from './node.ts';
import { newScan, type ReadError } from './scanState.ts';
import { wordProblem } from './words.ts';

export interface YamlProblem {
  readonly code: 'yaml/syntax' | 'yaml/separator' | 'yaml/ignored';
  readonly severity: 'error' | 'warning';
  /** For a person. */
  readonly message: string;
  /** In the document. */
  readonly range: Range;
}

/** What the API server's reader says when it refuses the text; `line` is the one it names, from 1. */
export interface ReaderError {
  readonly text: string;
  readonly line: number | undefined;
}

export interface YamlDocument {
  readonly text: string;
  /** Undefined where the document is empty. A tree stands here for any text, however wrong. */
  readonly root: Node | undefined;
  readonly rootStart: number;
  readonly problems: readonly YamlProblem[];
  /** Set where the text is refused: it has no value then. */
  readonly readerError: ReaderError | undefined;
  readonly comments: readonly Range[];
  readonly hasAlias: boolean;
}

export interface PlacedDocument {
  readonly document: YamlDocument;
  /** Where the document's text starts in the stream. */
  readonly start: number;
}

export interface YamlStream {
  readonly text: string;
  readonly documents: readonly PlacedDocument[];
  /** A separator with text after it ends kubectl's reading: it gets only the first `documents`. */
  readonly badSeparator: { readonly text: string; readonly range: Range; readonly documents: number } | undefined;
}

const goSpace =
  /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

/** Any line that starts with `---` ends the part before it; with nothing before it, it belongs to the part it starts. */
function split(text: string): { parts: Range[]; badSeparator: YamlStream['badSeparator'] } {
  const parts: Range[] = [];
  let badSeparator: YamlStream['badSeparator'];
  let start = 0;
  for (let at = text.startsWith('---') ? 0 : nextSeparator(text, 0); at !== -1; at = nextSeparator(text, at)) {
    const lineEnd = endOfLine(text, at);
    const after = text.slice(at + 3, lineEnd).replace(goSpace, '');
    if (after !== '' && !after.startsWith('#')) {
      badSeparator ??= { text: after, range: { start: at, end: lineEnd }, documents: parts.length };
    }
    if (at > start) {
      parts.push({ start, end: at });
      start = lineEnd;
    }
  }
  if (start < text.length) parts.push({ start, end: text.length });
  return { parts, badSeparator };
}

function nextSeparator(text: string, from: number): number {
  const at = text.indexOf('\n---', from);
  return at === -1 ? -1 : at + 1;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** The documents of a text; those of the previous version are kept where their text is the same. */
export function parseStream(text: string, previous?: YamlStream): YamlStream {
  if (previous?.text === text) return previous;
  const { parts, badSeparator } = split(text);
  const before = previous?.documents ?? [];
  const documents = parts.map(({ start, end }, i): PlacedDocument => {
    const own = start === 0 && end === text.length ? text : ownCopy(text.slice(start, end));
    const kept = sameText(before[i], own) ?? sameText(before[i - parts.length + before.length], own);
    return { document: kept ?? parseDocument(own), start };
  });
  return { text, documents, badSeparator };
}

function sameText(before: PlacedDocument | undefined, text: string): YamlDocument | undefined {
  return before?.document.text === text ? before.document : undefined;
}

/** A kept document must not keep the whole text of an older version alive through a slice of it. */
function ownCopy(slice: string): string {
  return slice.length < 32 ? slice : `\0${slice}`.slice(1);
}

/** The separator at which kubectl stops, as a problem; its range is one of the stream's text. */
export function separatorProblem({ badSeparator }: YamlStream): YamlProblem | undefined {
  if (!badSeparator) return undefined;
  const { text, range } = badSeparator;
  return {
    code: 'yaml/separator',
    severity: 'error',
    message: `Only a comment may follow \`---\` on its line, not \`${text}\`: kubectl refuses the file from the document before this line on.`,
    range,
  };
}

/** Parses the text of one document. */
export function parseDocument(text: string): YamlDocument {
  const refusedAt = firstRefused(text);
  const clean = refusedAt === -1 ? text : withoutRefused(text);
  const source = /[\n\r]$/.test(text.slice(-1)) ? `${clean}\0` : `${clean}\n\0`;
  const exact = newScan(source, text.length, false);
  const built = build(exact);
  const error = firstError(text, refusedAt, exact.errors[0], exact.pos);
  if (error === undefined) {
    const ignored = ignoredRest(text, built.end);
    return finished(text, built, exact.comments, ignored === undefined ? [] : [ignored], undefined);
  }
  const tolerant = newScan(source, text.length, true);
  const recovered = build(tolerant);
  const later = tolerant.errors.filter((other) => other.start > error.end);
  const problems = [error, ...later].map(problemOf);
  const readerError = { text: errorText(error), line: error.line === 0 ? undefined : error.line };
  return finished(text, recovered, tolerant.comments, problems, readerError);
}

function finished(
  text: string,
  built: ReturnType<typeof build>,
  comments: readonly number[],
  problems: readonly YamlProblem[],
  readerError: ReaderError | undefined,
): YamlDocument {
  const { root, rootStart, hasAlias } = built;
  return { text, root, rootStart, problems, readerError, comments: rangesOf(comments), hasAlias };
}

function rangesOf(flat: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (let i = 0; i < flat.length; i += 2) ranges.push({ start: flat[i]!, end: flat[i + 1]! });
  return ranges;
}

function errorText({ line, text }: ReadError): string {
  return line === 0 ? `yaml: ${text}` : `yaml: line ${line}: ${text}`;
}

function problemOf(error: ReadError): YamlProblem {
  return {
    code: 'yaml/syntax',
    severity: 'error',
    message: wordProblem(error.text),
    range: { start: error.start, end: error.end },
  };
}

/** The reader takes one document and does not look at what follows its content. */
function ignoredRest(text: string, end: number): YamlProblem | undefined {
  const rest = text.slice(end);
  if (!/^(?:\.\.\.)?\s*[^\s#.]/.test(rest)) return undefined;
  const start = end + (rest.length - rest.trimStart().length);
  return {
    code: 'yaml/ignored',
    severity: 'warning',
    message: 'The document ends before this: the API server ignores the rest.',
    range: { start, end: start + rest.trim().length },
  };
}

const chunk = 512;

/** The reader decodes 512 bytes at a time, and refuses a character when it decodes it. */
function firstError(text: string, refusedAt: number, error: ReadError | undefined, pos: number): ReadError | undefined {
  if (refusedAt === -1) return error;
  if (error !== undefined && pos + 4 <= chunkStart(text, refusedAt)) return error;
  return { text: 'control characters are not allowed', line: 0, start: refusedAt, end: refusedAt + 1 };
}

/** The first offset of the chunk of bytes that an offset falls into. */
function chunkStart(text: string, offset: number): number {
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < offset; ) {
    const point = text.codePointAt(i)!;
    const width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes + width > chunk) {
      start = i;
      bytes = 0;
    }
    bytes += width;
    i += point > 0xffff ? 2 : 1;
  }
  return start;
}
