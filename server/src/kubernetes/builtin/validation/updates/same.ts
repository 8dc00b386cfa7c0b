import { isList, isMap, isUnknown, type Value, type ValueMap } from '../../../../base/value.ts';
import { quantityOf } from '../goTexts.ts';

// Whether what is applied says the same as what is stored, of which the server and others have filled in more than was written.

/** Maps of which every key counts, and fields that are nothing by default. */
export const keepsKeys: ReadonlySet<string> = new Set([
  ...['matchLabels', 'labels', 'annotations', 'nodeSelector', 'parameters', 'data', 'binaryData', 'matchExpressions'],
  'selector',
]);
/** Those that hold texts alone: an empty one is something. */
export const textMaps: ReadonlySet<string> = new Set([
  'matchLabels',
  'nodeSelector',
  'parameters',
  'data',
  'binaryData',
]);
const nothingByDefault: ReadonlySet<string> = new Set(['storageClassName', 'volumeName', 'image', 'value', 'command']);

/**
 * Whether Go would find no difference: nothing and emptiness are the same, and so may be what is not known. What only one
 * of them says may be what the other has by default.
 */
export function sameValues(a: Value | undefined, b: Value | undefined, isExact: boolean): boolean {
  if (a === b || isUnknown(a) || isUnknown(b)) return true;
  if (isNothing(a) && isNothing(b)) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, i) => sameValues(item, b[i], isExact));
  if (isMap(a)) return isMap(b) && sameMaps(a, b, isExact);
  const [x, y] = [quantityOf(a ?? null), quantityOf(b ?? null)];
  return !isExact && x !== undefined && y !== undefined && x.unscaled === y.unscaled && x.scale === y.scale;
}

function sameMaps(a: ValueMap, b: ValueMap, isExact: boolean): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((key) => {
    const [x, y] = [a.get(key), b.get(key)];
    const isOneSided = isNothing(x) !== isNothing(y);
    if (isOneSided && !isExact && !nothingByDefault.has(key)) return true;
    return textMaps.has(key) ? sameTexts(x, y) : sameValues(x, y, isExact || keepsKeys.has(key));
  });
}

export function sameTexts(a: Value | undefined, b: Value | undefined): boolean {
  if (isUnknown(a) || isUnknown(b)) return true;
  if (!isMap(a) || !isMap(b)) return isEmpty(a) && isEmpty(b);
  return a.size === b.size && [...a].every(([key, value]) => b.has(key) && sameValues(value, b.get(key), true));
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || (isMap(value) && value.size === 0);
}

export function isNothing(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0n) return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && [...value.values()].every(isNothing);
}
