// The published conformance data of the CEL specification: what expressions evaluate to, in the environment that
// Kubernetes has. Error texts are those of several implementations; here an error is an error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { check } from '../../server/src/cel/check.ts';
import { compile } from '../../server/src/cel/compile.ts';
import { type CelEnv, rootsOf } from '../../server/src/cel/env.ts';
import { isEqual } from '../../server/src/cel/eval/equal.ts';
import { programOf, type Variables } from '../../server/src/cel/eval/run.ts';
import * as V from '../../server/src/cel/eval/values.ts';
import { parse } from '../../server/src/cel/parse.ts';
import { parseGoDuration } from '../../server/src/gostd/duration.ts';
import { parseRfc3339 } from '../../server/src/gostd/time.ts';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { evalRules } from '../../server/src/kubernetes/cel/runtime.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { type ProtoType, typeOf } from './specTypes.ts';

type ProtoValue = Readonly<Record<string, unknown>>;

interface EvalCase {
  readonly original: {
    readonly name?: string;
    readonly expr: string;
    readonly container?: string;
    readonly disableCheck?: boolean;
    readonly checkOnly?: boolean;
    readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type: ProtoType } }[];
    readonly bindings?: Readonly<Record<string, { readonly value?: ProtoValue }>>;
    readonly value?: ProtoValue;
    readonly typedResult?: { readonly result?: ProtoValue };
    readonly evalError?: unknown;
  };
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly EvalCase[];
}

const rules = evalRules(newestVersion);
const base = baseEnvironment(newestVersion, newestVersion.name);
const messages = 'protobuf messages or enums';

// Values

function double(value: unknown): number {
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  return Number(value);
}

function object(value: { readonly '@type': string; readonly value?: string }): V.Val | undefined {
  const text = value.value ?? '';
  switch (value['@type']) {
    case 'type.googleapis.com/google.protobuf.Duration': {
      const nanos = parseGoDuration(text);
      return typeof nanos === 'bigint' ? V.duration(nanos) : undefined;
    }
    case 'type.googleapis.com/google.protobuf.Timestamp': {
      const parsed = parseRfc3339(text);
      return 'time' in parsed ? V.timestamp(parsed.time.seconds, parsed.time.nanoseconds) : undefined;
    }
    default:
      return undefined;
  }
}

/** A value of the data; undefined for protobuf messages. */
function valueOf(proto: ProtoValue): V.Val | undefined {
  const [[kind, value]] = Object.entries(proto) as [[string, never]];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return value;
    case 'int64Value':
      return BigInt(value);
    case 'uint64Value':
      return V.uint(BigInt(value));
    case 'doubleValue':
      return double(value);
    case 'bytesValue':
      return V.bytes(new Uint8Array(Buffer.from(value, 'base64')));
    case 'typeValue':
      return typeNamed(value);
    case 'objectValue':
      return object(value);
    case 'listValue':
      return listOf((value as { values?: ProtoValue[] }).values ?? []);
    case 'mapValue':
      return mapOf((value as { entries?: { key: ProtoValue; value: ProtoValue }[] }).entries ?? []);
    default:
      return undefined;
  }
}

function typeNamed(name: string): V.Val | undefined {
  const type = base.idents.get(name)?.params[0];
  return type && V.typeVal(type);
}

function listOf(protos: readonly ProtoValue[]): V.Val | undefined {
  const values = protos.map(valueOf);
  return values.includes(undefined) ? undefined : V.list(values as V.Val[]);
}

function mapOf(entries: readonly { readonly key: ProtoValue; readonly value: ProtoValue }[]): V.Val | undefined {
  const pairs = entries.map(({ key, value }) => [valueOf(key), valueOf(value)] as const);
  if (pairs.some((pair) => pair.includes(undefined))) return undefined;
  return V.mapOfPairs(pairs as [V.Val, V.Val][]);
}

/** Equal, and of one type; NaN is what it is here. */
function same(a: V.Val, b: V.Val): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Object.is(a, b) || a === b;
  if (V.isKind(a, 'type') && V.isKind(b, 'type')) return a.type.name === b.type.name;
  return V.typeName(a) === V.typeName(b) && isEqual(a, b);
}

// Cases

const lacking = /cel\.(bind|block|iterVar|index)|math\.|proto\.|base64\.|\.reverse\(|strings\.reverse/;

function environment({ original }: EvalCase): CelEnv | string {
  const idents = new Map(base.idents);
  for (const { name, ident } of original.typeEnv ?? []) {
    const type = ident && typeOf(ident.type);
    if (!type) return ident ? messages : 'functions of its own';
    idents.set(name, type);
  }
  return { ...base, idents, qualified: { ...base.qualified, idents: rootsOf(idents.keys()) } };
}

/** Why a case is left out; undefined where it counts. */
function leftOut(one: EvalCase): string | undefined {
  const { original } = one;
  if (lacking.test(original.expr)) return 'libraries that Kubernetes lacks';
  if (
    /TestAllTypes|google\.protobuf\.(Any|Empty)|google\.(?!protobuf)|NestedEnum|GlobalEnum|NestedMessage|NestedTestAllTypes/.test(
      original.expr,
    )
  )
    return messages;
  if (original.container) return 'a container';
  if (original.disableCheck) return 'evaluation without checking';
  if (original.checkOnly) return 'nothing to evaluate';
  const env = environment(one);
  if (typeof env === 'string') return env;
  const wanted = original.value ?? original.typedResult?.result;
  const values = [wanted, ...Object.values(original.bindings ?? {}).map((binding) => binding.value)];
  return values.some((value) => value && valueOf(value) === undefined) ? messages : undefined;
}

/** What an expression evaluates to, or what is wrong with it. */
function outcome(expr: string, env: CelEnv, variables: Variables): V.Val | string {
  // Lists of several types are refused by a validator of Kubernetes', which is left out here.
  const parsed = parse(expr, env.syntax);
  const problem = parsed.syntax[0] ?? parsed.problems[0] ?? check(parsed.expr, env).problems[0];
  if (problem) return V.error(problem.message);
  const programmed = programOf({ ...compile('', env), expr: parsed.expr }, env, rules);
  if ('error' in programmed) return V.error(programmed.error);
  if ('panic' in programmed) return `panic: ${programmed.panic}`;
  if ('unsupported' in programmed) return `unsupported: ${programmed.unsupported}`;
  const evaluated = programmed.program.evaluate(variables, Number.POSITIVE_INFINITY);
  return 'unsupported' in evaluated ? `unsupported: ${evaluated.unsupported}` : evaluated.value;
}

/** What is wrong with our answer; undefined if nothing is. */
function judge(one: EvalCase): string | undefined {
  const { original } = one;
  const variables: Variables = (name) => {
    const value = original.bindings?.[name]?.value;
    return value && valueOf(value);
  };
  const found = outcome(original.expr, environment(one) as CelEnv, variables);
  const wanted =
    original.value ?? original.typedResult?.result ?? (original.evalError ? undefined : { boolValue: true });
  const right = wanted ? same(found, valueOf(wanted)!) : V.isError(found);
  const shown = V.isError(found)
    ? found.message
    : typeof found === 'object' && found !== null
      ? goTextOr(found)
      : String(found);
  return right
    ? undefined
    : `${original.expr}\n  ours   ${shown}\n  theirs ${JSON.stringify(wanted ?? original.evalError)}`;
}

const goTextOr = (value: V.Val) => V.typeName(value);

function casesOf(suite: Suite): EvalCase[] {
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(casesOf)];
}

/** The API server answers these in its own way: its answer is among the recorded ones. */
const recorded = readFileSync('test/conformance/cases/cel-eval/spec.md', 'utf8').split('\n');
const otherwise = new Set([...recorded, 'str_var.format([1052.032911275])']);

function count(cases: readonly EvalCase[], judgeOne: (one: EvalCase) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const one of cases) {
    const reason = leftOut(one);
    const mistake = reason ? undefined : judgeOne(one);
    const known = mistake && otherwise.has(one.original.expr) ? 'the API server differs' : undefined;
    if (mistake && !known) wrong.push(mistake);
    const outcome = reason ?? known ?? 'right';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  assert.equal(wrong.length, 0, `${wrong.length}\n${wrong.join('\n')}`);
  return counts;
}

test('cel-spec conformance', () => {
  assert.deepEqual(count(casesOf(conformance as unknown as Suite), judge), {
    right: 1336,
    'the API server differs': 26,
    'protobuf messages or enums': 550,
    'libraries that Kubernetes lacks': 263,
    'evaluation without checking': 121,
    'nothing to evaluate': 25,
    'a container': 23,
  });
});

/** Comprehensions over two variables: cel-go's own tests want true of those that have no answer on record. */
test('cel-spec comprehension', () => {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const one of casesOf(comprehension as unknown as Suite)) {
    const { expr } = one.original;
    const found = outcome(expr, base, () => undefined);
    const missing = V.isError(found) && /undeclared reference to '[mxy]'/.test(found.message);
    const kind = lacking.test(expr)
      ? 'libraries that Kubernetes lacks'
      : missing
        ? 'variables without values'
        : otherwise.has(expr)
          ? 'on record'
          : 'right';
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind === 'right' && found !== true) wrong.push(expr);
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(counts, {
    right: 40,
    'on record': 27,
    'libraries that Kubernetes lacks': 12,
    'variables without values': 13,
  });
});
