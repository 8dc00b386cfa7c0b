import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { jsonText } from '../../server/src/cli/jsonText.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import { published, type SchemaForm } from '../../server/src/kubernetes/crd/publish.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { crdText, holds, schemas, served, values } from '../support/smallSchemas.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'Box' };

function inForm(schema: string, form: SchemaForm) {
  const { stored } = createCrd(valueOf(parseDocument(crdText(schema)))!, { kubernetes: newestVersion });
  const found = valueAt(stored, ['spec', 'versions', 0, 'schema', 'openAPIV3Schema']);
  assert.ok(isMap(found));
  return JSON.parse(jsonText(published(found, kind, form)));
}

const hasNull = (value: Value): boolean =>
  value === null || (Array.isArray(value) ? value.some(hasNull) : isMap(value) && [...value.values()].some(hasNull));

/** What JSON Schema cannot say, or says where asked to: rules, list types, formats, keys without what is in their objects. */
const isBeyond = (schema: string) =>
  /validations|list-type: (set|map)|format: date|additionalProperties: true/.test(schema);

test('as JSON Schema it accepts what the API server takes whole', () => {
  for (const schema of schemas.filter((one) => !isBeyond(one))) {
    const validate = new Ajv({ strict: false, logger: false }).compile(inForm(schema, 'json-schema'));
    const crd = served(schema);
    // The API server drops most nulls before it looks.
    for (const value of values.filter((one) => !hasNull(one))) {
      const object = {
        apiVersion: 'example.com/v1',
        kind: 'Box',
        metadata: { name: 'a' },
        value: JSON.parse(jsonText(value)),
      };
      assert.equal(
        validate(object),
        holds(crd, value),
        `${schema}: ${jsonText(value)} ${JSON.stringify(validate.errors)}`,
      );
    }
  }
});

test('null is a value where it is kept', () => {
  const accepts = (schema: string) =>
    new Ajv({ strict: false, logger: false }).compile(inForm(schema, 'json-schema'))({
      apiVersion: 'example.com/v1',
      kind: 'Box',
      metadata: { name: 'a' },
      value: null,
    });
  assert.equal(accepts('{type: string, nullable: true}'), true);
  assert.equal(accepts('{type: string}'), false);
  // To the API server an enum without null excludes it.
  assert.equal(accepts('{type: string, nullable: true, enum: [a]}'), false);
  assert.equal(accepts('{x-kubernetes-int-or-string: true, nullable: true}'), true);
});

test('other kinds and versions are refused', () => {
  const validate = new Ajv({ strict: false, logger: false }).compile(inForm('{type: string}', 'json-schema'));
  const object = { apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a', labels: { a: 'b' } } };
  assert.equal(validate(object), true);
  assert.equal(validate({ ...object, kind: 'Jar' }), false);
  assert.equal(validate({ ...object, apiVersion: 'example.com/v2' }), false);
  assert.equal(validate({ ...object, more: 1 }), false);
});

test('OpenAPI keeps what the CRD says; version 2 leaves out what kubectl cannot read', () => {
  const schema =
    '{type: object, required: [a, b], properties: {a: {type: string, nullable: true}, b: {type: string, anyOf: [{maxLength: 1}, {pattern: a}]}}}';
  const { properties, ...root } = inForm(schema, 'openapi-v3');
  assert.deepEqual(properties.value.required, ['a', 'b']);
  assert.equal(properties.value.additionalProperties, undefined);
  assert.deepEqual(Object.keys(properties).sort(), ['apiVersion', 'kind', 'metadata', 'value']);
  assert.deepEqual(root['x-kubernetes-group-version-kind'], [{ group: 'example.com', kind: 'Box', version: 'v1' }]);
  const lossy = inForm(schema, 'openapi-v2').properties.value;
  assert.deepEqual(lossy, { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } });
});
