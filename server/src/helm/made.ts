/** Values that nobody wrote, put in to reach what a chart does with others. */
import { Computed, type From, type ValuePlace } from '../template/from.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, type MapTraits } from '../template/value.ts';

/** What is assumed beside the values of a chart. */
export type Assumption =
  | {
      readonly kind: 'value';
      readonly path: readonly (string | number)[];
      readonly make: (place: ValuePlace | undefined) => Cell;
      readonly shown: string;
    }
  | { readonly kind: 'served'; readonly apiVersion: string };

/** What stands for a text that is not known. */
export const unknownText = 'unknown';

function unknownFrom(place: ValuePlace | undefined): From {
  return new Computed(undefined, place ? [place] : [], true);
}

/** A map of which nobody knows what is in it: whatever is asked for is there, and is not known. */
class UnknownMap extends GoMap {
  private readonly from: From;

  constructor(from: From, traits: MapTraits) {
    super(new Map([[unknownText, cell(unknownText, from)]]), traits);
    this.from = from;
  }

  override get(key: string): Cell | undefined {
    return super.get(key) ?? cell(unknownText, this.from);
  }
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
  text: (place) => cell(unknownText, unknownFrom(place)),
  map: (place) => cell(new UnknownMap(unknownFrom(place), { place }), unknownFrom(place)),
  list: (place) => {
    const from = unknownFrom(place);
    return cell(new GoList([cell(new UnknownMap(from, { place }), from)]), from);
  },
};

/** A value that templates name themselves, such as what they compare with. */
export function known(value: GoValue): Make {
  return (place) => cell(value, assumedFrom(place));
}

/** The values with some of them put in, which changes the maps that lead there. */
export function assume(values: GoMap, assumptions: readonly Assumption[]): void {
  for (const one of assumptions) {
    if (one.kind === 'value') put(values, one.path, one.make);
  }
}

function put(values: GoMap, path: readonly (string | number)[], make: (place: ValuePlace | undefined) => Cell): void {
  let at = values;
  for (const key of path.slice(0, -1)) {
    const next = at.get(String(key))?.value;
    if (next instanceof GoMap) {
      at = next;
      continue;
    }
    const place = at.place?.child(key, true);
    const made = new GoMap(new Map(), { place });
    at.set(String(key), cell(made, unknownFrom(place)));
    at = made;
  }
  const last = String(path.at(-1));
  at.set(last, make(at.place?.child(last, true)));
}
