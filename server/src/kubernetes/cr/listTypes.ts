import { append } from '../../base/append.ts';
import { hasUnknown, isList, isMap, isUnknown, type Value, type ValueMap } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { child, duplicate, type FieldPath, index, invalid, key } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';
import type { CrFinding } from './findings.ts';

/** Sets hold each item once and maps each key. */
export function validateListTypes(
  value: Value,
  schema: Structural,
  spot: FieldPath,
  version: KubernetesVersion,
): CrFinding[] {
  const found: CrFinding[] = [];
  visit(value, schema, spot, version, found);
  return found;
}

function visit(
  value: Value,
  schema: Structural | undefined,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrFinding[],
): void {
  if (!schema) return;
  if (isList(value)) {
    append(found, uniqueness(value, schema, spot, version));
    for (const [i, item] of value.entries()) visit(item, schema.items, index(spot, i), version, found);
  } else if (isMap(value)) {
    for (const [name, item] of value) {
      visit(item, schema.additionalProperties?.schema, key(spot, name), version, found);
      visit(item, schema.properties?.get(name), child(spot, name), version, found);
    }
  }
}

function uniqueness(
  list: readonly Value[],
  schema: Structural,
  spot: FieldPath,
  version: KubernetesVersion,
): CrFinding[] {
  const { listType, listMapKeys } = schema.extensions;
  if (listType === 'map') return mapUniqueness(list, listMapKeys, spot, version);
  if (listType !== 'set') return [];
  return repeats(list).map(({ at, first }) => {
    const about = { code: 'cr/list-duplicate' as const, facts: { first } };
    return duplicate(index(spot, at), list[at]!, version, about);
  });
}

/** Whether an item, or its keys, are in a list of type set or map more than once. */
export function hasRepeats(list: readonly Value[], listType: 'set' | 'map', keys: readonly string[]): boolean {
  const ids =
    listType === 'set'
      ? list
      : keyIds(
          list.map((item) => keyParts(item, keys)),
          keys,
        );
  return repeats(ids).length > 0;
}

interface Repeat {
  readonly at: number;
  readonly first: number;
}

/** The second appearance of each item. Scalars of different types differ; maps and lists go by their JSON. */
function repeats(items: readonly (Value | undefined)[]): Repeat[] {
  // One that is not known may be like any other: then others would be named.
  if (items.some((item) => item !== undefined && hasUnknown(item))) return [];
  const seen = new Map<string, { first: number; times: number }>();
  const found: Repeat[] = [];
  items.forEach((item, at) => {
    const id = identity(item);
    const before = seen.get(id);
    if (!before) seen.set(id, { first: at, times: 1 });
    else if (before.times++ === 1) found.push({ at, first: before.first });
  });
  return found;
}

function identity(item: Value | undefined): string {
  if (item === undefined) return 'unspecified';
  if (isList(item) || isMap(item)) return `json ${printJson(item)}`;
  return `${typeof item} ${Object.is(item, -0) ? 0 : item}`;
}

function mapUniqueness(
  list: readonly Value[],
  keys: readonly string[],
  spot: FieldPath,
  version: KubernetesVersion,
): CrFinding[] {
  const stray = list.findIndex((item) => item !== null && !isMap(item));
  // Whether it is the first one nobody can tell.
  if (stray >= 0 && isUnknown(list[stray])) return [];
  if (stray >= 0) {
    const about = { code: 'cr/list-map-item' as const };
    const detail = 'must be an object for an array of list-type map';
    return [invalid(index(spot, stray), list[stray]!, detail, version, about)];
  }
  const parts = list.map((item) => keyParts(item, keys));
  return repeats(keyIds(parts, keys)).map(({ at, first }) => {
    const about = { code: 'cr/list-duplicate' as const, facts: { first, keys } };
    return duplicate(index(spot, at), parts[at]!, version, about);
  });
}

/** A single key is compared as what it is, several as one map. */
function keyIds(parts: readonly ValueMap[], keys: readonly string[]): readonly (Value | undefined)[] {
  return keys.length === 1 ? parts.map((part) => part.get(keys[0]!)) : parts;
}

function keyParts(item: Value, keys: readonly string[]): ValueMap {
  const parts = new Map<string, Value>();
  if (!isMap(item)) return parts;
  for (const name of keys) {
    const value = item.get(name);
    if (value !== undefined) parts.set(name, value);
  }
  return parts;
}
