import { goText } from '../goText.ts';
import type { Impl } from '../implementation.ts';
import { type CelError, type CelMap, error, isKind, keyOf, mapFrom, noSuchOverload, type Val } from '../values.ts';

/** Adds an entry: in place where a comprehension is building the map. */
function insert(map: CelMap, key: Val, value: Val): CelMap | CelError {
  if (map.find(key) !== undefined) return error(`insert failed: key ${goText(key)} already exists`);
  if (map.growing && map.entries) {
    map.entries.set(keyOf(key), { key, value });
    return map;
  }
  const entries = new Map(map.keys().map((known) => [keyOf(known), { key: known, value: map.find(known) ?? null }]));
  return mapFrom(entries.set(keyOf(key), { key, value }));
}

function insertAll(target: Val, update: Val): Val {
  if (!isKind(target, 'map') || !isKind(update, 'map')) return noSuchOverload;
  let map: CelMap = target;
  for (const key of update.keys()) {
    const next = insert(map, key, update.find(key) ?? null);
    if (next.kind === 'error') return next;
    map = next;
  }
  return map;
}

export const mapInsertImpls: readonly (readonly [string, Impl])[] = [
  ['@mapInsert_map_key_value', (a, b, c) => (isKind(a, 'map') ? insert(a, b, c) : noSuchOverload)],
  ['@mapInsert_map_map', insertAll],
];
