import { defaultLimits } from '../../workspace/limits.ts';

/** More than a file shows of them: the words, places and fixes of the rest would be made for nobody. */
const most = 2 * defaultLimits.problems;

export function few<T>(found: readonly T[]): readonly T[] {
  return found.length > most ? found.slice(0, most) : found;
}
