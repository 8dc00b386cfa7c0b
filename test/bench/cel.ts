import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { celEnv, parse as parseBufbuild, plan } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import { parse as parseCelJs } from 'cel-js';
import type { Expr } from '../../server/src/cel/ast.ts';
import { compile, issuesOf } from '../../server/src/cel/compile.ts';
import { estimateCost } from '../../server/src/cel/cost.ts';
import { parse } from '../../server/src/cel/parse.ts';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { compileRules } from '../../server/src/kubernetes/cel/rules.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { sampleDecl, sampleProps, sampleSchema } from '../cel/sample.ts';
import { oracleBinary, startOracle } from '../conformance/oracle.ts';
import { encodeExact } from '../conformance/protocol.ts';
import { crdOf, line, plainSchema, race, rules, type Timed } from './supportCel.ts';

const each = (what: string, compileOne: (text: string) => void): Timed => {
  return { what, rules: rules.length, run: () => rules.forEach(compileOne) };
};

const ours = schemaEnvironment(newestVersion, Number.POSITIVE_INFINITY, sampleDecl);

function checkOurs(text: string): Expr {
  const compiled = compile(text, ours.env);
  if (issuesOf(compiled, ours.env) !== undefined) throw new Error(`does not compile: ${text}`);
  return compiled.expr;
}

/** The peer that checks types: with `self` a map of anything, and with the fields of the sample schema. */
const untyped = new Environment({ unlistedVariablesAreDyn: false }).registerVariable('self', 'map');
const typed = new Environment({ unlistedVariablesAreDyn: false })
  .registerType('Item', { fields: { name: 'string', ports: 'list<int>' } })
  .registerVariable('self', {
    schema: {
      n: 'int',
      s: 'string',
      long: 'string',
      m: 'map<string, string>',
      strs: 'list<string>',
      obj: { s: 'string', deep: { x: 'int' } },
      items: 'list<Item>',
    },
  });
const buf = celEnv();

function checkPeer(peer: Environment): (text: string) => void {
  return (text) => {
    const { valid, error } = peer.check(text);
    if (!valid) throw new Error(`the peer refuses ${text}: ${error?.message}`);
  };
}

export async function bench(): Promise<void> {
  const own = race([
    each('ours: parse, check, price', (text) => estimateCost(checkOurs(text), ours.model)),
    each('ours: parse, check', checkOurs),
    each('ours: parse', (text) => parse(text, ours.env.syntax)),
    each('@marcbachmann/cel-js: parse, check, typed', checkPeer(typed)),
    each('@marcbachmann/cel-js: parse, check', checkPeer(untyped)),
    each('@bufbuild/cel: parse, plan', (text) => plan(buf, parseBufbuild(text))),
    each('cel-js: parse', (text) => parseCelJs(text)),
  ]);
  await besideCelGo(own);
  manyRules();
}

/** cel-go through the API server's own compilation of a CRD's rules: parse, check, program and price. */
async function besideCelGo(own: number): Promise<void> {
  if (oracleBinary(newestVersion.name) === undefined) {
    console.log('cel-go: no oracle is built here');
    return;
  }
  const count = 4000;
  const validations = Array.from({ length: count }, (_, i) => ({ rule: rules[i % rules.length], message: String(i) }));
  const oracle = startOracle(newestVersion.name);
  const ask = (some: readonly unknown[]) =>
    oracle.ask([
      encodeExact({ op: 'crd.rules', crd: crdOf({ ...plainSchema(sampleProps), 'x-kubernetes-validations': some }) }),
    ]);
  await ask(validations.slice(0, 200));
  const start = performance.now();
  await ask(validations.slice(0, count / 2));
  const half = performance.now();
  await ask(validations);
  // The second request is the first one twice: the difference is free of what a request costs at all.
  const seconds = (performance.now() - half - (half - start)) / 1000;
  oracle.close();
  line('cel-go: parse, check, program, price', count / 2 / seconds, own);
}

/** What the rules of a large cluster take, and what they keep in memory. */
function manyRules(): void {
  const count = 5000;
  const validations = Array.from({ length: count }, (_, i) => ({
    rule: `${rules[i % rules.length]} || self.n == ${i}`,
    message: 'm',
    messageExpression: '',
    fieldPath: '',
  }));
  const schema = { ...sampleSchema, extensions: { ...sampleSchema.extensions, validations } };
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const start = performance.now();
  const compiled = compileRules(schema, sampleDecl, { kubernetes: newestVersion });
  const took = performance.now() - start;
  collectGarbage();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  console.log(
    `${compiled.length} different rules with programs in ${took.toFixed(0)} ms, ${Math.round(bytes)} bytes each`,
  );
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
