import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueAt } from '../../server/src/base/value.ts';
import { type Json, readJson } from '../../server/src/gostd/json.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';

function json(value: object): Json {
  const read = readJson(JSON.stringify(value));
  assert.ok('json' in read);
  return read.json;
}

const crd = serveCrd(
  json({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  }),
  newestVersion,
);

// As the oracle of 1.37 answers: an update keeps Go's zero time behind a pointer, and writes it as null.
for (const [written, stored] of [
  ['0001-01-01T00:00:00Z', null],
  [null, undefined],
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
] as const) {
  test(`a deletionTimestamp of ${written} is kept as ${stored} by an update`, () => {
    assert.ok(!('error' in crd));
    const object = (metadata: object) => json({ apiVersion: 'example.com/v1', kind: 'Widget', metadata });
    const verdict = updateResource(object({ name: 'a' }), object({ name: 'a', deletionTimestamp: written }), crd);
    assert.equal(valueAt(verdict.stored ?? null, ['metadata', 'deletionTimestamp']), stored);
  });
}
