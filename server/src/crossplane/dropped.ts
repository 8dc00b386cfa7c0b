import { memo } from '../base/memo.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { derivedCrds, takenOver } from './derive.ts';
import { keywordFor, readSchema } from './readSchema.ts';

// What Crossplane leaves behind when it makes CRDs, which nobody tells.

export interface Dropped {
  /** In the XRD: the key of what does not get into a CRD. */
  readonly path: Path;
  /** Why: no such keyword is known, it is not taken over in this place, or a field of Crossplane's own takes it. */
  readonly why: 'unknown' | 'not-taken-over' | 'replaced';
}

/** What is dropped of the schemas of an XRD. */
export function droppedOf(xrd: ValueMap): Dropped[] {
  const versions = valueAt(xrd, ['spec', 'versions']);
  return (isList(versions) ? versions : []).flatMap((version, i) => {
    const path = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    const schema = valueAt(version, path.slice(3));
    return isMap(schema) ? droppedOfSchema(schema, path, fieldsOfCrossplane(xrd)) : [];
  });
}

type Parts = Readonly<Record<'spec' | 'status', readonly ValueMap[]>>;

/** The fields that Crossplane has of its own in each of the CRDs. */
function fieldsOfCrossplane(xrd: ValueMap): Parts {
  const all = derivedCrds(xrd);
  return { spec: all.map(({ added }) => added.spec), status: all.map(({ added }) => added.status) };
}

/** Whether a field of Crossplane's own takes the place of one, and loses something of it. */
function isReplaced(name: string, schema: Value, own: readonly ValueMap[]): boolean {
  const others = own.filter((fields) => fields.has(name));
  // Types that embed Crossplane's have its fields. A claim needs no namespace in them: one that fits is enough.
  return others.length > 0 && !others.some((fields) => holdsAll(fields.get(name), schema));
}

/** Whether a schema has all fields of another, of the same types. */
function holdsAll(own: Value | undefined, other: Value): boolean {
  if (!isMap(own) || !isMap(other)) return false;
  if (own.get('type') !== other.get('type') || other.has('additionalProperties')) return false;
  const items = other.get('items');
  if (items !== undefined && !holdsAll(own.get('items'), items)) return false;
  const [fields, known] = [other.get('properties'), own.get('properties')];
  if (!isMap(fields)) return true;
  return isMap(known) && [...fields].every(([name, field]) => holdsAll(known.get(name), field));
}

function droppedOfSchema(schema: ValueMap, at: Path, own: Parts): Dropped[] {
  const properties = valueAt(schema, ['properties']);
  const other = isMap(properties) ? [...properties.keys()].filter((name) => !objectFields.has(name)) : [];
  return [
    ...unknownIn(schema).map((path): Dropped => ({ path: [...at, ...path], why: 'unknown' })),
    ...notTakenOver(schema, at, takenOver.root),
    ...other.map((name): Dropped => ({ path: [...at, 'properties', name], why: 'not-taken-over' })),
    ...(['spec', 'status'] as const).flatMap((name) => droppedOfPart(schema, at, name, own[name])),
  ];
}

const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status']);

function droppedOfPart(schema: ValueMap, at: Path, name: 'spec' | 'status', own: readonly ValueMap[]): Dropped[] {
  const part = valueAt(schema, ['properties', name]);
  if (!isMap(part)) return [];
  const path = [...at, 'properties', name];
  const fields = part.get('properties');
  const replaced = isMap(fields) ? [...fields].filter(([field, of]) => isReplaced(field, of, own)) : [];
  return [
    ...notTakenOver(part, path, takenOver[name]),
    ...replaced.map(([field]): Dropped => ({ path: [...path, 'properties', field], why: 'replaced' })),
  ];
}

/** Keywords that say nothing else where they are left out: Crossplane writes them itself, or they are for readers alone. */
const harmless: ReadonlySet<string> = new Set([
  ...['properties', 'title', 'description', 'example', 'externalDocs', 'id', '$schema', 'format'],
]);

function notTakenOver(schema: ValueMap, at: Path, keywords: readonly string[]): Dropped[] {
  const says = (keyword: string) => {
    if (harmless.has(keyword) || keywords.includes(keyword)) return false;
    const value = schema.get(keyword);
    const isImplied = keyword === 'type' ? value === 'object' : keyword === 'required' && isSpecAlone(value);
    return !isImplied && value !== false && value !== null && readSchema(schema).has(keyword);
  };
  return [...schema.keys()].filter(says).map((keyword) => ({ path: [...at, keyword], why: 'not-taken-over' }));
}

/** Objects of a CRD that Crossplane makes always need a spec. */
function isSpecAlone(required: Value | undefined): boolean {
  return isList(required) && required.every((name) => name === 'spec');
}

/** The paths of keys that Crossplane does not know, below a schema. */
const unknownIn = memo((schema: ValueMap): readonly Path[] => {
  return lost(schema, readSchema(schema));
});

/** What was there and is not any more, besides what says nothing. */
function lost(before: Value, now: Value | undefined): Path[] {
  if (before === now) return [];
  if (isList(before) && isList(now)) return before.flatMap((one, i) => below(i, lost(one, now[i])));
  if (!isMap(before) || !isMap(now)) return [];
  return [...before].flatMap(([key, value]) => {
    const kept = now.get(key) ?? now.get(keywordFor(key) ?? key);
    if (kept !== undefined) return below(key, lost(value, kept));
    return isNothing(value) ? [] : [[key]];
  });
}

function below(step: string | number, paths: readonly Path[]): Path[] {
  return paths.map((path) => [step, ...path]);
}

function isNothing(value: Value): boolean {
  return value === null || (isList(value) && value.length === 0) || (isMap(value) && value.size === 0);
}
