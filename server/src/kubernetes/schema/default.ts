import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import type { Structural } from './structural.ts';

/** Fills in what the schema has defaults for. What is not changed is returned as it is. */
export function applyDefaults(value: Value, schema: Structural | undefined): Value {
  if (!schema) return value;
  if (isMap(value)) return defaultMap(value, schema);
  return isList(value) ? defaultList(value, schema) : value;
}

function isReplaced(value: Value, schema: Structural | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}

function defaultMap(map: ValueMap, schema: Structural): ValueMap {
  const out = new Map(map);
  for (const [key, property] of schema.properties ?? []) {
    if (property.default === undefined) continue;
    const item = map.get(key);
    if (item === undefined || isReplaced(item, property)) out.set(key, property.default);
  }
  for (const [key, item] of out) {
    const property = schema.properties?.get(key);
    if (property) out.set(key, applyDefaults(item, property));
    else if (schema.additionalProperties) out.set(key, defaultItem(item, schema.additionalProperties.schema));
  }
  return sameMap(map, out) ? map : out;
}

function sameMap(a: ValueMap, b: ValueMap): boolean {
  if (a.size !== b.size) return false;
  for (const [key, item] of a) if (b.get(key) !== item) return false;
  return true;
}

function defaultItem(item: Value, schema: Structural | undefined): Value {
  return applyDefaults(isReplaced(item, schema) ? (schema?.default ?? null) : item, schema);
}

function defaultList(list: readonly Value[], schema: Structural): readonly Value[] {
  const out = list.map((item) => defaultItem(item, schema.items));
  return out.every((item, i) => item === list[i]) ? list : out;
}

function fieldSchema(schema: Structural | undefined, key: string): Structural | undefined {
  return schema?.properties?.get(key) ?? schema?.additionalProperties?.schema;
}

/** Drops nulls that may not be there and that no default replaces; items of lists stay. */
export function dropNulls(value: Value, schema: Structural | undefined): Value {
  if (isList(value)) {
    const out = value.map((item) => dropNulls(item, schema?.items));
    return out.every((item, i) => item === value[i]) ? value : out;
  }
  if (!isMap(value)) return value;
  const out = new Map<string, Value>();
  for (const [key, item] of value) {
    const below = fieldSchema(schema, key);
    if (item === null && below && !below.nullable && below.default === undefined) continue;
    out.set(key, dropNulls(item, below));
  }
  return sameMap(value, out) ? value : out;
}
