import type { Value } from '../../base/value.ts';
import { type ObjectMeta, objectMetaStruct } from '../api/objectMeta.ts';
import { storeStruct } from '../api/store.ts';

/** Metadata as a plain value; an unset creationTimestamp is left out. */
export function metadataValue(meta: ObjectMeta): Map<string, Value> {
  return storeStruct(objectMetaStruct, meta, { zeroTimestamp: false });
}
