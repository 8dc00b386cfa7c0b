import { type CelInput, celEnv, parse as parseBufbuild, plan } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import { evaluate as evaluateCelJs, parse as parseCelJs } from 'cel-js';
import type { Value } from '../../server/src/base/value.ts';
import type { Program } from '../../server/src/cel/eval/run.ts';
import type { Val } from '../../server/src/cel/eval/values.ts';
import { evaluateSchemaRules } from '../../server/src/kubernetes/cel/evaluate.ts';
import { compileRules, schemaDeclType } from '../../server/src/kubernetes/cel/rules.ts';
import { schemaReader } from '../../server/src/kubernetes/cel/values.ts';
import { rootPath } from '../../server/src/kubernetes/field.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { Structural } from '../../server/src/kubernetes/schema/structural.ts';
import { sampleProps, sampleSchema, structural } from '../cel/sample.ts';
import { oracleBinary, startOracle } from '../conformance/oracle.ts';
import { encodeExact } from '../conformance/protocol.ts';
import { crdOf, line, plainSchema, race, rateOf, rules, type Timed } from './supportCel.ts';

const sample = {
  n: 7n,
  s: 'three',
  long: 'some longer text that no rule looks at',
  m: { first: 'abc', second: 'def', third: 'xyz' },
  strs: ['foo', 'bar', 'baz.', 'qux'],
  obj: { s: 'text', deep: { x: 3n } },
  items: Array.from({ length: 10 }, (_, i) => ({ name: `item-${i}`, ports: [80n, 443n, 8080n] })),
};

type Plain = bigint | string | readonly Plain[] | { readonly [key: string]: Plain };

/** The same as a document holds it. */
function valueOf(plain: Plain): Value {
  if (typeof plain !== 'object') return plain;
  if (Array.isArray(plain)) return plain.map(valueOf);
  return new Map(Object.entries(plain).map(([key, item]) => [key, valueOf(item)]));
}

function programs(schema: Structural, texts: readonly string[]): Program[] {
  const validations = texts.map((rule) => ({ rule, message: 'm', messageExpression: '', fieldPath: '' }));
  const decl = schemaDeclType(schema, false, newestVersion)!;
  const withRules = { ...schema, extensions: { ...schema.extensions, validations } };
  return compileRules(withRules, decl, { kubernetes: newestVersion }).map(({ program, rule, error }) => {
    if (!program) throw new Error(`${rule.rule} does not compile: ${error?.detail}`);
    return program;
  });
}

const unlimited = Number.POSITIVE_INFINITY;

function run(program: Program, read: (value: Value) => Val, value: Value): void {
  const self = read(value);
  const outcome = program.evaluate((name) => (name === 'self' ? self : undefined), unlimited);
  if ('unsupported' in outcome || outcome.value !== true) throw new Error(`not true: ${JSON.stringify(outcome)}`);
}

function mustBeTrue(value: unknown, text: string): void {
  if (value !== true) throw new Error(`a peer finds ${text} to be ${value}`);
}

/** Evaluations a second of rules that are compiled already. */
export async function bench(): Promise<void> {
  const value = valueOf(sample);
  const mine = programs(sampleSchema, rules);
  const read = schemaReader(sampleSchema, newestVersion.cel);
  const marc = new Environment({ unlistedVariablesAreDyn: false }).registerVariable('self', 'map');
  const marcs = rules.map((text) => marc.parse(text));
  const env = celEnv();
  const bufs = rules.map((text) => plan(env, parseBufbuild(text)));
  const numbers = JSON.parse(JSON.stringify(sample, (_key, one) => (typeof one === 'bigint' ? Number(one) : one)));
  const readable = rules.flatMap((text) => {
    const parsed = parseCelJs(text);
    return parsed.isSuccess && isTrueInCelJs(parsed.cst, numbers) ? [{ text, cst: parsed.cst }] : [];
  });
  const each = (what: string, evaluate: (text: string, i: number) => void): Timed => {
    return { what, rules: rules.length, run: () => rules.forEach(evaluate) };
  };
  race([
    each('ours', (_text, i) => run(mine[i]!, read, value)),
    each('@marcbachmann/cel-js', (text, i) => mustBeTrue(marcs[i]!({ self: sample }), text)),
    each('@bufbuild/cel', (text, i) => mustBeTrue(bufs[i]!({ self: sample as unknown as CelInput }), text)),
    {
      what: `cel-js (${readable.length} of ${rules.length} rules)`,
      rules: readable.length,
      run: () => {
        for (const { text, cst } of readable) mustBeTrue(evaluateCelJs(cst, { self: numbers }), text);
      },
    },
  ]);
  await besideCelGo(value);
  longLists();
  patterns();
}

function isTrueInCelJs(cst: Parameters<typeof evaluateCelJs>[0], self: unknown): boolean {
  try {
    return evaluateCelJs(cst, { self }) === true;
  } catch {
    // It does not know the function.
    return false;
  }
}

/**
 * cel-go inside the API server's validation: what an object with 2,000 more items takes longer where the items have
 * rules, less the same where they have none. Ours is the same walk over the same object.
 */
async function besideCelGo(item: Value): Promise<void> {
  const validations = rules.map((rule) => ({ rule, message: 'm', messageExpression: '', fieldPath: '' }));
  const itemSchema = { ...sampleSchema, extensions: { ...sampleSchema.extensions, validations } };
  const schema = listOf(itemSchema);
  const many: Value = Array(2000).fill(item);
  const walk = () =>
    evaluateSchemaRules({ schema, value: many, spot: rootPath, isRoot: false, version: newestVersion });
  const { errors, leftOut } = walk();
  if (errors.length > 0 || leftOut.length > 0) throw new Error(leftOut[0]?.why ?? errors[0]!.message);
  const own = rateOf(walk) * 2000 * rules.length;
  line('ours, walking an object with 2,000 items', own, own);
  if (oracleBinary(newestVersion.name) === undefined) {
    console.log('cel-go: no oracle is built here');
    return;
  }
  const oracle = startOracle(newestVersion.name);
  const seconds = async (withRules: boolean, items: number) => {
    const one = { ...plainSchema(sampleProps), ...(withRules ? { 'x-kubernetes-validations': validations } : {}) };
    const crd = crdOf({ type: 'array', items: one });
    const spec = Array(items).fill(sample);
    const obj = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a', namespace: 'b' }, spec };
    const request = encodeExact({ op: 'cr.create', crd, obj });
    const start = performance.now();
    const [answer] = await oracle.ask([request]);
    const took = (performance.now() - start) / 1000;
    if (answer!.includes('"errors":[{')) throw new Error(`the oracle refuses the object: ${answer!.slice(0, 300)}`);
    return took;
  };
  let best = unlimited;
  for (let i = 0; i < 5; i++) {
    const rulesTake = (await seconds(true, 2100)) - (await seconds(true, 100));
    const restTakes = (await seconds(false, 2100)) - (await seconds(false, 100));
    if (rulesTake > restTakes) best = Math.min(best, rulesTake - restTakes);
  }
  oracle.close();
  line('cel-go, the same walk', (2000 * rules.length) / best, own);
}

function listOf(items: Structural): Structural {
  return { ...structural({ type: 'array', items: { schema: { type: 'string' } } }), items };
}

/** The time of a rule over longer and longer lists grows as they do. */
function longLists(): void {
  const schema = structural({
    type: 'object',
    properties: new Map([['items', { type: 'array', items: { schema: { type: 'integer', format: 'int64' } } }]]),
  });
  for (const text of ['self.items.all(i, i >= 0)', 'self.items.filter(i, i > 1).size() >= 0']) {
    const [program] = programs(schema, [text]);
    const times = [1000, 10_000, 100_000].map((size) => {
      const items = Array.from({ length: size }, (_, i) => BigInt(i));
      const value: Value = new Map([['items', items]]);
      const perSecond = rateOf(() => run(program!, schemaReader(schema, newestVersion.cel), value), 8);
      return `${size.toLocaleString('en')} items ${(1e9 / perSecond / size).toFixed(0)} ns each`;
    });
    console.log(`${text}: ${times.join(', ')}`);
  }
}

/** A pattern that takes other engines exponentially long, and whose last letter cannot be looked for beforehand. */
function patterns(): void {
  const schema = structural({ type: 'object', properties: new Map([['s', { type: 'string' }]]) });
  const [program] = programs(schema, ["!self.s.matches('(a*)*[bc]')"]);
  const times = [1000, 10_000, 100_000].map((size) => {
    const value: Value = new Map([['s', 'a'.repeat(size)]]);
    const perSecond = rateOf(() => run(program!, schemaReader(schema, newestVersion.cel), value), 3);
    return `${size.toLocaleString('en')} letters ${(1000 / perSecond).toFixed(1)} ms`;
  });
  console.log(`(a*)*[bc]: ${times.join(', ')}`);
}
