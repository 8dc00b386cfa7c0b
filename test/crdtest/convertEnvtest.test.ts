import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { convertedSuite } from '../../server/src/crdtest/convertEnvtest.ts';
import { readEnvtestSuite, runEnvtestCase } from '../../server/src/crdtest/envtestSuite.ts';
import { givenOf } from '../../server/src/crdtest/load.ts';
import { groundFor, runInVersions } from '../../server/src/crdtest/run.ts';
import { readSuite } from '../../server/src/crdtest/suite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { Files } from '../../server/src/workspace/files.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { renderBlock } from '../../server/src/yaml/render.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { boxCrd } from '../support/boxCrd.ts';

const value = (text: string): Value => valueOf(parseDocument(text)) ?? null;

const crd = value(
  boxCrd(
    `
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer, minimum: 1, maximum: 9, default: 3}
                name: {type: string, maxLength: 3, x-kubernetes-validations: [{rule: self == oldSelf, message: stays}]}
                tags: {type: array, maxItems: 2, items: {type: string, enum: [a, b]}}
            status: {type: object, properties: {ready: {type: boolean}, count: {type: integer, maximum: 9}}}`,
    '      subresources: {status: {}}\n',
  ),
);

const specs = ['{}', '{size: 1}', '{size: 0}', '{size: 3, name: abc}', '{name: abcd}', '{name: abd, size: 10}'];
const more = ['{size: 2, sise: 3}', '{tags: [a, b]}', '{tags: [a, c], size: 0}', '{size: three}'];
const statuses = ['', 'status: {ready: true}', 'status: {count: 10}', 'status: {ready: false, count: 3}'];
const wanted = [
  '',
  'stays',
  'should be greater than or equal to 1',
  'is invalid: spec.size: Invalid value',
  'Box.example.com',
  '[spec.name: Invalid value: "abd"',
];
const size = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size';
const patches = ['[]', `[{op: replace, path: ${size}/minimum, value: 2}]`, `[{op: remove, path: ${size}/default}]`];

/** Every so many-th of all combinations. */
function* combinations<T>(lists: readonly (readonly T[])[], step: number): Generator<readonly T[]> {
  const count = lists.reduce((product, { length }) => product * length, 1);
  for (let n = 0; n < count; n += step) {
    let left = n;
    yield lists.map((list) => {
      const one = list[left % list.length]!;
      left = Math.floor(left / list.length);
      return one;
    });
  }
}

const object = (spec: string, status = '') => `apiVersion: example.com/v1\\nkind: Box\\nspec: ${spec}\\n${status}`;

function suiteText(): string {
  let count = 0;
  const text = (one: string) => `"${one}"`;
  const creates = [...combinations([[...specs, ...more], ['', ...specs], wanted], 1)].map(
    ([spec, expected, error]) =>
      `  - {name: create ${count++}, initial: ${text(object(spec!))}, expected: ${text(expected === '' ? '' : object(expected!))}, expectedError: '${error}'}`,
  );
  const lists = [
    [...specs, ...more],
    [...specs, ...more],
    statuses,
    statuses,
    ['', ...specs],
    wanted,
    patches,
    patches,
  ];
  const updates = [...combinations(lists, 173)].map(
    ([from, to, old, status, expected, error, before, after]) =>
      `  - {name: update ${count++}, initial: ${text(object(from!, old))}, updated: ${text(object(to!, status))}, expected: ${text(expected === '' ? '' : object(expected!, status))}, expectedError: '${error}', expectedStatusError: '${count % 7 === 0 ? 'less than or equal to 9' : ''}', initialCRDPatches: ${before}, updatedCRDPatches: ${after}}`,
  );
  return `crdName: boxes.example.com\ntests:\n  onCreate:\n${creates.join('\n')}\n  onUpdate:\n${updates.join('\n')}\n`;
}

test('a case passes as it was and converted, or in none of the two forms', async () => {
  const suite = readEnvtestSuite(parseDocument(suiteText()))!;
  const before = new Map(suite.cases.map((one) => [one.name, runEnvtestCase(one, crd, newestVersion).length === 0]));
  const { groups, left } = convertedSuite(suite, crd, newestVersion);
  const after = new Map<string, boolean>();
  for (const { crd: under, cases } of groups) {
    const text = `${renderBlock(
      new Map<string, Value>([
        ['crd', 'crd.yaml'],
        ['cases', cases],
      ]),
      0,
      { eol: '\n', step: 2, indentLists: true },
    )}\n`;
    const { suite: ours, mistakes } = readSuite(parseDocument(text));
    assert.deepEqual(mistakes, []);
    const { served } = groundFor(under, [newestVersion]);
    const around = { files: {} as Files, uri: 'file:///a.crdtest.yaml', definitions: new Map() };
    for (const one of ours!.cases) {
      const given = await givenOf(one, ours!, around);
      assert.ok(!('why' in given));
      const passed = served.size > 0 && runInVersions(one, given, served).failures.length === 0;
      const name = one.name.replace(/: the (initial )?status$/, '');
      after.set(name, passed && (after.get(name) ?? true));
    }
  }
  assert.deepEqual(left, []);
  assert.deepEqual(after, before);
  const passed = [...before.values()].filter(Boolean).length;
  assert.ok(before.size > 1_000 && passed > 100, `${passed} of ${before.size} pass`);
});
