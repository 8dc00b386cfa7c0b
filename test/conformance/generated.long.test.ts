import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { generation } from '../../server/src/cel/eval/run.ts';
import { answerLine } from './answer.ts';
import { loadCases } from './cases.ts';
import { kubernetesVersions } from './protocol.ts';

const cases = loadCases((file) => file.startsWith('cel')).flatMap((file) => file.cases);
/** The newest and, but in the quick gate, the oldest. */
const versions =
  process.env.QUICK === '1' ? kubernetesVersions.slice(0, 1) : [kubernetesVersions[0]!, kubernetesVersions.at(-1)!];
const { after } = generation;
const ownFunction = globalThis.Function;

afterEach(() => {
  generation.after = after;
  globalThis.Function = ownFunction;
});

function answerAfter(evaluations: number, request: string, version: string): string {
  generation.after = evaluations;
  return answerLine(request, version);
}

/** Runs something whenever a function is made of text. */
function watchGeneration(seen: () => void): void {
  const construct = (target: typeof Function, args: string[]) => {
    seen();
    return Reflect.construct(target, args);
  };
  globalThis.Function = new Proxy(ownFunction, { construct });
}

test('generated JavaScript gives the values, errors and costs that closures give', () => {
  let generated = 0;
  watchGeneration(() => generated++);
  for (const { name, request } of cases) {
    for (const version of versions) {
      const closures = answerAfter(Number.POSITIVE_INFINITY, request, version);
      assert.equal(answerAfter(0, request, version), closures, `${name} in ${version}`);
    }
  }
  assert.ok(generated > 1500 * versions.length, `only ${generated} programs were generated`);
});

test('where a page forbids generating, the closures answer', () => {
  const { request } = cases.find((one) => one.op === 'cel')!;
  const [version] = versions as [string];
  const closures = answerAfter(Number.POSITIVE_INFINITY, request, version);
  let refused = 0;
  watchGeneration(() => {
    refused++;
    throw new EvalError('Refused to evaluate a string as JavaScript');
  });
  assert.equal(answerAfter(0, request, version), closures);
  assert.equal(refused, 1);
});
