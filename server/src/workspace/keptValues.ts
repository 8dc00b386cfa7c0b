import type { Range } from '../base/text.ts';
import { isList, isMap, type Value } from '../base/value.ts';
import { dormant, isDormant, type PlacedDocument, type YamlStream } from '../yaml/parse.ts';
import { giveValue, valueOf } from '../yaml/value.ts';

/** What is kept of a document: all that a dormant one is made of, besides its text. */
export interface KeptDocument {
  readonly start: number;
  readonly length: number;
  readonly rootStart: number;
  readonly comments: readonly Range[];
  /** Null where the document is empty. */
  readonly value: (Value & object) | null;
}

/** Where the values of large texts are kept from one run to the next, by the texts. */
export interface KeptValues {
  find(text: string): readonly KeptDocument[] | undefined;
  keep(text: string, documents: readonly KeptDocument[]): Promise<void>;
}

/** A text of fewer characters is parsed in a few milliseconds. */
const worthKeeping = 50_000;

/** The stream of a text of which the values were kept. Its trees are made when they are looked at. */
export function keptStream(text: string, kept: KeptValues): YamlStream | undefined {
  const found = text.length < worthKeeping ? undefined : kept.find(text);
  const documents = found?.map(({ start, length, rootStart, comments, value }): PlacedDocument => {
    const rest = { rootStart, comments, problems: [], readerError: undefined, hasAlias: false };
    const document = dormant(rest, text.slice(start, start + length), value === null);
    if (value !== null) giveValue(document, value);
    return { document, start };
  });
  return documents && { text, documents, badSeparator: undefined };
}

/** Keeps the values of a stream of which there is nothing else to be said than what it holds. */
export function keepValues({ text, documents, badSeparator }: YamlStream, kept: KeptValues): void {
  if (text.length < worthKeeping || badSeparator) return;
  const all = documents.flatMap(({ document, start }): KeptDocument[] => {
    const { rootStart, comments, problems } = document;
    const value = isDormant(document) && problems.length === 0 ? valueOf(document) : undefined;
    const isKept = isList(value) || isMap(value) || (value === null && !document.root);
    return isKept ? [{ start, length: document.text.length, rootStart, comments, value }] : [];
  });
  if (all.length > 0 && all.length === documents.length) void kept.keep(text, all);
}
