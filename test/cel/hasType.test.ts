import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SchemaProps } from '../../server/src/kubernetes/api/schema.ts';
import { declType, hasType } from '../../server/src/kubernetes/cel/declType.ts';
import { lowerSchema } from '../../server/src/kubernetes/schema/lower.ts';
import type { Structural } from '../../server/src/kubernetes/schema/structural.ts';

function lowered(schema: SchemaProps): Structural {
  const found = lowerSchema(schema);
  assert.ok(!('error' in found), JSON.stringify(schema));
  return found.structural;
}

const scalars: readonly SchemaProps[] = [
  ...['string', 'boolean', 'number', 'integer', 'object'].map((type) => ({ type })),
  { intOrString: true },
  { preserveUnknownFields: true },
  {},
];

test('a schema has a type exactly where one is made', () => {
  const around = (inner: SchemaProps): readonly SchemaProps[] => [
    inner,
    { type: 'array', items: { schema: inner } },
    { type: 'object', additionalProperties: { allows: true, schema: inner } },
    { type: 'object', properties: new Map([['a', inner]]) },
  ];
  const answers = scalars
    .flatMap(around)
    .flatMap(around)
    .map((schema) => {
      const structural = lowered(schema);
      const isMade = declType(structural, false, { capsNames: true, intOrStringLength: true }) !== undefined;
      assert.equal(hasType(structural), isMade, JSON.stringify(structural));
      return isMade;
    });
  assert.deepEqual([answers.includes(true), answers.includes(false)], [true, true]);
});
