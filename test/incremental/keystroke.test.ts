import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { ruleNode } from '../../server/src/kubernetes/cel/ruleTree.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { judge } from '../../server/src/rules/judging/judge.ts';
import type { Problem } from '../../server/src/rules/model/rule.ts';

import { definitionsFor } from '../../server/src/workspace/definitions.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { type Random, seeded } from '../support/random.ts';
import { sharedFile } from '../support/workspace.ts';

// What one key costs: everything is remembered by what it was made from, so the same object means that nothing was done.

const gaugeCrd = 'file:///gauges.yaml';
const gizmoCrd = 'file:///gizmos.yaml';
const gauge = 'file:///gauge.yaml';
const gizmo = 'file:///gizmo.yaml';
const texts = new Map([
  [gaugeCrd, sharedFile('gauges')],
  [gizmoCrd, sharedFile('gizmos')],
  [gauge, 'apiVersion: example.com/v1\nkind: Gauge\nmetadata: {name: a}\nspec: {low: 3, high: 1}\n'],
  [gizmo, 'apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: a}\nspec: {size: 30}\n'],
]);

const typed = (snapshot: Snapshot, uri: string, text: string) =>
  withOpen(snapshot, sourceFile(uri, text, { previous: snapshot.open.get(uri) }));
const opened = () => [...texts].reduce((snapshot, [uri, text]) => typed(snapshot, uri, text), emptySnapshot);

function problems(snapshot: Snapshot, uri: string): readonly Problem[] {
  const file = snapshot.open.get(uri)!;
  return judge(snapshot, file, file.stream.documents[0]!.document);
}

/** What a resource is judged by: its CRD as served, and its rules as compiled. */
function judgedBy(snapshot: Snapshot, uri: string) {
  const manifest = snapshot.open.get(uri)!.manifests[0]!;
  const served = serveCrd(definitionsFor(snapshot.definitions, manifest, uri)[0]!.manifest.value, newestVersion);
  assert.ok('versions' in served);
  const { structural } = served.versions.get('v1')!;
  return { served, rules: ruleNode(structural!, true, newestVersion) };
}

test('typing in a resource lowers no schema and compiles no rule', () => {
  const before = opened();
  problems(before, gauge);
  const after = typed(before, gauge, texts.get(gauge)!.replace('3', '4'));
  assert.notEqual(problems(after, gauge), problems(before, gauge));
  const [now, then] = [judgedBy(after, gauge), judgedBy(before, gauge)];
  assert.equal(now.served, then.served);
  assert.equal(now.rules, then.rules);
});

test('typing in a file judges no other file anew', () => {
  const before = opened();
  const found = [gaugeCrd, gizmoCrd, gizmo].map((uri) => problems(before, uri));
  const after = typed(before, gauge, `${texts.get(gauge)}# more\n`);
  assert.deepEqual(
    [gaugeCrd, gizmoCrd, gizmo].map((uri, i) => problems(after, uri) === found[i]),
    [true, true, true],
  );
});

test('typing in one CRD of a file judges no other one of it anew', () => {
  const both = `${texts.get(gaugeCrd)}---\n${texts.get(gizmoCrd)}`;
  const before = typed(emptySnapshot, gaugeCrd, both);
  const after = typed(before, gaugeCrd, both.replace('must not be above', 'is above'));
  const [first, second] = [before, after].map((snapshot) => {
    const file = snapshot.open.get(gaugeCrd)!;
    return file.stream.documents.map(({ document }) => judge(snapshot, file, document));
  });
  assert.deepEqual(
    second!.map((found, i) => found === first![i]),
    [false, true],
  );
});

test('a CRD is judged anew where another one of its kind changes', () => {
  // It is said at the first of them.
  const copy = 'file:///copy.yaml';
  const isTwice = (snapshot: Snapshot) => problems(snapshot, copy).some(({ code }) => code === 'cr/kind-defined-twice');
  const same = typed(opened(), copy, texts.get(gaugeCrd)!);
  assert.equal(isTwice(same), false);
  assert.equal(isTwice(typed(same, gaugeCrd, texts.get(gaugeCrd)!.replace('type: integer', 'type: string'))), true);
});

test('editing a CRD judges the resources of its kind anew, and no others', () => {
  const before = opened();
  const [ofGauge, ofGizmo] = [problems(before, gauge), problems(before, gizmo)];
  const after = typed(before, gaugeCrd, texts.get(gaugeCrd)!.replace('must not be above', 'is above'));
  assert.notEqual(problems(after, gauge), ofGauge);
  assert.match(
    problems(after, gauge)
      .map(({ message }) => message)
      .join(),
    /low is above high/,
  );
  assert.equal(problems(after, gizmo), ofGizmo);
});

test('a document that stays as it is is judged anew where what the file says of itself, or its place, changes', () => {
  const two = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n${texts.get(gauge)}`;
  const asIs = typed(opened(), gauge, two);
  const codes = (snapshot: Snapshot, uri: string) => diagnose(snapshot, uri).map(({ code }) => code);
  assert.deepEqual(codes(asIs, gauge), ['cr/rule']);
  assert.deepEqual(codes(typed(asIs, gauge, `# kube-crd: ignore\n${two}`), gauge), []);
  const named = typed(opened(), gauge, `# kube-crd: kubernetes 1.12\na: 1\n`);
  assert.deepEqual(codes(named, gauge), ['yaml/kubernetes-version']);
  const below = typed(named, gauge, `b: 1\n---\n# kube-crd: kubernetes 1.12\na: 1\n`);
  assert.deepEqual(codes(below, gauge), []);
});

test('what a problem points at moves with the text above its document', () => {
  const rest = `a: 1\n---\n${texts.get(gaugeCrd)}`;
  const places = (snapshot: Snapshot) =>
    diagnose(snapshot, gauge).flatMap(({ related }) => related.map(({ range }) => range.start));
  const before = typed(opened(), gaugeCrd, rest);
  const found = places(before);
  assert.ok(found.length > 0);
  const after = typed(before, gaugeCrd, `# more\n${rest}`);
  assert.deepEqual(
    places(after),
    found.map((start) => start + '# more\n'.length),
  );
});

test('after any edits the diagnostics are those of the same texts read anew', () => {
  const chance = seeded(7);
  let snapshot = opened();
  const uris = [...texts.keys()];
  for (let round = 0; round < 400; round++) {
    const uri = chance.pick(uris);
    const { text } = snapshot.open.get(uri)!;
    // A text that has strayed too far has nothing left to say.
    const next = chance.below(10) === 0 ? texts.get(uri)! : edited(text, chance);
    snapshot = typed(snapshot, uri, next);
    const anew = [...snapshot.open.values()].reduce(
      (fresh, file) => withOpen(fresh, sourceFile(file.uri, file.text)),
      emptySnapshot,
    );
    for (const one of uris) assert.deepEqual(diagnose(snapshot, one), diagnose(anew, one), next);
  }
});

/** A text with a piece of it taken out, doubled, or put elsewhere. */
function edited(text: string, { below }: Random): string {
  const start = below(text.length + 1);
  const piece = text.slice(start, start + below(12));
  const rest = text.slice(0, start) + text.slice(start + piece.length);
  const at = below(rest.length + 1);
  const kind = below(3);
  if (kind === 0) return rest;
  return kind === 1 ? text.slice(0, start) + piece + text.slice(start) : rest.slice(0, at) + piece + rest.slice(at);
}
