import { spawnSync } from 'node:child_process';
import { snapshotOf } from '../../support/workspace.ts';
import { hostileUri } from './documents.ts';
import type { Attack } from './part.ts';
import { failuresOf } from './requests.ts';
import { shapes } from './shapes.ts';

/** No request may take longer, in milliseconds of CPU, and none may take so many times as long as over half the text. */
const longest = 1000;
const steepest = 3.5;
/** Half of the longest is little enough to be measured badly. */
const worthComparing = longest / 2;
/** What a process may come to hold, in MB. */
const heaviest = 500;
/** Characters up to which texts grow. */
const largest = 1_000_000;
/** A process that takes so long, in milliseconds, hangs. */
const hanging = 120_000;

interface Grown {
  readonly bombs: number;
  readonly slowest: { readonly request: string; readonly ms: number };
  readonly mb: number;
  readonly failures: readonly string[];
}

/** Each shape in a process of its own, so that its memory can be told and its end be seen. */
export const attackBombs: Attack = ({ failed }) => {
  let bombs = 0;
  for (const name of Object.keys(shapes)) {
    const once = inOwnProcess(name);
    // A busy machine makes requests slow, and when the heap is swept is chance: what fails is tried once more.
    const grown = once.failures.length === 0 ? once : inOwnProcess(name);
    bombs += grown.bombs;
    console.log(`${name}: at most ${grown.slowest.ms} ms (${grown.slowest.request}), ${grown.mb} MB`);
    for (const one of grown.failures) failed(`${name}${one}`);
  }
  return { bombs };
};

function inOwnProcess(name: string): Grown {
  // The server sets this for itself.
  const again = [...process.execArgv, '--heap-growing-percent=60', process.argv[1]!, '--attack', '--bomb', name];
  const child = spawnSync(process.execPath, again, { encoding: 'utf8', timeout: hanging });
  if (child.status === 0) return JSON.parse(child.stdout);
  const ended = `: the process ended with ${child.status ?? child.signal} ${child.stderr}`;
  return { bombs: 1, slowest: { request: 'unknown', ms: 0 }, mb: 0, failures: [ended] };
}

/** Doubles a shape until it is as long as files get, and writes what that took. */
export function growBomb(name: string): void {
  const before = new Map<string, number>();
  const failures: string[] = [];
  let slowest = { request: 'none', ms: 0 };
  let bombs = 0;
  for (let size = 500; size <= largest * 4; size *= 2) {
    const { text, crd, at } = shapes[name]!(size);
    if (text.length + (crd?.length ?? 0) > largest) break;
    bombs++;
    const timed = <T>(request: string, run: () => T): T => {
      const start = process.cpuUsage();
      const answer = run();
      const { user, system } = process.cpuUsage(start);
      const ms = Math.round((user + system) / 1000);
      const half = before.get(request) ?? ms;
      if (ms > longest || (ms > worthComparing && ms > steepest * Math.max(half, longest / 5))) {
        failures.push(` of ${size}: ${request} takes ${ms} ms, ${half} ms over half of it`);
      }
      before.set(request, ms);
      if (ms > slowest.ms) slowest = { request, ms };
      return answer;
    };
    const files = [...(crd === undefined ? [] : [{ uri: 'file:///crd.yaml', text: crd }]), { uri: hostileUri, text }];
    const snapshot = timed('open', () => snapshotOf(files, { lints: 'on' }));
    const watch = (request: string, run: () => unknown) => {
      if (isNotJudged(timed(request, run))) failures.push(` of ${size}: not judged`);
    };
    for (const one of failuresOf(snapshot, hostileUri, text.indexOf(at, text.length / 3), { watch })) {
      failures.push(` of ${size}: ${one}`);
    }
  }
  const mb = Math.round(process.resourceUsage().maxRSS / 1000);
  if (mb > heaviest) failures.push(`: ${mb} MB`);
  console.log(JSON.stringify({ bombs, slowest, mb, failures } satisfies Grown));
}

const isNotJudged = (answer: unknown) =>
  Array.isArray(answer) && answer.some((one) => (one as { code?: unknown }).code === 'file/not-judged');
