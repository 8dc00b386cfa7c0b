// npm run compare -- --server [--cases N] [--fuzz N] [--apply N] [--seed N] [PART OF A FILE NAME …]: puts questions of the suites and
// of the fuzzers to a real API server over HTTP until as many were asked, and prints where we say something else.
import { generators } from '../fuzz/generators.ts';
import { buildServer, startServer } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';
import { applyQuestion } from './applyQuestions.ts';
import { loadCases } from './cases.ts';
import { Exchange, type FieldValidation, refusedCrd } from './exchange.ts';
import { explanation } from './explained.ts';
import { differences, normal, type Plain, stable } from './normal.ts';
import { httpAnswer } from './ops/http.ts';
import { encodeExact, parseRequest, type Request } from './protocol.ts';

interface Question {
  readonly from: string;
  readonly line: string;
}

interface Options {
  readonly cases: number;
  readonly fuzz: number;
  readonly apply: number;
  readonly seed: number;
  readonly parts: readonly string[];
  readonly show: number;
}

/** What became of the questions of one source. */
interface Tally {
  readonly counts: Map<string, number>;
  /** A question for each explanation. */
  readonly examples: Map<string, string>;
  /** Requests that were put and compared. */
  asked: number;
  unexplained: number;
}

const validations: readonly FieldValidation[] = ['Warn', 'Strict'];

/** The number of differences without an explanation. */
export async function compareWithServer(options: Options): Promise<number> {
  if (!buildServer()) throw new Error('there is no API server to ask');
  const server = await startServer();
  const comparison = new Comparison(new Exchange(server), options.show);
  const tallies = new Map<string, Tally>();
  for (const [source, questions, wanted] of [
    ['suites', ofSuites(options), options.cases],
    ['fuzzers', ofFuzzers(options), options.fuzz],
    ['server-side apply', ofApply(options), options.apply],
  ] as const) {
    const tally: Tally = { counts: new Map(), examples: new Map(), asked: 0, unexplained: 0 };
    for (const question of questions) {
      if (tally.asked >= wanted) break;
      await comparison.put(question, tally);
    }
    tallies.set(source, tally);
  }
  await server.stop();
  console.log(`\n${server.version}`);
  for (const [source, tally] of tallies) print(source, tally);
  return [...tallies.values()].reduce((sum, { unexplained }) => sum + unexplained, 0);
}

class Comparison {
  private readonly exchange: Exchange;
  private readonly show: number;
  private shown = 0;

  constructor(exchange: Exchange, show: number) {
    this.exchange = exchange;
    this.show = show;
  }

  async put(question: Question, tally: Tally): Promise<void> {
    const request = parseRequest(question.line);
    for (const validation of validations) {
      const theirs = await this.exchange.ask(request, validation);
      if (!('skipped' in theirs)) {
        this.compare(question, request, validation, theirs.answer, tally);
        continue;
      }
      count(tally, `not asked: ${theirs.skipped}`);
      if (theirs.skipped === refusedCrd) await this.putCrd(question, request, validation, tally);
    }
  }

  /** A CRD that the server refuses is a question itself: whether we refuse it too. */
  private async putCrd(question: Question, request: Request, validation: FieldValidation, tally: Tally): Promise<void> {
    const line = `{"op":"crd.create","crd":${request.raw('crd')},"format":${request.raw('format') ?? '""'}}`;
    const crd = parseRequest(line);
    const theirs = await this.exchange.ask(crd, validation);
    if ('skipped' in theirs) return;
    this.compare({ from: `${question.from}, its CRD`, line }, crd, validation, theirs.answer, tally);
  }

  private compare(
    { from, line }: Question,
    request: Request,
    validation: FieldValidation,
    answer: Plain,
    tally: Tally,
  ) {
    const theirs = normal(stable(answer));
    const ours = normal(stable(httpAnswer(request, validation)));
    const rows = differences(ours, theirs);
    const op = request.raw('apply') === 'true' ? 'apply' : request.op;
    tally.asked++;
    if (rows.length === 0) {
      count(tally, `${op} agreed`);
      return;
    }
    const why = explanation({ request, ours, theirs, rows });
    if (why !== undefined) {
      const what = `${op} explained: ${why}`;
      count(tally, what);
      if (!tally.examples.has(what)) tally.examples.set(what, `${from}: ${rows[0]!.slice(0, 300)}`);
      return;
    }
    tally.unexplained++;
    count(tally, `${op} DIFFERED`);
    if (this.shown++ < this.show) {
      console.log(`${from} (${validation})\n  ${rows.join('\n  ').slice(0, 1500)}\n  ${line.slice(0, 3000)}`);
    }
  }
}

function count({ counts }: Tally, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function print(source: string, { counts, examples, asked, unexplained }: Tally): void {
  const sum = (part: string) => [...counts].reduce((sum, [what, n]) => sum + (what.includes(part) ? n : 0), 0);
  const [agreed, explained] = [sum(' agreed'), sum(' explained: ')];
  console.log(
    `${source}: ${asked} requests asked, ${agreed} agreed, ${explained} explained, ${unexplained} unexplained`,
  );
  for (const [what, times] of [...counts].sort()) {
    console.log(`  ${what}: ${times}`);
    const example = examples.get(what);
    if (example !== undefined) console.log(`    ${example}`);
  }
}

function ofSuites({ cases, seed, parts }: Options): Question[] {
  const all = loadCases((name) => /^(cr|crd)\//.test(name))
    .filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .flatMap(({ name, cases }) =>
      cases.filter(({ op }) => op !== 'crd.rules').map((one) => ({ from: `${name} › ${one.name}`, line: one.request })),
    );
  // A sample keeps the order: cases of one CRD are neighbours, and the CRD has to be served anew for others.
  const random = seeded(seed);
  const wanted = cases / validations.length;
  return all.length <= wanted ? all : all.filter(() => random.chance(wanted / all.length));
}

const fuzzed = ['crd.create', 'cr.create', 'cr.update'];

function* ofFuzzers({ seed }: Options): Generator<Question> {
  const random = seeded(seed);
  const chosen = generators.filter(({ name }) => fuzzed.includes(name));
  for (let i = 0; ; i++) {
    const generator = chosen[i % chosen.length]!;
    yield { from: `${generator.name} ${i} of seed ${seed}`, line: encodeExact(generator.generate(random)) };
  }
}

function* ofApply({ seed }: Options): Generator<Question> {
  const random = seeded(seed);
  for (let i = 0; ; i++) yield { from: `apply ${i} of seed ${seed}`, line: applyQuestion(random) };
}
