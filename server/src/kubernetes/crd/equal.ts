import { schemaStruct } from '../api/schema.ts';

/** What is empty in Go's semantic comparison: an absent, an empty list and an empty map are one. */
function isEmpty(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return value === undefined || ((Array.isArray(value) || value instanceof Uint8Array) && value.length === 0);
}

/** Pointers to raw JSON: an absent one differs from one to an empty list. */
const pointers = new Set<string>(schemaStruct.keys.filter((key) => schemaStruct.fields[key].type.isRaw));

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => semanticEqual(item, b[i]));
}

function equalMaps(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, item] of a) if (!b.has(key) || !semanticEqual(item, b.get(key))) return false;
  return true;
}

function equalFields(a: object, b: object): boolean {
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [x, y] = [left[key], right[key]];
    if (x === y || (isEmpty(x) && isEmpty(y) && !pointers.has(key))) continue;
    if (x === undefined || y === undefined || !semanticEqual(x, y)) return false;
  }
  return true;
}

/** Go's apiequality.Semantic.DeepEqual over decoded objects. */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalLists([...a], [...b]);
  if (Array.isArray(b) || b instanceof Map || b instanceof Uint8Array) return false;
  return equalFields(a, b);
}
