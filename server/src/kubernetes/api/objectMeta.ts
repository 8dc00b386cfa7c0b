import {
  flagPointer,
  integer,
  integerPointer,
  list,
  map,
  raw,
  structItem,
  text,
  textItem,
  time,
  timePointer,
} from './goTypes.ts';
import { jsonName, type ObjectOf, omitZero, optional, required, struct } from './struct.ts';

// metav1.ObjectMeta and what is in it.

const ownerFields = {
  apiVersion: required(text(), { go: 'APIVersion', text: "The owner's API version." }),
  kind: required(text(), { text: "The owner's kind." }),
  name: required(text(), { text: "The owner's name." }),
  uid: required(text('types.UID'), { go: 'UID', text: "The owner's unique id." }),
  controller: optional(flagPointer, { text: 'Whether this owner manages the object. At most one does.' }),
  blockOwnerDeletion: optional(flagPointer, {
    text: 'Whether the owner waits for this object when it is deleted.',
  }),
};

export type OwnerReference = ObjectOf<typeof ownerFields>;
export const ownerReferenceStruct = struct<OwnerReference>('metav1.OwnerReference', () => ({}), ownerFields, {
  text: 'One owner.',
});

const managedFields = {
  manager: optional(text()),
  operation: optional(text('v1.ManagedFieldsOperationType')),
  apiVersion: optional(text(), { go: 'APIVersion' }),
  time: optional(timePointer),
  fieldsType: optional(text()),
  fieldsV1: optional(raw),
  subresource: optional(text()),
};

export type ManagedFieldsEntry = ObjectOf<typeof managedFields>;
const managedFieldsStruct = struct<ManagedFieldsEntry>('metav1.ManagedFieldsEntry', () => ({}), managedFields);

const metaFields = {
  name: optional(text(), {
    text: 'The name of the object, unique among its kind in its namespace. It cannot be changed later.',
  }),
  generateName: optional(text(), {
    text: 'A prefix from which the API server makes a unique name if no name is given.',
  }),
  namespace: optional(text(), {
    text: 'The namespace of the object. Without it, kubectl uses the namespace of its context.',
  }),
  selfLink: optional(text()),
  uid: optional(text('types.UID'), { go: 'UID' }),
  resourceVersion: optional(text()),
  generation: optional(integer(64)),
  creationTimestamp: omitZero(time),
  deletionTimestamp: optional(timePointer),
  deletionGracePeriodSeconds: optional(integerPointer(64)),
  labels: optional(map(textItem), {
    text: 'Short values that objects can be selected by.',
    one: 'A label: at most 63 characters of letters, digits, `-`, `_` and `.`.',
  }),
  annotations: optional(map(textItem), {
    text: 'Values that tools keep on the object, at most 256 KiB in total.',
    one: 'An annotation: any text.',
  }),
  ownerReferences: optional(list(structItem(ownerReferenceStruct)), {
    text: 'The objects that this one belongs to. It is deleted when all of them are gone.',
  }),
  finalizers: optional(list(textItem), {
    text: 'The tasks that must finish before a deleted object is really gone.',
    one: 'A qualified name, such as `example.com/cleanup`.',
  }),
  managedFields: optional(list(structItem(managedFieldsStruct))),
};

/** Go's zero values are absent; an empty list or map is not. */
export type ObjectMeta = ObjectOf<typeof metaFields>;
export const objectMetaStruct = struct<ObjectMeta>('metav1.ObjectMeta', () => ({}), metaFields, {
  shownFirst: ['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers'],
});

export const metadataFieldNames: readonly string[] = objectMetaStruct.keys.map((key) =>
  jsonName(objectMetaStruct.fields, key),
);

/** What the handler takes out of every new object's metadata, before anything is validated. */
export const neverGiven = { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined, selfLink: undefined };
