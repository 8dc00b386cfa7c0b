import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debugged } from '../../server/src/crdtest/debug.ts';
import { documentRun } from '../../server/src/crdtest/documentRun.ts';
import { givenHere } from '../../server/src/crdtest/load.ts';
import { groundFor } from '../../server/src/crdtest/run.ts';
import { caseLenses } from '../../server/src/features/lenses/testLenses.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { snapshotOf } from '../support/workspace.ts';

const uri = 'file:///t/a.crdtest.yaml';
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: boxes, kind: Box}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            size:
              type: integer
              default: 3
              x-kubernetes-validations: [{rule: self >= oldSelf}]
            lids:
              type: array
              maxItems: 5
              items:
                type: object
                properties: {wide: {type: integer}}
                x-kubernetes-validations: [{rule: '!has(self.wide) || self.wide < 9'}]
            users:
              type: array
              maxItems: 5
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items:
                type: object
                required: [name]
                properties:
                  name: {type: string, maxLength: 9}
                  level: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf}]}
            once:
              type: integer
              x-kubernetes-validations: [{rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true}]
`;
const tests = `crd: {kind: Box}
bases: {box: {apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}}}
cases:
  - {name: stored, create: {}, stored: {size: 4, metadata: {name: a}}}
  - {name: smaller, update: {from: {}, to: {with: {size: 2}}}, errors: [failed rule]}
  - {name: users, update: {from: {with: {users: [{name: a, level: 1}, {name: b, level: 7}]}}, to: {with: {users: [{name: b, level: 5}, {name: c, level: 2}]}}}}
  - {name: once, create: {with: {once: 1}}}
  - {name: again, update: {from: {with: {once: 1}}, to: {with: {once: 2}}}, errors: [failed rule]}
  - {name: alone, rule: 'once.x-kubernetes-validations[0]', self: 1, oldSelf: 2, expect: false}
  - {name: alone at first, rule: 'once.x-kubernetes-validations[0]', self: 1, expect: true}
  - {name: lids, create: {with: {lids: [{}, {wide: 9}]}}}
`;
const other = { uri: 'file:///t/other.yaml', text: crd.replaceAll(/[Bb]ox/g, 'lid') };
const snapshot = snapshotOf([{ uri: 'file:///t/crd.yaml', text: crd }, other, { uri, text: tests }]);
const { document } = snapshot.open.get(uri)!.stream.documents[0]!;
const run = (from = snapshot) => documentRun(document, uri, from.definitions, newestVersion)!;

test('a run is kept: lenses show what diagnostics found, and another CRD changes nothing', () => {
  const before = run().results;
  diagnose(snapshot, uri);
  caseLenses(snapshot, uri);
  assert.equal(run().results, before);
  const elsewhere = withOpen(snapshot, sourceFile(other.uri, `${other.text}# more\n`));
  assert.notEqual(elsewhere.definitions, snapshot.definitions);
  assert.equal(run(elsewhere).results, before);
  const changed = withOpen(snapshot, sourceFile('file:///t/crd.yaml', crd.replace('default: 3', 'default: 4')));
  assert.notEqual(run(changed).results, before);
});

test('what is stored is set beside what was expected, as far as that names it', () => {
  const [stored] = run().results.values();
  const name = new Map([['name', 'a']]);
  assert.deepEqual(stored?.unlike, {
    wanted: new Map<string, unknown>([
      ['size', 4n],
      ['metadata', name],
    ]),
    found: new Map<string, unknown>([
      ['size', 3n],
      ['metadata', name],
    ]),
  });
});

test('each rule is shown with each value that it judges, and with what its parts come to', () => {
  const { suite, definition } = run();
  const { served } = groundFor(definition.manifest.value, [newestVersion]);
  const rows = (nth: number) => {
    const one = suite.cases[nth]!;
    const { rules } = debugged(one, givenHere(one, suite)!, served.get(newestVersion)!, newestVersion);
    return rules.map(({ name, outcome, parts }) => [name, outcome, ...parts.slice(1)]);
  };
  assert.deepEqual(rows(0), [['size.x-kubernetes-validations[0]', 'not evaluated: there is no old value']]);
  assert.deepEqual(rows(1), [['size.x-kubernetes-validations[0]', 'false', 'self: 2', 'oldSelf: 3']]);
  // Items of a list of type map have the old value of the item with the same key, wherever that was.
  assert.deepEqual(rows(2).slice(0, 2), [
    ['users[0].level.x-kubernetes-validations[0]', 'false', 'self: 5', 'oldSelf: 7'],
    ['users[1].level.x-kubernetes-validations[0]', 'not evaluated: there is no old value'],
  ]);
  // With optionalOldSelf a rule is evaluated without an old value, too.
  const once = [3, 4, 5, 6].map((nth) => rows(nth).find(([name]) => name?.startsWith('once'))?.[1]);
  assert.deepEqual(once, ['true', 'false', 'false', 'true']);
  const passed = [...run().results.values()].slice(3, 7).map((result) => result?.failures);
  assert.deepEqual(passed, [[], [], [], []]);
  assert.deepEqual(rows(7).slice(0, 2), [
    [
      'lids[0].x-kubernetes-validations[0]',
      'true',
      '  !has(self.wide): true',
      '    has(self.wide): false',
      '  self.wide < 9: not evaluated',
      '    self.wide: not evaluated',
    ],
    [
      'lids[1].x-kubernetes-validations[0]',
      'false',
      '  !has(self.wide): false',
      '    has(self.wide): true',
      '  self.wide < 9: false',
      '    self.wide: 9',
    ],
  ]);
});
