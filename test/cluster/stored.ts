import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { kubeCrd, type Ran, ran } from './tools.ts';

const crd = (spec: string, more = '') => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: vases.stored.example.com}
spec:
  group: stored.example.com
  names: {kind: Vase, plural: vases}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            ${more}
            properties:
              note: {type: string}
              ${spec}
`;
const old = crd(`size: {type: number}
              owner: {type: string}
              glaze: {type: string}
              finish: {type: string}
              cracks: {type: array, items: {type: string}}`);
const now = crd(
  `size: {type: integer, maximum: 9}
              owner: {type: string}
              finish: {type: string, default: plain}
              cracks: {type: array, items: {type: string, pattern: ^a}}`,
  `required: [owner]
            x-kubernetes-validations:
            - {rule: "!has(self.size) || self.size != 7", message: not seven}`,
);

const vase = (name: string, spec: object) => ({
  apiVersion: 'stored.example.com/v1',
  kind: 'Vase',
  metadata: { name, namespace: 'default' },
  spec: { note: 'a', owner: 'me', ...spec },
});

const vases = [
  vase('fine', { finish: 'matt', size: 3 }),
  vase('plain', {}),
  vase('large', { size: 10 }),
  vase('half', { size: 1.5 }),
  vase('seven', { size: 7 }),
  vase('unowned', { owner: undefined }),
  vase('cracked', { cracks: ['abc', 'xyz'] }),
  vase('cracked-well', { cracks: ['abc'] }),
  vase('glazed', { glaze: 'blue' }),
  vase('all', { glaze: 'red', size: 11, cracks: ['x'], owner: undefined }),
];

interface Counted {
  readonly first: readonly string[];
}

/** `diff --cluster` and `check --cluster` beside what a real API server and a real kubectl say. */
export function testsOfStored(home: string, skip: string | false): void {
  const folder = path.join(home, 'stored');
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const kubectl = (...args: string[]): Ran => ran('kubectl', ['--context=fixture', ...args], folder);
  const does = (...args: string[]) => {
    const { status, stdout, stderr } = kubectl(...args);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const stored = (name: string) =>
    JSON.parse(does('get', 'vases.stored.example.com', name, '-n', 'default', '-o', 'json'));
  /** Whether a write of an object passes, as a dry run. */
  const passes = (object: object) => {
    put('written.json', JSON.stringify(object));
    return kubectl('replace', '-f', 'written.json', '--dry-run=server', '--validate=ignore').status === 0;
  };
  const names = (fits: (name: string) => boolean) =>
    vases
      .map(({ metadata }) => metadata.name)
      .filter(fits)
      .map((name) => `default/${name}`)
      .sort();
  const among = (...some: readonly Counted[]) => [...new Set(some.flatMap(({ first }) => first))].sort();
  /** What `check --cluster` says of an object, and what the server does. */
  const verdicts = (object: object) => {
    put('checked.yaml', JSON.stringify(object));
    return [
      kubeCrd(['check', '--cluster', 'fixture', 'checked.yaml'], folder).status === 0,
      kubectl('create', '-f', 'checked.yaml', '--dry-run=server', '--validate=strict').status === 0,
    ];
  };

  test('what is foreseen of stored objects comes true when their CRD is swapped', { skip }, async () => {
    put('old.yaml', old);
    put('now.yaml', now);
    put('vases.json', vases.map((one) => JSON.stringify(one)).join('\n'));
    does('create', '-f', 'old.yaml');
    does('wait', '--for=condition=Established', 'crd/vases.stored.example.com', '--timeout=30s');
    does('create', '-f', 'vases.json');
    const glazed = vase('new', { glaze: 'blue' });
    const seven = vase('new', { size: 7 });
    assert.deepEqual([glazed, seven].map(verdicts), [
      [true, true],
      [true, true],
    ]);

    const args = ['diff', 'now.yaml', '--cluster', 'fixture', '--chunk-size', '3', '-o', 'json'];
    const found = kubeCrd(args, folder);
    assert.equal(found.status, 1, found.stderr);
    const [{ stored: foreseen }] = JSON.parse(found.stdout).crds;
    assert.equal(foreseen.objects, vases.length);
    const before = new Map(vases.map(({ metadata: { name } }) => [name, stored(name)]));

    does('replace', '-f', 'now.yaml');
    // The new one comes into use a moment later.
    put('written.json', JSON.stringify(seven));
    for (let tries = 0; kubectl('create', '-f', 'written.json', '--dry-run=server').status === 0; tries++)
      assert.ok(tries < 100, 'the new CRD is not used');

    const refused = names((name) => !passes(before.get(name)));
    const changed = names((name) => {
      const object = before.get(name);
      return !passes({ ...object, spec: { ...object.spec, note: 'b' } });
    });
    assert.ok(refused.length > 0 && changed.length > refused.length);
    assert.deepEqual(among(foreseen.refused.every), refused);
    assert.deepEqual(among(foreseen.refused.every, foreseen.refused.other), changed);
    assert.deepEqual(among(foreseen.refusedNext), changed);
    assert.deepEqual(
      among(foreseen.losing),
      names((name) => 'glaze' in before.get(name).spec && !('glaze' in stored(name).spec)),
    );
    assert.deepEqual(
      among(...foreseen.added),
      names((name) => !('finish' in before.get(name).spec) && 'finish' in stored(name).spec),
    );
    assert.deepEqual([glazed, seven].map(verdicts), [
      [false, false],
      [false, false],
    ]);
    does('delete', 'crd', 'vases.stored.example.com');
  });
}
