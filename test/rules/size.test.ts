import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { byteLength } from '../../server/src/gostd/bytes.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { snapshotOf } from '../support/workspace.ts';

const uri = 'file:///main.yaml';

/** The sizes are those of the JSON without the description, with the line break that kubectl adds: 334 bytes. */
const crd = (bytes: number) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          description: ${'x'.repeat(bytes - 334)}
`;

function said(bytes: number): string[] {
  const found = diagnose(snapshotOf([{ uri, text: crd(bytes) }], { lints: 'on' }), uri);
  return found.map(({ code, severity }) => `${code} ${severity}`);
}

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'.length;

const limits: readonly (readonly [bytes: number, below: string[], above: string[]])[] = [
  [262_144 - annotation, [], ['lint/size-apply information']],
  [1_572_864, ['lint/size-apply information'], ['lint/size-etcd warning']],
  [3_145_728, ['lint/size-etcd warning'], ['lint/size-request error']],
];

for (const [bytes, below, above] of limits) {
  test(`a CRD of ${bytes} bytes, and one that is a byte larger`, () => {
    assert.deepEqual(said(bytes), below);
    assert.deepEqual(said(bytes + 1), above);
  });
}

test('escapes and characters of several bytes count as they do in JSON', () => {
  const odd = '"\\\\ <a&b> é € 😀 \\n \\u2028 \\u0001"';
  const small = crd(1000).replace('description: ', `title: ${odd}\n          description: `);
  const { value } = sourceFile(uri, small).manifests[0]!;
  const missing = 262_144 - annotation - byteLength(printJson(value)) - 1;
  const exact = (more: number) => small.replace('description: ', `description: ${'x'.repeat(missing + more)}`);
  const codes = (text: string) => diagnose(snapshotOf([{ uri, text }], { lints: 'on' }), uri).map(({ code }) => code);
  assert.deepEqual(codes(exact(0)), []);
  assert.deepEqual(codes(exact(1)), ['lint/size-apply']);
});
