// npm run compare -- --server [--cases N] [--fuzz N] [--seed N] [PART OF A FILE NAME …]: puts questions of the suites and
// of the fuzzers to a real API server over HTTP, and prints where we say something else.
import { generators } from '../fuzz/generators.ts';
import { buildServer, startServer } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';
import { loadCases } from './cases.ts';
import { Exchange, type FieldValidation } from './exchange.ts';
import { differences, normal, stable } from './normal.ts';
import { httpAnswer } from './ops/http.ts';
import { encodeExact, parseRequest } from './protocol.ts';

interface Question {
  readonly from: string;
  readonly line: string;
}

interface Options {
  readonly cases: number;
  readonly fuzz: number;
  readonly seed: number;
  readonly parts: readonly string[];
  readonly show: number;
}

const validations: readonly FieldValidation[] = ['Warn', 'Strict'];

/** The number of differences. */
export async function compareWithServer(options: Options): Promise<number> {
  if (!buildServer()) throw new Error('there is no API server to ask');
  const server = await startServer();
  const exchange = new Exchange(server);
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let shown = 0;
  for (const { from, line } of [...ofSuites(options), ...ofFuzzers(options)]) {
    const request = parseRequest(line);
    for (const validation of validations) {
      const theirs = await exchange.ask(request, validation);
      if ('skipped' in theirs) {
        count(`${request.op} not asked: ${theirs.skipped}`);
        continue;
      }
      const rows = differences(normal(stable(httpAnswer(request, validation))), normal(stable(theirs.answer)));
      count(`${request.op} ${rows.length === 0 ? 'agreed' : 'DIFFERED'}`);
      if (rows.length > 0 && shown++ < options.show) {
        console.log(`${from} (${validation})\n  ${rows.join('\n  ').slice(0, 1500)}\n  ${line.slice(0, 3000)}`);
      }
    }
  }
  await server.stop();
  console.log(`\n${server.version}`);
  for (const [what, times] of [...counts].sort()) console.log(`${what}: ${times}`);
  return [...counts].filter(([what]) => what.endsWith('DIFFERED')).reduce((sum, [, times]) => sum + times, 0);
}

function ofSuites({ cases, seed, parts }: Options): Question[] {
  const all = loadCases((name) => /^(cr|crd)\//.test(name))
    .filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
    .flatMap(({ name, cases }) =>
      cases.filter(({ op }) => op !== 'crd.rules').map((one) => ({ from: `${name} › ${one.name}`, line: one.request })),
    );
  // A sample keeps the order: cases of one CRD are neighbours, and the CRD has to be served anew for others.
  const random = seeded(seed);
  return all.length <= cases ? all : all.filter(() => random.chance(cases / all.length));
}

const fuzzed = ['crd.create', 'cr.create', 'cr.update'];

function ofFuzzers({ fuzz, seed }: Options): Question[] {
  const random = seeded(seed);
  const chosen = generators.filter(({ name }) => fuzzed.includes(name));
  return Array.from({ length: fuzz }, (_, i) => {
    const generator = chosen[i % chosen.length]!;
    return { from: `${generator.name} ${i} of seed ${seed}`, line: encodeExact(generator.generate(random)) };
  });
}
