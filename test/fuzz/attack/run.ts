import { seeded } from '../../support/random.ts';
import { snapshotOf } from '../../support/workspace.ts';
import { bases, differencesAfter, edited, hostileUri, opened, randomEdit, withCrds } from './documents.ts';
import { difference, randomExpression } from './expressions.ts';
import { failuresOf, requests } from './requests.ts';
import { shapes } from './shapes.ts';

/**
 * Bombs that grow, hostile documents, random edits beside the same text opened anew, and expressions in closures beside
 * generated JavaScript. `cases` is how many documents, edits and expressions; gives the number of failures.
 */
export async function attack(cases: number, seed: number): Promise<number> {
  const counts = { bombs: 0, documents: 0, requests: 0, edits: 0, expressions: 0 };
  let failures = 0;
  const failed = (what: string) => {
    failures++;
    if (failures <= 20) console.log(`\n${what}`);
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const start = process.cpuUsage();
    counts.bombs += grow(name, shape, failed);
    const { user, system } = process.cpuUsage(start);
    console.log(`${name}: ${((user + system) / 1e6).toFixed(1)} s in all`);
  }
  const random = seeded(seed);
  for (let i = 0; i < cases; i++) {
    const edits = Array.from({ length: 1 + random.below(6) }, () => 0);
    const text = edits.reduce<string>((now) => edited(now, randomEdit(random, now)), random.pick(bases));
    const found = failuresOf(opened(withCrds, text), hostileUri, random.below(text.length + 1));
    for (const one of found) failed(`${one}\n${text}`);
    counts.documents++;
    counts.requests += Object.keys(requests).length;
  }
  for (let i = 0; i < cases / 20; i++) counts.edits += session(random, failed);
  for (let i = 0; i < cases; i++) {
    const expression = randomExpression(random);
    const found = difference(expression);
    if (found !== undefined) failed(`${expression}: ${found}`);
    counts.expressions++;
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(`${JSON.stringify(counts)}, ${failures} failures, at most ${memory} MB`);
  return failures;
}

/** A request may take so long, in seconds of CPU, and so many times as long as over half the text. */
const longest = 5;
const steepest = 3.5;
const largest = 1_000_000;

/** Doubles a shape until it is as long as files get; gives how many texts that were. */
function grow(
  name: string,
  shape: (size: number) => ReturnType<(typeof shapes)[string]>,
  failed: (what: string) => void,
) {
  const before = new Map<string, number>();
  let tried = 0;
  for (let size = 500; ; size *= 2) {
    const { text, crd, at } = shape(size);
    if (text.length + (crd?.length ?? 0) > largest || size > 4_000_000) return tried;
    tried++;
    const files = [...(crd === undefined ? [] : [{ uri: 'file:///crd.yaml', text: crd }]), { uri: hostileUri, text }];
    const snapshot = snapshotOf(files, { lints: 'on' });
    const watch = (request: string, run: () => unknown) => {
      const start = process.cpuUsage();
      const answer = run();
      const { user, system } = process.cpuUsage(start);
      const seconds = (user + system) / 1e6;
      const half = before.get(request) ?? seconds;
      if (seconds > longest || (seconds > 1 && seconds > steepest * half)) {
        failed(`${name} of ${size}: ${request} takes ${seconds.toFixed(1)} s, ${half.toFixed(1)} s over half of it`);
      }
      before.set(request, seconds);
      if (JSON.stringify(answer, withoutCycles)?.includes('file/not-judged')) failed(`${name} of ${size}: not judged`);
    };
    for (const one of failuresOf(snapshot, hostileUri, text.indexOf(at, text.length / 3), watch)) {
      failed(`${name} of ${size}: ${one}`);
    }
  }
}

const withoutCycles = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const editsPerSession = 20;

/** Edits of one text after the other, as they are typed. */
function session(random: ReturnType<typeof seeded>, failed: (what: string) => void): number {
  let text = random.pick(bases);
  let snapshot = opened(withCrds, text);
  for (let i = 0; i < editsPerSession; i++) {
    const edit = randomEdit(random, text);
    text = edited(text, edit);
    const other = differencesAfter(snapshot, text, Math.min(text.length, edit.start + edit.text.length));
    if (other.length > 0) failed(`after an edit ${other.join(', ')} of this text differ from opening it:\n${text}`);
    snapshot = opened(snapshot, text);
  }
  return editsPerSession;
}
