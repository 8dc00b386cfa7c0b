import type { Value, ValueMap } from '../../base/value.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { generatedBase } from '../bounds.ts';
import { withMergedOwners } from '../metadata/owners.ts';
import { metadataValue } from '../metadata/print.ts';
import { withUnknownNames } from '../schema/embedded.ts';
import type { Resource } from './decode.ts';

/** The whole object, with its metadata. */
export function wholeObject({ fields, meta, names }: Pick<Resource, 'fields' | 'meta' | 'names'>): ValueMap {
  return new Map(fields).set('metadata', withUnknownNames(metadataValue(meta), names));
}

/** The object without what a server adds to its metadata on every write. */
export function storedObject(fields: ReadonlyMap<string, Value>, meta: ObjectMeta, nullDeletion = false): ValueMap {
  const shown: ObjectMeta = {
    ...withMergedOwners(meta),
    uid: undefined,
    creationTimestamp: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    generation: undefined,
  };
  const metadata = metadataValue(shown);
  if (nullDeletion && !meta.deletionTimestamp) metadata.set('deletionTimestamp', null);
  return new Map(fields).set('metadata', metadata);
}

/** A name made of generateName, with a suffix that is always the same where a server's is random. */
export function generatedName({ name, generateName }: ObjectMeta): string | undefined {
  if (name || !generateName) return name;
  return `${firstBytes(generateName, generatedBase)}00000`;
}

function firstBytes(text: string, count: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= count ? text : new TextDecoder().decode(bytes.subarray(0, count));
}

/** The namespace that a request's path would name. */
export function placedNamespace(meta: ObjectMeta, namespaced: boolean): string | undefined {
  return namespaced ? meta.namespace || 'default' : undefined;
}
