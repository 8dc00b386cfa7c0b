import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonObject } from '../../server/src/workspace/sources/json.ts';
import { schemasOf } from '../../server/src/workspace/sources/openApi.ts';
import { turnedBack } from '../../server/src/workspace/sources/turnBack.ts';

// Documents in which schemas refer to each other, by those who do not mean it well.

const box = { group: 'a.io', kind: 'Box' };
const gvk = (version: string) => ({ 'x-kubernetes-group-version-kind': [{ ...box, version }] });

function textOf(schemas: object): string {
  const versions = schemasOf(jsonObject(JSON.stringify({ components: { schemas } }))!, box);
  return turnedBack(box, versions);
}

test('references that go round, that multiply, or that repeat what is large, end', () => {
  const self = { $ref: '#/components/schemas/A' };
  const round = {
    A: { ...gvk('v1'), properties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, self])) },
  };
  assert.ok(textOf(round).length < 20_000_000);
  const long = { type: 'string', description: 'x'.repeat(1_000_000) };
  const all = Array.from({ length: 5_000 }, (_, i) => [`f${i}`, { $ref: '#/components/schemas/Long' }]);
  assert.ok(textOf({ A: { ...gvk('v1'), properties: Object.fromEntries(all) }, Long: long }).length < 20_000_000);
  const wide = {
    properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }])),
  };
  const wides = Array.from({ length: 5_000 }, (_, i) => [`f${i}`, { $ref: '#/components/schemas/Wide' }]);
  assert.ok(textOf({ A: { ...gvk('v1'), properties: Object.fromEntries(wides) }, Wide: wide }).length < 60_000_000);
});
