import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { ResourceOptions } from '../cr/create.ts';
import type { ServedCrd, ServedVersion } from '../cr/served.ts';
import { updateResource } from '../cr/update.ts';
import type { ResourceVerdict } from '../cr/verdict.ts';
import { formOf, type MergeType, objectMergeType, typeAt } from './mergeType.ts';
import type { LastApplied } from './serverSide.ts';

// What kubectl apply does without --server-side: it keeps what it applied in an annotation, and sends a merge patch.

/** What the API server says to the patch that kubectl makes of what was applied last, what is there, and what is applied. */
export function patchResource(
  config: ValueMap,
  { live, config: before }: LastApplied,
  crd: ServedCrd,
  options: ResourceOptions = {},
): ResourceVerdict {
  return updateResource(live, patched(live, before, config), crd, options);
}

function patched(live: ValueMap, before: Value | undefined, config: ValueMap): ValueMap {
  const out = new Map(live);
  if (isMap(before)) for (const key of before.keys()) if (!config.has(key)) out.delete(key);
  for (const [key, value] of config) {
    const [own, last] = [live.get(key), isMap(before) ? before.get(key) : undefined];
    if (value === null) out.delete(key);
    else out.set(key, isMap(value) && isMap(own) ? patched(own, last, value) : value);
  }
  return out;
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The bytes of an object's annotations with what kubectl adds to them. */
export function annotationBytes(config: ValueMap): number {
  const annotations = valueAt(config, ['metadata', 'annotations']);
  let bytes = byteLength(lastApplied) + byteLength(printJson(config)) + 1;
  for (const [key, value] of isMap(annotations) ? annotations : []) {
    if (key !== lastApplied && typeof value === 'string') bytes += byteLength(key) + byteLength(value);
  }
  return bytes;
}

/** The lists of an object of which server-side apply leaves the items of others alone; a patch replaces them. */
export function sharedLists(config: ValueMap, served: ServedVersion): Path[] {
  const found: Path[] = [];
  collect(config, objectMergeType(served), [], found);
  return found;
}

function collect(value: Value, type: MergeType | undefined, path: Path, found: Path[]): void {
  if (!type || value === null || typeof value !== 'object') return;
  const form = formOf(type, value);
  if (form === 'scalar' || type[form]!.atomic) return;
  if (form === 'list' && isList(value)) {
    if (value.length > 0) found.push(path);
    for (const [i, item] of value.entries()) collect(item, type.list!.item, [...path, i], found);
  } else if (isMap(value)) {
    for (const [key, item] of value) collect(item, typeAt(type.map!, key), [...path, key], found);
  }
}
