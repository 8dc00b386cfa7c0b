import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../server/src/base/value.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import type { Json } from '../../server/src/gostd/json.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { snapshotOfCase } from '../support/workspace.ts';

// A change of a schema is told of if and only if there is an object that the old one allows and the new one does not;
// and what is said about updates is what the API server does.

const schemas = [
  '{type: string}',
  '{type: string, maxLength: 2}',
  '{type: string, maxLength: 3}',
  '{type: string, minLength: 0}',
  '{type: string, minLength: 2}',
  '{type: string, pattern: ^a}',
  '{type: string, pattern: ^b}',
  '{type: string, enum: [a]}',
  '{type: string, enum: [a, bb]}',
  '{type: string, format: date}',
  '{type: string, format: whatever}',
  '{x-kubernetes-int-or-string: true}',
  '{type: integer}',
  '{type: integer, format: int32}',
  '{type: integer, format: int64}',
  '{type: integer, maximum: 5}',
  '{type: integer, maximum: 5, exclusiveMaximum: true}',
  '{type: integer, maximum: 6}',
  '{type: integer, minimum: 0}',
  '{type: integer, minimum: -1}',
  '{type: integer, multipleOf: 2}',
  '{type: integer, multipleOf: 4}',
  '{type: number}',
  '{type: boolean}',
  '{type: array, items: {type: string}}',
  '{type: array, maxItems: 1, items: {type: string}}',
  '{type: array, minItems: 1, items: {type: string}}',
  '{type: array, items: {type: string, maxLength: 1}}',
  '{type: array, items: {type: integer}}',
  '{type: object, properties: {a: {type: string}}}',
  '{type: object, properties: {a: {type: string, maxLength: 1}}}',
  '{type: object, required: [a], properties: {a: {type: string}}}',
  '{type: object, required: [a], properties: {a: {type: string, default: x}}}',
  '{type: object, additionalProperties: {type: string}}',
  '{type: object, maxProperties: 1, additionalProperties: {type: string}}',
  '{type: object, minProperties: 1, additionalProperties: {type: string}}',
  '{type: object, x-kubernetes-preserve-unknown-fields: true}',
];

/** The API server drops a null that may not be, and takes lists for texts that have a format. */
const values: Value[] = [
  ...['', 'a', 'b', 'aa', 'bb', 'aaa', 'aaaa', 'zzzz', 'bccc', 'bcccc', '2020-01-01'],
  ...[0n, 1n, -1n, -2n, 2n, 4n, 5n, 6n, 7n, -4n, -8n, -3_000_000_000n, 3_000_000_000n, 0.5, true],
  ...[[], ['a'], ['aa'], ['a', 'b'], [1n]],
  new Map(),
  new Map([['a', 'x']]),
  new Map([['a', 'xx']]),
  new Map([['b', 'x']]),
  new Map<string, Value>([
    ['a', 'x'],
    ['b', 'x'],
  ]),
  new Map([['a', 1n]]),
];

const crdText = (schema: string) => `apiVersion: apiextensions.k8s.io/v1
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
            other: {type: string}
`;

function served(schema: string): ServedCrd {
  const crd = serveCrd(valueOf(parseDocument(crdText(schema)))!, newestVersion);
  assert.ok(!('error' in crd));
  return crd;
}

const box = (value: Value, other = 'x'): Json & Value =>
  new Map<string, Value>([
    ['apiVersion', 'example.com/v1'],
    ['kind', 'Box'],
    ['metadata', new Map([['name', 'a']])],
    ['value', value],
    ['other', other],
  ]) as Json & Value;

/** Whether nothing of the object is refused or lost. */
function holds(crd: ServedCrd, value: Value): boolean {
  const { decode, errors, strict } = createResource(box(value), crd);
  return !decode && errors.length === 0 && strict.length === 0;
}

const accepted = schemas.map((schema) => {
  const crd = served(schema);
  return { schema, crd, holds: new Set(values.filter((value) => holds(crd, value))) };
});

function told(old: string, now: string): string[] {
  const uri = 'file:///box.yaml';
  const fences = new Map([['committed', crdText(old)]]);
  const files = [{ uri, text: crdText(now), expected: [] }];
  const snapshot = snapshotOfCase({ files, fences, settings: { lints: 'on' } } as never);
  return diagnose(snapshot, uri)
    .map(({ code }) => code)
    .filter((code) => breakingCodes.has(code));
}

const breakingCodes = new Set([
  'lint/limit-tightened',
  'lint/enum-value-removed',
  'lint/type-changed',
  'lint/field-removed',
  'lint/field-now-required',
]);

/** What one keyword excludes another one may have excluded before: only keywords of the same name are compared. */
const narrows: readonly (readonly [RegExp, RegExp])[] = [
  [/enum|pattern|format: date/, /string, (?:m|p|f|e)/],
  [/m(?:ax|in)imum|format: int32/, /format: int32|m(?:ax|in)imum/],
  [/properties/, /m(?:ax|in)Properties/],
  [/array/, /format: date/],
  [/format: date/, /array/],
];

for (const old of accepted) {
  test(`${old.schema}: changes that exclude values are told of, and no others`, () => {
    assert.ok(old.holds.size > 0);
    for (const now of accepted) {
      const isQuirk = (value: Value) => Array.isArray(value) && /format: date/.test(old.schema + now.schema);
      const lost = [...old.holds].filter((value) => !now.holds.has(value) && !isQuirk(value));
      const codes = told(old.schema, now.schema);
      if (lost.length === 0 && narrows.some(([from, to]) => from.test(old.schema) && to.test(now.schema))) continue;
      assert.equal(codes.length > 0, lost.length > 0, `to ${now.schema}: ${codes}, lost ${lost.length} values`);
    }
  });
}

test('an update that leaves what is now wrong as it is passes', () => {
  for (const old of accepted) {
    for (const now of accepted) {
      const kept = told(old.schema, now.schema).filter((code) => code !== 'lint/field-removed');
      if (kept.length === 0) continue;
      if (/default/.test(old.schema)) continue;
      for (const value of [...old.holds].filter((one) => !now.holds.has(one))) {
        const { decode, errors } = updateResource(box(value), box(value, 'changed'), now.crd);
        assert.deepEqual([decode, errors], [undefined, []], `${old.schema} to ${now.schema}`);
      }
    }
  }
});
