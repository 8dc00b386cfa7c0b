/**
 * Text to documents. A stream is split where kubectl splits it; a document is immutable and knows only its own text,
 * so that it is shared between versions of the stream in which its text did not change.
 */

import { EditedText } from '../base/editedText.ts';
import { type Difference, difference, movedRange, ownText, type Range } from '../base/text.ts';
import { trimSpace } from '../gostd/trim.ts';
import {
  dormant,
  isAsleep,
  isDormant,
  keepTrees,
  parseDocument,
  type YamlDocument,
  type YamlProblem,
} from './document.ts';
import { lastGood, remember, reparse } from './reparse.ts';

export { dormant, isAsleep, isDormant, keepTrees, parseDocument, type YamlDocument, type YamlProblem };

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

/** The last document that starts at or before an offset. */
export function documentAt(
  stream: Pick<YamlStream, 'documents'> | undefined,
  offset: number,
): PlacedDocument | undefined {
  return stream?.documents.findLast(({ start }) => start <= offset);
}

/** Any line that starts with `---` ends the part before it; with nothing before it, it belongs to the part it starts. */
function split(text: string): { parts: Range[]; badSeparator: YamlStream['badSeparator'] } {
  const parts: Range[] = [];
  let badSeparator: YamlStream['badSeparator'];
  let start = 0;
  for (let at = text.startsWith('---') ? 0 : nextSeparator(text, 0); at !== -1; at = nextSeparator(text, at)) {
    const lineEnd = endOfLine(text, at);
    const after = trimSpace(text.slice(at + 3, lineEnd));
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

/**
 * The same after an edit, where nothing but the parts that it is in has to be looked at: the text between the separator before
 * them and the one behind them. Undefined where that is not so plain.
 */
function splitAgain(
  text: EditedText,
  { text: old, documents, badSeparator }: YamlStream,
  { start, end, endAfter }: Difference,
): ReturnType<typeof split> | undefined {
  const grown = endAfter - end;
  const endOf = ({ document, start: from }: PlacedDocument) => from + document.text.length;
  // The line break before a part, and that behind it, are not of the edit.
  const first = documents.findLastIndex((one) => one.start < start);
  const last = documents.findIndex((one) => endOf(one) > end + 1);
  if (badSeparator || first < 0 || last < first) return undefined;
  const from = documents[first]!.start;
  const next = documents[last + 1];
  const inside = split(text.slice(from, (next?.start ?? old.length) + grown));
  const to = inside.parts.at(-1);
  if (inside.badSeparator || !to || from + to.end !== endOf(documents[last]!) + grown) return undefined;
  const parts = [
    ...documents.slice(0, first).map((one) => ({ start: one.start, end: endOf(one) })),
    ...inside.parts.map((part) => movedRange(part, from)),
    ...documents.slice(last + 1).map((one) => movedRange({ start: one.start, end: endOf(one) }, grown)),
  ];
  return { parts, badSeparator: undefined };
}

function nextSeparator(text: string, from: number): number {
  let at = text.indexOf('---', from + 1);
  while (at !== -1 && text[at - 1] !== '\n') at = text.indexOf('---', at + 3);
  return at;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/**
 * The documents of a text; those of the previous version are kept where their text is the same. `known` says where it
 * differs, where somebody has looked already.
 */
export function parseStream(text: string | EditedText, previous?: YamlStream, known?: Difference): YamlStream {
  return typeof text === 'string'
    ? parseParts(EditedText.of(text), previous, known)
    : parseParts(text, previous, known);
}

function parseParts(all: EditedText, previous: YamlStream | undefined, known: Difference | undefined): YamlStream {
  const { text } = all;
  if (!known && previous?.text === text) return previous;
  const { parts, badSeparator } = (known && previous && splitAgain(all, previous, known)) ?? split(text);
  const before = previous?.documents ?? [];
  const changed = known ?? difference(previous?.text ?? '', text);
  // Documents may be alike: each of the previous ones is in one place only.
  const taken = new Set<YamlDocument>();
  const take = (one: YamlDocument | undefined) => (one && !taken.has(one) && taken.add(one) ? one : undefined);
  const candidates = parts.map((_, i) => [before[i], before[i - parts.length + before.length]] as const);
  const beside = parts.map((part, i) => take(besideChange(part, changed, ...candidates[i]!)));
  const documents = parts.map(({ start, end }, i): PlacedDocument => {
    if (beside[i]) return { document: beside[i], start };
    const [same, sameFromEnd] = candidates[i]!;
    // A document must not keep the whole text of an older version alive.
    const own = start === 0 && end === text.length ? text : ownText(all.slice(start, end));
    const kept = take(sameText(same, own)) ?? take(sameText(sameFromEnd, own));
    return { document: kept ?? parseAgain(same?.document, own), start };
  });
  return { text, documents, badSeparator };
}

/** The previous document of a part that lies wholly before what has changed, or wholly behind it. */
function besideChange(
  { start, end }: Range,
  changed: Difference,
  same: PlacedDocument | undefined,
  sameFromEnd: PlacedDocument | undefined,
): YamlDocument | undefined {
  const isAt = (placed: PlacedDocument | undefined, at: number) => {
    return placed?.start === at && placed.document.text.length === end - start ? placed.document : undefined;
  };
  if (end <= changed.start) return isAt(same, start);
  return start >= changed.endAfter ? isAt(sameFromEnd, start - changed.endAfter + changed.end) : undefined;
}

/** Parses what may be a later version of a document; parts that did not change are taken from it. */
function parseAgain(before: YamlDocument | undefined, text: string): YamlDocument {
  if (!before) return parseDocument(text);
  const good = lastGood(before);
  const document = (good && reparse(good, text)) ?? parseDocument(text);
  if (good && document.readerError) remember(document, good);
  return document;
}

function sameText(before: PlacedDocument | undefined, text: string): YamlDocument | undefined {
  return before?.document.text === text ? before.document : undefined;
}

/** The separator at which kubectl stops, as a problem; its range is one of the stream's text. */
export function separatorProblem({ badSeparator }: YamlStream): YamlProblem | undefined {
  if (!badSeparator) return undefined;
  const { text, range } = badSeparator;
  return {
    code: 'yaml/separator',
    severity: 'error',
    message: `Only a comment may follow \`---\` on its line, not \`${text}\`: kubectl rejects the file, starting with the document before this line.`,
    range,
  };
}
