import { memo } from '../base/memo.ts';
import { grouped } from '../base/text.ts';
import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { uncutWork } from '../cel/eval/work.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { pathOf } from './objects.ts';

// How large the parts of tests are. What walks through values goes down by recursion, and a few bytes of a case can ask for
// a large base once more.

/** How large a value is. */
export interface Size {
  /** What it holds, with eight characters of a text counting as one more. */
  readonly values: number;
  /** How deep it is nested: a scalar is 0, a list of scalars 1. */
  readonly levels: number;
  /** The length of its longest list. */
  readonly longest: number;
}

export function sizeOf(value: Value | undefined): Size {
  if (isList(value) || isMap(value)) return sizeOfAll(value);
  return { values: weight(value), levels: 0, longest: 0 };
}

const weight = (value: Value | undefined) => 1 + (typeof value === 'string' ? value.length >> 3 : 0);

/** A value that holds more is not counted further. */
const mostCounted = 20_000_000;

const sizeOfAll = memo((root: Value & object): Size => {
  let [values, levels, longest] = [0, 0, 0];
  let level: Value[] = [root];
  for (; level.length > 0; levels++) {
    const below: Value[] = [];
    // What holds the same value many times may be larger than memory.
    if (values + level.length > mostCounted) return { values: mostCounted, levels, longest };
    for (const value of level) {
      values += weight(value);
      if (isList(value)) {
        longest = Math.max(longest, value.length);
        for (const item of value) below.push(item);
      } else if (isMap(value)) {
        for (const [key, item] of value) {
          values += key.length >> 3;
          below.push(item);
        }
      }
    }
    level = below;
  }
  return { values, levels: levels - 1, longest };
});

/** How large an object with patches can become at most, and what making it takes. */
export function sizeWith(value: Value | undefined, patches: readonly ValueMap[]): Size {
  const all = together([sizeOf(value), ...patches.map(sizeOfPatch)]);
  const removed = patches.reduce((sum, patch) => sum + removals(patch), 0);
  return { ...all, values: all.values + removed * (all.longest >> 4) };
}

/** What several values hold, the deepest and the longest list among them. */
export function together(sizes: readonly Size[]): Size {
  return sizes.reduce((a, b) => ({
    values: a.values + b.values,
    levels: Math.max(a.levels, b.levels),
    longest: Math.max(a.longest, b.longest),
  }));
}

/** The keys of a patch may be paths, which go down as well. */
function sizeOfPatch(patch: ValueMap): Size {
  const size = sizeOf(patch);
  let steps = 0;
  let made = 0;
  for (const key of patch.keys()) {
    const length = pathOf(key)?.length ?? 1;
    steps = Math.max(steps, length);
    made += length;
  }
  return { ...size, values: size.values + made, levels: size.levels + steps };
}

/** What takes an item out of a list moves those behind it. */
function removals(patch: ValueMap): number {
  let count = 0;
  for (const [key, value] of patch) if (value === null && key.endsWith(']')) count++;
  return count;
}

/** Why something of this size is not judged; undefined where it is. */
export function tooDeep({ levels }: Size, what: string): string | undefined {
  const most = defaultLimits.levels;
  return levels > most ? `${what} is nested more than ${most} levels deep, and is not judged` : undefined;
}

/** What the cases of one file may come to: their objects, and CRDs that are served for them, in each version. */
export const mostValues = 10_000_000;

/** The same while somebody types. */
export const mostValuesWhileTyping = 500_000;

/** What the rules of all cases of one file may come to: items that they look at, and costs. */
export const mostRuleWork = 50_000_000;

/** What is left for the cases of a file. A case that is too large by itself takes nothing from the others. */
export class Allowance {
  #values = mostValues;
  #ruleWork = mostRuleWork;

  /** Takes what a case needs; gives why it cannot have it. */
  take(values: number): string | undefined {
    const said = (most: number, what: string) =>
      `not run: the cases of one file get no more than ${grouped(most)} ${what}`;
    if (this.#ruleWork <= 0) return said(mostRuleWork, 'items that their rules look at');
    if (values > this.#values) return said(mostValues, 'values');
    this.#values -= values;
    return undefined;
  }

  /** Runs something, and counts what the evaluation of rules comes to. */
  counting<T>(run: () => T): T {
    const { result, work } = uncutWork(run);
    this.#ruleWork -= work;
    return result;
  }
}
