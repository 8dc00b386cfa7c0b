import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryOf } from '../../server/src/workspace/delivery/index.ts';
import { appliedBuildsIn } from '../../server/src/workspace/kustomizations/appliedBuilds.ts';
import { graphOf } from '../../server/src/workspace/kustomizations/graph.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';

// What Applications add to what they build, as far as that is told apart by them and not by what is built.

const top = 'file:///repository';

/** What is built of the folder `apps`, where files say this. */
function buildsOf(texts: Readonly<Record<string, string>>, before?: ReturnType<typeof filesOf>) {
  const files = before ?? filesOf(texts);
  const disk = { ...emptySnapshot.delivery, files, repositories: new Map([[top, ['fleet']]]) };
  const says = { names: [], isComponent: false };
  const graph = graphOf(new Map([[`${top}/apps/kustomization.yaml`, { kustomization: says }]]));
  return appliedBuildsIn(deliveryOf({ ...emptySnapshot, delivery: disk }), graph).byFolder.get(`${top}/apps`) ?? [];
}

function filesOf(texts: Readonly<Record<string, string>>) {
  return new Map(Object.entries(texts).map(([name, text]) => [`${top}/${name}`, sourceFile(`${top}/${name}`, text)]));
}

const application = (name: string, source: string) => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}}
spec:
  source: {path: apps, ${source}}
`;

const set = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: stages}
spec:
  generators: [{list: {elements: [{name: dev}, {name: prod}]}}]
  template:
    metadata: {name: 'shop-{{name}}'}
    spec: {source: {path: apps, kustomize: {nameSuffix: '-{{name}}'}}}
`;

test('an Application that a set makes adds the same as long as it says the same', () => {
  const files = filesOf({ 'set.yaml': set, 'other.yaml': application('a', '') });
  const first = buildsOf({}, files);
  const other = sourceFile(`${top}/other.yaml`, application('b', ''));
  const second = buildsOf({}, new Map(files).set(other.uri, other));
  const additions = (all: typeof first) => all.flatMap(({ addition }) => addition ?? []);
  assert.deepEqual(
    additions(first).map(({ spec }) => ({ ...spec })),
    [{ nameSuffix: '-dev' }, { nameSuffix: '-prod' }],
  );
  assert.equal(additions(first).length, additions(second).length);
  for (const [i, one] of additions(first).entries()) assert.equal(additions(second)[i], one);
  assert.equal(new Set(first.map(({ root }) => root)).size, first.length);
});

test('a folder is built as it is where nobody changes it, or that is not known', () => {
  assert.deepEqual(buildsOf({ 'a.yaml': application('a', '') }), []);
  assert.deepEqual(buildsOf({ 'a.yaml': application('a', 'kustomize: {}') }), []);
  assert.deepEqual(buildsOf({ 'a.yaml': application('a', 'kustomize: {namePrefix: [a]}') }), []);
});

test('a folder that is another state of it, or of another repository, is not built for an Application', () => {
  const prefix = 'kustomize: {namePrefix: a-}';
  assert.equal(buildsOf({ 'a.yaml': application('a', prefix) }).length, 1);
  assert.deepEqual(buildsOf({ 'a.yaml': application('a', `targetRevision: v1.2.3, ${prefix}`) }), []);
  assert.deepEqual(buildsOf({ 'a.yaml': application('a', `repoURL: https://example.com/other, ${prefix}`) }), []);
});

test('who leaves a folder alone builds it as well where another changes it', () => {
  const both = `${application('a', '')}${application('b', 'kustomize: {namePrefix: b-}')}`;
  const roots = buildsOf({ 'a.yaml': both }).map(({ root }) => root);
  assert.equal(roots.length, 2);
  assert.equal(roots[0], `${top}/apps`);
  assert.match(roots[1]!, /#Application b /);
});
