import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { snapshotOf } from '../support/workspace.ts';

// What is said to have no effect has none, and what is said to let nothing pass lets nothing pass.

const crd = (schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            size: ${schema}
`;

const values = [
  '1',
  '5',
  '53',
  '1.5',
  '2',
  '""',
  '"2"',
  '"5"',
  'small',
  '[]',
  '[1, 2, 3]',
  '{}',
  '{width: 1}',
  '{a: 1, b: 2}',
  'true',
];

function accepted(schema: string): string[] {
  const served = serveCrd(valueOf(parseDocument(crd(schema)))!, newestVersion);
  assert.ok('versions' in served);
  return values.filter((value) => {
    const text = `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nsize: ${value}\n`;
    const { errors, strict } = createResource(valueOf(parseDocument(text))!, served);
    return errors.length === 0 && strict.length === 0;
  });
}

function codesOf(schema: string): string[] {
  const uri = 'file:///crd.yaml';
  const found = diagnose(snapshotOf([{ uri, text: crd(schema) }], { lints: 'on' }), uri);
  return found.map(({ code }) => code).filter((code) => /idle|enum-type|contradict|undeclared$|constant/.test(code));
}

const idle: readonly (readonly [type: string, keyword: string])[] = [
  ['type: integer', 'minLength: 9'],
  ['type: integer', "pattern: '^x$'"],
  ['type: number', 'maxItems: 0'],
  ['type: string', 'minimum: 100'],
  ['type: string', 'multipleOf: 7'],
  ['type: boolean', 'maxLength: 0'],
  ['type: array, items: {type: integer}', 'maxLength: 0'],
  ['type: array, items: {type: integer}', 'maxProperties: 0'],
  ['type: object, additionalProperties: {type: integer}', 'maxItems: 0'],
  ['type: string', 'required: [a]'],
];

for (const [type, keyword] of idle) {
  test(`${keyword} has no effect on ${type}`, () => {
    assert.deepEqual(codesOf(`{${type}, ${keyword}}`), ['lint/keyword-idle']);
    assert.deepEqual(accepted(`{${type}, ${keyword}}`), accepted(`{${type}}`));
  });
}

const nothing: readonly (readonly [code: string, schema: string])[] = [
  ['lint/bounds-contradict', '{type: integer, minimum: 5, maximum: 1}'],
  ['lint/bounds-contradict', '{type: integer, minimum: 5, exclusiveMinimum: true, maximum: 5}'],
  ['lint/bounds-contradict', '{type: string, minLength: 5, maxLength: 1}'],
  ['lint/bounds-contradict', '{type: array, minItems: 4, maxItems: 1, items: {type: integer}}'],
  [
    'lint/bounds-contradict',
    '{type: object, minProperties: 3, maxProperties: 1, additionalProperties: {type: integer}}',
  ],
  ['lint/required-undeclared', '{type: object, required: [widht], properties: {width: {type: integer}}}'],
  ['lint/required-undeclared', '{type: object, required: [a]}'],
  ['lint/rule-constant', '{type: integer, x-kubernetes-validations: [{rule: "self > 0 && 1 == 2", message: never}]}'],
  ['lint/enum-type', '{type: string, enum: [2]}'],
  ['lint/enum-type', '{type: integer, enum: [small]}'],
  ['lint/enum-type', '{type: integer, enum: [1.5]}'],
  ['lint/enum-type', '{type: boolean, enum: ["true"]}'],
];

for (const [code, schema] of nothing) {
  test(`nothing passes: ${schema}`, () => {
    assert.deepEqual(codesOf(schema), [code]);
    assert.deepEqual(accepted(schema), []);
  });
}

const fine: readonly string[] = [
  '{x-kubernetes-int-or-string: true, minimum: 1, maxLength: 5, pattern: x}',
  '{x-kubernetes-preserve-unknown-fields: true, minimum: 1, maxLength: 5}',
  '{type: integer, minimum: 5, maximum: 5}',
  '{type: integer, enum: ["5"]}',
  '{type: number, enum: [1, 1.5]}',
  '{type: string, nullable: true, enum: [a, null]}',
  '{type: object, required: [a], x-kubernetes-preserve-unknown-fields: true}',
  '{type: object, required: [a], additionalProperties: {type: integer}}',
  '{type: object, required: [kind], x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}',
  '{type: integer, x-kubernetes-validations: [{rule: self > 0 || self < -1, message: x}]}',
];

for (const schema of fine) test(`nothing is said of ${schema}`, () => assert.deepEqual(codesOf(schema), []));
