import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsBuiltin } from '../../server/src/workspace/builtin.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';

// The file of built-in kinds is large: it is read where one of them is met, and not before.

const crd = (schema: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  versions:
  - schema:
      openAPIV3Schema:
        properties:
${schema}`;

const field = (name: string) => `          ${name}:\n            type: string\n`;
const lamp = 'apiVersion: example.com/v1\nkind: Lamp\nspec:\n';

const texts: readonly (readonly [what: string, text: string, isRead: boolean])[] = [
  ['an object of a built-in kind', 'apiVersion: apps/v1\nkind: Deployment\n', true],
  ['an API version without a kind so far', 'apiVersion: apps/v1\n', true],
  ['an API version below its key', 'apiVersion:\n  v1\nkind: Pod\n', true],
  ['an object on one line', '{"kind":"Pod","apiVersion":"v1"}', true],
  ['a custom resource', `${lamp}  light: 1\n`, false],
  ['a custom resource with containers', `${lamp}  containers: []\n`, true],
  ['a CRD', crd(field('light')), false],
  ['a CRD with a field apiVersion', crd(field('apiVersion')), false],
  ['a CRD with a field containers', crd(field('containers')), false],
  ['a CRD and an object of a built-in kind', `${crd(field('apiVersion'))}---\napiVersion: v1\nkind: Pod\n`, true],
];

for (const [what, text, isRead] of texts) {
  test(`${what}: the built-in kinds are ${isRead ? '' : 'not '}read`, () => {
    assert.equal(needsBuiltin(emptySnapshot, sourceFile('file:///a.yaml', text)), isRead);
  });
}
