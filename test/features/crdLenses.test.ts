import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdLenses } from '../../server/src/features/lenses/crdLenses.ts';
import { defaultSettings } from '../../server/src/workspace/settings.ts';
import {
  emptySnapshot,
  type Snapshot,
  settingsOf,
  withBaseline,
  withOpen,
} from '../../server/src/workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { boxCrd } from '../support/boxCrd.ts';
import { baselineOf } from '../support/workspace.ts';

const crdUri = 'file:///crd.yaml';
const schema = `
          type: object
          properties:
            spec:
              type: object
              x-kubernetes-validations:
                - rule: self.size < 10
                  message: too large
              properties:
                size: {type: integer}
                parts:
                  type: array
                  maxItems: 1000
                  items:
                    type: string
                    maxLength: 100000
                    x-kubernetes-validations:
                      - rule: self.contains(self) && 'a'.matches(self)`;
const crd = `${boxCrd(schema)}    - name: v1beta1
      served: true
      storage: false
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

const box = (name: string, spec: string, version = 'v1') =>
  `apiVersion: example.com/${version}\nkind: Box\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

const resources = [
  sourceFile('file:///a.yaml', `${box('a', '{size: 3}')}---\n${box('b', '{size: 30}')}`),
  // Not evaluated: what comes first has to be right.
  sourceFile('file:///b.yaml', box('c', '{size: large}')),
  sourceFile('file:///c.yaml', box('d', "{size: 4, parts: [a, '(']}")),
  sourceFile('file:///d.yaml', box('e', '{}')),
  sourceFile('file:///e.yaml', box('f', '{}', 'v1beta1')),
  sourceFile('file:///f.yaml', 'apiVersion: other.example.com/v1\nkind: Box\nmetadata: {name: g}\n'),
];

const over = (...codeLens: ('versions' | 'resources')[]): Snapshot => {
  const settings = settingsOf({ ...defaultSettings, codeLens: new Set(codeLens) });
  return withOpen({ ...emptySnapshot, settings }, sourceFile(crdUri, crd));
};

const stepped = (snapshot: Snapshot, files: readonly SourceFile[]) => {
  const all = crdLenses(snapshot, crdUri, files);
  let steps = 0;
  let step = all.next();
  for (; !step.done; step = all.next()) steps++;
  return { lenses: step.value, steps };
};

const rows = (snapshot: Snapshot, files = resources) =>
  stepped(snapshot, files).lenses.map(({ range, title, does }) => {
    const line = crd
      .slice(crd.lastIndexOf('\n', range.start) + 1)
      .split('\n')[0]!
      .trim();
    const shown =
      does && 'show' in does ? does.show.map(({ uri, range: { start } }) => `${uri.slice(8, 9)}${start}`) : [];
    return `${line} | ${title} | ${shown.join(' ')}`;
  });

test('over versions one sees costs and resources, over rules for how many they are true', () => {
  assert.deepEqual(rows(over()), [
    '- name: v1 | rules cost over 10,000% of the limit · 2 rules · 5 resources | a33 a110 b33 c33 d33',
    '- name: v1beta1 | 1 resource | e38',
    '- rule: self.size < 10 | true for 2, false for 1, an error for 1 of 5 resources | a110 d33',
    "- rule: self.contains(self) && 'a'.matches(self) | an error for 1 of 5 resources | c33",
  ]);
});

test('something else may be done between two rules and between two resources', () => {
  assert.equal(stepped(over('resources'), resources).steps, 2);
  assert.equal(stepped(over('versions'), resources).steps, 6);
});

test('each can be turned off, and without resources nothing is said of them', () => {
  assert.deepEqual(rows(over('versions')).length, 2);
  assert.deepEqual(rows(over('resources')).length, 2);
  assert.deepEqual(rows(over(), []), [
    '- name: v1 | rules cost over 10,000% of the limit · 2 rules · 0 resources | ',
    '- name: v1beta1 | 0 resources | ',
  ]);
});

test('over a CRD that is committed one sees what changes for its users', () => {
  const now = boxCrd(`
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
                parts: {type: array, maxItems: 1000, items: {type: string}}`);
  const settings = settingsOf({ ...defaultSettings, codeLens: new Set(['versions', 'resources']) });
  const open = withOpen({ ...emptySnapshot, settings }, sourceFile(crdUri, now));
  const against = (committed: string, objects = baselineOf(crdUri, committed).objects) => {
    const baseline = { ref: 'main', commit: '1', unknownRef: false, objects };
    return stepped(withBaseline(open, crdUri, baseline), []).lenses.map(({ title, does }) => ({ title, does }));
  };
  const does = { page: 'changes' };
  assert.deepEqual(against(now), [{ title: 'nothing changes for users against HEAD', does: undefined }]);
  assert.deepEqual(against(now.replace('size: {type: integer}', 'size: {type: string}')), [
    { title: 'breaking against HEAD: 1', does },
  ]);
  assert.deepEqual(against(now.replace('maxItems: 1000', 'maxItems: 10')), [
    { title: '1 change against HEAD, none breaking', does },
  ]);
  assert.deepEqual(against(now, new Map()), []);
  const since = (orEarlier: boolean) => {
    const [key, committed] = [...baselineOf(crdUri, now).objects][0]!;
    return against(now, new Map([[key, { ...committed!, storedSince: { time: 1740787200, orEarlier } }]]))[0]?.title;
  };
  const unchanged = 'nothing changes for users against HEAD · in this file v1 is the storage version since 2025-03-01';
  assert.equal(since(false), unchanged);
  assert.equal(since(true), `${unchanged} or earlier`);
});
