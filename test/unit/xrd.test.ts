import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isList, isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { derivedCrds, xrdDefaults } from '../../server/src/crossplane/derive.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { crossplaneFile } from '../support/workspace.ts';

const text = `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xboxes.example.org}
spec:
  group: example.org
  names: {kind: XBox, plural: xboxes}
  claimNames: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      referenceable: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: object, properties: {unknown: {type: string, foo: 1}}}
                color: {type: string}
`;

function read(yaml: string) {
  const value = valueOf(parseDocument(yaml));
  assert.ok(isMap(value));
  return value;
}

test("the defaults of a definition are those of Crossplane's own CRD", () => {
  const versions = valueAt(crossplaneFile().manifests[0]!.value, ['spec', 'versions']);
  assert.ok(isList(versions));
  const found = versions.map((version): [Value | undefined, Map<string, Value>] => {
    const fields = valueAt(version, ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties']);
    const standards = isMap(fields)
      ? [...fields].map(([name, field]) => [name, valueAt(field, ['default'])] as const)
      : [];
    return [
      valueAt(version, ['name']),
      new Map(standards.filter((one): one is [string, Value] => one[1] !== undefined)),
    ];
  });
  const plain = (maps: Iterable<readonly [unknown, ReadonlyMap<string, Value>]>) =>
    Object.fromEntries([...maps].map(([name, values]) => [String(name), Object.fromEntries(values)]));
  assert.deepEqual(plain(found), plain(xrdDefaults));
});

test('an edit leaves the rest of the CRDs what it is', () => {
  const xrd = read(text);
  const field = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
  const versions = valueAt(xrd, ['spec', 'versions']) as readonly Value[];
  const edited = new Map([
    ...xrd,
    ['spec', new Map([...(xrd.get('spec') as Map<string, Value>), ['versions', [...versions]]])],
  ]);
  for (const [i, { value }] of derivedCrds(xrd).entries()) {
    const after = derivedCrds(edited)[i]!.value;
    assert.notEqual(after, value);
    // A version that was not touched is the same, with all that is in it.
    assert.equal(valueAt(after, ['spec', 'versions', 0]), valueAt(value, ['spec', 'versions', 0]));
    // What nothing was dropped of is the author's own.
    assert.equal(valueAt(value, [...field, 'color']), valueAt(xrd, [...field, 'color']));
    // What something was dropped of is made once.
    assert.equal(valueAt(value, [...field, 'size']), valueAt(after, [...field, 'size']));
    assert.equal(valueAt(value, [...field, 'size', 'properties', 'unknown', 'foo']), undefined);
  }
});
