/** A CRD of the kind Box in example.com/v1, with a schema as YAML behind its key, and more lines of its version. */
export function boxCrd(schema: string, more = ''): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes, singular: box, listKind: BoxList}
  versions:
    - name: v1
      served: true
      storage: true
${more}      schema:
        openAPIV3Schema: ${schema}
`;
}
