import { grouped } from '../../base/text.ts';
import { type Unsupported, unsupported } from './values.ts';

/**
 * How much the evaluation of all rules on one object may build and look at. What it costs is charged as the API server
 * charges it, mostly after a call and often too little; a server with enough memory and time goes through with it. Here it ends, and says so.
 * A unit is an item of a list, an entry of a map or 8 characters of a text.
 */
const mostWork = 10_000_000;

/** What the evaluation that is under way has left; undefined while there is none. */
let left: number | undefined;

/** Thrown where an evaluation is cut off. */
const cutOff: Unsupported = unsupported(
  `it would build or look at more than ${grouped(mostWork)} items, which no limit of the API server counts`,
);

/** Begins counting, but for an evaluation inside another one; hand the answer to `endWork`. */
export function beginWork(): boolean {
  if (left !== undefined) return false;
  left = mostWork;
  return true;
}

export function endWork(began: boolean): void {
  if (!began || left === undefined) return;
  addWork(mostWork - left);
  left = undefined;
}

/** How much evaluation all objects of one file may come to: work as above, and the costs that the API server counts. */
export const mostFileWork = 20_000_000;

/** What evaluation has come to in the file that is being judged; undefined while there is none. */
let ofFile: number | undefined;

/** Counts evaluation for the file that is being judged. */
export function addWork(units: number): void {
  if (ofFile !== undefined) ofFile += units;
}

/** Why nothing more is evaluated for this file; undefined while there is no reason. */
export function fileWorkDone(): string | undefined {
  if (ofFile === undefined || ofFile <= mostFileWork) return undefined;
  const most = grouped(mostFileWork);
  return `the rules on earlier objects of this file looked at more than ${most} items, the limit for one file`;
}

/** Runs something for a part of a file, before which evaluation came to so much, and says what it came to in this part. */
export function countingWork<T>(before: number, run: () => T): { readonly result: T; readonly work: number } {
  const around = ofFile;
  ofFile = before;
  try {
    const result = run();
    return { result, work: (ofFile ?? before) - before };
  } finally {
    ofFile = around;
  }
}

/** Says what evaluation comes to in something that is not part of a file which gets so much and no more. */
export function uncutWork<T>(run: () => T): { readonly result: T; readonly work: number } {
  return countingWork(Number.MIN_SAFE_INTEGER, run);
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

/** A pattern of more characters is not compiled while an object is judged. */
const mostPatternCharacters = 100_000;

const longPattern: Unsupported = unsupported(
  `it would compile a pattern of more than ${grouped(mostPatternCharacters)} characters`,
);

/** Counts a pattern that is about to be compiled. */
export function spendPattern(pattern: string): void {
  if (left !== undefined && pattern.length > mostPatternCharacters) throw longPattern;
}

/** Steps of a pattern's search that are worth an item. */
const stepsOfItem = 10;

/** Counts a search for a pattern in a text. */
export function spendSearch(steps: number): void {
  if (steps >= stepsOfItem) spend(Math.floor(steps / stepsOfItem));
}
