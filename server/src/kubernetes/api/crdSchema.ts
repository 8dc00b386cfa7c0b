import type { ValueMap } from '../../base/value.ts';
import { crdStruct } from './crd.ts';
import { fillNode, schemaNode, shownKeys, structNode } from './editor.ts';
import { objectMetaStruct } from './objectMeta.ts';
import { schemaStruct } from './schema.ts';
import type { FieldFacts } from './struct.ts';

// What a CRD itself is made of, for the editor. Schemas contain schemas, so these nodes contain themselves.

const { fields } = schemaStruct;

const schema = schemaNode('object', { text: 'The schema of a value.' });

/** A schema inside allOf, anyOf, oneOf or not. */
const junctor = schemaNode('object', {
  text: 'A schema that validates the value. Types, defaults, descriptions and `x-kubernetes-` keywords are not allowed here.',
});

const keywords = shownKeys(schemaStruct);
fillNode(schema, schemaStruct, keywords, (key) =>
  fields[key].type.node(fields[key], fields[key].judges ? junctor : schema),
);

const inJunctors = [
  ...keywords.filter((key) => fields[key].judges),
  ...keywords.filter((key) => fields[key].inJunctor !== undefined),
];
const factsInJunctors = (key: keyof typeof fields): FieldFacts => ({ ...fields[key], ...fields[key].inJunctor });
fillNode(
  junctor,
  schemaStruct,
  inJunctors,
  (key) => fields[key].type.node(factsInJunctors(key), junctor),
  factsInJunctors,
);

/** The schema of CustomResourceDefinition, apiextensions.k8s.io/v1. */
export const crdSchema: ValueMap = structNode(crdStruct, 'Defines a new kind of object.', schema);

/** The schema of a field that every resource has, whatever its CRD says. */
export function resourceField(name: string): ValueMap | undefined {
  return resourceFields.get(name);
}

const resourceFields = new Map<string, ValueMap>([
  ['apiVersion', schemaNode('string', { text: 'The group and version of the kind, such as `example.com/v1`.' })],
  ['kind', schemaNode('string', { text: 'The kind of the object.' })],
  ['metadata', structNode(objectMetaStruct, 'Names and describes the object. Every resource has it.', schema)],
]);
