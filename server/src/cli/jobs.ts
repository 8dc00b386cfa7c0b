import { on } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { diagnose } from '../features/problems/diagnose.ts';
import { type ChartCounts, noCharts } from './charts.ts';
import { type JudgeOptions, judgePart, type Part, type PartEnd } from './part.ts';
import { type TestOptions, type TestPart, testPart } from './testPart.ts';

/** What a worker is started with. */
type Job =
  | { readonly kind: 'check'; readonly options: JudgeOptions; readonly part: Part }
  | { readonly kind: 'test'; readonly options: TestOptions; readonly part: TestPart };

type Message<Outcome, End> = { readonly outcome: Outcome } | { readonly end: End };

/** Does a part in a thread of its own; the files come in the same order as they would here. */
export async function* inWorker<Outcome, End>(job: Job): AsyncGenerator<Outcome, End> {
  const [, program = ''] = process.argv;
  const worker = new Worker(program, { workerData: job });
  const ended = new AbortController();
  worker.once('exit', () => ended.abort());
  const messages = on(worker, 'message', { signal: ended.signal }) as AsyncIterable<[Message<Outcome, End>]>;
  try {
    for await (const [message] of messages) {
      if ('end' in message) return message.end;
      yield message.outcome;
    }
  } finally {
    await worker.terminate();
  }
  throw new Error('a job ended before its files were judged');
}

/** What a worker does: it does its part and says what came of each file. */
export async function runJob(): Promise<boolean> {
  if (isMainThread || !parentPort) return false;
  const job: Job = workerData;
  const outcomes =
    job.kind === 'check' ? judgePart(job.options, job.part, diagnose) : testPart(job.options, job.part, alone);
  for (;;) {
    const { done, value } = await outcomes.next();
    parentPort.postMessage(done ? { end: value } : { outcome: value });
    if (done) return true;
  }
}

const alone = { coverage: undefined, cluster: undefined };

/** The outcomes of parts in the order of the files, of which each part has blocks of a length, and the ends of all parts. */
export async function* inOrder<Outcome, End>(
  parts: readonly AsyncGenerator<Outcome, End>[],
  length: number,
): AsyncGenerator<Outcome, End[]> {
  const ends: End[] = [];
  for (let left = [...parts]; left.length > 0; ) {
    for (const part of left) {
      const end = yield* block(part, length);
      if (!end) continue;
      ends.push(end.value);
      left = left.filter((one) => one !== part);
    }
  }
  return ends;
}

/** The next block of a part; its end where there is nothing left. */
async function* block<Outcome, End>(
  part: AsyncGenerator<Outcome, End>,
  length: number,
): AsyncGenerator<Outcome, { readonly value: End } | undefined> {
  for (let i = 0; i < length; i++) {
    const { done, value } = await part.next();
    if (done) return { value };
    yield value;
  }
  return undefined;
}

/** What all parts of a run know. */
export function merged(ends: readonly PartEnd[]): Omit<PartEnd, 'loadMilliseconds'> {
  return {
    notJudged: sums(ends.map(({ notJudged }) => notJudged)),
    builds: new Map(ends.flatMap(({ builds }) => [...builds])),
    charts: chartSums(ends.map(({ charts }) => charts)),
    quieted: sums(ends.map(({ quieted }) => quieted)),
    unknownRefs: sums(ends.map(({ unknownRefs }) => unknownRefs)),
    meant: new Map(ends.flatMap(({ meant }) => [...meant])),
    versions: new Set(ends.flatMap(({ versions }) => [...versions])),
    notes: [...new Set(ends.flatMap(({ notes }) => notes))],
    lockFaults: [...new Set(ends.flatMap(({ lockFaults }) => lockFaults))],
    broughtIn: new Map(ends.flatMap((end) => [...end.broughtIn])),
  };
}

function sums<Key>(all: readonly ReadonlyMap<Key, number>[]): Map<Key, number> {
  const sum = new Map<Key, number>();
  for (const one of all) for (const [key, count] of one) sum.set(key, (sum.get(key) ?? 0) + count);
  return sum;
}

const countNames = ['charts', 'uses', 'templates', 'renderings', 'missing', 'lines', 'reached'] as const;

function chartSums(all: readonly ChartCounts[]): ChartCounts {
  const sum = noCharts();
  for (const one of all) for (const name of countNames) sum[name] += one[name];
  return { ...sum, unreached: sums(all.map(({ unreached }) => unreached)) };
}
