import { goText } from '../eval/goText.ts';
import {
  type CelError,
  type CelMap,
  type Entry,
  error,
  isKind,
  type Key,
  keyOf,
  mapFrom,
  noSuchOverload,
  type Val,
} from '../eval/values.ts';
import { spend } from '../eval/work.ts';
import { fn, type Library } from '../overload.ts';

/** Adds an entry: in place where a comprehension is building the map. */
function insert(map: CelMap, key: Val, value: Val): CelMap | CelError {
  if (map.find(key) !== undefined) return error(`insert failed: key ${goText(key)} already exists`);
  if (map.growing && map.entries) {
    map.entries.set(keyOf(key), { key, value });
    return map;
  }
  return mapFrom(copied(map).set(keyOf(key), { key, value }));
}

function copied(map: CelMap): Map<Key, Entry> {
  spend(map.size);
  return new Map(map.keys().map((known) => [keyOf(known), { key: known, value: map.find(known) ?? null }]));
}

function insertAll(target: Val, update: Val): Val {
  if (!isKind(target, 'map') || !isKind(update, 'map')) return noSuchOverload;
  spend(update.size);
  if (update.size === 0) return target;
  // Copied once, it grows by all of them.
  const map = target.growing ? target : mapFrom(copied(target), true);
  for (const key of update.keys()) {
    const next = insert(map, key, update.find(key) ?? null);
    if (next.kind === 'error') return next;
  }
  map.growing = target.growing;
  return map;
}

/** What the macros over two variables are made of. */
export const mapInsert: Library = [
  fn('cel.@mapInsert', 'A map with more entries; used by macros.', [
    {
      id: '@mapInsert_map_key_value',
      signature: 'cel.@mapInsert(map(K, V), K, V): map(K, V)',
      impl: (a, b, c) => (isKind(a, 'map') ? insert(a, b, c) : noSuchOverload),
    },
    { id: '@mapInsert_map_map', signature: 'cel.@mapInsert(map(K, V), map(K, V)): map(K, V)', impl: insertAll },
  ]),
];
