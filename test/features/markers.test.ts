import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markersOf } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { snapshotOf } from '../support/workspace.ts';

// What controller-gen is told in the Go source, for the same change as the fix makes in the generated file.

const uri = 'file:///main.yaml';

const crd = (properties: string, rest = '', annotations = '{controller-gen.kubebuilder.io/version: v0.19.0}') => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
  annotations: ${annotations}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
${rest}      schema:
        openAPIV3Schema:
          type: object
          properties:
${properties}`;

function markers(text: string): string[] {
  const snapshot = snapshotOf([{ uri, text }], { lints: 'on' });
  const all = diagnose(snapshot, uri).flatMap((one) => markersOf(snapshot, uri, one));
  return [...new Set(all.map((marker) => `${marker.text} on ${marker.on}`))];
}

const cases: readonly (readonly [name: string, text: string, markers: readonly string[]])[] = [
  [
    'a limit, as large as the budget allows',
    crd(`            parts:
              type: array
              items: {type: integer}
              x-kubernetes-validations:
                - {rule: 'self.all(x, self.all(y, x == y))', message: all the same}
`),
    ['+kubebuilder:validation:MaxItems=1413 on parts', '+kubebuilder:validation:MaxItems=999 on parts'],
  ],
  [
    'a limit on the items',
    crd(`            parts:
              type: array
              maxItems: 100
              items: {type: string}
              x-kubernetes-validations:
                - {rule: 'self.all(x, self.all(y, x == y))', message: all the same}
`),
    ['+kubebuilder:validation:items:MaxLength=2485 on parts', '+kubebuilder:validation:items:MaxLength=1235 on parts'],
  ],
  [
    'a rule that is mended',
    crd(`            box:
              type: object
              required: [width]
              properties: {width: {type: integer}}
              x-kubernetes-validations:
                - {rule: self.widht > 0, message: must have a width}
`),
    ['+kubebuilder:validation:XValidation:rule="self.width > 0",message="must have a width" on box'],
  ],
  [
    'a key that is required, or has a default',
    crd(`            parts:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items: {type: object, properties: {name: {type: string}}}
`),
    ['+required on name', '+kubebuilder:default="" on name'],
  ],
  [
    'the status subresource',
    crd('            status: {type: object}\n'),
    ['+kubebuilder:subresource:status on Widget'],
  ],
  [
    'a printer column',
    crd(
      '            size: {type: integer}\n',
      '      additionalPrinterColumns:\n        - {name: Size, type: date, jsonPath: .size}\n',
    ),
    ['+kubebuilder:printcolumn:name="Size",type="integer",JSONPath=".size" on Widget'],
  ],
  [
    'a set',
    crd('            tags: {type: array, uniqueItems: true, items: {type: string}}\n'),
    ['+listType=set on tags'],
  ],
  [
    'a pattern',
    crd("            name: {type: string, pattern: '[a-z]+'}\n"),
    ['+kubebuilder:validation:Pattern="^[a-z]+$" on name'],
  ],
];

for (const [name, text, wanted] of cases) {
  test(`marker: ${name}`, () => {
    assert.deepEqual(markers(text), wanted);
  });
}

test('a problem names its marker, where the CRD is generated', () => {
  const schema = '            status: {type: object}\n';
  const [generated] = diagnose(snapshotOf([{ uri, text: crd(schema) }], { lints: 'on' }), uri);
  assert.match(generated!.message, /\nIn Go: \+kubebuilder:subresource:status$/);
  const [written] = diagnose(snapshotOf([{ uri, text: crd(schema, '', '{}') }], { lints: 'on' }), uri);
  assert.doesNotMatch(written!.message, /In Go/);
  assert.deepEqual(markers(crd(schema, '', '{}')), []);
});
