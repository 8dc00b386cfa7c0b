import { on } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { diagnose } from '../features/diagnose.ts';
import { blockLength, type JudgeOptions, judgePart, type Outcome, type Part, type PartEnd } from './part.ts';

/** What a worker is started with. */
interface Job {
  readonly options: JudgeOptions;
  readonly part: Part;
}

type Message = { readonly outcome: Outcome } | { readonly end: PartEnd };

/** Judges a part in a thread of its own; the files come in the same order as they would here. */
export async function* judgeInWorker(
  program: string,
  options: JudgeOptions,
  part: Part,
): AsyncGenerator<Outcome, PartEnd> {
  const worker = new Worker(program, { workerData: { options, part } satisfies Job });
  const ended = new AbortController();
  worker.once('exit', () => ended.abort());
  try {
    for await (const [message] of on(worker, 'message', { signal: ended.signal }) as AsyncIterable<[Message]>) {
      if ('end' in message) return message.end;
      yield message.outcome;
    }
  } finally {
    await worker.terminate();
  }
  throw new Error('a job ended before its files were judged');
}

/** What a worker does: it judges its part and says what came of each file. */
export async function runJob(): Promise<boolean> {
  if (isMainThread || !parentPort) return false;
  const { options, part }: Job = workerData;
  const outcomes = judgePart(options, part, diagnose);
  for (;;) {
    const { done, value } = await outcomes.next();
    parentPort.postMessage(done ? { end: value } : { outcome: value });
    if (done) return true;
  }
}

/** The outcomes of parts in the order of the files, and the ends of all parts. */
export async function* inOrder(parts: readonly AsyncGenerator<Outcome, PartEnd>[]): AsyncGenerator<Outcome, PartEnd[]> {
  const ends: PartEnd[] = [];
  for (let left = [...parts]; left.length > 0; ) {
    for (const part of left) {
      const end = yield* block(part);
      if (!end) continue;
      ends.push(end);
      left = left.filter((one) => one !== part);
    }
  }
  return ends;
}

/** The next block of a part; its end where there is nothing left. */
async function* block(part: AsyncGenerator<Outcome, PartEnd>): AsyncGenerator<Outcome, PartEnd | undefined> {
  for (let i = 0; i < blockLength; i++) {
    const { done, value } = await part.next();
    if (done) return value;
    yield value;
  }
  return undefined;
}

/** What all parts of a run know. */
export function merged(ends: readonly PartEnd[]): Omit<PartEnd, 'loadMilliseconds'> {
  return {
    notJudged: sums(ends.map(({ notJudged }) => notJudged)),
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
