import { spawnSync } from 'node:child_process';
import { snapshotOf } from '../../support/workspace.ts';
import { hostileUri } from './documents.ts';
import type { Attack, Attacked } from './part.ts';
import { failuresOf } from './requests.ts';
import { type Bomb, shapes } from './shapes.ts';

/** No request may take longer, in milliseconds of CPU, and none may take so many times as long as over half the text. */
const longest = 1000;
const steepest = 3.5;
/** Half of the longest is little enough to be measured badly. */
const worthComparing = longest / 2;
/** How far shapes of a kind grow. */
export interface Bounds {
  /** Of all texts together. */
  readonly characters: number;
  /** What a process may come to hold, in MB. */
  readonly mb: number;
  /** What a request may take, in milliseconds of CPU, where that is not what others may. */
  readonly ms?: number;
}

const ofYaml: Bounds = { characters: 1_000_000, mb: 500 };
/** A process holds this many MB beside its heap. Without a bound on that, much of it is garbage that nobody asked for. */
const besideHeap = 100;
/** A process that takes so long, in milliseconds, hangs. */
const hanging = 120_000;

interface Grown {
  readonly bombs: number;
  readonly slowest: { readonly request: string; readonly ms: number };
  readonly mb: number;
  readonly failures: readonly string[];
}

/** Each shape in a process of its own, so that its memory can be told and its end be seen. */
export const attackBombs: Attack = (attacked) => attackShapes(attacked, Object.keys(shapes), '', ofYaml);

/** `prefix` is before the names of shapes of their kind: `growBomb` has to know them. */
export function attackShapes(
  { failed }: Attacked,
  names: readonly string[],
  prefix: string,
  { mb }: Bounds,
): { bombs: number } {
  let bombs = 0;
  for (const name of names) {
    const once = inOwnProcess(prefix + name, mb);
    // A busy machine makes requests slow, and when the heap is swept is chance: what fails is tried once more.
    const grown = once.failures.length === 0 ? once : inOwnProcess(prefix + name, mb);
    bombs += grown.bombs;
    console.log(`${name}: at most ${grown.slowest.ms} ms (${grown.slowest.request}), ${grown.mb} MB`);
    for (const one of grown.failures) failed(`${name}${one}`);
  }
  return { bombs };
}

function inOwnProcess(name: string, mb: number): Grown {
  // The server sets this for itself.
  const heap = ['--heap-growing-percent=60', `--max-old-space-size=${mb - besideHeap}`];
  const again = [...process.execArgv, ...heap, process.argv[1]!, '--attack', '--bomb', name];
  const child = spawnSync(process.execPath, again, { encoding: 'utf8', timeout: hanging });
  if (child.status === 0) return JSON.parse(child.stdout);
  const ended = `: the process ended with ${child.status ?? child.signal} ${child.stderr}`;
  return { bombs: 1, slowest: { request: 'unknown', ms: 0 }, mb: 0, failures: [ended] };
}

/** Takes the time of a request. */
export type Timed = <T>(request: string, run: () => T) => T;

/** Opens a shape of some size and asks about it. */
export type Open = (size: number, timed: Timed, failed: (what: string) => void) => void | Promise<void>;

export async function growBomb(name: string): Promise<void> {
  await grow(ofYaml, (size) => textOf(shapes[name]!(size)), openShape(name));
}

const textOf = ({ text, crd }: Bomb) => text.length + (crd?.length ?? 0);

function openShape(name: string): Open {
  return (size, timed, failed) => {
    const { text, crd, at } = shapes[name]!(size);
    const files = [...(crd === undefined ? [] : [{ uri: 'file:///crd.yaml', text: crd }]), { uri: hostileUri, text }];
    const snapshot = timed('open', () => snapshotOf(files, { lints: 'on' }));
    const watch = (request: string, run: () => unknown) => {
      if (isNotJudged(timed(request, run))) failed('not judged');
    };
    for (const one of failuresOf(snapshot, hostileUri, text.indexOf(at, text.length / 3), { watch })) failed(one);
  };
}

/** Doubles a shape until it is as long as it may be, and writes what that took. */
export async function grow(most: Bounds, lengthOf: (size: number) => number, open: Open): Promise<void> {
  const before = new Map<string, number>();
  const failures: string[] = [];
  let slowest = { request: 'none', ms: 0 };
  let bombs = 0;
  for (let size = 500; size <= most.characters * 4 && lengthOf(size) <= most.characters; size *= 2) {
    bombs++;
    const timed: Timed = (request, run) => {
      const start = process.cpuUsage();
      const answer = run();
      const { user, system } = process.cpuUsage(start);
      const ms = Math.round((user + system) / 1000);
      const half = before.get(request) ?? ms;
      if (
        ms > (most.ms ?? longest) ||
        (most.ms === undefined && ms > worthComparing && ms > steepest * Math.max(half, longest / 5))
      ) {
        failures.push(` of ${size}: ${request} takes ${ms} ms, ${half} ms over half of it`);
      }
      before.set(request, ms);
      if (ms > slowest.ms) slowest = { request, ms };
      return answer;
    };
    await open(size, timed, (what) => failures.push(` of ${size}: ${what}`));
  }
  const mb = Math.round(process.resourceUsage().maxRSS / 1000);
  if (mb > most.mb) failures.push(`: ${mb} MB`);
  console.log(JSON.stringify({ bombs, slowest, mb, failures } satisfies Grown));
}

export const isNotJudged = (answer: unknown) =>
  Array.isArray(answer) && answer.some((one) => (one as { code?: unknown }).code === 'file/not-judged');
