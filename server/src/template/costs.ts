/** What calls of functions are charged, beside what they say themselves, so that the dear ones cannot be called as often. */
import { type Cell, GoBytes, GoList } from './value.ts';

/** Steps for a call, where it does much whatever it is given. */
const fixed: ReadonlyMap<string, number> = new Map([['derivePassword', 6_000_000]]);

/** Steps for each character, where that is more than reading it. */
const dear: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ sha1sum: 8, sha256sum: 8, sha512sum: 16, adler32sum: 1, b32enc: 2, b32dec: 2, b64enc: 1, b64dec: 1 },
    ...{ split: 10, splitn: 10, regexSplit: 60, regexFindAll: 60, regexReplaceAll: 60 },
    ...{ mustRegexSplit: 60, mustRegexFindAll: 60, mustRegexReplaceAll: 60, wrap: 10, wrapWith: 10 },
    ...{ fromYaml: 2, fromYamlArray: 2, fromJson: 2, fromJsonArray: 2, fromToml: 10, tpl: 10 },
    ...{ camelcase: 10, kebabcase: 10, snakecase: 10, title: 2, upper: 1, lower: 1, initials: 4, swapcase: 4 },
    ...{ semver: 10, semverCompare: 20 },
  }),
);

const perCharacter = 0.25;
const perItem = 2;
/** Sorting looks at each several times. */
const perSorted = 40;

/** Steps for the arguments of a call. */
export function costOfCall(name: string, cells: readonly Cell[]): number {
  const each = dear.get(name) ?? perCharacter;
  const item = name === 'sortAlpha' ? perSorted : perItem;
  return cells.reduce((sum, one) => sum + sizeOf(one, each, item), fixed.get(name) ?? 0);
}

/** Steps for what a call gives. */
export function costOfResult(one: Cell): number {
  return sizeOf(one, perCharacter, perItem);
}

function sizeOf({ value }: Cell, perCharacter: number, perItem: number): number {
  if (typeof value === 'string') return value.length * perCharacter;
  if (value instanceof GoBytes) return value.text.length * perCharacter;
  return value instanceof GoList ? value.items.length * perItem : 0;
}
