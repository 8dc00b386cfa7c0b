/** One document: its text, its tree, and what is wrong with it. */
import type { Range } from '../base/text.ts';
import { build } from './build.ts';
import { firstRefused, withoutRefused } from './chars.ts';
import { KeptTexts } from './kept.ts';
import type { Node } from './node.ts';
import { newScan, type ReadError, type Scan } from './scanState.ts';
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
  /** Where what it is an error in begins, in the document; undefined where that is the place of the error itself. */
  readonly context: number | undefined;
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

/** Documents that the tolerant reading reads as the exact one does. */
const agreeing = new WeakSet<YamlDocument>();

export function readingsAgree(document: YamlDocument): boolean {
  return agreeing.has(document);
}

export function setReadingsAgree(document: YamlDocument): void {
  agreeing.add(document);
}

/** A text as the scanner wants it: with a line break at its end, and a NUL. */
export function scannable(text: string, tolerant: boolean): Scan {
  return newScan(/[\n\r]$/.test(text.slice(-1)) ? `${text}\0` : `${text}\n\0`, text.length, tolerant);
}

/** Not a memo: a text is no key that is ever let go, and each document is one of its own. */
const kept = new KeptTexts<YamlDocument>();

/** Keeps the trees of texts of so many characters, for a program that reads the same files several times and ends soon. */
export function keepTrees(characters: number): void {
  kept.keep(characters);
}

/** Parses the text of one document, or takes the tree that was made of the same text before. */
export function parseDocument(text: string): YamlDocument {
  const known = kept.get(text);
  const document = known ? { ...known } : parseAnew(text);
  if (!known) kept.set(text, document);
  else if (readingsAgree(known)) setReadingsAgree(document);
  return document;
}

/** Parses the text of one document from scratch. */
function parseAnew(text: string): YamlDocument {
  const refusedAt = firstRefused(text);
  const clean = refusedAt === -1 ? text : withoutRefused(text);
  const exact = scannable(clean, false);
  const built = build(exact);
  const error = firstError(text, refusedAt, exact.errors[0], exact.pos);
  if (error === undefined) {
    const ignored = ignoredRest(text, built.end);
    const document = finished(text, built, exact.comments, ignored === undefined ? [] : [ignored], undefined);
    if (!exact.readingsDiffer) setReadingsAgree(document);
    return document;
  }
  const tolerant = scannable(clean, true);
  const recovered = build(tolerant);
  const { problems, readerError } = refusal(error, tolerant.errors);
  return finished(text, recovered, tolerant.comments, problems, readerError);
}

/** What is known of a document without its tree. */
type Sleeper = Omit<YamlDocument, 'text' | 'root'>;

/**
 * The same document, whose tree is made anew from its text when it is asked for after the last one was given back: most
 * files that define kinds are never looked at. `text` is the document's own, in one that is kept anyway.
 */
export function dormant(document: Sleeper, text: string, isEmpty = false): YamlDocument {
  const { rootStart, problems, readerError, comments, hasAlias } = document;
  // Not of the tree at hand: a weak reference keeps it until the program has nothing to do for a moment.
  let tree: WeakRef<Node> | undefined;
  const rootNow = (): Node | undefined => {
    const known = tree?.deref();
    if (known || isEmpty) return known;
    const { root } = parseDocument(text);
    tree = root && new WeakRef(root);
    return root;
  };
  const sleeping = {
    ...{ text, rootStart, problems, readerError, comments, hasAlias },
    get root() {
      return rootNow();
    },
  };
  dormants.set(sleeping, () => !isEmpty && !tree?.deref());
  return sleeping;
}

/** Not a memo: of each dormant document, whether its tree would have to be made. */
const dormants = new WeakMap<YamlDocument, () => boolean>();

/** Whether a document's tree would be made from its text if it were asked for. */
export function isAsleep(document: YamlDocument): boolean {
  return dormants.get(document)?.() ?? false;
}

export function isDormant(document: YamlDocument): boolean {
  return dormants.has(document);
}

/** What is said of a text that is refused: the exact reading's error, and what the tolerant one finds behind it. */
export function refusal(
  error: ReadError,
  found: readonly ReadError[],
): Pick<YamlDocument, 'problems'> & { readonly readerError: ReaderError } {
  const later = found.filter((other) => other.start > error.end);
  const line = error.line === 0 ? undefined : error.line;
  return {
    problems: [error, ...later].map(problemOf),
    readerError: { text: errorText(error), line, context: error.context },
  };
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

export function rangesOf(flat: readonly number[]): Range[] {
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
    message: isJsonStream(text, rest)
      ? oneOfMany
      : 'The document ends before this, and the API server ignores the rest.',
    range: { start, end: start + rest.trim().length },
  };
}

const oneOfMany =
  'Only the first JSON value is read here and by the API server; kubectl reads all. Put `---` between them, or use a `List`.';

/** JSON values one after the other: kubectl takes each of them for an object. */
function isJsonStream(text: string, rest: string): boolean {
  return text.trimStart().startsWith('{') && rest.trimStart().startsWith('{');
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
