import { isList, isMap, type Path, type Value, type ValueMap } from '../../base/value.ts';
import type { Structural } from './structural.ts';

/** A field that no schema knows, as the API server writes its place and as the document has it. */
export interface UnknownField {
  readonly text: string;
  readonly path: Path;
}

export interface Pruned {
  readonly value: Value;
  readonly unknown: readonly UnknownField[];
}

interface Walk {
  readonly path: (string | number)[];
  readonly unknown: UnknownField[];
}

/** What the API server reads of an object by itself. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** What the way to a field looks like in the API server's texts. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

/** A schema whose type and metadata are a resource's, whether it says so or not. */
export function asResource(schema: Structural): Structural {
  if (schema.extensions.embeddedResource) return schema;
  return { ...schema, extensions: { ...schema.extensions, embeddedResource: true } };
}

/** Drops what the schema does not know. What is not changed is returned as it is. */
export function prune(value: Value, schema: Structural, isRoot: boolean): Pruned {
  const walk: Walk = { path: [], unknown: [] };
  const pruned = pruneValue(value, isRoot ? asResource(schema) : schema, walk);
  return { value: pruned, unknown: walk.unknown };
}

/** A map with its values replaced; undefined takes an entry out. Unchanged maps stay the same object. */
function mapEntries(map: ValueMap, walk: Walk, change: (key: string, value: Value) => Value | undefined): ValueMap {
  let out: Map<string, Value> | undefined;
  for (const [key, value] of map) {
    walk.path.push(key);
    const next = change(key, value);
    walk.path.pop();
    if (next === value) continue;
    out ??= new Map(map);
    if (next === undefined) out.delete(key);
    else out.set(key, next);
  }
  return out ?? map;
}

function mapItems(list: readonly Value[], walk: Walk, change: (value: Value) => Value): readonly Value[] {
  let out: Value[] | undefined;
  for (const [i, value] of list.entries()) {
    walk.path.push(i);
    const next = change(value);
    walk.path.pop();
    if (next === value) continue;
    out ??= [...list];
    out[i] = next;
  }
  return out ?? list;
}

function pruneValue(value: Value, schema: Structural | undefined, walk: Walk): Value {
  if (schema?.extensions.preserveUnknownFields) return skip(value, schema, walk);
  if (isList(value)) return mapItems(value, walk, (item) => pruneValue(item, schema?.items, walk));
  if (isMap(value)) return mapEntries(value, walk, (key, item) => pruneMember(key, item, schema, walk));
  return value;
}

function pruneMember(key: string, item: Value, schema: Structural | undefined, walk: Walk): Value | undefined {
  if (schema?.extensions.embeddedResource && metaFields.has(key)) return item;
  const property = schema?.properties?.get(key);
  if (property) return pruneValue(item, property, walk);
  if (schema?.additionalProperties) return pruneValue(item, schema.additionalProperties.schema, walk);
  if (!schema || !metaFields.has(key) || walk.path.length > 1) {
    walk.unknown.push({ text: pathText(walk.path), path: [...walk.path] });
  }
  return undefined;
}

/** Under preserve-unknown-fields only what is declared is pruned inside. */
function skip(value: Value, schema: Structural | undefined, walk: Walk): Value {
  if (!schema) return value;
  if (isList(value)) return mapItems(value, walk, (item) => skip(item, schema.items, walk));
  if (!isMap(value)) return value;
  return mapEntries(value, walk, (key, item) => {
    if (schema.extensions.embeddedResource && metaFields.has(key)) return item;
    const property = schema.properties?.get(key);
    if (property) return pruneValue(item, property, walk);
    return schema.additionalProperties ? pruneValue(item, schema.additionalProperties.schema, walk) : item;
  });
}
