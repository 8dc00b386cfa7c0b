// YAML as Kubernetes reads it, for programs: values and places of any text, however wrong, and edits that keep the rest.
// The types here are the package's interface: they name nothing of the rest of the program.

import { applyEdits, movedRange } from '../base/text.ts';
import { isList, isMap, type Value as OwnValue } from '../base/value.ts';
import { removeAt, setValue } from '../yaml/edit.ts';
import { parseStream, type YamlDocument } from '../yaml/parse.ts';
import { rangeOf as rangeIn } from '../yaml/place.ts';
import { documentVerdict, toJson, valueOf } from '../yaml/value.ts';

/** A value as Kubernetes has it: int64 is bigint, float64 is number, and maps keep the order of their keys. */
export type Value = null | boolean | string | bigint | number | readonly Value[] | ReadonlyMap<string, Value>;

/** Names and indices from a document's root. */
export type Path = readonly (string | number)[];

/** Offsets in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** In the whole text. */
  readonly range: Range;
}

/** One document of a stream. */
export interface Document {
  /** Undefined where the text is refused; null where it is empty. */
  readonly value: Value | undefined;
  /** What kubectl sends: JSON with sorted keys; undefined where the text is refused. */
  readonly json: string | undefined;
  readonly problems: readonly Problem[];
  /** Why Kubernetes' own reader refuses the text, in its words. */
  readonly error: string | undefined;
  /** Where a key, a value, or both are in the whole text; undefined where there is nothing at the path. */
  rangeOf(path: Path, part?: 'key' | 'value' | 'pair'): Range | undefined;
}

/** The documents of a text, split where kubectl splits it. Nothing throws. */
export function parse(text: string): Document[] {
  return parseStream(text).documents.map(({ document, start }) => documentOf(document, start));
}

function documentOf(document: YamlDocument, start: number): Document {
  const shift = (range: Range): Range => movedRange(range, start);
  const problems = document.problems.map(({ severity, message, range }) => ({
    severity,
    message,
    range: shift(range),
  }));
  return {
    // What a document says is known.
    value: valueOf(document) as Value,
    json: toJson(document),
    problems,
    error: document.readerError?.text ?? documentVerdict(document).error,
    rangeOf: (path, part = 'value') => {
      const range = rangeIn(document, path, part);
      return range && shift(range);
    },
  };
}

export interface EditOptions {
  /** Which document of the text; default: the first. */
  readonly document?: number;
}

/** The text with another value at a path that is there already; comments and everything else stay as they are. */
export function set(text: string, path: Path, value: Plain, options: EditOptions = {}): string {
  return edited(text, options, (document) => setValue(document, path, valueFrom(value)));
}

/** The text without a key or an item. */
export function remove(text: string, path: Path, options: EditOptions = {}): string {
  return edited(text, options, (document) => removeAt(document, path));
}

function edited(text: string, { document = 0 }: EditOptions, edits: (of: YamlDocument) => readonly Edit[]): string {
  const placed = parseStream(text).documents[document];
  if (!placed) throw new Error(`the text has no document ${document}`);
  const { start } = placed;
  return applyEdits(
    text,
    edits(placed.document).map(({ range, text: put }) => ({
      range: movedRange(range, start),
      text: put,
    })),
  );
}

interface Edit {
  readonly range: Range;
  readonly text: string;
}

/** What can be written: a value, or what JavaScript has for one. */
export type Plain = Value | readonly Plain[] | { readonly [name: string]: Plain };

function valueFrom(value: Plain): OwnValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value as OwnValue)) return (value as readonly Plain[]).map(valueFrom);
  if (isMap(value as OwnValue))
    return new Map([...(value as ReadonlyMap<string, Plain>)].map(([k, v]) => [k, valueFrom(v)]));
  return new Map(Object.entries(value as { readonly [name: string]: Plain }).map(([k, v]) => [k, valueFrom(v)]));
}

/** The value in plain objects and arrays; ints beyond what a number holds stay bigint. */
export function plain(value: Value | undefined): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return value;
}
