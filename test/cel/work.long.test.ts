import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { compile } from '../../server/src/cel/compile.ts';
import { programOf } from '../../server/src/cel/eval/run.ts';
import { isError, type Val } from '../../server/src/cel/eval/values.ts';
import { callCostLimit } from '../../server/src/kubernetes/bounds.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { schemaDeclType } from '../../server/src/kubernetes/cel/rules.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { schemaValue } from '../../server/src/kubernetes/cel/values.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { structural } from './sample.ts';

const text = { type: 'string' };
const schema = structural({
  type: 'object',
  properties: new Map(
    Object.entries({
      l: { type: 'array', items: { schema: { type: 'integer' } } },
      set: { type: 'array', items: { schema: text }, xListType: 'set' },
      texts: { type: 'array', items: { schema: text } },
      big: text,
      part: text,
      digits: text,
      m: { type: 'object', additionalProperties: { allows: true, schema: text } },
      any: { type: 'object', xPreserveUnknownFields: true },
    }),
  ),
});
const { env } = schemaEnvironment(newestVersion, newestVersion.name, schemaDeclType(schema, false, newestVersion)!);

const numbers = Array.from({ length: 40_000 }, (_, i) => BigInt(i));
const names = numbers.map((i) => `n${i}`);
const value: Value = new Map<string, Value>([
  ['l', numbers],
  ['set', names],
  ['texts', names.map(() => 'x'.repeat(100))],
  ['big', 'a'.repeat(1_000_000)],
  ['part', `b${'a'.repeat(500_000)}`],
  ['digits', '9'.repeat(1_000_000)],
  ['m', new Map(names.map((name) => [name, 'x']))],
]);
const self = schemaValue(value, schema, newestVersion.cel);

type Outcome = Val | 'cut off' | 'too dear';

function outcomeOf(expression: string): Outcome {
  const compiled = compile(expression, env);
  assert.deepEqual(compiled.problems, []);
  const programmed = programOf(compiled, env, evalRules(newestVersion));
  assert.ok('program' in programmed);
  const result = programmed.program.evaluate((name) => (name === 'self' ? self : undefined), callCostLimit);
  if ('unsupported' in result) return 'cut off';
  if (result.exceeded) return 'too dear';
  return isError(result.value) ? `error: ${result.value.message}` : result.value;
}

const doubled = (times: number, start: string, twice: string) => `[${start}]${`.map(x, ${twice})`.repeat(times)}`;

// Each of them would build gigabytes or compare for minutes. Where the cost is known before, the server's own verdict
// stands, however long it takes there; else the evaluation ends.
const bombs: readonly (readonly [expression: string, outcome: Outcome])[] = [
  // Lists
  ['self.l.map(x, self.l).flatten().size() > 0', 'cut off'],
  ['self.l.map(x, self.l).flatten(2).size() > 0', 'cut off'],
  [`${doubled(60, '[1, 2]', '[x, x]')}.flatten(100).size() > 0`, 'cut off'],
  [`${doubled(60, '[1, 2]', 'x + x')}.size() > 0`, 'cut off'],
  [`${doubled(60, 'self.l', 'x + x')}.size() > 0`, 'cut off'],
  [`${doubled(60, '[1, 2]', '[x, x]')} == ${doubled(60, '[1, 2]', '[x, x]')}`, 'cut off'],
  [`${doubled(60, 'dyn(1)', 'dyn([x, x])')}.indexOf(dyn(1)) == 0`, 'cut off'],
  ['sets.contains(self.l, self.l)', 'too dear'],
  ['sets.equivalent(self.l, self.l.map(x, -x))', 'too dear'],
  ['sets.intersects(self.l, self.l.map(x, -x - 1))', 'too dear'],
  ['self.l.distinct().size() > 0', 'too dear'],
  ['self.l.sort().size() > 0', 'too dear'],
  ['lists.range(900000).map(x, [x, x]).distinct().size() > 0', 'too dear'],
  ['self.l.all(x, !(-1 in self.l))', 'too dear'],
  ['self.l.all(x, self.l == self.l)', 'too dear'],
  ['self.l.all(x, self.set == self.set)', 'too dear'],
  ['self.l.all(x, size(self.set + self.set) > 0)', 'cut off'],
  ['self.l.all(x, size(self.l + self.l) > 0)', 'cut off'],
  ['self.l.all(x, self.texts.map(y, y).size() > 0)', 'too dear'],
  // Texts
  ['self.l.map(x, self.big).join().size() > 0', 'too dear'],
  ['self.l.map(x, self.big).join(self.big).size() > 0', 'too dear'],
  ['self.l.map(x, self.big).indexOf("a") == 0', 'too dear'],
  ['self.big.replace("a", self.big).size() > 0', 'cut off'],
  ['self.big.replace("", self.big).size() > 0', 'cut off'],
  ['self.big.replace("a", self.big, 900000).size() > 0', 'cut off'],
  ['self.big.indexOf(self.part) == -1', true],
  ['self.big.lastIndexOf(self.part) == -1', true],
  ['self.big.indexOf("b" + self.big) == -1', true],
  ['self.big.replace(self.part, "x") == self.big', true],
  ['self.big.split(self.part).size() == 1', true],
  ['self.big.contains(self.part)', 'too dear'],
  ['self.big.split("").size() == 1000000', true],
  [`${doubled(60, 'dyn(self.big)', 'x + x')}.size() > 0`, 'cut off'],
  ['self.l.all(x, self.big.size() > 0)', 'cut off'],
  ['self.l.all(x, self.big.charAt(x) == "a")', 'cut off'],
  ['self.l.all(x, ("b" + self.big) != "a")', 'too dear'],
  [
    `"${'%s'.repeat(3000)}".format([${Array.from({ length: 3000 }, () => 'self.big').join(', ')}]).size() > 0`,
    'cut off',
  ],
  [`"%s".format([${doubled(60, '[1, 2]', '[x, x]')}]).size() > 0`, 'cut off'],
  ['"%.999999999f".format([1.5]).size() > 0', 'cut off'],
  ['"%.999999999e".format([1.5]).size() > 0', 'cut off'],
  ['"%.999999999999999999f".format([1.5]).size() > 0', 'cut off'],
  ['int(self.digits) == 1', "error: type conversion error from 'string' to 'int'"],
  ['uint(self.digits) == 1u', "error: type conversion error from 'string' to 'uint'"],
  ['self.l.all(x, double(self.digits) > 0.0)', 'cut off'],
  ['self.l.all(x, self.big.find("a") == "a")', 'too dear'],
  ['self.big.findAll("a").size() == 1000000', true],
  ['self.big.matches("(a*)*b")', false],
  // Maps
  ['self.l.all(x, self.m == self.m)', 'too dear'],
  ['self.l.all(x, self.m.exists(k, true))', 'cut off'],
  ['self.l.all(x, self.m.transformMap(k, v, v).size() > 0)', 'too dear'],
];

for (const [expression, outcome] of bombs) {
  const shown = expression.length > 80 ? `${expression.slice(0, 80)}…` : expression;
  test(`${shown} is ${String(outcome)}`, () => {
    assert.equal(outcomeOf(expression), outcome);
  });
}
