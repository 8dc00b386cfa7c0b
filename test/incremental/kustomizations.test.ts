import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBuilds } from '../../server/src/features/kustomizations/diagnoseBuild.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { callsOf } from '../support/calls.ts';
import { withKustomizations } from '../support/kustomizations.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

// What a key costs in a base that many overlays use, counted and not timed. Its objects are in one file, so that a key moves all
// that are behind it.

const [overlays, objects] = [20, 60];
const base = 'file:///w/base/objects.yaml';

const object = (i: number) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: app${i}}
spec:
  replicas: ${i === objects - 1 ? 'many' : 2}
  selector: {matchLabels: {app: app${i}}}
  template:
    metadata: {labels: {app: app${i}}}
    spec:
      containers:
      - {name: app, image: example.com/app, args: ["of${i}"]}
`;
const text = Array.from({ length: objects }, (_, i) => object(i)).join('---\n');
const overlay = (i: number) => `resources: [../../base]
namePrefix: o${i}-
patches:
- target: {kind: Deployment, name: app0}
  patch: '[{"op": "add", "path": "/spec/template/spec/priorityClassName", "value": "p${i}"}]'
`;
const files = [
  { uri: base, text },
  { uri: 'file:///w/base/kustomization.yaml', text: 'resources: [objects.yaml]\nlabels: [{pairs: {team: shop}}]\n' },
  ...Array.from({ length: overlays }, (_, i) => ({
    uri: `file:///w/overlays/o${i}/kustomization.yaml`,
    text: overlay(i),
  })),
];

const found = (snapshot: Snapshot) => withBuilds(snapshot, base, diagnose(snapshot, base));
const typed = (snapshot: Snapshot, now: string) =>
  withOpen(snapshot, sourceFile(base, now, { previous: snapshot.open.get(base) }));

const wrong = (all: ReturnType<typeof found>, now: string) => {
  const places = all
    .filter(({ severity }) => severity === 'error')
    .map(({ range }) => now.slice(range.start, range.end));
  return [...new Set(places)];
};

let opened: Snapshot | undefined;
const opening = await callsOf(() => {
  opened = withKustomizations({ ...snapshotOf(files), builtin: builtinFile() }, files);
  opened = typed(opened, text);
  assert.deepEqual(wrong(found(opened), text), ['many']);
});

test('what is counted is what opening the file takes', () => {
  for (const part of ['readPiece', 'judgedIn', 'builtResource']) assert.ok(opening(part) >= objects, part);
  assert.ok(opening('judgedIn') >= objects * overlays);
});

for (const nth of [0, objects / 2, objects - 2]) {
  test(`a key in object ${nth} of a base costs that object in each overlay`, async () => {
    const now = text.replace(`"of${nth}"`, `"of${nth}x"`);
    const calls = await callsOf(() => assert.deepEqual(wrong(found(typed(opened!, now)), now), ['many']));
    assert.ok(calls('readPiece') <= 2, `${calls('readPiece')} documents are read`);
    for (const part of ['judgedIn', 'builtResource']) assert.ok(calls(part) <= 2 * overlays, `${part}: ${calls(part)}`);
    assert.ok(calls() < opening() / 15, `${calls()} calls; opening the file takes ${opening()}`);
  });
}
