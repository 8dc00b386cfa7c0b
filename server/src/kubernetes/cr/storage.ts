import { isMap, type Value, type ValueMap } from '../../base/value.ts';
import { applyDefaults } from '../schema/default.ts';
import type { UnknownField } from '../schema/prune.ts';
import { form } from './form.ts';
import type { ServedCrd, ServedVersion } from './served.ts';

/** What the store holds of an object, and what of the object is not in it. */
export interface Kept {
  /** The version that it is stored in. */
  readonly served: ServedVersion;
  readonly value: ValueMap;
  readonly lost: readonly UnknownField[];
}

/**
 * What the store holds of a valid object that was written in some version: whatever that is, it is stored in the
 * storage version, whose schema drops what it does not know. Undefined where that is a webhook's doing.
 */
export function kept(object: Value, crd: ServedCrd): Kept | undefined {
  const storage = crd.lowered.versions.find((version) => version.storage);
  const served = storage && crd.versions.get(storage.name);
  if (!served || !isMap(object)) return undefined;
  const formed = converted(object, served, crd);
  return formed && { served, value: formed.value, lost: formed.unknown };
}

/** What a client gets that reads the object in a version. What the storage version has defaults for is there again. */
export function readBack({ served, value }: Kept, version: ServedVersion, crd: ServedCrd): ValueMap | undefined {
  const defaulted = applyDefaults(value, served.structural);
  return isMap(defaulted) ? converted(defaulted, version, crd)?.value : undefined;
}

function converted(object: ValueMap, to: ServedVersion, { lowered }: ServedCrd) {
  const apiVersion = `${to.group}/${to.version}`;
  if (lowered.convertedByWebhook && object.get('apiVersion') !== apiVersion) return undefined;
  const formed = form(new Map(object).set('apiVersion', apiVersion), to);
  return 'error' in formed ? undefined : formed;
}

/** What a version's schema leaves of an object that a webhook has made; undefined where it cannot be read. */
export function formedIn(object: ValueMap, version: ServedVersion): ValueMap | undefined {
  const formed = form(object, version);
  return 'error' in formed ? undefined : formed.value;
}
