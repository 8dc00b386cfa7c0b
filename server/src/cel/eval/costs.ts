import { regexFactor, stringFactor } from '../prices.ts';
import type { CallCost } from './implementation.ts';
import { actualSize } from './size.ts';
import type { Val } from './values.ts';

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

/** A pattern searched for in a text. */
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
