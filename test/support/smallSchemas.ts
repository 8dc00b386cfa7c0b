import assert from 'node:assert/strict';
import type { Value } from '../../server/src/base/value.ts';
import type { Json } from '../../server/src/gostd/json.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';

// One field with every kind of schema, and values to try them with.

const any = 'x-kubernetes-preserve-unknown-fields: true';
const rule = (text: string, message = '') =>
  `x-kubernetes-validations: [{rule: "${text}"${message && `, message: ${message}`}}]`;
const map = 'x-kubernetes-list-type: map, x-kubernetes-list-map-keys';
const item = 'items: {type: object, required: [a, b], properties: {a: {type: string}, b: {type: string}}}';

/** Schemas of `value`, as YAML. */
export const schemas = [
  '{type: string}',
  '{type: string, nullable: true}',
  '{type: string, maxLength: 2}',
  '{type: string, minLength: 0}',
  '{type: string, pattern: ^a}',
  '{type: string, format: date}',
  '{type: string, format: whatever}',
  '{type: string, enum: [a, bb]}',
  '{type: string, enum: [a, bb, b]}',
  '{type: string, default: a}',
  '{type: string, default: b}',
  '{type: string, description: A text.}',
  `{type: string, ${rule('self.size() < 2')}}`,
  `{type: string, ${rule('self.size() < 3')}}`,
  `{type: string, ${rule('self.size() < 3', 'too long')}}`,
  '{type: string, anyOf: [{maxLength: 1}, {minLength: 3}]}',
  '{type: string, anyOf: [{maxLength: 1}, {minLength: 3}, {pattern: b}]}',
  '{type: string, oneOf: [{maxLength: 1}, {pattern: a}]}',
  '{type: string, not: {maxLength: 1}}',
  '{type: string, allOf: [{maxLength: 2}]}',
  '{type: string, allOf: [{maxLength: 2}, {minLength: 1}]}',
  '{x-kubernetes-int-or-string: true}',
  '{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}',
  '{x-kubernetes-int-or-string: true, anyOf: [{type: integer, minimum: 1}, {type: string}]}',
  `{${any}}`,
  '{type: integer}',
  '{type: integer, format: int64}',
  '{type: integer, maximum: 5}',
  '{type: integer, maximum: 5, exclusiveMaximum: true}',
  '{type: integer, exclusiveMaximum: true}',
  '{type: number}',
  '{type: array, items: {type: string}}',
  '{type: array, items: {type: string, nullable: true}}',
  '{type: array, x-kubernetes-list-type: atomic, items: {type: string}}',
  '{type: array, x-kubernetes-list-type: set, items: {type: string}}',
  `{type: array, items: {${any}}}`,
  `{type: array, ${item}}`,
  `{type: array, ${map}: [a], ${item}}`,
  `{type: array, ${map}: [a, b], ${item}}`,
  '{type: object}',
  '{type: object, properties: {a: {type: string}}}',
  '{type: object, properties: {b: {type: string}}}',
  '{type: object, properties: {a: {type: string}, b: {type: string}}}',
  '{type: object, required: [a], properties: {a: {type: string}}}',
  '{type: object, properties: {a: {type: string, nullable: true}}}',
  '{type: object, additionalProperties: {type: string}}',
  '{type: object, additionalProperties: {type: integer}}',
  '{type: object, additionalProperties: true}',
  '{type: object, maxProperties: 1, additionalProperties: {type: string}}',
  '{type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}',
  `{type: object, ${any}}`,
  `{type: object, ${any}, properties: {a: {type: string}}}`,
  '{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}',
];

const object = (...entries: [string, Value][]) => new Map<string, Value>(entries);
const [a, b] = [object(['a', 'x'], ['b', 'y']), object(['a', 'x'], ['b', 'z'])];

export const values: Value[] = [
  ...['', 'a', 'b', 'aa', 'bb', 'aaa', 'bbb', '2020-01-01'],
  ...[0n, 1n, 5n, 6n, 0.5, true],
  ...[[], ['a'], ['a', 'a'], ['a', null], [a], [a, b], [a, a], [1n]],
  ...[a, object(), object(['a', 'x']), object(['b', 'y']), object(['a', null]), object(['c', 'z']), object(['a', 1n])],
  object(['c', object(['e', 'z'])]),
  object(['apiVersion', 'v1'], ['kind', 'Pod'], ['metadata', object()]),
  object(['apiVersion', 'v1'], ['kind', 'Pod'], ['c', object(['e', 'z'])]),
];

/** A CRD whose objects have a field `value`. */
export const crdText = (schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: boxes.example.com
spec:
  group: example.com
  scope: Cluster
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            value: ${schema}
`;

export function served(schema: string): ServedCrd {
  const crd = serveCrd(valueOf(parseDocument(crdText(schema)))!, newestVersion);
  assert.ok(!('error' in crd), schema);
  return crd;
}

/** An object with the value; its label is something else that may change. */
export function box(value: Value, label = 'x'): Json & Value {
  return object(
    ['apiVersion', 'example.com/v1'],
    ['kind', 'Box'],
    ['metadata', object(['name', 'a'], ['labels', object(['a', label])])],
    ['value', value],
  ) as Json & Value;
}

/** Whether nothing of an object with the value is refused or lost. */
export function holds(crd: ServedCrd, value: Value): boolean {
  const { decode, errors, strict } = createResource(box(value), crd);
  return !decode && errors.length === 0 && strict.length === 0;
}
