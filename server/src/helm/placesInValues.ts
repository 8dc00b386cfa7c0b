/** From a value in a file of values to where it is in the values that templates see. */
import { memo } from '../base/memo.ts';
import { ValuePlace } from '../template/from.ts';
import { GoList, GoMap, type GoValue } from '../template/value.ts';

export type KeyPath = readonly (string | number)[];

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

/** Where other items of a list have a value that one of them is to get: `ports[1].name` for `ports[0].name`. */
export function besides(values: GoMap, path: KeyPath, value: GoValue): readonly KeyPath[] {
  const at = path.findLastIndex((step) => typeof step === 'number');
  const [around, below] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
  const list = at === -1 ? undefined : valueBelow(values, around);
  const all = list instanceof GoList ? list.items : [];
  const others = all.flatMap((one, i) => (i !== path[at] && valueBelow(one.value, below) === value ? [i] : []));
  return others.map((i) => [...around, i, ...below]);
}

function valueBelow(value: GoValue, path: KeyPath): GoValue | undefined {
  return path.reduce<GoValue | undefined>((at, step) => {
    if (at instanceof GoList && typeof step === 'number') return at.items[step]?.value;
    return at instanceof GoMap ? at.get(String(step))?.value : undefined;
  }, value);
}
