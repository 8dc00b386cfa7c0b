import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value, ValueMap } from '../../server/src/base/value.ts';
import { documentRun } from '../../server/src/crdtest/documentRun.ts';
import { readEnvtestSuite, runEnvtestCase, sizeOfEnvtestRun } from '../../server/src/crdtest/envtestSuite.ts';
import { differences, patched } from '../../server/src/crdtest/objects.ts';
import { runFile } from '../../server/src/crdtest/runFile.ts';
import { unlike } from '../../server/src/crdtest/said.ts';
import { mostRuleWork, mostValues, sizeOf } from '../../server/src/crdtest/size.ts';
import { readSuite } from '../../server/src/crdtest/suite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { indexDefinitions } from '../../server/src/workspace/definitions.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { boxCrd } from '../support/boxCrd.ts';

// Files of tests that are there to end or hang a run: one case fails, the others say what they say alone.

const crd = boxCrd(`
          type: object
          x-kubernetes-preserve-unknown-fields: true
          properties:
            size: {type: integer, minimum: 1}
            list: {type: array, maxItems: 800, items: {type: integer}, x-kubernetes-validations: [{rule: 'self.all(x, self.all(y, x + y >= 0))'}]}
`);
const crdFile = sourceFile('file:///a/crd.yaml', crd);
const definitions = indexDefinitions([crdFile]);
const box = 'apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}';
const deep = (levels: number) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`;

const objects: Readonly<Record<string, string>> = {
  'file:///a/deep.yaml': `{${box}, spec: ${deep(9000)}}`,
  'file:///a/large.yaml': `{${box}} #${'x'.repeat(4_000_000)}`,
};
const reads: string[] = [];
const files = {
  expand: async (path: string) => ({ uris: [`file:///a/${path}`] }),
  read: async (uri: string) => {
    reads.push(uri);
    return new TextEncoder().encode(objects[uri] ?? crd);
  },
} as unknown as Files;

/** What fails of the cases of a file, by their names. */
async function failures(text: string): Promise<Record<string, readonly string[] | undefined>> {
  const file = sourceFile('file:///a/a.crdtest.yaml', text);
  const found: [string, readonly string[] | undefined][] = [];
  const options = { files, uri: file.uri, definitions, usual: [newestVersion], wanted: () => true };
  for await (const one of runFile(file, options)) found.push([one.name, one.failures]);
  return Object.fromEntries(found);
}

const suite = (cases: string, bases = `{box: {${box}}}`) =>
  `crd: {kind: Box}\nbases: ${bases}\ncases:\n  - {name: first, create: {}}\n${cases}  - {name: last, create: {with: {size: 0}}, errors: [size]}\n`;

test('a case that is nested too deep fails, the others are run', async () => {
  const tooDeep = 'nested more than 500 levels deep, and is not judged';
  const cases: Record<string, string> = {
    inline: `create: {${box}, spec: ${deep(9000)}}`,
    'a patch': `create: {with: {spec: ${deep(9000)}}}`,
    'a path': `create: {with: {? ${'a.'.repeat(9000)}a : 1}}`,
    'a row': `create: {}, each: [{spec: ${deep(9000)}}]`,
    stored: `create: {}, stored: {spec: ${deep(9000)}}`,
    'a change of the CRD': `update: {from: {}, to: {}}, crd: {spec: ${deep(9000)}}`,
    self: `rule: 'list.x-kubernetes-validations[0]', self: ${deep(9000)}`,
    'a file': 'create: deep.yaml',
    'all together': `create: {base: box, with: {spec: ${deep(400)}, ? ${'spec.'.repeat(300)}a : 1}}`,
  };
  for (const [name, one] of Object.entries(cases)) {
    const { first, last, ...found } = await failures(suite(`  - {name: deep, ${one}}\n`));
    assert.deepEqual([first, last], [[], []], name);
    assert.match(String(Object.values(found)), new RegExp(tooDeep), name);
  }
  const inBase = await failures(suite('', `{box: {${box}, spec: ${deep(9000)}}}`));
  assert.match(String(inBase.first), new RegExp(tooDeep));
  // As deep as anything that is judged.
  assert.deepEqual(await failures(suite(`  - {name: deep, create: {with: {spec: ${deep(490)}}}}\n`)), {
    first: [],
    deep: [],
    last: [],
  });
});

test('an imported case that is too deep, or whose patches name what is not there, fails alone', () => {
  const object = (spec: string) => `"${`{apiVersion: example.com/v1, kind: Box, spec: ${spec}}`}"`;
  const patch = (text: string) =>
    `{name: a, initial: ${object('{}')}, updated: ${object('{}')}, initialCRDPatches: [${text}]}`;
  const text = `{crdName: boxes.example.com, tests: {onCreate: [
    {name: right, initial: ${object('{}')}},
    {name: deep, initial: ${object(deep(9000))}},
    {name: deep in what is expected, initial: ${object('{}')}, expected: ${object(deep(9000))}}],
   onUpdate: [
    ${patch('{op: remove, path: /spec/versions/99}')},
    ${patch('{op: replace, path: /spec/versions/99, value: 1}')},
    ${patch('{op: replace, path: /-, value: 1}')},
    ${patch('{op: add, path: /spec/versions/-1/x/y, value: 1}')},
    ${patch(`{op: add, path: /spec/x, value: ${deep(9000)}}`)}]}}`;
  const read = readEnvtestSuite(parseDocument(text))!;
  const document = valueOf(parseDocument(crd))!;
  assert.deepEqual(
    read.cases.map((one) => runEnvtestCase(one, document, newestVersion).map((line) => line.slice(0, 120))),
    [
      [],
      ['the object is nested more than 500 levels deep, and is not judged'],
      ['the object is nested more than 500 levels deep, and is not judged'],
      [
        "the CRD cannot be patched: error in remove for path: '/spec/versions/99': Unable to access invalid index: 99: invalid index referenced".slice(
          0,
          120,
        ),
      ],
      [
        'the CRD cannot be patched: replace operation does not apply: doc is missing key: /spec/versions/99: missing value',
      ],
      [],
      [
        'the CRD cannot be patched: add operation does not apply: doc is missing path: "/spec/versions/-1/x/y": missing value'.slice(
          0,
          120,
        ),
      ],
      ['the CRD cannot be patched: the patched object is nested more than 1,000 levels deep'],
    ],
  );
});

test('names that JavaScript knows are names', () => {
  const put = new Map<string, Value>([
    ['__proto__.polluted', true],
    ['constructor.prototype.polluted', true],
    ['__proto__', new Map<string, Value>([['a', 1n]])],
  ]);
  const found = patched(new Map(), put) as ValueMap;
  assert.deepEqual([...found.keys()], ['__proto__', 'constructor']);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('a patch copies each list and map once, however many of its keys lead there', () => {
  let copied = 0;
  /** A map that counts what is taken out of it. */
  class Counting extends Map<string, Value> {
    override *[Symbol.iterator](): MapIterator<[string, Value]> {
      for (const entry of this.entries()) {
        copied++;
        yield entry;
      }
    }
  }
  const many = (n: number) => Array.from({ length: n }, (_, i): [string, Value] => [`k${i}`, null]);
  for (const n of [500, 1000]) {
    copied = 0;
    patched(new Map([['a', new Counting(many(n))]]), new Map(many(n).map(([key]) => [`a.${key}`, true])));
    assert.equal(copied, n);
  }
});

test('what the cases of a file come to is bounded, and a case that is too large takes nothing from the others', async () => {
  const large = `{box: {${box}}, large: {${box}, spec: {list: [${'1, '.repeat(200_000)}]}}}`;
  const cases = Array.from({ length: 60 }, (_, i) => `  - {name: c${i}, create: {base: large}}\n`).join('');
  const text = suite(cases, large)
    .replaceAll('create: {}', 'create: {base: box}')
    .replace('{with:', '{base: box, with:');
  const found = await failures(text);
  const ran = Object.values(found).filter((one) => one?.length === 0).length;
  // Each has a little more than 200,000 values.
  assert.equal(ran, 2 + Math.floor(mostValues / 200_000) - 1);
  assert.deepEqual(found.c59, ['not run: the cases of one file get no more than 10,000,000 values']);
  assert.deepEqual([found.first, found.last], [[], []]);
  const document = parseDocument(text);
  assert.equal(documentRun(document, 'file:///a/a.crdtest.yaml', definitions, newestVersion), undefined);
});

test('what is read for cases counts as well', async () => {
  reads.length = 0;
  const cases = Array.from({ length: 5 }, (_, i) => `  - {name: c${i}, create: large.yaml}\n`).join('');
  const found = await failures(suite(cases));
  assert.deepEqual(
    Object.values(found).map((one) => one?.length),
    [0, 0, 0, 1, 1, 1, 0],
  );
});

test('what rules come to is counted over all cases', async () => {
  const list = `[${'1, '.repeat(300)}]`;
  const rule = (name: string) =>
    `  - {name: ${name}, rule: 'list.x-kubernetes-validations[0]', self: ${list}, expect: true}\n`;
  const found = await failures(suite(Array.from({ length: 200 }, (_, i) => rule(`c${i}`)).join('')));
  const ran = Object.values(found).filter((one) => one?.length === 0).length;
  // Each looks at 90,000 pairs, and every one that is left out says why.
  assert.ok(ran > 20 && ran < 1 + mostRuleWork / 90_000, `${ran}`);
  const { first, c199, last } = found;
  assert.deepEqual(first, []);
  for (const one of [c199, last])
    assert.deepEqual(one, [
      'not run: the cases of one file get no more than 50,000,000 items that their rules look at',
    ]);
});

test('no more is compared and said of a case than somebody reads', () => {
  const map = (n: number) => new Map(Array.from({ length: n }, (_, i): [string, Value] => [`k${i}`, null]));
  assert.equal(differences(map(10_000), new Map(), false, 100).length, 100);
  const many = (n: number) =>
    Array.from({ length: n }, (_, i) => ({ field: `f${i}`, message: 'm'.repeat(100), code: 'cr/x' }));
  assert.deepEqual(unlike(many(10_000), many(10_000), false, 'error'), [
    '10000 expected and 10000 errors are too much to compare',
  ]);
  assert.equal(unlike(many(100), many(100), false, 'error').length, 0);
});

test('what means nothing is said of the first hundreds of places', () => {
  const bases = `{${Array.from({ length: 4000 }, (_, i) => `b${i}: {}`).join(', ')}}`;
  const cases = Array.from({ length: 4000 }, (_, i) => `  - {name: c${i}, create: {base: none}, x: 1}\n`).join('');
  const { mistakes } = readSuite(parseDocument(`crd: a\nbases: ${bases}\ncases:\n${cases}`));
  assert.equal(mistakes.length, defaultLimits.problems);
  assert.ok(mistakes.every(({ message }) => message.length < 600));
  const rows = `crd: a\nbases: {b: {}}\ncases: [{name: ${'n'.repeat(100_000)}, create: {}, each: [${'{a: 1}, '.repeat(1000)}]}]`;
  const names = readSuite(parseDocument(rows)).suite!.cases.map(({ name }) => name.length);
  assert.ok(names.length === 1000 && Math.max(...names) < 600);
});

test('the size of an imported case grows with its texts, and with the CRD where that is patched', () => {
  const [plain, patching] = readEnvtestSuite(
    parseDocument('{crdName: a, tests: {onCreate: [{initial: abc}, {initial: abc, initialCRDPatches: [{}]}]}}'),
  )!.cases;
  const document = valueOf(parseDocument(crd))!;
  assert.equal(sizeOfEnvtestRun(plain!, document), 6);
  assert.ok(sizeOfEnvtestRun(patching!, document) > sizeOf(document).values);
});

test('more documents than are judged elsewhere are not run', async () => {
  const found = await failures(`crd: {kind: Box}\ncases: []\n---\n`.repeat(defaultLimits.documents + 1));
  assert.deepEqual(found, { 'the file is not too long': ['only the first 20000 documents of the file are run'] });
});

test('a file that is taken for a template is not passed over', async () => {
  const found = await failures(suite('  - {name: c, create: {with: {{.Values.a}}}}\n'));
  assert.deepEqual(found['the file can be read'], [
    'the text is a template: nothing of it can be run before it is filled in',
  ]);
});

test('a document that YAML reads and JSON cannot hold is said to be none', async () => {
  const found = await failures(`${suite('  - {name: c, create: {with: {spec: .nan}}}\n')}---\n${suite('')}`);
  assert.deepEqual(found, {
    'the file can be read': ['json: unsupported value: NaN'],
    first: [],
    last: [],
  });
});
