import type { Pieces } from './pieces.ts';

/**
 * A document's content as the API server holds it after decoding: `bigint` is Go's int64, `number` is Go's float64,
 * so `1` and `1.0` stay different where Kubernetes tells them apart and integers beyond 2^53 survive. Maps keep the
 * order of the document.
 */
export type Value = null | boolean | string | bigint | number | readonly Value[] | ValueMap | Unknown;
export type ValueMap = ReadonlyMap<string, Value>;

/**
 * A value that is filled in before anybody decodes it, as `${NAME}` is by envsubst. It may be of any type, null included,
 * and a map may have any keys: nothing is said that depends on it.
 */
export class Unknown {
  /** As it is written. */
  readonly text: string;
  /** What is known of it, where it is sure to be a text. */
  readonly pieces: Pieces | undefined;

  constructor(text: string, pieces?: Pieces) {
    this.text = text;
    this.pieces = pieces;
  }

  toString(): string {
    return this.text;
  }
}

/** Stands in a text that was made for a part of it that nobody knows: a character that nobody writes. */
export const unknownMark = '\ue000';

export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown;
}

/** Not a memo: there is one for each part of a value, and it is only a truth. */
const holdUnknown = new WeakMap<object, boolean>();

/** Whether a value, or one inside it, is not known. Values stay as they are, so that each is looked through once. */
export function hasUnknown(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isUnknown(value)) return true;
  let known = holdUnknown.get(value);
  if (known === undefined) {
    known = [...value.values()].some(hasUnknown);
    holdUnknown.set(value, known);
  }
  return known;
}

/** Whether two values are equal, or may be once all of them is known. */
export function mayBeEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b || isUnknown(a) || isUnknown(b)) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => mayBeEqual(item, b[i]));
  // What is not known may be null, and gone.
  if (!isMap(a) || !isMap(b)) return false;
  return [...new Set([...a.keys(), ...b.keys()])].every((key) => mayBeEqual(a.get(key), b.get(key)));
}

/** Where a value is in its document: map keys and list indices from the root. */
export type Path = readonly (string | number)[];

/**
 * A path from the root of a YAML document, and one from the root of a Kubernetes object in it, which may be an item of a
 * list. Neither can stand for the other; steps just put together can stand for both.
 */
export type DocumentPath = Path & { readonly within?: 'document' };
export type ManifestPath = Path & { readonly within?: 'manifest' };

export function isMap(value: Value | undefined): value is ValueMap {
  return value instanceof Map;
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

export function isString(value: Value | undefined): value is string {
  return typeof value === 'string';
}

/** The value at a path, or undefined where the document has nothing there. */
export function valueAt(root: Value | undefined, path: Path): Value | undefined {
  let at: Value | undefined = root;
  for (const step of path) {
    if (typeof step === 'number') at = isList(at) ? at[step] : undefined;
    else at = isMap(at) ? at.get(step) : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/** No two empty maps are the same to a memo, so that one stands for all that are not there. */
const nothing: ValueMap = new Map();

/** The map at a path; an empty one, always the same, where there is none. */
export function mapAt(root: Value | undefined, path: Path): ValueMap {
  const found = valueAt(root, path);
  return isMap(found) ? found : nothing;
}

/** The list at a path; an empty one where there is none. */
export function listAt(root: Value | undefined, path: Path): readonly Value[] {
  const found = valueAt(root, path);
  return isList(found) ? found : [];
}

/** The text at a path; undefined where there is none. */
export function stringAt(root: Value | undefined, path: Path): string | undefined {
  const found = valueAt(root, path);
  return isString(found) ? found : undefined;
}

/** The same, empty where there is none. */
export function textAt(root: Value | undefined, path: Path): string {
  return stringAt(root, path) ?? '';
}

/** Deep equality as Go's reflect.DeepEqual sees decoded JSON: int64 and float64 never equal, order of keys is nothing. */
export function equalValues(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => equalValues(item, b[i]));
  if (!isMap(a) || !isMap(b) || a.size !== b.size) return false;
  for (const [key, item] of a) if (!b.has(key) || !equalValues(item, b.get(key))) return false;
  return true;
}
