// npm run fuzz -- --attack [--seed N --cases N --only bombs,documents]: tries to hang, end or fool us; see attack/run.ts.
// npm run fuzz -- --seed N --cases N [--only yaml,cel] [--kubernetes VERSION]: asks real Kubernetes and us the same
// random questions, shrinks each disagreement and writes it as a case ready to be added.
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { answerLine } from '../conformance/answer.ts';
import { messageCoverage } from '../conformance/messages.ts';
import { differences, normal, stable } from '../conformance/normal.ts';
import { type Oracle, startOracle } from '../conformance/oracle.ts';
import { encodeExact } from '../conformance/protocol.ts';
import { seeded } from '../support/random.ts';
import { survive } from './attack/archives.ts';
import { growBomb } from './attack/bombs.ts';
import { growChartBomb, isChartBomb } from './attack/charts.ts';
import { growDelivery, isDeliveryBomb } from './attack/delivery.ts';
import { growGoBomb, isGoBomb } from './attack/go.ts';
import { growKustomizeBomb, isKustomizeBomb } from './attack/kustomize.ts';
import { attack } from './attack/run.ts';
import { caseText } from './caseText.ts';
import type { Ask, Generator } from './generator.ts';
import { generators } from './generators.ts';
import { smaller } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    cases: { type: 'string', default: '1000' },
    only: { type: 'string' },
    kubernetes: { type: 'string', default: newestVersion.name },
    show: { type: 'string', default: '10' },
    attack: { type: 'boolean', default: false },
    bomb: { type: 'string' },
    archive: { type: 'string' },
  },
});
if (values.bomb !== undefined) {
  const kinds = [
    [isGoBomb, growGoBomb],
    [isChartBomb, growChartBomb],
    [isDeliveryBomb, growDelivery],
    [isKustomizeBomb, growKustomizeBomb],
  ] as const;
  const name = values.bomb;
  const grow = kinds.find(([is]) => is(name))?.[1] ?? growBomb;
  await grow(values.bomb);
  process.exit(0);
}
if (values.archive !== undefined) {
  await survive(values.archive);
  process.exit(0);
}
if (values.attack) process.exit((await attack(Number(values.cases), Number(values.seed), values.only)) > 0 ? 1 : 0);
const kubernetes = values.kubernetes;
const batchSize = 200;
const shrinkSteps = 400;
const timesAgain = 20;
const outcomes = new Map<string, number>();
const coverage = messageCoverage();
let disagreements = 0;

const chosen = generators.filter((one) => values.only === undefined || values.only.split(',').includes(one.name));
let oracle: Oracle;
for (const generator of chosen) {
  oracle = startOracle(generator.oracle ?? kubernetes);
  await run(generator, Number(values.cases), Number(values.seed));
  oracle.close();
}
for (const [what, times] of [...outcomes].sort()) console.log(`${what}: ${times}`);
console.log(coverage.report());
process.exit(disagreements > 0 ? 1 : 0);

async function run(generator: Generator, cases: number, seed: number): Promise<void> {
  const random = seeded(seed);
  for (let done = 0; done < cases; done += batchSize) {
    const asks = Array.from({ length: Math.min(batchSize, cases - done) }, () => generator.generate(random));
    const theirs = await askEach(generator, asks);
    for (const [i, ask] of asks.entries()) await judge(generator, ask, theirs[i]!);
  }
}

async function askEach({ together }: Generator, asks: readonly Ask[]): Promise<string[]> {
  if (!together) return oracle.ask(asks.map(encodeExact));
  const [line] = await oracle.ask([encodeExact(together(asks))]);
  const { answers, ...failed } = JSON.parse(line!);
  if (!answers) throw new Error(stable(failed));
  return answers.map(stable);
}

/** Go walks maps in random order: what it answers otherwise when it is asked again, it may also answer as we do. */
async function whenAskedAgain(generator: Generator, ask: Ask): Promise<string> {
  const answers = await askEach(
    generator,
    Array.from({ length: timesAgain }, () => ask),
  );
  return answers.some((theirs) => disagreement(ask, theirs).length === 0)
    ? "agreed when asked again (Go's random order)"
    : 'disagreed';
}

async function judge(generator: Generator, ask: Ask, theirs: string): Promise<void> {
  coverage.add(ask.op, JSON.parse(theirs));
  const rows = disagreement(ask, theirs);
  const reason =
    rows.length === 0 ? 'agreed' : (generator.explain?.(ask, rows) ?? (await whenAskedAgain(generator, ask)));
  const outcome = `${generator.name} ${reason}${reason === 'disagreed' && generator.kindOf ? `: ${generator.kindOf(rows)}` : ''}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  if (reason !== 'disagreed') return;
  disagreements++;
  if (disagreements > Number(values.show)) return;
  await report(generator, ask, await shrink(generator, ask, rows));
}

function disagreement(ask: Ask, theirs: string): string[] {
  return differences(normal(ourAnswer(ask)), normal(theirs));
}

function ourAnswer(ask: Ask): string {
  try {
    return answerLine(encodeExact(ask), kubernetes);
  } catch (error) {
    return JSON.stringify({ threw: error instanceof Error ? error.stack : String(error) });
  }
}

/** The kind of a disagreement, without its values: a shrunken case must still show the same one. */
function kind({ kindOf }: Generator, rows: readonly string[]): string {
  return kindOf ? kindOf(rows) : (rows[0] ?? '').replace(/"[^"]*"|\d+/g, '').slice(0, 60);
}

async function shrink(generator: Generator, ask: Ask, rows: readonly string[]): Promise<Ask> {
  const wanted = kind(generator, rows);
  const atOnce = generator.together ? shrinkSteps / 4 : 1;
  let best = ask;
  for (let steps = 0, better = true; better && steps < shrinkSteps * atOnce; ) {
    better = false;
    for (const candidates of chunks((generator.smaller ?? smaller)(best), atOnce)) {
      steps += candidates.length;
      const answers = await askEach(generator, candidates);
      const found = candidates.find((candidate, i) => {
        const left = disagreement(candidate, answers[i]!);
        return kind(generator, left) === wanted && generator.explain?.(candidate, left) === undefined;
      });
      better = found !== undefined;
      best = found ?? best;
      if (better || steps > shrinkSteps * atOnce) break;
    }
  }
  return best;
}

function* chunks<T>(items: Iterable<T>, size: number): Iterable<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function report(generator: Generator, found: Ask, smallest: Ask): Promise<void> {
  const [theirs, ofFound] = await oracle.ask([smallest, found].map((one) => encodeExact(one)));
  // What differs among many only, or at random, is shown as it was found.
  const isLost = disagreement(smallest, theirs!).length === 0;
  const ask = isLost ? found : smallest;
  const rows = disagreement(ask, isLost ? ofFound! : theirs!);
  const folder = '.artifacts/fuzz';
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${generator.name}-${values.seed}-${disagreements}.md`;
  writeFileSync(file, caseText(`Found by seed ${values.seed}`, ask, rows));
  console.log(`\n${file}\n${encodeExact(ask)}\n${rows.join('\n')}`);
}
