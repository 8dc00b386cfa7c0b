/**
 * A CRD of the kind Gear in example.com with several versions: v2 is stored, and each knows other fields and has other
 * defaults.
 */
export function versionedCrd(strategy: 'None' | 'Webhook' = 'None'): string {
  const webhook = 'webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://localhost/convert"}}';
  const version = (name: string, fields: string, more = 'served: true, storage: false') =>
    `  - {name: ${name}, ${more}, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, default: {}, properties: {${fields}}}}}}}\n`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gears.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gear, plural: gears, singular: gear, listKind: GearList}
  conversion: {strategy: ${strategy}${strategy === 'Webhook' ? `, ${webhook}` : ''}}
  versions:
${version('v1alpha1', 'teeth: {type: integer}', 'served: false, storage: false')}${version(
  'v1beta1',
  'teeth: {type: integer}',
  'served: true, storage: false, deprecated: true, deprecationWarning: gone soon',
)}${version('v1', 'teeth: {type: integer}, ratio: {type: integer}, oil: {type: string, default: thick}')}${version(
  'v2',
  'teeth: {type: integer}, ratio: {type: integer, default: 5}',
  'served: true, storage: true',
)}`;
}
