import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isList, isMap, type Path, type Value, valueAt } from '../../server/src/base/value.ts';
import { objectIn } from '../../server/src/features/place/objectIn.ts';
import { indexDefinitions } from '../../server/src/workspace/definitions.ts';
import type { Manifest } from '../../server/src/workspace/manifest.ts';
import type { CrdPart, GoCrds } from '../../server/src/workspace/projections/goTypes.ts';
import { inScalar } from '../../server/src/workspace/projections/scalar.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { crdsFrom } from '../../server/src/workspace/xrd.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { viewOfText } from '../support/goFiles.ts';

// A part that is written at its source leads there, and from there back; and what is at both ends is the same.

function* pathsIn(value: Value | undefined, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (isList(value)) for (const [i, item] of value.entries()) yield* pathsIn(item, [...path, i]);
  if (isMap(value)) for (const [key, item] of value) yield* pathsIn(item, [...path, key]);
}

/** The parts of an object that are written, by the path in it and that in the document. */
function writtenParts({ value, projection }: Manifest): [path: Path, place: Path][] {
  return [...pathsIn(value)].flatMap((path) => {
    const [origin] = projection!.written(path);
    return origin?.how === 'written' ? [[path, origin.place] as [Path, Path]] : [];
  });
}

const xrd = `kind: List
apiVersion: v1
items:
  - apiVersion: apiextensions.crossplane.io/v1
    kind: CompositeResourceDefinition
    metadata: {name: xqueues.example.com, labels: {team: a}}
    spec:
      group: example.com
      names: {kind: XQueue, plural: xqueues}
      claimNames: {kind: Queue, plural: queues}
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
                    size: {type: integer, description: of it}
`;

test('the CRDs of an XRD lead to it and back', () => {
  const file = sourceFile('file:///xrd.yaml', xrd);
  const crds = crdsFrom(file.manifests[0]!);
  assert.equal(crds.length, 2);
  for (const crd of crds) {
    const parts = writtenParts(crd);
    for (const [path, place] of parts) {
      assert.ok(
        crd.projection!.made(place).some((one) => one.join() === path.join()),
        `${place} gives not ${path}`,
      );
    }
    const size = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'size'];
    assert.ok(
      parts.some(([path, place]) => path.join() === size.join() && place.join() === ['items', 0, ...size].join()),
    );
  }
  const [plural] = crds[1]!.projection!.made(['items', 0, 'spec', 'claimNames', 'plural']);
  assert.deepEqual(plural, ['spec', 'names', 'plural']);
  const [added] = crds[0]!.projection!.written(['spec', 'versions', 0, 'subresources', 'status']);
  assert.equal(added?.how, 'computed');
});

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  names: {kind: Queue, plural: queues}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
`;

const tests = `crd: crd.yaml
bases:
  small: {apiVersion: example.com/v1, kind: Queue, spec: {size: 1, parts: [{name: a}]}}
cases:
  - name: a patch
    create: {with: {'spec.parts[0].name': b, spec: {size: 2}}}
  - name: a value
    rule: spec.parts[].x-kubernetes-validations[0]
    self: {name: c}
`;

test('objects in tests lead to where they are written and back', () => {
  const definitions = indexDefinitions([sourceFile('file:///crd.yaml', crd)]);
  const document = parseDocument(tests);
  const places: Path[] = [
    ['bases', 'small', 'spec', 'parts', 0, 'name'],
    ['cases', 0, 'create', 'with', 'spec.parts[0].name'],
    ['cases', 0, 'create', 'with', 'spec', 'size'],
    ['cases', 1, 'self', 'name'],
  ];
  for (const place of places) {
    const found = objectIn(document, 'file:///a.crdtest.yaml', definitions, place)!;
    const [origin] = found.manifest.projection!.written(found.path);
    assert.deepEqual(origin, { place, how: 'written' });
    const here = valueAt(valueOf(document), place);
    assert.deepEqual(valueAt(found.manifest.value, found.path), here, place.join());
  }
});

test('a document in a text leads to the text and back', () => {
  const outer = parseDocument('patches:\n  - patch: |-\n      a: 1\n      b: 22\n');
  const projection = inScalar(outer, ['patches', 0, 'patch']);
  const [origin] = projection.written({ start: 8, end: 10 });
  assert.equal(outer.text.slice(origin!.place.start, origin!.place.end), '22');
  assert.deepEqual(projection.made(origin!.place), [{ start: 8, end: 10 }]);
});

const go = `// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:validation:XValidation:rule="self.name != \\"x\\"",message="not x"
type Part struct {
	Name string \`json:"name"\`
}

type Spec struct {
	First  Part   \`json:"first"\`
	Others []Part \`json:"others,omitempty"\`
}

type Queue struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Spec              Spec \`json:"spec,omitempty"\`
}

type Topic struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Part              Part \`json:"part,omitempty"\`
}
`;

function placeOf(types: GoCrds, part: CrdPart): string {
  const [origin] = types.written(part);
  assert.equal(origin?.how, 'written');
  return go.slice(origin!.place.range.start, origin!.place.range.end);
}

test('a field and a rule of a Go type lead to all parts that come of them, and those back', async () => {
  const { types, uri } = await viewOfText(go);
  const rangeOf = (text: string) => ({ start: go.indexOf(text), end: go.indexOf(text) + text.length });
  const names = types.made({ uri, range: rangeOf('name"`') });
  assert.deepEqual(names.map(({ document, path }) => [document, ...path.slice(5)].join('.')).sort(), [
    '0.properties.spec.properties.first.properties.name',
    '0.properties.spec.properties.others.items.properties.name',
    '1.properties.part.properties.name',
  ]);
  for (const part of names) assert.equal(placeOf(types, part), 'name');
  const quoted = types.made({ uri, range: rangeOf('\\"x\\"') });
  assert.equal(quoted.length, 3);
  for (const part of quoted) {
    assert.deepEqual(part.within, { start: 13, end: 16 });
    assert.equal(placeOf(types, part), '\\"x\\"');
    const range = types.rangeOf(part)!;
    assert.equal(types.source.text.slice(range.start, range.end), '"x"');
  }
});
