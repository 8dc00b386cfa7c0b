import assert from 'node:assert/strict';
import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { rules } from '../../server/src/rules/model/registry.ts';

/** What a visit of the playground loads before its first verdict, as servers compress it; what more where it is needed. */
const mostFirst = 600_000;
const mostOnDemand: Readonly<Record<string, number>> = {
  'editor.js': 140_000,
  'markdown.js': 20_000,
  'policies.js': 25_000,
  'rules.js': 75_000,
  'sources.js': 345_000,
  'data/builtinKinds.json.gz.js': 270_000,
  'data/crdSources.json.gz.js': 10_000,
  'data/crossplane.json.gz.js': 10_000,
  'data/goLibrary.json.gz.js': 100_000,
  'data/kro.json.gz.js': 10_000,
};

test('a visit of the playground loads no more than it is said to', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/playground.mjs', '--json'], { encoding: 'utf8' });
  assert.equal(stderr, '');
  const { first, more } = JSON.parse(stdout) as Record<'first' | 'more', Record<string, number>>;
  const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((all, bytes) => all + bytes, 0);
  assert.deepEqual(Object.keys(first).sort(), ['engine.js', 'index.html', 'page.js', 'style.css']);
  assert.ok(sum(first) <= mostFirst, `${sum(first)} bytes before the first verdict`);
  assert.deepEqual(Object.keys(more).sort(), Object.keys(mostOnDemand).sort());
  for (const [file, bytes] of Object.entries(more)) assert.ok(bytes <= mostOnDemand[file]!, `${file}: ${bytes} bytes`);
});

test('what a part of the engine is called for are functions', () => {
  for (const { engine, ...parts } of [loadedParts(), serverParts()]) {
    assert.ok(engine);
    const files = Object.values(parts).flatMap((part) => Object.entries(part));
    const taken = files.filter(([name]) => !name.includes('vscode-')).flatMap(([, file]) => Object.entries(file));
    assert.ok(taken.length > 100);
    assert.deepEqual(
      taken.filter(([, one]) => typeof one !== 'function').map(([name]) => name),
      [],
    );
  }
});

test('the scripts of the server have nothing but ASCII, as they are read', () => {
  const scripts = readdirSync('dist/server').filter((name) => name.endsWith('.cjs'));
  assert.deepEqual(
    scripts.sort(),
    ['commands', 'engine', 'main', 'program', ...partNames].map((name) => `${name}.cjs`).sort(),
  );
  for (const file of scripts) assert.ok(isAscii(readFileSync(`dist/server/${file}`)), file);
});

test('the halves of a rule are the whole of it', () => {
  const { engine, rules: words } = loadedParts();
  const registry = 'rules/model/registry.ts';
  const ruleIn = (part: typeof engine, code: string) =>
    (part![registry]!.ruleOf as (code: string) => Record<string, unknown>)(code);
  const judging = ['check', 'plain', 'listed', 'related'];
  for (const rule of rules) {
    const [judged, said] = [ruleIn(engine, rule.code), ruleIn(words, rule.code)];
    const both = { ...said, ...Object.fromEntries(Object.entries(judged).filter(([key]) => judging.includes(key))) };
    assert.deepEqual(kindsOf(both), kindsOf(rule), rule.code);
    const { explanation, bad, good, ...rest } = kindsOf(rule);
    assert.ok(explanation && bad !== undefined && good !== undefined);
    const kept = Object.fromEntries(Object.entries(kindsOf(judged)).filter(([key]) => key in rest));
    assert.deepEqual(kept, rest, rule.code);
  }
});

/** What a rule has by name: texts as they are, functions as such. */
function kindsOf(rule: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => [
      key,
      typeof value === 'function' ? 'a function' : JSON.stringify(value),
    ]),
  );
}

type Parts = Record<string, Record<string, Record<string, unknown>>>;

function loadedParts(): Parts {
  const scope = newScope();
  for (const part of ['engine', 'editor', 'policies', 'rules', 'sources'])
    runInContext(readFileSync(`dist/playground/${part}.js`, 'utf8'), scope, { filename: part });
  return scope.kubeCrdParts as Parts;
}

const partNames = ['server', 'editor', 'policies', 'rules', 'sources'];

/** All parts of the server's engine, as a browser's worker has them. Each is made when it is called otherwise. */
function serverParts(): Parts {
  const scope = newScope();
  for (const script of [...partNames, 'engine'])
    runInContext(readFileSync(`dist/server/${script}.cjs`, 'utf8'), scope, { filename: script });
  assert.deepEqual(Object.keys(scope.kubeCrdParts as Parts), ['engine'], 'no part is made at once');
  for (const make of Object.values(scope.kubeCrdMake as Record<string, () => void>)) make();
  return scope.kubeCrdParts as Parts;
}

function newScope(): Record<string, unknown> {
  const scope: Record<string, unknown> = {
    addEventListener() {},
    postMessage() {},
    TextEncoder,
    TextDecoder,
    URL,
    console,
  };
  scope.self = scope;
  createContext(scope);
  return scope;
}
