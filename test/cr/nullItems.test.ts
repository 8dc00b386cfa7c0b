import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLine } from '../conformance/answer.ts';

function crd(schema: object): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { f: schema } } },
        },
      ],
    },
  };
}

function widget(f: unknown): object {
  const metadata = { name: 'a', namespace: 'b', resourceVersion: '1', uid: 'u' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, f };
}

function updateErrors(rule: string, field: object, old: unknown, changed: unknown): readonly string[] {
  const schema = { ...field, 'x-kubernetes-validations': [{ rule }] };
  const request = { op: 'cr.update', crd: crd(schema), old: widget(old), obj: widget(changed) };
  const { errors = [] } = JSON.parse(answerLine(JSON.stringify(request), '1.37'));
  return errors.map(({ message }: { message: string }) => message);
}

const item = {
  type: 'object',
  nullable: true,
  required: ['k'],
  properties: { k: { type: 'string' }, o: { type: 'object', nullable: true, properties: { x: { type: 'string' } } } },
};
const mapList = {
  type: 'array',
  items: item,
  maxItems: 9,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
};
const atomic = { type: 'array', items: { ...item, required: [] }, maxItems: 9 };

// The answers are those of Kubernetes 1.37.

test('a null in a list of type map is like no other item, not even like itself', () => {
  const errors = updateErrors('size(oldSelf) == 1 || self == oldSelf', mapList, [null, null], [null, null]);
  assert.deepEqual(errors, ['Invalid value: failed rule: size(oldSelf) == 1 || self == oldSelf']);
});

test('a map of the schema cannot be compared with a null beside it', () => {
  const overload = (rule: string) => [
    `Invalid value: "array": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`,
  ];
  const contained = 'oldSelf.all(x, x in self)';
  assert.deepEqual(updateErrors(contained, atomic, [null], [{ k: 'a' }]), overload(contained));
  assert.deepEqual(updateErrors('self == oldSelf', atomic, [null], [{ k: 'a' }]), overload('self == oldSelf'));
  const nested = updateErrors('self == oldSelf', atomic, [{ o: null }], [{ o: { x: 'a' } }]);
  assert.deepEqual(nested, ['Invalid value: failed rule: self == oldSelf']);
});
