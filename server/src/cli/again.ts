import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Answers, notingAnswers, type Question, stampOf } from '../files/answers.ts';
import { contentsOf, entriesNow, isProgramNow, kindNow, linkTarget, realPath } from '../files/folders.ts';
import { readHeadNow, readRegularNow } from '../files/read.ts';
import { askGit } from '../git/history.ts';
import { ignoredByGit } from '../git/ignored.ts';
import { type ObjectReader, objectReader } from '../git/objects.ts';
import { patienceMs } from '../git/program.ts';
import { cacheFolder, type Environment } from './cacheFolder.ts';
import { localCaches } from './caches.ts';
import { programName } from './called.ts';
import { type CheckOptions, check, judged, secondsSince } from './check.ts';
import { programStamp } from './programStamp.ts';
import { keepSealed, unsealed } from './sealed.ts';
import { complain, copiedOutput, isColored, type Printed, printAgain } from './terminal.ts';

// A run that would say what the last one said says it again, without judging. The last run has noted all that it asked of
// the disk and of git, and what it was answered; if all of that is answered alike today, so are all verdicts.

/** What is kept of a run. */
interface Kept {
  readonly printed: Printed;
  readonly totals: string;
  readonly exitCode: number;
  /** Each with the digest of its answer and, where that is enough to know it, the stamp of the file or folder. */
  readonly answers: readonly (readonly [Question, digest: string, stamp: string])[];
}

/** Runs of so many folders, with so many options, are kept. */
const mostRuns = 64;
/** What is kept of one, and how much of that it printed: a run that is larger is not kept. */
const mostBytes = 64_000_000;
const mostCharacters = 8_000_000;

/** Checks files and folders, unless nothing that decides about them has changed since they were; gives the exit code. */
export async function checkAgain(options: CheckOptions): Promise<number> {
  const folder = runsFolder();
  if (folder === undefined || !mayBeKept(options)) return check(options);
  const began = performance.now();
  const key = keyOf(options);
  const file = path.join(folder, `${Number.parseInt(digestOf(key).slice(0, 8), 16) % mostRuns}`);
  const kept = unsealed(file, key, mostBytes);
  const before: Kept | undefined = kept && JSON.parse(kept.toString('utf8'));
  if (before && (await holds(before))) {
    printAgain(before.printed);
    complain(`${before.totals} (${secondsSince(began)}; nothing has changed since the last run)`);
    return before.exitCode;
  }
  const copied = copiedOutput(mostCharacters);
  const { run, answers } = await notingAnswers(async (answers) => ({
    run: await judged(options),
    answers: toAsk(answers),
  }));
  const printed = copied();
  complain(`${run.totals} (${secondsSince(began)})`);
  // What could not be looked at may be there the next time.
  if (answers && printed && run.exitCode < 2) {
    const kept: Kept = { printed, ...run, answers };
    await keepSealed(file, key, Buffer.from(JSON.stringify(kept)), mostBytes);
  }
  return run.exitCode;
}

/** Where runs are kept between them; undefined where that is off. */
function runsFolder(env: Environment = process.env): string | undefined {
  const folder = path.join(cacheFolder(env), 'runs');
  return env.KUBE_CRD_NO_CACHE || !path.isAbsolute(folder) ? undefined : folder;
}

/** Not what writes, is asked from a terminal's input or of a cluster, or is done by several threads. */
function mayBeKept(options: CheckOptions): boolean {
  const { clusterCrds, fix, jobs, paths, stats, writeBaseline } = options;
  return !clusterCrds && fix === 'no' && jobs === 1 && !paths.includes('-') && !stats && !writeBaseline;
}

/** Everything that decides beside what is on the disk: the program, what it is asked, and how it is asked. */
function keyOf(options: CheckOptions): string {
  const plain = (_: string, value: unknown) => (value instanceof Map ? [...value] : value);
  const place = [process.cwd(), localCaches(), process.env.TZ, isColored(), programName()];
  return JSON.stringify([programStamp(), place, options], plain);
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** What is to be asked the next time; undefined where something cannot be. */
function toAsk(answers: Answers): Kept['answers'] | undefined {
  const all = [...answers];
  if (all.some(([, answer]) => answer === undefined)) return undefined;
  return all.map(([question, answer]) => [question, answer!.digest, answer!.stamp ?? '']);
}

/** Whether all is answered as it was. */
function holds({ answers }: Kept): Promise<boolean> {
  const readers = new Map<string, ObjectReader>();
  return notingAnswers(async (told) => {
    for (const [question, digest, stamp] of answers) {
      const [who = '', place = '', ...more] = question.split('\0');
      if (stamp !== '' && stampOf(place) === stamp) continue;
      await askers.get(who)?.(place, more, readers);
      if (told.get(question)?.digest !== digest) return false;
    }
    return true;
  }).finally(() => {
    for (const reader of readers.values()) reader.close();
  });
}

type Asker = (place: string, more: readonly string[], readers: Map<string, ObjectReader>) => unknown;

/** Who answers what is noted by a name. */
const askers: ReadonlyMap<string, Asker> = new Map<string, Asker>(
  Object.entries({
    content: (place, [bound]) => readRegularNow(place, Number(bound)),
    contents: (place, only) => contentsOf(place, only.length > 0 ? only : undefined),
    entries: entriesNow,
    git: askGit,
    head: (place, [bound]) => readHeadNow(place, Number(bound)),
    ignored: (place, files) => ignoredByGit(place, files),
    kind: kindNow,
    link: linkTarget,
    object: (root, [name = ''], readers) => {
      const reader = readers.get(root) ?? objectReader(root, patienceMs);
      readers.set(root, reader);
      return reader.read(name, 0);
    },
    program: isProgramNow,
    real: realPath,
  } satisfies Record<string, Asker>),
);
