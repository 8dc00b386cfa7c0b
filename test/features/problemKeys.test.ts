import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { isSameProblem } from '../../server/src/rules/model/diagnostic.ts';
import { snapshotOf } from '../support/workspace.ts';

const uri = 'file:///main.yaml';
const crd = (name: string, type: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${name}s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ${name}s, kind: Widget}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {a: {type: ${type}}}}}}
`;

test('each problem of a file has an identity of its own, which survives the way through an editor', () => {
  const text = `${crd('widget', 'strin')}---\n${crd('gadget', 'strin')}`;
  const found = diagnose(snapshotOf([{ uri, text }]), uri);
  assert.ok(found.length > 1);
  for (const one of found) {
    const { code, key } = JSON.parse(JSON.stringify(one));
    assert.deepEqual(
      found.filter((other) => isSameProblem(other, { key, code })),
      [one],
    );
  }
});

test('a fix is asked for by the document, the version and the place of its problem', () => {
  const text = `${crd('widget', 'string')}---\n${crd('gadget', 'strin')}`;
  const snapshot = snapshotOf([{ uri, text }]);
  const found = diagnose(snapshot, uri).filter((one) => fixesFor(snapshot, uri, one).length > 0);
  assert.ok(found.length > 0);
  const [{ code, key }] = found as [(typeof found)[0]];
  assert.deepEqual(key.of === 'document' && key.start, text.indexOf('---') + 4);
  assert.deepEqual(fixesFor(snapshot, uri, { code: 'crd/names-mismatch', key }), []);
  assert.deepEqual(fixesFor(snapshot, uri, { code, key: { of: 'file' } }), []);
  assert.deepEqual(fixesFor(snapshot, uri, { code, key: { of: 'document', start: 1, nth: 0 } }), []);
});
