import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../server/src/cel/compile.ts';
import { programOf } from '../../server/src/cel/eval/run.ts';
import { isError, type Val } from '../../server/src/cel/eval/values.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { schemaValue } from '../../server/src/kubernetes/cel/values.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { sampleDecl, sampleSchema } from './sample.ts';

const { env } = schemaEnvironment(newestVersion, Number.POSITIVE_INFINITY, sampleDecl);
const item = (name: string, ...ports: bigint[]) =>
  new Map<string, string | bigint[]>([
    ['name', name],
    ['ports', ports],
  ]);
const value = new Map<string, string | bigint | Map<string, string | bigint[]>[]>([
  ['n', 3n],
  ['s', 'abc'],
  ['items', [item('a', 1n, 70000n), item('b', 2n)]],
]);
const self = schemaValue(value, sampleSchema, newestVersion.cel);

interface Traced {
  readonly value: Val;
  readonly cost: number | bigint;
  readonly seen: readonly string[];
}

function evaluate(text: string, traces: boolean): Traced {
  const compiled = compile(text, env);
  assert.deepEqual(compiled.problems, []);
  const seen: string[] = [];
  const trace = (part: { readonly start: number; readonly end: number }, found: Val) => {
    const shown = isError(found) ? `error: ${found.message}` : typeof found === 'object' ? '…' : String(found);
    seen.push(`${text.slice(part.start, part.end)} = ${shown}`);
  };
  const programmed = programOf(compiled, env, evalRules(newestVersion), traces ? trace : undefined);
  assert.ok('program' in programmed);
  const result = programmed.program.evaluate((name) => (name === 'self' ? self : undefined), 1_000_000);
  assert.ok('value' in result);
  return { value: result.value, cost: result.cost, seen };
}

test('a trace has the value of every part, in the order of evaluation', () => {
  const { seen } = evaluate("self.n > 2 && self.s.startsWith('b') || self.n == 4", true);
  assert.deepEqual(seen, [
    'self.n = 3',
    'self.n > 2 = true',
    'self.s = abc',
    "self.s.startsWith('b') = false",
    "self.n > 2 && self.s.startsWith('b') = false",
    'self.n = 3',
    'self.n == 4 = false',
    "self.n > 2 && self.s.startsWith('b') || self.n == 4 = false",
  ]);
});

test('what is not evaluated is not in it', () => {
  assert.deepEqual(evaluate('self.n == 3 ? true : self.n == 4', true).seen.slice(0, 2), [
    'self.n = 3',
    'self.n == 3 = true',
  ]);
  assert.ok(!evaluate('self.n == 3 ? true : self.n == 4', true).seen.includes('self.n == 4 = false'));
});

test('it says for which item a condition was false', () => {
  const { seen } = evaluate('self.items.all(i, i.ports.all(p, p < 65536))', true);
  const conditions = seen.filter((part) => part.startsWith('p < 65536'));
  assert.deepEqual(conditions, ['p < 65536 = true', 'p < 65536 = false']);
});

const texts = [
  'self.items.all(i, i.ports.all(p, p < 65536))',
  "self.items.exists(i, i.name == 'b')",
  "self.items.map(i, i.name).join(',') == 'a,b'",
  'self.items[5].name == self.s',
  'has(self.obj) || self.n / 0 == 1',
  'self.items.exists_one(i, i.ports.size() == 1) ? self.n + 1 == 4 : false',
];

for (const text of texts) {
  test(`a trace changes neither value nor cost: ${text}`, () => {
    const [plain, traced] = [evaluate(text, false), evaluate(text, true)];
    assert.deepEqual([traced.value, traced.cost], [plain.value, plain.cost]);
    assert.deepEqual(plain.seen, []);
    assert.ok(traced.seen.length > 0);
  });
}
