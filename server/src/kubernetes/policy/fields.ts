import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';

// Fields of objects that were decoded without an error: what is absent or null is Go's zero value, or a nil pointer.

export const noFields: ValueMap = new Map();

export function textOf(map: ValueMap | undefined, key: string): string {
  return pointedText(map, key) ?? '';
}

/** The text behind a pointer. */
export function pointedText(map: ValueMap | undefined, key: string): string | undefined {
  const value = map?.get(key);
  return isString(value) ? value : undefined;
}

export function mapOf(map: ValueMap | undefined, key: string): ValueMap | undefined {
  const value = map?.get(key);
  return isMap(value) ? value : undefined;
}

export function listOf(map: ValueMap | undefined, key: string): readonly Value[] {
  const value = map?.get(key);
  return isList(value) ? value : [];
}

export function textsOf(map: ValueMap | undefined, key: string): readonly string[] {
  return listOf(map, key).map((value) => (isString(value) ? value : ''));
}

export function mapsOf(map: ValueMap | undefined, key: string): readonly ValueMap[] {
  return listOf(map, key).map((value) => (isMap(value) ? value : noFields));
}

/** The places of names that stand further up already. */
export function repeatsOf(names: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  return new Set(names.flatMap((name, i) => (seen.size === seen.add(name).size ? [i] : [])));
}
