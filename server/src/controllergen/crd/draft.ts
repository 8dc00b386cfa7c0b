import { isList, isMap, type Value } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import type { Origin } from './model.ts';

/** Where a schema comes from: its field or type, and by keyword the marker that said it. */
export interface Source {
  readonly place: Origin | undefined;
  readonly keywords: ReadonlyMap<string, Origin>;
}

const none: Source = { place: undefined, keywords: new Map() };

// Beside the schemas, which are plain values. Not a memo: it is noted while they are made.
const sources = new WeakMap<object, Source>();

export function sourceOf(part: object): Source {
  return sources.get(part) ?? none;
}

export function setSource(part: object, source: Source): void {
  if (source.place || source.keywords.size > 0) sources.set(part, source);
}

export function draft(...entries: [string, Value][]): Draft {
  return new Map(entries);
}

export function draftAt(schema: Draft, key: string): Draft | undefined {
  const found = schema.get(key);
  return isMap(found) ? (found as Draft) : undefined;
}

export function draftsAt(schema: Draft, key: string): readonly Draft[] {
  const found = schema.get(key);
  return isList(found) ? (found as readonly Draft[]) : [];
}

/** The schemas that are directly inside of another one, in the order in which controller-gen goes through them. */
export function partsOf(schema: Draft): Draft[] {
  const listed = ['allOf', 'anyOf'].flatMap((key) => draftsAt(schema, key));
  const properties = (draftAt(schema, 'properties')?.values() ?? []) as Iterable<Draft>;
  return [...partAt(schema, 'items'), ...listed, ...properties, ...partAt(schema, 'additionalProperties')];
}

function partAt(schema: Draft, key: string): Draft[] {
  const part = draftAt(schema, key);
  return part ? [part] : [];
}

/** The same, with the same parts, from the same place. */
export function copyOf(schema: Draft): Draft {
  const copy: Draft = new Map(schema);
  setSource(copy, sourceOf(schema));
  return copy;
}

/** Makes one schema what another is. */
export function become(schema: Draft, other: Draft): void {
  schema.clear();
  for (const [key, value] of other) schema.set(key, value);
  sources.set(schema, sourceOf(other));
}
