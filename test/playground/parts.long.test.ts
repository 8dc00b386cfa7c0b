import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

/** What a visit of the playground loads before its first verdict, as servers compress it; what more where it is needed. */
const mostFirst = 700_000;
const mostOnDemand: Readonly<Record<string, number>> = {
  'editor.js': 90_000,
  'policies.js': 25_000,
  'sources.js': 270_000,
  'data/builtinKinds.json.gz.js': 270_000,
  'data/crdSources.json.gz.js': 10_000,
  'data/crossplane.json.gz.js': 10_000,
  'data/goLibrary.json.gz.js': 100_000,
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
  for (const part of ['engine', 'editor', 'policies', 'sources'])
    runInContext(readFileSync(`dist/playground/${part}.js`, 'utf8'), scope, { filename: part });
  const { editor, policies, sources } = scope.kubeCrdParts as Record<string, Record<string, Record<string, unknown>>>;
  const taken = [editor!, policies!, sources!]
    .flatMap((part) => Object.values(part))
    .flatMap((file) => Object.entries(file));
  assert.ok(taken.length > 100);
  assert.deepEqual(
    taken.filter(([, one]) => typeof one !== 'function').map(([name]) => name),
    [],
  );
});
