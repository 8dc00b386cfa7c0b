import type { Path } from '../../base/value.ts';
import { addWork, fileWorkDone } from '../../cel/eval/work.ts';
import type { Matcher } from '../../gostd/regexp.ts';

/**
 * How much matching values of one object with patterns of its schema may come to: the characters of each text times
 * those of its pattern, which is what RE2's algorithm may take. An API server with enough time goes through with it.
 */
export const mostMatching = 50_000_000;

/** That many are an item of the work that a whole file may come to. */
const matchingOfItem = 5;

/** What the object being judged has left, and the values that nothing was left for; undefined while there is none. */
let budget: { left: number; readonly unmatched: Path[] } | undefined;

/** Judges an object, and says which of its values were not matched with their patterns. */
export function boundedMatching<T>(run: () => T): { readonly result: T; readonly unmatched: readonly Path[] } {
  const around = budget;
  const most = fileWorkDone() === undefined ? mostMatching : 0;
  const own = { left: most, unmatched: [] };
  budget = own;
  try {
    return { result: run(), unmatched: own.unmatched };
  } finally {
    budget = around;
    addWork(Math.max(0, most - own.left) / matchingOfItem);
  }
}

/** Whether a value matches; true as well where it was too much to find out. */
export function matchesBounded(regexp: Matcher, text: string, path: Path): boolean {
  return regexp.isPlain || isWithinBounds(regexp, text, path) ? regexp.matches(text) : true;
}

/** Whether there is enough left to match a value, which then is used up. */
export function isWithinBounds(regexp: Matcher, text: string, path: Path): boolean {
  if (!budget) return true;
  budget.left -= regexp.work(text);
  if (budget.left < 0) budget.unmatched.push(path);
  return budget.left >= 0;
}
