import { isMap, type Value, type ValueMap } from '../../base/value.ts';
import { similarKinds } from './similarKinds.ts';

/** The known names that a misspelled one most likely means, the likeliest first; few or none. */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const most = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance: far }) => far <= most || (name.length > 2 && candidate.startsWith(name)))
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const best = ranked[0]?.distance;
  return ranked
    .filter(({ distance: far }) => far === best)
    .map(({ candidate }) => candidate)
    .slice(0, 3);
}

/** The same, of the names that a map does not have yet, where one of those is near: what is there is more likely meant as it is. */
export function nearestFree(name: string, known: readonly string[], around: Value | undefined): string[] {
  const free = isMap(around) ? nearestNames(name, without(known, around)) : [];
  return free.length > 0 ? free : nearestNames(name, known);
}

const without = (known: readonly string[], around: ValueMap) => known.filter((one) => !around.has(one));

/** How many letters a kind may be off: more, and it is another kind, whose CRD is not here. */
const kindLetters = 2;

/** The kinds of a group that a misspelled one most likely means. One that is known to be a kind of its own means none. */
export function nearestKinds(group: string, kind: string, known: readonly string[]): string[] {
  if (similarKinds.get(group)?.has(kind.toLowerCase())) return [];
  const most = Math.min(kindLetters, Math.floor(kind.length / 3));
  return nearestNames(kind, known).filter((name) => distance(kind.toLowerCase(), name.toLowerCase()) <= most);
}

/** Insertions, deletions, replacements, and swaps of neighbours, one each. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8) return 99;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1), swapped ? before[j - 2]! + 1 : 99),
      );
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}
