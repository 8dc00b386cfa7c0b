/** Values that nobody wrote, put in to reach what a chart does with others. */
import { memo } from '../base/memo.ts';
import { Computed, type From, type ValuePlace } from '../template/from.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, OpenMap, openText, secondOpenText } from '../template/value.ts';

/** What is assumed beside the values of a chart. */
export type Assumption =
  | {
      readonly kind: 'value';
      /** Nobody knows whether the template wants such a one. */
      readonly isGuess: boolean;
      /** It takes away something that the values have, and that is not `true`. */
      readonly isTaken: boolean;
      readonly path: readonly (string | number)[];
      readonly make: (place: ValuePlace | undefined) => Cell;
      readonly shown: string;
    }
  | { readonly kind: 'served'; readonly apiVersion: string; readonly isServed: boolean }
  | { readonly kind: 'kubernetes'; readonly version: string };

function unknownFrom(place: ValuePlace | undefined): From {
  return new Computed(undefined, place ? [place] : [], true);
}

/** What is assumed is known, but nobody wrote it: it is not to blame for anything. */
function assumedFrom(place: ValuePlace | undefined): From {
  return new Computed(undefined, place ? [place] : [], false);
}

/** The origin of what is taken away, as by `null` in a file of values. */
const taken: From = new Computed(undefined, [], false);

export const gone: Make = () => cell(null, taken);

type Make = (place: ValuePlace | undefined) => Cell;

/** What a value may be where a template wants it to be something. */
export const samples: Readonly<Record<'yes' | 'text' | 'map' | 'entries' | 'list' | 'texts' | 'one', Make>> = {
  yes: (place) => cell(true, assumedFrom(place)),
  one: (place) => cell(1, unknownFrom(place)),
  text: (place) => cell(openText, unknownFrom(place)),
  map: (place) => cell(new OpenMap(unknownFrom(place), { place }), unknownFrom(place)),
  entries: (place) => cell(new OpenMap(unknownFrom(place), { place }, true), unknownFrom(place)),
  list: (place) => {
    const from = unknownFrom(place);
    const item = place?.child(0, true);
    return cell(new GoList([cell(new OpenMap(unknownFrom(item), { place: item }), unknownFrom(item))]), from);
  },
  texts: (place) => {
    const from = unknownFrom(place);
    return cell(new GoList([cell(openText, from)]), from);
  },
};

/** Two entries, or items, where one of them may be right and two are not. */
export function twoOf(isOfItems: boolean): Make {
  return (place) => {
    const from = assumedFrom(place);
    const two = ['a', 'b'].map((text) => cell(text, from));
    if (isOfItems) return cell(new GoList(two), from);
    return cell(new GoMap(new Map(two.map((one) => [one.value as string, one])), { place }), from);
  };
}

/** As much of a text or list as is counted. */
export const manyOf = memo((make: Make, count: number): Make => {
  return (place) => {
    const { value, from } = make(place);
    if (value === openText) return cell('x'.repeat(count), from);
    if (!(value instanceof GoList)) return cell(value, from);
    return cell(new GoList(Array.from({ length: count }, (_, at) => value.items[at % value.items.length]!)), from);
  };
});

/** Samples with two keys or items instead of one: the second has all that is asked for, or nothing that a condition asks for. */
export type Second = 'full' | 'bare';

const paired = [samples.entries, samples.list, samples.texts];

const pairs: Readonly<Record<Second, ReadonlyMap<Make, Make>>> = {
  full: new Map(paired.map((make) => [make, pairOf(make, false)])),
  bare: new Map(paired.map((make) => [make, pairOf(make, true)])),
};

function pairOf(make: Make, isBare: boolean): Make {
  return (place) => {
    const { value, from } = make(place);
    if (value instanceof OpenMap) return cell(value.asPair(isBare), from);
    if (!(value instanceof GoList)) return cell(value, from);
    return cell(new GoList([...value.items, ...value.items.map((one) => secondOf(one, isBare))]), from);
  };
}

/** Templates may compare an item with the last one, to print what is between them. */
function secondOf({ value, from }: Cell, isBare: boolean): Cell {
  if (!(value instanceof OpenMap)) return cell(secondOpenText, from);
  return cell(isBare ? value.withoutAny : value.withAll([]), from);
}

/** The same with two keys or items in what is made up with one; nothing where there is none. */
export function withPairs(assumptions: readonly Assumption[], second: Second): readonly Assumption[] | undefined {
  const all = assumptions.map((one) => {
    const make = one.kind === 'value' ? pairs[second].get(one.make) : undefined;
    return make && one.kind === 'value' ? { ...one, make, shown: shownAsPair.get(one.shown) ?? one.shown } : one;
  });
  return all.some((one, i) => one !== assumptions[i]) ? all : undefined;
}

/** Whether two keys or items were made up. */
export function isPair(one: Assumption): boolean {
  return one.kind === 'value' && madeAsPairs.includes(one.make);
}

const madeAsPairs: readonly Make[] = [...pairs.full.values(), ...pairs.bare.values()];

/** All that values are made up as. */
export const makes: readonly Make[] = [...Object.values(samples), ...madeAsPairs];

const shownAsPair: ReadonlyMap<string, string> = new Map([
  ['{…}', '{…, …}'],
  ['[…]', '[…, …]'],
]);

/** A value that templates name themselves, such as what they compare with. */
export function known(value: GoValue): Make {
  return (place) => cell(value, assumedFrom(place));
}

/** A text of which templates name a part. */
export function partly(text: string): Make {
  return (place) => cell(text, unknownFrom(place));
}

/** The same values, each of which may turn out to be another one. */
export function unknownValues(values: GoMap): GoMap {
  const entries = Array.from(values.all(), ([key, one]): [string, Cell] => [key, unknownCell(one)]);
  return new GoMap(new Map(entries), { place: values.place });
}

function unknownCell({ value, from }: Cell): Cell {
  const unknown = new Computed(undefined, [from], true);
  if (value instanceof GoMap) return cell(unknownValues(value), unknown);
  return cell(value instanceof GoList ? new GoList(value.items.map(unknownCell)) : value, unknown);
}

/** The values with some of them put in: maps that lead there are copied, all others are the same. */
export function assumed(values: GoMap, assumptions: readonly Assumption[]): GoMap {
  const puts = assumptions.flatMap((one) => (one.kind === 'value' ? [{ path: one.path, make: one.make }] : []));
  return puts.length === 0 ? values : putAll(values, puts);
}

interface Put {
  readonly path: readonly (string | number)[];
  readonly make: Make;
}

/** A map with a value at a path of keys. */
export function put(values: GoMap, path: readonly (string | number)[], make: Make): GoMap {
  return putAll(values, [{ path, make }]);
}

/** A map with values at paths of keys, of which the later ones win. */
function putAll(values: GoMap, puts: readonly Put[]): GoMap {
  const changed = Array.from(byFirstKey(puts), ([key, inner]): [string, Cell | undefined] => {
    const made = putAt(values.get(key), values.place?.child(key, true), inner);
    return [key, made.from === taken ? undefined : made];
  });
  return values.withAll(changed);
}

function byFirstKey(puts: readonly Put[]): ReadonlyMap<string, Put[]> {
  const byKey = new Map<string, Put[]>();
  for (const { path, make } of puts) {
    const key = String(path[0]);
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    known.push({ path: path.slice(1), make });
  }
  return byKey;
}

function putAt(before: Cell | undefined, place: ValuePlace | undefined, puts: readonly Put[]): Cell {
  const last = puts.findLastIndex(({ path }) => path.length === 0);
  const known = last === -1 ? before : puts[last]!.make(place);
  const below = puts.slice(last + 1);
  if (below.length === 0) return known!;
  const from = known?.from ?? unknownFrom(place);
  if (known?.value instanceof GoList) return cell(putInList(known.value, place, below), from);
  const inner = known?.value instanceof GoMap ? known.value : new GoMap(new Map(), { place });
  return cell(putAll(inner, below), from);
}

/** Items that are not there are not made up one by one. */
function putInList(list: GoList, place: ValuePlace | undefined, puts: readonly Put[]): GoList {
  const byKey = byFirstKey(puts);
  const items = list.items.map((item, at) => {
    const inner = byKey.get(String(at));
    return inner ? putAt(item, place?.child(at), inner) : item;
  });
  return new GoList(items, list.type);
}
