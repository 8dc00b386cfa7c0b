import type { Value } from '../../base/value.ts';
import { type GoTime, printRfc3339, zeroSeconds } from '../../go/time.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './types.ts';

/** The members of an object as Go's JSON has them: what is undefined, empty or marked so is left out. */
export function members(entries: Readonly<Record<string, Value | undefined>>): Map<string, Value> {
  const out = new Map<string, Value>();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) out.set(key, value);
  return out;
}

export function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

function filledMap(map: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string> | undefined {
  return map && map.size > 0 ? map : undefined;
}

function isZeroTime(time: GoTime): boolean {
  return time.seconds === zeroSeconds && time.nanoseconds === 0;
}

export function timeText(time: GoTime | undefined): string | undefined {
  return time && printRfc3339(time);
}

function ownerReferenceJson(reference: OwnerReference): Value {
  return members({
    apiVersion: reference.apiVersion ?? '',
    kind: reference.kind ?? '',
    name: reference.name ?? '',
    uid: reference.uid ?? '',
    controller: reference.controller,
    blockOwnerDeletion: reference.blockOwnerDeletion,
  });
}

/** Metadata as stored, but for managedFields; `unset` stands for an unset creationTimestamp. */
export function metadataJson(meta: ObjectMeta, unset: null | undefined): Map<string, Value> {
  return members({
    name: meta.name,
    generateName: meta.generateName,
    namespace: meta.namespace,
    selfLink: meta.selfLink,
    uid: meta.uid,
    resourceVersion: meta.resourceVersion,
    generation: meta.generation,
    creationTimestamp: timeText(meta.creationTimestamp) ?? unset,
    deletionTimestamp:
      meta.deletionTimestamp && (isZeroTime(meta.deletionTimestamp) ? null : timeText(meta.deletionTimestamp)),
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds,
    labels: filledMap(meta.labels),
    annotations: filledMap(meta.annotations),
    ownerReferences: filled(meta.ownerReferences)?.map(ownerReferenceJson),
    finalizers: filled(meta.finalizers),
  });
}

function managedFieldsJson(entry: ManagedFieldsEntry): Value {
  return members({
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    time: timeText(entry.time),
    fieldsType: entry.fieldsType,
    fieldsV1: entry.fieldsV1,
    subresource: entry.subresource,
  });
}

/** Metadata as a plain value with all that it knows; an unset creationTimestamp is left out. */
export function metadataValue(meta: ObjectMeta): Map<string, Value> {
  const out = metadataJson(meta, undefined);
  const managed = filled(meta.managedFields);
  if (managed) out.set('managedFields', managed.map(managedFieldsJson));
  return out;
}
