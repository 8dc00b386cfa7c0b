/** The text of a small CRD of `things.example.com`, with these fields in its spec. */
export function crdText(kind: string, fields: string, more = ''): string {
  const plural = `${kind.toLowerCase()}${kind.endsWith('x') ? 'es' : 's'}`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.things.example.com
${more}spec:
  group: things.example.com
  scope: Namespaced
  names: {kind: ${kind}, plural: ${plural}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {${fields}}}
`;
}
