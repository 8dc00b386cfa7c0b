import { goText } from '../eval/goText.ts';
import { type CelError, type CelMap, error, isKind, keyOf, mapFrom, noSuchOverload, type Val } from '../eval/values.ts';
import { fn, type Library } from '../overload.ts';

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
