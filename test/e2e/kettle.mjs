/** A CRD of a kind that nothing knows, with these properties in `spec`. */
export function kettleCrd(properties) {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: kettles.kitchen.example.org
spec:
  group: kitchen.example.org
  scope: Namespaced
  names: {kind: Kettle, plural: kettles}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: {${properties}}}
`;
}

/** A resource of it. */
export function kettle(spec) {
  return `apiVersion: kitchen.example.org/v1\nkind: Kettle\nmetadata: {name: a}\nspec: {${spec}}\n`;
}
