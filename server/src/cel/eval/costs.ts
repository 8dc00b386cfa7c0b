import type { CallCost, CallCosts } from './implementation.ts';
import { actualSize } from './size.ts';
import type { Val } from './values.ts';

export const stringFactor = 0.1;
export const regexFactor = 0.25;

const firstWalk: CallCost = (a) => walk(a);
const secondWalk: CallCost = (_a, b) => walk(b);
const isScalar = (value: Val) => typeof value !== 'object' && typeof value !== 'string';

/** A tenth of a value's size; the characters of a short text need not be counted for that. */
export function walk(value: Val): number {
  if (typeof value === 'string' && value.length <= 10) return value === '' ? 0 : 1;
  return Math.ceil(actualSize(value) * stringFactor);
}

/** What comparing two texts costs: a tenth of the shorter one's characters, of which short texts need not be counted. */
export function textWalk(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  if (shorter <= 10) return shorter === 0 ? 0 : 1;
  return Math.ceil(Math.min(actualSize(a), actualSize(b)) * stringFactor);
}

/** What comparing costs. */
export const smallerWalk: CallCost = (a, b) => {
  if (a === '' || b === '') return 0;
  return isScalar(a) && isScalar(b) ? 1 : Math.ceil(Math.min(actualSize(a), actualSize(b)) * stringFactor);
};
const bothWalks: CallCost = (a, b) => Math.ceil((actualSize(a) + actualSize(b)) * stringFactor);

export const regexWalk: CallCost = (a, b) => {
  const walks = typeof a === 'string' && a.length < 10 ? 1 : Math.ceil((1 + actualSize(a)) * stringFactor);
  return walks * patternUnits(b);
};

/** A pattern mostly is the same as the last time. */
let lastPattern: Val = '';
let lastUnits = 0;

function patternUnits(pattern: Val): number {
  if (pattern !== lastPattern) {
    lastPattern = pattern;
    lastUnits = Math.ceil(actualSize(pattern) * regexFactor);
  }
  return lastUnits;
}

const ordered = ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name): [string, CallCost][] => [
  [`${name}_string`, smallerWalk],
  [`${name}_bytes`, smallerWalk],
]);

const byOverload: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...ordered,
  ['equals', smallerWalk],
  ['not_equals', smallerWalk],
  ['string_to_bytes', firstWalk],
  ['bytes_to_string', firstWalk],
  ['strings_quote', firstWalk],
  ['string_format', firstWalk],
  ['in_list', (_a, b) => actualSize(b)],
  ['add_string', bothWalks],
  ['add_bytes', bothWalks],
  ['matches_string', regexWalk],
  ['contains_string', (a, b) => Math.ceil(actualSize(a) * stringFactor) * Math.ceil(actualSize(b) * stringFactor)],
]);

/** What cel-go itself says of costs. `newer`: since 0.29 both forms of matches() and the ends of strings count alike. */
export function standardCosts(newer: boolean): CallCosts {
  const ends = newer ? secondWalk : firstWalk;
  return (_name, overload) => {
    if (overload === 'starts_with_string' || overload === 'ends_with_string') return ends;
    return overload === 'matches' && newer ? regexWalk : byOverload.get(overload);
  };
}
