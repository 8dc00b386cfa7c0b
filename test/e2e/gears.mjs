// A kind with two versions, of which one lacks a field that an object has.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const version = (name, fields, more) =>
  `    - {name: ${name}, ${more}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}}\n`;

/** Its CRD and an object of it, in a workspace. */
export function writeGears(workspace) {
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears}
  versions:
${version('v1beta1', 'teeth: {type: integer}', 'served: true, storage: false')}${version('v1', 'teeth: {type: integer}, oil: {type: string}', 'served: true, storage: true')}`;
  writeFileSync(path.join(workspace, 'crds/gears.yaml'), crd);
  const gear =
    'apiVersion: example.com/v1\nkind: Gear\nmetadata:\n  name: one\n  namespace: shop\nspec:\n  teeth: 7\n  oil: thin\n';
  writeFileSync(path.join(workspace, 'gear.yaml'), gear);
}
