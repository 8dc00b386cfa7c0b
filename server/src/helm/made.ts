/** Values that nobody wrote, put in to reach what a chart does with others. */
import { Computed, type From, type ValuePlace } from '../template/from.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, OpenMap, openText } from '../template/value.ts';

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
  | { readonly kind: 'served'; readonly apiVersion: string };

function unknownFrom(place: ValuePlace | undefined): From {
  return new Computed(undefined, place ? [place] : [], true);
}

/** What is assumed is known, but nobody wrote it: it is not to blame for anything. */
function assumedFrom(place: ValuePlace | undefined): From {
  return new Computed(undefined, place ? [place] : [], false);
}

type Make = (place: ValuePlace | undefined) => Cell;

/** What a value may be where a template wants it to be something. */
export const samples: Readonly<Record<'yes' | 'text' | 'map' | 'list' | 'one', Make>> = {
  yes: (place) => cell(true, assumedFrom(place)),
  one: (place) => cell(1, unknownFrom(place)),
  text: (place) => cell(openText, unknownFrom(place)),
  map: (place) => cell(new OpenMap(unknownFrom(place), { place }), unknownFrom(place)),
  list: (place) => {
    const from = unknownFrom(place);
    return cell(new GoList([cell(new OpenMap(from, { place }), from)]), from);
  },
};

/** A value that templates name themselves, such as what they compare with. */
export function known(value: GoValue): Make {
  return (place) => cell(value, assumedFrom(place));
}

/** The values with some of them put in: maps that lead there are copied, all others are the same. */
export function assumed(values: GoMap, assumptions: readonly Assumption[]): GoMap {
  let next = values;
  for (const one of assumptions) if (one.kind === 'value') next = put(next, one.path, one.make);
  return next;
}

/** A map with a value at a path of keys. */
export function put(values: GoMap, [key, ...below]: readonly (string | number)[], make: Make): GoMap {
  const name = String(key);
  const place = values.place?.child(name, true);
  if (below.length === 0) return values.with(name, make(place));
  const known = values.get(name);
  const inner = known?.value instanceof GoMap ? known.value : new GoMap(new Map(), { place });
  return values.with(name, cell(put(inner, below, make), known?.from ?? unknownFrom(place)));
}
