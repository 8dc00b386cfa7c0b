import type { Value, ValueMap } from '../base/value.ts';

interface Field {
  readonly type: string;
  readonly description: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly values?: Field;
}

const text = (description: string): Field => ({ type: 'string', description });

const metadata: Field = {
  type: 'object',
  description: 'Names and describes the object. Every resource has it.',
  properties: {
    name: text('The name of the object, unique among its kind in its namespace. It cannot be changed later.'),
    generateName: text('A prefix from which the API server makes a unique name, where no name is given.'),
    namespace: text('The namespace of the object. Without it, kubectl uses the namespace of its context.'),
    labels: {
      type: 'object',
      description: 'Short values to select objects by.',
      values: text('A label: at most 63 characters of letters, digits, `-`, `_` and `.`.'),
    },
    annotations: {
      type: 'object',
      description: 'Values that tools keep on the object, 256 KiB in all.',
      values: text('An annotation: any text.'),
    },
    finalizers: {
      type: 'array',
      description: 'Whoever is named here has to finish before the object is gone after its deletion.',
      items: text('A qualified name, such as `example.com/cleanup`.'),
    },
    ownerReferences: {
      type: 'array',
      description: 'The objects that this one belongs to. It is deleted when all of them are gone.',
      items: {
        type: 'object',
        description: 'One owner.',
        properties: {
          apiVersion: text("The owner's API version."),
          kind: text("The owner's kind."),
          name: text("The owner's name."),
          uid: text("The owner's unique id."),
          controller: { type: 'boolean', description: 'Whether this owner manages the object. At most one does.' },
          blockOwnerDeletion: {
            type: 'boolean',
            description: 'Whether the owner waits for this object when it is deleted.',
          },
        },
      },
    },
  },
};

/** What every Kubernetes resource has, whatever its CRD says. */
const fields: Readonly<Record<string, Field>> = {
  apiVersion: text('The group and version of the kind, such as `example.com/v1`.'),
  kind: text('The kind of the object.'),
  metadata,
};

const lowered = new Map(Object.entries(fields).map(([name, field]) => [name, lower(field)]));

/** The schema of a field that every resource has. */
export function resourceField([name]: readonly [string]): ValueMap | undefined {
  return lowered.get(name);
}

function lower({ type, description, properties, items, values }: Field): ValueMap {
  const schema = new Map<string, Value>([
    ['type', type],
    ['description', description],
  ]);
  if (properties)
    schema.set('properties', new Map(Object.entries(properties).map(([name, field]) => [name, lower(field)])));
  if (items) schema.set('items', lower(items));
  if (values) schema.set('additionalProperties', lower(values));
  return schema;
}
