// Expressions whose values differ by little: signed zeros, NaN, numbers of several types, names that run into each
// other. What closures give of them, generated JavaScript must give too.
import type { Value } from '../../../server/src/base/value.ts';
import { compile } from '../../../server/src/cel/compile.ts';
import { generation, programOf } from '../../../server/src/cel/eval/run.ts';
import { isKind, itemsOfList, type Val } from '../../../server/src/cel/eval/values.ts';
import { schemaEnvironment } from '../../../server/src/kubernetes/cel/environment.ts';
import { callLimit } from '../../../server/src/kubernetes/cel/evaluate.ts';
import { schemaDeclType } from '../../../server/src/kubernetes/cel/rules.ts';
import { evalRules } from '../../../server/src/kubernetes/cel/runtime.ts';
import { schemaValue } from '../../../server/src/kubernetes/cel/values.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { structural } from '../../cel/sample.ts';
import type { Random } from '../../support/random.ts';
import type { Attack } from './part.ts';

const text = { type: 'string' };
const mapOf = (schema: object) => ({ type: 'object', additionalProperties: { allows: true, schema } });

const schema = structural({
  type: 'object',
  properties: new Map(
    Object.entries({
      d: { type: 'number' },
      n: { type: 'integer' },
      s: text,
      ds: { type: 'array', items: { schema: { type: 'number' } } },
      m: mapOf(mapOf(text)),
    }),
  ),
});
const { env } = schemaEnvironment(newestVersion, newestVersion.name, schemaDeclType(schema, false, newestVersion)!);

function selfWith(d: number, n: bigint, s: string): Val {
  const inner = new Map<string, Value>([
    ['b', s],
    ['constructor', 'c'],
  ]);
  const value = new Map<string, Value>([
    ['d', d],
    ['n', n],
    ['s', s],
    ['ds', [0, -0, d, 1.5]],
    [
      'm',
      new Map<string, Value>([
        ['a', inner],
        ['a\nb', new Map([['b', 'other']])],
        ['__proto__', inner],
      ]),
    ],
  ]);
  return schemaValue(value, schema, newestVersion.cel);
}

const selves: readonly Val[] = [
  selfWith(0, 0n, ''),
  selfWith(-0, 1n, '0'),
  selfWith(1e308, -1n, 'b'),
  selfWith(-3, 7n, '-0'),
];

type Type = 'bool' | 'double' | 'int' | 'string' | 'doubles';

const leaves: Readonly<Record<Type, readonly string[]>> = {
  bool: ['true', 'false', 'has(self.d)', '("a" in self.m)'],
  double: ['0.0', '-0.0', '1.0', '-1.0', 'self.d', 'double("NaN")', 'double("-Infinity")', '1e308', '5e-324'],
  int: ['0', '1', '-1', 'self.n', '9223372036854775807', 'int(0.9)'],
  string: [
    '""',
    '"0"',
    '"-0"',
    'self.s',
    'self.m["a"]["b"]',
    'self.m["a\\nb"]["b"]',
    'self.m["a"]["constructor"]',
    'self.m.a.b',
  ],
  doubles: ['self.ds', '[0.0, -0.0]', '[-0.0, 0.0, double("NaN")]', '[0.0].filter(x, x > 0.0)'],
};

type Make = (of: (type: Type) => string) => string;

const forms: Readonly<Record<Type, readonly Make[]>> = {
  bool: [
    (of) => `${of('double')} < ${of('double')}`,
    (of) => `${of('double')} >= ${of('double')}`,
    (of) => `${of('double')} == ${of('double')}`,
    (of) => `${of('double')} != ${of('double')}`,
    (of) => `${of('int')} < ${of('int')}`,
    (of) => `${of('int')} == ${of('int')}`,
    (of) => `dyn(${of('int')}) == dyn(${of('double')})`,
    (of) => `${of('string')} == ${of('string')}`,
    (of) => `${of('string')} < ${of('string')}`,
    (of) => `${of('double')} in ${of('doubles')}`,
    (of) => `${of('doubles')} == ${of('doubles')}`,
    (of) => `${of('bool')} && ${of('bool')}`,
    (of) => `${of('bool')} || ${of('bool')}`,
    (of) => `!${of('bool')}`,
    (of) => `${of('doubles')}.all(x, 1.0 / x > ${of('double')})`,
    (of) => `${of('doubles')}.exists(x, x == ${of('double')})`,
    (of) => `sets.contains(${of('doubles')}, ${of('doubles')})`,
  ],
  double: [
    (of) => `${of('double')} / ${of('double')}`,
    (of) => `${of('double')} * ${of('double')}`,
    (of) => `${of('double')} - ${of('double')}`,
    (of) => `-${of('double')}`,
    (of) => `(${of('bool')} ? ${of('double')} : ${of('double')})`,
    (of) => `${of('doubles')}[${of('int')}]`,
    (of) => `double(${of('int')})`,
    (of) => `double(string(${of('double')}))`,
  ],
  int: [
    (of) => `${of('int')} + ${of('int')}`,
    (of) => `${of('int')} / ${of('int')}`,
    (of) => `${of('int')} % ${of('int')}`,
    (of) => `-(${of('int')})`,
    (of) => `size(${of('string')})`,
    (of) => `size(${of('doubles')})`,
  ],
  string: [
    (of) => `${of('string')} + ${of('string')}`,
    (of) => `string(${of('double')})`,
    (of) => `"%s %f".format([${of('double')}, ${of('double')}])`,
    (of) => `(${of('bool')} ? ${of('string')} : ${of('string')})`,
  ],
  doubles: [
    (of) => `[${of('double')}, ${of('double')}]`,
    (of) => `${of('doubles')}.map(x, x * ${of('double')})`,
    (of) => `${of('doubles')}.filter(x, x >= ${of('double')})`,
    (of) => `(${of('doubles')} + ${of('doubles')})`,
    (of) => `${of('doubles')}.distinct()`,
  ],
};

/** A random expression of a type. */
export function randomExpression(random: Random, type: Type = 'bool', depth = 4): string {
  if (depth === 0 || random.next() < 0.2) return random.pick(leaves[type]);
  return `(${random.pick(forms[type])((inner) => randomExpression(random, inner, depth - 1))})`;
}

/** What closures and generated JavaScript give otherwise; undefined where all is the same. */
export function difference(expression: string): string | undefined {
  const compiled = compile(expression, env);
  if (compiled.problems.length > 0) return `does not compile: ${compiled.problems[0]!.message}`;
  const { after } = generation;
  try {
    const answers = [Number.POSITIVE_INFINITY, 0].map((evaluations) => {
      generation.after = evaluations;
      const programmed = programOf(compiled, env, evalRules(newestVersion));
      if (!('program' in programmed)) return JSON.stringify(programmed);
      return selves.map((self) => outcome(programmed.program.evaluate(() => self, callLimit))).join(' | ');
    });
    return answers[0] === answers[1] ? undefined : `closures: ${answers[0]}; generated: ${answers[1]}`;
  } finally {
    generation.after = after;
  }
}

function outcome(
  result: { readonly unsupported: string } | { readonly value: Val; readonly cost: number | bigint },
): string {
  return 'unsupported' in result ? result.unsupported : `${shown(result.value)} for ${result.cost}`;
}

function shown(value: Val): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (isKind(value, 'list')) return `[${itemsOfList(value).map(shown).join(', ')}]`;
  return isKind(value, 'error') ? value.message : `${typeof value} ${String(value)}`;
}

export const attackExpressions: Attack = ({ cases, random, failed }) => {
  for (let i = 0; i < cases; i++) {
    const expression = randomExpression(random);
    const found = difference(expression);
    if (found !== undefined) failed(`${expression}: ${found}`);
  }
  return { expressions: cases };
};
