import type { Range } from '../../base/text.ts';
import { isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';

/**
 * Where a file has a CRD that a generator puts into one that is whole in another file: it lacks group, names and scope, one of
 * its annotations has nothing behind the prefix, as of what no feature gate is in the way of, or it refers to schemas in others.
 */
export function partsOfCrds(definitions: Definitions, { uri, stream, manifests }: SourceFile): Range[] {
  const parts = manifests.filter(
    ({ role, value }) => role === 'crd' && (isPart(value.get('spec')) || isMarked(value) || refersToOthers(value)),
  );
  if (parts.length === 0) return [];
  const others = [...definitions].flatMap(([, all]) => all).filter(({ file }) => file.uri !== uri);
  const whole = new Set(others.map(({ group, resources }) => `${resources[0]}.${group}`));
  return parts.flatMap(({ document, value }) => {
    const name = valueAt(value, ['metadata', 'name']);
    const placed = stream.documents.find((one) => one.document === document);
    if (!placed || typeof name !== 'string' || !whole.has(name)) return [];
    return [{ start: placed.start, end: placed.start + document.text.length }];
  });
}

function isMarked(crd: ValueMap): boolean {
  const annotations = valueAt(crd, ['metadata', 'annotations']);
  return isMap(annotations) && [...annotations.keys()].some((key) => key.endsWith('/'));
}

/** Whether a schema in it is elsewhere: `$ref: 'k8s.json#/definitions/PodSpec'`. */
function refersToOthers(value: Value | undefined): boolean {
  if (Array.isArray(value)) return value.some(refersToOthers);
  if (!isMap(value)) return false;
  const reference = value.get('$ref');
  return (isString(reference) && reference.indexOf('#/') > 0) || [...value.values()].some(refersToOthers);
}

function isPart(spec: Value | undefined): boolean {
  return isMap(spec) && ['group', 'names', 'scope'].every((key) => !spec.has(key));
}
