import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { crdsFor, readEnvtestSuite, runEnvtestCase } from '../../server/src/crdtest/envtestSuite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
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
                size: {type: integer, minimum: 1, default: 3}
                name: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf, message: stays}]}
            status: {type: object, properties: {ready: {type: boolean}}}`,
    '      subresources: {status: {}}\n',
  ),
);

const box = (spec: string, more = '') => `
      apiVersion: example.com/v1
      kind: Box
      spec: ${spec}
${more}`;

/** What fails of the cases of a suite, by their names. */
function failures(tests: string): Record<string, string[]> {
  const suite = readEnvtestSuite(parseDocument(`name: Boxes\ncrdName: boxes.example.com\ntests:\n${tests}`))!;
  return Object.fromEntries(suite.cases.map((one) => [one.name, runEnvtestCase(one, crd, newestVersion)]));
}

test('objects are created with a name of the server, and what is not said is as it was sent', () => {
  assert.deepEqual(
    failures(`  onCreate:
  - name: whole
    initial: |${box('{size: 1}')}
  - name: default
    initial: |${box('{}')}
    expected: |${box('{size: 3}')}
  - name: unknown fields are dropped
    initial: |${box('{size: 1, sise: 2}')}
    expected: |${box('{size: 1}')}
  - name: refused
    initial: |${box('{size: 0}')}
    expectedError: "Invalid value: 0: spec.size in body should be greater than or equal to 1"
  - name: not refused
    initial: |${box('{size: 1}')}
    expectedError: "never"
  - name: refused otherwise
    initial: |${box('{size: 0}')}
    expectedError: "never"
  - name: unexpected
    initial: |${box('{size: 0}')}
  - name: other
    initial: |${box('{}')}
    expected: |${box('{size: 4}')}
`),
    {
      whole: [],
      default: [],
      'unknown fields are dropped': [],
      refused: [],
      'not refused': ['expected error did not come: never'],
      'refused otherwise': [
        'expected error: never',
        'but it is: Box.example.com "test-00000" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      ],
      unexpected: [
        'unexpected error: Box.example.com "test-00000" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      ],
      other: ['stored spec.size: expected 4, is 3'],
    },
  );
});

test('updates follow the status, and a CRD that was another at first', () => {
  const patch = (limit: number) =>
    `[{op: replace, path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/minimum, value: ${limit}}]`;
  assert.deepEqual(
    failures(`  onUpdate:
  - name: changed
    initial: |${box('{size: 1}')}
    updated: |${box('{size: 2}')}
  - name: stays
    initial: |${box('{name: a}')}
    updated: |${box('{name: b}')}
    expectedError: stays
  - name: status
    initial: |${box('{size: 1}', '      status: {ready: true}\n')}
    updated: |${box('{size: 1}', '      status: {ready: false}\n')}
  - name: wrong status
    initial: |${box('{size: 1}')}
    updated: |${box('{size: 1}', '      status: {ready: 3}\n')}
    expectedStatusError: must be of type boolean
  - name: ratcheting
    initialCRDPatches: ${patch(0)}
    initial: |${box('{size: 0}')}
    updated: |${box('{size: 0, name: a}')}
  - name: changed and wrong
    initialCRDPatches: ${patch(-5)}
    initial: |${box('{size: 0}')}
    updated: |${box('{size: -1}')}
    expectedError: should be greater than or equal to 1
  - name: wrong at first
    initial: |${box('{size: 0}')}
    updated: |${box('{size: 1}')}
`),
    {
      changed: [],
      stays: [],
      status: [],
      'wrong status': [],
      ratcheting: [],
      'changed and wrong': [],
      'wrong at first': [
        'creating the initial object failed: Box.example.com "test-00000" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
      ],
    },
  );
});

test('feature gates choose among CRDs of one name, a version is served alone', () => {
  const of = (set: string) =>
    value(
      `{metadata: {name: a, annotations: {release.openshift.io/feature-set: '${set}'}}, spec: {versions: [{name: v1}, {name: v2}]}}`,
    );
  const all = [of('CustomNoUpgrade'), of('Default'), of('TechPreviewNoUpgrade')];
  const chosen = (more: string) => {
    const suite = readEnvtestSuite(parseDocument(`crdName: a\n${more}tests: {}\n`))!;
    return crdsFor(suite, all).map((one) => all.indexOf(one));
  };
  assert.deepEqual(chosen(''), [0, 1, 2]);
  assert.deepEqual(chosen('featureGates: [X]\n'), [0]);
  assert.deepEqual(chosen('featureGates: [-X]\n'), [1]);
  const [one] = crdsFor(readEnvtestSuite(parseDocument('crdName: a\nversion: v2\ntests: {}\n'))!, all);
  assert.deepEqual(
    (one as ReadonlyMap<string, Value>).get('spec'),
    value('{versions: [{name: v2, served: true, storage: true}]}'),
  );
});

test('what is no suite is left alone', () => {
  for (const text of ['', 'a: b', 'crdName: x', 'tests: {}', 'crdName: [\n']) {
    assert.equal(readEnvtestSuite(parseDocument(text)), undefined, text);
  }
});
