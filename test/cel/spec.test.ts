// The published parsing, checking and comprehension data of the CEL specification, whose trees and errors come from
// cel-go. Its environment has neither optional syntax nor quoted names nor macros over two variables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as comprehension } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import type { Expr, Literal } from '../../server/src/cel/ast.ts';
import { compile, issuesOf } from '../../server/src/cel/compile.ts';
import { type CelEnv, joinLibraries, rootsOf } from '../../server/src/cel/env.ts';
import { newerOptionals, optionals } from '../../server/src/cel/libraries/optionals.ts';
import { sets } from '../../server/src/cel/libraries/sets.ts';
import { standard } from '../../server/src/cel/libraries/standard.ts';
import { join, stringFormat, strings } from '../../server/src/cel/libraries/strings.ts';
import * as T from '../../server/src/cel/types.ts';
import { formatFloat } from '../../server/src/gostd/float.ts';
import { quote } from '../../server/src/gostd/quote.ts';
import { baseEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { type ProtoType, typeOf } from './specTypes.ts';

interface SpecCase {
  readonly original: { readonly expr: string; readonly typeEnv?: readonly Declaration[]; readonly container?: string };
  readonly checkedAst?: string;
  readonly type?: string;
  readonly error?: string;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly SpecCase[];
}

interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: ProtoType };
}

/** Variables that the checking data takes for granted. */
const granted: readonly (readonly [string, T.CelType])[] = [
  ['is', T.stringType],
  ['ii', T.intType],
  ['iu', T.uintType],
  ['iz', T.boolType],
  ['ib', T.bytesType],
  ['id', T.doubleType],
  ['ix', T.nullType],
];

const { cel } = newestVersion;
const functions = joinLibraries([
  standard(cel),
  optionals,
  newerOptionals,
  strings(cel),
  stringFormat(cel),
  join,
  sets,
]);
const base = baseEnvironment(newestVersion, newestVersion.compatibility);
const macros = new Map([...base.syntax.macros].map(([name, all]) => [name, all.filter((macro) => isStandard(macro))]));

function isStandard(macro: { readonly name: string; readonly args: number }): boolean {
  if (macro.name === 'map') return true;
  return ['has', 'all', 'exists', 'exists_one', 'filter'].includes(macro.name) && macro.args <= 2;
}

/** The environment of a case, or why it cannot be had here. */
function environment({ original }: SpecCase, suite: string): CelEnv | string {
  if (original.container) return 'a container';
  if (/\bf[gi]_s/.test(original.expr)) return 'functions of its own';
  const idents = new Map([...base.idents, ...(suite === 'checking' ? granted : [])]);
  for (const { name, ident } of original.typeEnv ?? []) {
    if (!ident) return 'functions of its own';
    const type = typeOf(ident.type);
    if (!type) return 'protobuf messages or abstract types';
    idents.set(name, type);
  }
  const qualified = { idents: rootsOf(idents.keys()), functions: rootsOf(functions.keys()) };
  const off = { crossTypeComparisons: false, validators: false, formatValidator: false, structNamesAreTypes: false };
  const dialect = { ...base.dialect, ...off };
  return {
    ...base,
    functions,
    dialect,
    idents,
    qualified,
    syntax: { ...base.syntax, macros, optionals: false, quotedIdents: 'refused' },
  };
}

// cel-go's notation of checked trees, without blanks

function literalText({ literal }: Literal): string {
  switch (literal.of) {
    case 'string':
      return quote(literal.value);
    case 'bytes':
      return `b${quote(String.fromCharCode(...literal.value))}`;
    case 'uint':
      return `${literal.value}u`;
    case 'double':
      return formatFloat(literal.value);
    default:
      return String(literal.value);
  }
}

function reference(e: Expr): string {
  if (e.kind === 'ident') return `^${e.name}`;
  if (e.kind === 'select' && e.qualified) return `^${e.qualified}`;
  if (e.kind === 'struct') return `^${e.typeName}`;
  return e.kind === 'call'
    ? `^${e.overloads
        .map((overload) => overload.id)
        .sort()
        .join('|')}`
    : '';
}

const show = (e: Expr): string => `${plain(e)}~${e.type.text}${reference(e)}`;

function plain(e: Expr): string {
  switch (e.kind) {
    case 'literal':
      return literalText(e);
    case 'ident':
      return e.name;
    case 'select':
      return e.qualified ?? `${show(e.operand)}.${e.field}${e.testOnly ? '~test-only~' : ''}`;
    case 'call':
      return `${e.target ? `${show(e.target)}.` : ''}${e.name}(${e.args.map(show).join(',')})`;
    case 'list':
      return `[${e.elements.map(show).join(',')}]`;
    case 'map':
      return `{${e.entries.map((entry) => `${show(entry.key)}:${show(entry.value)}`).join(',')}}`;
    case 'struct':
      return `${e.typeName}{${e.fields.map((field) => `${field.name}:${show(field.value)}`).join(',')}}`;
    case 'comprehension': {
      const parts = [
        e.iterVar,
        show(e.range),
        e.accuVar,
        show(e.init),
        show(e.condition),
        show(e.step),
        show(e.result),
      ];
      return `__comprehension__(${parts.join(',')})`;
    }
    case 'error':
      return '!';
  }
}

const dense = (text: string) => text.replace(/^\s*\/\/ .*$/gm, '').replace(/\s/g, '');

function casesOf(suite: Suite): SpecCase[] {
  return [...(suite.tests ?? []), ...(suite.suites ?? []).flatMap(casesOf)];
}

/** Why a case is left out; undefined where it counts. */
function leftOut(one: SpecCase, suite: string): string | undefined {
  const env = environment(one, suite);
  if (typeof env === 'string') return env;
  if (/TestAllTypes|google\.|NestedEnum|GlobalEnum/.test(one.original.expr))
    return 'protobuf messages or abstract types';
  if (/cel\.bind|\.reverse\(|math\.|proto\.|\.existsOne\([^,]+,[^,]+\)$/.test(one.original.expr))
    return 'libraries that Kubernetes lacks';
  if (/limit exceeded|max recursion depth/.test(one.error ?? '')) return 'lower limits';
  return undefined;
}

/** What is wrong with our answer; undefined if nothing is. */
function judge(one: SpecCase, suite: string): string | undefined {
  const env = environment(one, suite) as CelEnv;
  const compiled = compile(one.original.expr, env);
  const ours = one.error === undefined ? show(compiled.expr).replace(/\s/g, '') : issuesOf(compiled, env);
  // Errors of the parser alone were recorded without the name of the input.
  const theirs = one.error?.replace(/^ERROR: :/gm, 'ERROR: <input>:') ?? dense(one.checkedAst ?? '');
  return ours === theirs || theirs === '' ? undefined : `${one.original.expr}\n  ours   ${ours}\n  theirs ${theirs}`;
}

for (const suite of [parsing, checking, comprehension] as unknown as Suite[]) {
  test(`cel-spec ${suite.name}`, (t) => {
    const reasons = new Map<string, number>();
    const wrong: string[] = [];
    const all = casesOf(suite);
    for (const one of all) {
      const reason = leftOut(one, suite.name);
      const mistake = reason ? undefined : judge(one, suite.name);
      if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (mistake) wrong.push(mistake);
    }
    const out = [...reasons].map(([reason, count]) => `${count} for ${reason}`).join(', ');
    t.diagnostic(`${suite.name}: ${all.length} cases, left out: ${out || 'none'}`);
    assert.equal(wrong.length, 0, wrong.join('\n'));
  });
}
