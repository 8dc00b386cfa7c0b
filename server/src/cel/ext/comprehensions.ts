import { fn, type Library } from '../overload.ts';

/** What the macros over two variables are made of. */
export const mapInsert: Library = [
  fn('cel.@mapInsert', 'A map with more entries; used by macros.', [
    { id: '@mapInsert_map_key_value', signature: 'cel.@mapInsert(map(K, V), K, V): map(K, V)' },
    { id: '@mapInsert_map_map', signature: 'cel.@mapInsert(map(K, V), map(K, V)): map(K, V)' },
  ]),
];
