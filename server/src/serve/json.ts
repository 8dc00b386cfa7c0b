import { isMap, type Value, type ValueMap } from '../base/value.ts';
import { plainValue, readJson } from '../gostd/json.ts';

/** An object as the face of the engine holds it. Numbers are JavaScript's: tests that need all of int64 ask the engine. */
export type JsonMap = { [member: string]: JsonValue };
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonMap;

export function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function mapAt(value: JsonValue | undefined, ...path: string[]): JsonMap {
  const found = at(value, ...path);
  return isJsonMap(found) ? found : {};
}

export function listAt(value: JsonValue | undefined, ...path: string[]): JsonValue[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function textAt(value: JsonValue | undefined, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function at(value: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((inner, name) => (isJsonMap(inner) ? inner[name] : undefined), value);
}

/** As the engine holds it. */
export function valueOf(json: JsonValue): Value {
  const read = readJson(JSON.stringify(json));
  return 'error' in read ? null : plainValue(read.json);
}

export function mapOf(json: JsonMap): ValueMap {
  const value = valueOf(json);
  return isMap(value) ? value : new Map();
}

/** Whether two values say the same; the order of members does not count. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => sameJson(one, b[i]));
  if (!isJsonMap(a) || !isJsonMap(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && sameJson(a[name], b[name]));
}
