import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixAll } from '../../server/src/features/mend/fixAll.ts';
import { applyEdits, snapshotOf } from '../support/workspace.ts';

const uri = 'file:///main.yaml';

const crd = (properties: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
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
          properties:
${properties}`;

function fixed(text: string, code?: string): { text: string; edits: number } {
  const all = fixAll(snapshotOf([{ uri, text }]), uri, code === undefined ? {} : { code });
  assert.ok(all);
  return { text: applyEdits(text, all.edits), edits: all.edits.length };
}

test('all of a kind, and nothing else', () => {
  const text = crd(`            a: {properties: {x: {type: string}}}
            b: {items: {type: string}}
            c: {type: string, maxlength: 5}
`);
  const wanted = crd(`            a: {type: object, properties: {x: {type: string}}}
            b: {type: array, items: {type: string}}
            c: {type: string, maxlength: 5}
`);
  assert.deepEqual(fixed(text, 'crd/type-required'), { text: wanted, edits: 2 });
});

test('all that is safe, over kinds', () => {
  const text = crd(`            a: {properties: {x: {type: string}}}
            c: {type: string, maxlength: 5}
            d: {type: text}
`);
  const wanted = crd(`            a: {type: object, properties: {x: {type: string}}}
            c: {type: string, maxLength: 5}
            d: {type: string}
`);
  assert.deepEqual(fixed(text).text, wanted);
});

test('what a fix leaves to the next round is fixed as well', () => {
  const text = crd(`            a:
              properties:
                b:
                  properties:
                    c: {items: {type: string}}
`);
  const wanted = crd(`            a:
              type: object
              properties:
                b:
                  type: object
                  properties:
                    c: {type: array, items: {type: string}}
`);
  assert.equal(fixed(text).text, wanted);
});

test('nothing where nothing is safe', () => {
  const snapshot = snapshotOf([{ uri, text: crd('            a: {}\n') }]);
  assert.equal(fixAll(snapshot, uri), undefined);
});
