/** From a value in a file of values to where it is in the values that templates see. */
import { memo } from '../base/memo.ts';
import { ValuePlace } from '../template/from.ts';
import { GoMap } from '../template/value.ts';

type KeyPath = readonly (string | number)[];

export type PlacesInValues = ReadonlyMap<string, readonly KeyPath[]>;

const keyOf = memo(({ source, path }: ValuePlace): string => JSON.stringify([source, ...path]));

/** All of them: what is global is seen by several charts. */
export function placesIn(values: GoMap): PlacesInValues {
  const found = new Map<string, KeyPath[]>();
  const add = (place: ValuePlace, path: KeyPath) => {
    const key = keyOf(place);
    const known = found.get(key) ?? [];
    found.set(key, known);
    if (!known.some((one) => JSON.stringify(one) === JSON.stringify(path))) known.push(path);
  };
  const walk = (map: GoMap, path: KeyPath) => {
    if (map.place) add(map.place, path);
    for (const [key, { value, from }] of map.all()) {
      const below = [...path, key];
      if (from instanceof ValuePlace) add(from, below);
      if (value instanceof GoMap) walk(value, below);
    }
  };
  walk(values, []);
  return found;
}

/** What is written nowhere, and items of lists, are below the nearest that is. */
export function pathsOf(places: PlacesInValues, place: ValuePlace): readonly KeyPath[] {
  const missing: (string | number)[] = [];
  for (let at: ValuePlace | undefined = place; at; at = at.parent) {
    const known = places.get(keyOf(at));
    if (known) return known.map((path) => [...path, ...missing]);
    missing.unshift(at.key);
  }
  return [];
}
