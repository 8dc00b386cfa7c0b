import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isList, isMap, type Path, type Value } from '../../server/src/base/value.ts';
import { locate } from '../../server/src/rules/judging/locate.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { keyByLines } from '../../server/src/yaml/keyByLines.ts';
import { isAsleep, isDormant } from '../../server/src/yaml/parse.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { fleetCrd } from '../support/fleetCrd.ts';
import { seeded } from '../support/random.ts';
import { mutated, randomDocument } from '../support/yamlTexts.ts';

// The lines of a document tell a key as its tree does, or nothing.

function pathsIn(value: Value | undefined, path: Path = []): Path[] {
  if (isMap(value)) return [path, ...[...value].flatMap(([key, one]) => pathsIn(one, [...path, key]))];
  if (isList(value)) return [path, ...value.flatMap((one, i) => pathsIn(one, [...path, i]))];
  return [path];
}

/** How many keys there are in the dormant documents of a text, and how many of them the lines tell. */
function told(text: string): { keys: number; byLines: number } {
  const counts = { keys: 0, byLines: 0 };
  for (const { document } of sourceFile('file:///a.yaml', text, { dormant: true }).stream.documents) {
    const value = isDormant(document) ? valueOf(document) : undefined;
    for (const path of pathsIn(value)) {
      const expected = rangeOf(document, path, 'key');
      const byLines = keyByLines(document, value!, path);
      if (expected) counts.keys++;
      if (!byLines) continue;
      counts.byLines++;
      assert.deepEqual(byLines, expected, `${path.join('.')} in\n${text}`);
    }
  }
  return counts;
}

test('the lines of a CRD tell nearly all keys', () => {
  const folder = 'examples/crds';
  const texts = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  for (const text of [...texts, fleetCrd(60_000), `# first\n--- # 👋\n${fleetCrd(20_000).replaceAll('\n', '\r\n')}`]) {
    const { keys, byLines } = told(text);
    assert.ok(byLines > 0.9 * keys, `${byLines} of ${keys}`);
  }
});

test('what only looks like a key is not taken for one', () => {
  const texts = [
    'a: "x\nb: y"\nb: z\n',
    'a: "x\nb: y"\n"b": z\n',
    "a: 'x\n\nb: y'\nc: z\n",
    'a: |\n  b: y\n  c: z\nb: 1\n',
    'a: >-\n b: y\nb: 1\n',
    'a: x\n  b\nb: y\n',
    'a: {b: 1,\nc: 2}\nd: 3\n',
    'a: {b: 1\n  , c: 2}\nb:\n  c: 1\n',
    'a: # b: y\n  c: z\n',
    'a:\n- b: 1\n  c: 2\n-\n  b: 3\n- - d: 1\n    e: 2\n  - d: 3\nc: 4\n',
    'a:\n  - b: 1\n\n    c: 2\n  # - b: 2\n  -   b: 3\n      c: 5\n',
    '? a\n: b\nc: d\n',
    'a: !!str\n  b\nc: &x\n  d: 1\n',
    'on: 1\ntrue: 2\n',
    'a:\n\tb: 1\nc: 2\n',
    'a: 1\rb: 2\n',
    '--- {a: 1}\n',
    '---\n  a: 1\n  b:\n    c: 2\n...\n',
  ];
  const counts = texts.map(told);
  assert.ok(counts.reduce((sum, { byLines }) => sum + byLines, 0) > 20);
});

test('so it is in any text', () => {
  const random = seeded(20);
  let sum = 0;
  for (let i = 0; i < 3000; i++) {
    const text = randomDocument(random);
    sum += told(text).byLines + told(mutated(random, text)).byLines;
  }
  assert.ok(sum > 2000, `${sum} keys were told by lines`);
});

test('the tree is not made for a place that the lines tell, nor is another place told than in the tree', () => {
  const text = fleetCrd(20_000);
  const asleep = sourceFile('file:///a.yaml', text, { dormant: true }).stream.documents[0]!.document;
  const awake = sourceFile('file:///a.yaml', text).stream.documents[0]!.document;
  const schema: Path = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
  for (const path of [
    [...schema, 'type'],
    [...schema, 'nowhere', 3],
    ['spec', 'names'],
  ]) {
    assert.deepEqual(locate(asleep, path, 'key'), locate(awake, path, 'key'));
    assert.ok(isAsleep(asleep), path.join('.'));
  }
  assert.deepEqual(locate(asleep, [...schema, 'type'], 'value'), locate(awake, [...schema, 'type'], 'value'));
  assert.ok(!isAsleep(asleep));
  assert.deepEqual(locate(asleep, ['spec', 'names'], 'key'), locate(awake, ['spec', 'names'], 'key'));
});
