/** The actions that print what comes from a value, however it came there. */
import { type Leaf, ValuePlace } from '../../template/from.ts';
import type { Location } from '../place/location.ts';
import { locationsOnce } from '../place/location.ts';
import type { Seen } from './seen.ts';
import { valuesPart } from './seen.ts';
import { absolute, startsWith, type ValuePath } from './uses.ts';

/** How many calls are looked through for the values that went in. */
const deepestCalls = 6;

export function printedFrom({ folder, renderings }: Seen, path: ValuePath): Location[] {
  const found: Location[] = [];
  for (const name of renderings.names) {
    for (const { rendered } of renderings.madeOf(name).made) {
      for (const { leaf, action } of rendered.from.runs(rendered.text.length)) {
        if (!action || !placesIn(leaf).some((place) => isOf(place))) continue;
        found.push({ uri: action.file, range: { start: action.start, end: action.end } });
      }
    }
  }
  return locationsOnce(found);

  function isOf({ source, path: steps }: ValuePlace): boolean {
    const file = folder.fileAt(source);
    const part = file && valuesPart({ folder, file });
    const own = steps.map((step) => (typeof step === 'number' ? '*' : step));
    return part !== undefined && startsWith(absolute(folder, part, own), path);
  }
}

function placesIn(leaf: Leaf, depth = 0): readonly ValuePlace[] {
  if (leaf instanceof ValuePlace) return [leaf];
  if (leaf.kind !== 'computed' || depth > deepestCalls) return [];
  return leaf.of.flatMap((from) => from.runs(1).flatMap((run) => placesIn(run.leaf, depth + 1)));
}
