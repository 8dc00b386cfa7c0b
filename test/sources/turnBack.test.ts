import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { equalValues, isList, isMap, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { turnedBack } from '../../server/src/workspace/sources/turnBack.ts';

// A schema that went through what the usual tools do to it comes back as it was.

/** As the usual script makes a JSON schema of a CRD's: without knowing which maps are schemas. */
function asCatalogue(value: Value, isRoot = true): Value {
  if (isList(value)) return value.map((item) => asCatalogue(item, false));
  if (!isMap(value)) return value;
  const made = new Map<string, Value>();
  for (const [key, inner] of value) {
    const either = isMap(inner) && inner.get('format') === 'int-or-string';
    made.set(key, either ? new Map([['oneOf', [of('string'), of('integer')]]]) : asCatalogue(inner, false));
  }
  if (value.has('properties') && !value.has('additionalProperties') && !isRoot) made.set('additionalProperties', false);
  return made;
}

const of = (type: string) => new Map([['type', type]]);

function schemasIn(text: string): { group: string; kind: string; version: string; schema: ValueMap }[] {
  return sourceFile('mem:/x.yaml', text).manifests.flatMap(({ role, value }) => {
    const spec = value.get('spec');
    const versions = valueAt(spec, ['versions']);
    if (role !== 'crd' || !isMap(spec) || !isList(versions)) return [];
    const [group, kind] = [String(spec.get('group')), String(valueAt(spec, ['names', 'kind']))];
    return versions.flatMap((version) => {
      const schema = valueAt(version, ['schema', 'openAPIV3Schema']);
      return isMap(schema) ? [{ group, kind, version: String(valueAt(version, ['name'])), schema }] : [];
    });
  });
}

// With CRDS=FOLDER also over CRDs that are not of this repository.
const folders = ['examples/crds', 'test/rules/shared', ...(process.env.CRDS?.split(' ') ?? [])];
const files = folders.flatMap((folder) => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.yaml')).map((name) => `${folder}/${name}`);
});

test('a schema that was made into a JSON schema comes back as it was, and is served', () => {
  const all = files.flatMap((file) => schemasIn(readFileSync(file, 'utf8')).map((one) => ({ file, ...one })));
  assert.ok(all.length >= 5, String(all.length));
  for (const { file, group, kind, version, schema } of all) {
    const given = asCatalogue(schema);
    assert.ok(isMap(given));
    const text = turnedBack({ group, kind }, [{ version, schema: given }]);
    const [back] = schemasIn(text);
    assert.ok(back && equalValues(back.schema, schema), `${file} ${kind} ${version}`);
    const [crd] = sourceFile('mem:/back.yaml', text).manifests;
    const served = serveCrd(crd!.value, newestVersion);
    assert.ok(!('error' in served), `${file} ${kind}: ${JSON.stringify(served)}`);
  }
});

test('what a script does to names that look like keywords is undone', () => {
  const text = `type: object
properties:
  spec:
    type: object
    properties:
      properties: {type: string}
      additionalProperties: {type: string}
      items: {type: array, items: {type: object, properties: {not: {type: string}}}}
      port: {format: int-or-string}
      either: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
      any: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}
    anyOf: [{required: [port]}, {properties: {properties: {enum: [a]}}}]
`;
  const schema = schemaOf(text);
  const [back] = schemasIn(
    turnedBack({ group: 'a.io', kind: 'A' }, [{ version: 'v1', schema: asCatalogue(schema) as ValueMap }]),
  );
  assert.deepEqual(
    back!.schema,
    schemaOf(text.replace('{format: int-or-string}', '{x-kubernetes-int-or-string: true}')),
  );
});

function schemaOf(text: string): ValueMap {
  const body = text.replace(/^(?=.)/gm, '        ');
  const crd = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n    - name: v1\n      schema:\n       openAPIV3Schema:\n${body}`;
  return schemasIn(crd)[0]!.schema;
}
