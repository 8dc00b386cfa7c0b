import { defaultLimits } from '../../workspace/limits.ts';

/** More than a file shows of them: the words, places and fixes of the rest would be made for nobody. */
export const mostShown = 2 * defaultLimits.problems;

export function few<T>(found: readonly T[]): readonly T[] {
  return found.length > mostShown ? found.slice(0, mostShown) : found;
}
