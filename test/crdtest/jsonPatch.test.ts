import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { jsonPatched } from '../../server/src/kubernetes/apply/jsonPatch.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';

// jsonPatch.json holds what the API server's own library says (jsonPatch/main.go); `npm run unit -- crdtest/jsonPatch
// --update` asks it again.

const file = 'test/crdtest/jsonPatch.json';
const document = '{"a":{"b":[1,{"c":2},null],"":3,"x/y":{"~":1}},"n":null,"t":"text","l":[]}';
const pointers = [
  ...['', '/', 'a', '/a', '/z', '/a/b', '/a/z', '/a/z/z', '/n/a', '/t/a', '/a/', '//a', '/a/x~1y/~0', '/a/x~1y/~1'],
  ...['0', '1', '2', '3', '4', '99', '-', '-1', '-3', '-4', '+1', '01', '-0', '1.0', 'x', '', ' 1', '1e3'].map(
    (index) => `/a/b/${index}`,
  ),
  ...['/a/b/1/c', '/a/b/1/d', '/a/b/-2/c', '/a/b/0/c', '/a/b/2/c', '/a/b/-/c', '/l/0', '/l/-', '/l/-1'],
  ...[
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775808',
    '1'.repeat(30),
    '00000000000000000000001',
  ].map((index) => `/a/b/${index}`),
];
const places = [
  '/a',
  '/z',
  '/a/b',
  '/a/b/0',
  '/a/b/1/c',
  '/a/b/-1',
  '/a/b/-',
  '/a/b/9',
  '/n',
  '/n/x',
  '/t/x',
  '/l/0',
  '',
  'a',
];
const patches = [
  ...places.flatMap((path) => [
    ...['/a/b/1', '/t', '/z', '/a/b/9', '/n/x', '/l/0', '/a/x~1y'].flatMap((from) => [
      `[{"op":"move","from":"${from}","path":"${path}"}]`,
      `[{"op":"copy","from":"${from}","path":"${path}"}]`,
    ]),
    ...['1', 'null', '"text"', '[]', '{"c":2}', '{"":3}'].map(
      (value) => `[{"op":"test","path":"${path}","value":${value}}]`,
    ),
  ]),
  '[{"op":"move","path":"/a"}]',
  '[{"op":"copy","path":"/a"}]',
  '[{"op":"copy","from":"/a"}]',
  '[{"op":"test","value":1}]',
  '[{"op":"replace","value":1}]',
  ...pointers.flatMap((path) => [
    `[{"op":"add","path":${JSON.stringify(path)},"value":7}]`,
    `[{"op":"remove","path":${JSON.stringify(path)}}]`,
    `[{"op":"replace","path":${JSON.stringify(path)},"value":{"v":[8]}}]`,
  ]),
  '[]',
  '[{"op":"add","path":"/a/b/-"},{"op":"remove","path":"/a/b/3"}]',
  '[{"op":"add","path":"/k","value":{"b":[]}},{"op":"add","path":"/k/b/0","value":1},{"op":"remove","path":"/k/b/-1"}]',
  '[{"op":"add"}]',
  '[{"op":"remove","path":null}]',
  '[{"op":"replace","path":"","value":[1]},{"op":"add","path":"/-","value":2}]',
];

interface Answer {
  readonly doc?: unknown;
  readonly error?: string;
}

if (process.env.UPDATE === '1') {
  const input = patches.map((patch) => `{"doc":${document},"patch":${patch}}\n`).join('');
  const { stdout, status, stderr } = spawnSync('go', ['run', '.'], {
    cwd: 'test/crdtest/jsonPatch',
    input,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const answers = stdout.trim().split('\n');
  writeFileSync(file, `{\n${patches.map((patch, i) => `${JSON.stringify(patch)}: ${answers[i]}`).join(',\n')}\n}\n`);
}

const read = (json: string): Value => valueOf(parseDocument(json)) ?? null;
const answers: Record<string, Answer> = JSON.parse(readFileSync(file, 'utf8'));

test('JSON patches do what those of the API server do, with its words', () => {
  for (const patch of patches) {
    const answer = answers[patch];
    assert.ok(answer, `${patch} was not asked`);
    const before = read(document);
    const found = jsonPatched(before, read(patch) as readonly Value[]);
    const isTest = answer.error?.endsWith(': test failed') && { isTest: true };
    const expected =
      answer.error === undefined ? { value: read(JSON.stringify(answer.doc)) } : { error: answer.error, ...isTest };
    assert.deepEqual(found, expected, patch);
    assert.deepEqual(before, read(document), 'the CRD serves other cases as well');
  }
});

test('other patches are told apart from those that do not apply', () => {
  const said = (patch: Value) => jsonPatched(new Map(), [patch]);
  assert.deepEqual(said(new Map([['op', 'merge']])), { error: 'a patch asks for merge, which is not known' });
  assert.deepEqual(said('text'), { error: 'a patch asks for nothing, which is not known' });
});

test('patches that copy a large list again and again end', () => {
  const list = Array.from({ length: 100_000 }, () => null);
  const patch = new Map<string, Value>([
    ['op', 'add'],
    ['path', '/-'],
  ]);
  const found = jsonPatched(
    list,
    Array.from({ length: 1000 }, () => patch),
  );
  assert.deepEqual(found, { error: 'the patches copy more than 2,000,000 entries' });
});

test('copies of copies end where those of the API server end, with its words', () => {
  const patch = (i: number) => ({ op: 'copy', from: '/x', path: `/x/k${i}` });
  const text = JSON.stringify(Array.from({ length: 40 }, (_, i) => patch(i)));
  const found = jsonPatched(read('{"x":{"a":"<é"}}'), read(text) as readonly Value[]);
  // What json-patch v4.13.0 says of it with the limit of the API server.
  const error =
    'Unable to complete the copy, the accumulated size increase of copy is 5767285, exceeding the limit 3145728';
  assert.deepEqual(found, { error });
});

test('a patch nests nothing too deep', () => {
  const deeper = (i: number) => ({ op: 'copy', from: '/x', path: `/x${'/k'.repeat(2 ** i)}` });
  const steps = Array.from({ length: 14 }, (_, i) => deeper(i));
  const found = jsonPatched(read('{"x":{}}'), read(JSON.stringify(steps)) as readonly Value[]);
  assert.deepEqual(found, { error: 'the patched object is nested more than 1,000 levels deep' });
});
