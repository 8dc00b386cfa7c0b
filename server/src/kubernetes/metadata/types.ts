import type { Value } from '../../base/value.ts';
import type { GoTime } from '../../go/time.ts';

/** metav1.ObjectMeta. Go's zero values are absent; an empty list or map is not. */
export interface ObjectMeta {
  name?: string | undefined;
  generateName?: string | undefined;
  namespace?: string | undefined;
  selfLink?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: bigint | undefined;
  creationTimestamp?: GoTime | undefined;
  deletionTimestamp?: GoTime | undefined;
  deletionGracePeriodSeconds?: bigint | undefined;
  labels?: Map<string, string> | undefined;
  annotations?: Map<string, string> | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  finalizers?: string[] | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
}

export interface OwnerReference {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  uid?: string | undefined;
  controller?: boolean | undefined;
  blockOwnerDeletion?: boolean | undefined;
}

export interface ManagedFieldsEntry {
  manager?: string | undefined;
  operation?: string | undefined;
  apiVersion?: string | undefined;
  time?: GoTime | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: Value | undefined;
  subresource?: string | undefined;
}
