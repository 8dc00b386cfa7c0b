import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Build, build, type Files, newSession, print, rangeIn } from '../../server/src/kustomize/build.ts';
import { filesOf } from '../conformance/ops/kustomize.ts';

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {a: "1", list: "x"}\n';
const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: one}\nspec: {containers: [{name: a, args: [x]}]}\n';

function built(overlay: string, more: Record<string, string> = {}): Build {
  return build(filesOf({ '/o/kustomization.yaml': overlay, '/o/a.yaml': map, '/o/pod.yaml': pod, ...more }), '/o');
}

function notes(made: Build): string[] {
  assert.equal(made.error, undefined);
  return made.notes.map(({ code, about }) => `${code} ${about}`);
}

test('patches that change nothing, select nothing or replace a list are noted', () => {
  const same = 'apiVersion: v1\n    kind: ConfigMap\n    metadata: {name: one}\n    data: {a: "1"}\n';
  const other =
    'apiVersion: v1\n    kind: Pod\n    metadata: {name: one}\n    spec: {containers: [{name: a, args: [y]}]}\n';
  const made = built(`resources: [a.yaml, pod.yaml]
patches:
- patch: |
    ${same}- patch: |
    ${other}- target: {name: nobody}
  patch: "- {op: remove, path: /x}"
- target: {kind: ConfigMap}
  patch: "- {op: replace, path: /data/a, value: '1'}"
commonLabels: {x: z}
`);
  assert.deepEqual(notes(made), [
    'deprecated-field commonLabels',
    'patch-changes-nothing ConfigMap.v1.[noGrp]/one.[noNs]',
    'list-replaced spec.containers.[a].args',
    'patch-matches-nothing [noKind].[noVer].[noGrp]/nobody.[noNs]:a=:l=',
    'patch-changes-nothing ConfigMap.v1.[noGrp]/one.[noNs]',
  ]);
});

test('what comes from elsewhere is left out, and what could depend on it is no error', () => {
  const made = built(`resources: [a.yaml, 'https://example.com/x.yaml', 'github.com/a/b//c?ref=v1']
replicas: [{name: elsewhere, count: 2}]
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: elsewhere}
helmCharts: [{name: chart, repo: 'https://example.com/charts'}]
configMapGenerator: [{name: elsewhere, behavior: merge, literals: [a=1]}]
`);
  assert.equal(made.error, undefined);
  assert.deepEqual(
    made.leftOut.map(({ reason, what }) => `${reason} ${what}`),
    ['remote https://example.com/x.yaml', 'remote github.com/a/b//c?ref=v1', 'helm chart'],
  );
  assert.deepEqual(
    made.resources.map(({ isPartial }) => isPartial),
    [true],
  );
});

test('errors say what is to blame', () => {
  const blamed = (made: Build, texts: Record<string, string>) => {
    const place = made.error!.place!;
    const { start, end } = rangeIn(made.pieces, place);
    return `${place.file} ${texts[place.file]!.slice(start, end)}`;
  };
  const of = (texts: Record<string, string>) => blamed(build(filesOf(texts), '/o'), texts);
  assert.equal(of({ '/o/kustomization.yaml': 'resources: [none.yaml]\n' }), '/o/kustomization.yaml none.yaml');
  assert.equal(of({ '/o/kustomization.yaml': 'namePrefix: x\nbad: 1\n' }), '/o/kustomization.yaml bad');
  const nobody = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nobody}\n';
  const patched = { '/o/kustomization.yaml': 'resources: [a.yaml]\npatches: [{path: p.yaml}]\n', '/o/a.yaml': map };
  assert.equal(of({ ...patched, '/o/p.yaml': nobody }), '/o/p.yaml nobody');
  const twice = { '/o/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n', '/o/a.yaml': map, '/o/b.yaml': map };
  assert.match(of(twice), /^\/o\/b\.yaml /);
  const operation =
    'resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n    - {op: remove, path: /no/x}\n';
  assert.equal(
    of({ '/o/kustomization.yaml': operation, '/o/a.yaml': map }),
    '/o/kustomization.yaml {op: remove, path: /no/x}',
  );
});

test('bases that have not changed are built once in a session, and give the same as without', () => {
  const texts: Record<string, string> = {
    '/base/kustomization.yaml': 'resources: [a.yaml]\ncommonLabels: {l: v}\n',
    '/base/a.yaml': map,
  };
  for (const name of ['one', 'two', 'three'])
    texts[`/${name}/kustomization.yaml`] =
      `resources: [../base]\nnamePrefix: ${name}-\nlabels: [{pairs: {l: ${name}}}]\n`;
  const session = newSession();
  let files = filesOf(texts);
  const asked: string[] = [];
  const counting = (): Files => ({
    file: (path) => {
      asked.push(path);
      return files.file(path);
    },
    isFolder: (path) => files.isFolder(path),
  });
  const printed = (name: string, shared: boolean) =>
    print(build(counting(), `/${name}`, shared ? { session } : {})).text;
  for (const name of ['one', 'two', 'three', 'one']) assert.equal(printed(name, true), printed(name, false));
  const kept = new Map(Object.keys(texts).map((path) => [path, files.file(path)!]));
  const changed = { text: map.replace('"1"', '"2"') };
  files = { file: (path) => (path === '/base/a.yaml' ? changed : kept.get(path)), isFolder: files.isFolder };
  for (const name of ['one', 'two']) assert.match(printed(name, true), /a: "2"/);
  const made = build(counting(), '/two', { session });
  assert.ok(made.read.has('/base/a.yaml'));
  assert.ok(made.read.has('/base/kustomization.yml'));
});

test('names that every object has are names as any other', () => {
  const text = map.replace('\ndata: {', '\ndata: {__proto__: p, constructor: c, toString: t, ');
  const made = built('resources: [b.yaml]\ncommonAnnotations: {constructor: x, __proto__: z}\n', { '/o/b.yaml': text });
  assert.equal(
    print(made).text,
    'apiVersion: v1\ndata:\n  __proto__: p\n  a: "1"\n  constructor: c\n  list: x\n  toString: t\nkind: ConfigMap\nmetadata:\n  annotations:\n    __proto__: z\n    constructor: x\n  name: one\n',
  );
});
