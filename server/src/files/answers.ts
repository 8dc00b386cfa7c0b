import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';

// What a run is told by the disk and by git. Whoever asks the same again and is told the same need not judge again:
// cli/again.ts. Everything that reads in this folder and in `git` notes what it answers.

/** Who is asked, and about what, taken apart by NULs: no path and no argument of a program holds one. */
export type Question = string;

export interface Answer {
  readonly digest: string;
  /** Of the file or folder, where the answer stays as it is as long as that is not written. */
  readonly stamp: string | undefined;
}

/** Undefined where a question was answered in two ways, or cannot be asked again. */
export type Answers = ReadonlyMap<Question, Answer | undefined>;

let noted: Map<Question, Answer | undefined> | undefined;
/** What was written later than this may be written again without another stamp. */
let settled = 0;

const settledMs = 2_000;

/** Notes all answers until a work is done. */
export async function notingAnswers<T>(work: (answers: Answers) => Promise<T>): Promise<T> {
  const mine = new Map<Question, Answer | undefined>();
  noted = mine;
  settled = Date.now() - settledMs;
  try {
    return await work(mine);
  } finally {
    noted = undefined;
  }
}

/** Who answers about a file or a folder what is in it. */
const ofContent: ReadonlySet<string> = new Set(['content', 'contents', 'entries', 'head']);

/** Hands an answer on, and notes it where somebody wants to know; `said` gives what of it counts. */
export function answered<T>(
  answer: T,
  said: (answer: T) => string | Uint8Array | undefined,
  ...[who, place, ...more]: readonly [who: string, place: string, ...more: readonly string[]]
): T {
  if (!noted) return answer;
  const question = [who, place, ...more].join('\0');
  const digest = digestOf(said(answer));
  const isTorn = noted.has(question) && noted.get(question)?.digest !== digest;
  noted.set(question, isTorn ? undefined : { digest, stamp: ofContent.has(who) ? stampOf(place, settled) : undefined });
  return answer;
}

/** For what decides nothing: what is kept of a text by its digest is what anybody makes of the text. */
export function unnoted<T>(read: () => T): T {
  const before = noted;
  noted = undefined;
  try {
    return read();
  } finally {
    noted = before;
  }
}

/** For what is too much to be asked again. */
export function answeredOnce(who: string, place: string): void {
  noted?.set(`${who}\0${place}`, undefined);
}

/** What changes with every write to a file or a folder; undefined where it was written later than a time. */
export function stampOf(place: string, latest = Number.POSITIVE_INFINITY): string | undefined {
  const stat = statOf(place);
  if (!stat || Number(stat.ctimeMs) > latest || Number(stat.mtimeMs) > latest) return undefined;
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

function statOf(place: string): BigIntStats | undefined {
  try {
    return statSync(place, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // Such as a name below a file: then there is nothing to be stamped.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function digestOf(said: string | Uint8Array | undefined): string {
  return said === undefined ? 'nothing' : createHash('sha256').update(said).digest('base64').slice(0, 24);
}
