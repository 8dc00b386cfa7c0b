import {
  flagPointer,
  integer,
  integerPointer,
  list,
  map,
  raw,
  structElement,
  structType,
  text,
  textElement,
  time,
  timePointer,
} from '../decode.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './types.ts';

const ownerReferenceType = structType<OwnerReference>('OwnerReference', {
  apiVersion: text('apiVersion'),
  kind: text('kind'),
  name: text('name'),
  uid: text('uid', 'types.UID'),
  controller: flagPointer('controller'),
  blockOwnerDeletion: flagPointer('blockOwnerDeletion'),
});

const managedFieldsType = structType<ManagedFieldsEntry>('ManagedFieldsEntry', {
  manager: text('manager'),
  operation: text('operation', 'v1.ManagedFieldsOperationType'),
  apiVersion: text('apiVersion'),
  time: timePointer('time'),
  fieldsType: text('fieldsType'),
  fieldsV1: raw('fieldsV1'),
  subresource: text('subresource'),
});

const strings = 'map[string]string';
const ownerReference = structElement<OwnerReference>(
  () => ownerReferenceType,
  () => ({}),
);
const managedFields = structElement<ManagedFieldsEntry>(
  () => managedFieldsType,
  () => ({}),
);

export const objectMetaType = structType<ObjectMeta>('ObjectMeta', {
  name: text('name'),
  generateName: text('generateName'),
  namespace: text('namespace'),
  selfLink: text('selfLink'),
  uid: text('uid', 'types.UID'),
  resourceVersion: text('resourceVersion'),
  generation: integer('generation', 64),
  creationTimestamp: time('creationTimestamp'),
  deletionTimestamp: timePointer('deletionTimestamp'),
  deletionGracePeriodSeconds: integerPointer('deletionGracePeriodSeconds', 64),
  labels: map('labels', strings, textElement),
  annotations: map('annotations', strings, textElement),
  ownerReferences: list('ownerReferences', '[]v1.OwnerReference', ownerReference),
  finalizers: list('finalizers', '[]string', textElement),
  managedFields: list('managedFields', '[]v1.ManagedFieldsEntry', managedFields),
});

export const metadataFieldNames: readonly string[] = [...objectMetaType.fields.keys()];
