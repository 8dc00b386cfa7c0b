import { type Unsupported, unsupported } from './values.ts';

/**
 * How much the evaluation of all rules on one object may build and look at. What it costs is charged as the API server charges it, mostly after a
 * call and often too little; a server with enough memory and time goes through with it. Here it ends, and says so.
 * A unit is an item of a list, an entry of a map or 8 characters of a text.
 */
const mostWork = 10_000_000;

/** What the evaluation that is under way has left; undefined while there is none. */
let left: number | undefined;

/** Thrown where an evaluation is cut off. */
const cutOff: Unsupported = unsupported(
  `it would build or look at more than ${mostWork.toLocaleString('en')} items, which no limit of the API server counts`,
);

/** Begins counting, but for an evaluation inside another one; hand the answer to `endWork`. */
export function beginWork(): boolean {
  if (left !== undefined) return false;
  left = mostWork;
  return true;
}

export function endWork(began: boolean): void {
  if (began) left = undefined;
}

/** Counts what is about to be built or looked at. */
export function spend(units: number): void {
  if (left === undefined) return;
  left -= units;
  // What comes after is cut off as well: whether something is must not depend on how much was left.
  if (left < 0) throw cutOff;
}

/** The same for so many characters. */
export function spendText(length: number): void {
  if (length >= 8) spend(length >> 3);
}
