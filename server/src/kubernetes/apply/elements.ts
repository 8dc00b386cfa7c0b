import { isMap, type Value } from '../../base/value.ts';
import { compareStrings, printJson } from '../../gostd/jsonPrint.ts';
import type { ListMerge } from './mergeType.ts';

/** What names a part of a value, as `fieldsV1` writes it: `f:name`, `k:{"port":80}`, `v:"a"`. */
export type Element = string;

export const fieldElement = (name: string): Element => `f:${name}`;

/** What names an item of a list whose items are told apart, or why nothing does. */
export function itemElement(list: ListMerge, item: Value): Element | { readonly error: string } {
  return list.keys.length > 0 ? keyedElement(list, item) : valueElement(item);
}

function valueElement(item: Value): Element | { readonly error: string } {
  if (item === null) return { error: "associative list without keys has an element that's an explicit null" };
  if (isMap(item)) return { error: "associative list without keys has an element that's a map type" };
  if (typeof item === 'object') return { error: 'not supported: associative list with lists as elements' };
  return `v:${printJson(item)}`;
}

function keyedElement({ keys, item: type }: ListMerge, item: Value): Element | { readonly error: string } {
  if (item === null) return { error: 'associative list with keys may not have a null element' };
  if (!isMap(item)) return { error: 'associative list with keys may not have non-map elements' };
  const found = new Map<string, Value>();
  for (const key of [...keys].sort(compareStrings)) {
    const value = item.get(key) ?? type.map?.defaults.get(key);
    if (value !== undefined) found.set(key, value);
  }
  if (found.size > 0) return `k:${printJson(found)}`;
  const names = `[${keys.map((key) => JSON.stringify(key)).join(' ')}]`;
  const error = `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
  return { error };
}

/** As the server writes it in errors: `[name="a"]`, `[="a"]`. */
export function elementText(list: ListMerge, item: Value, element: Element): string {
  if (list.keys.length === 0) return `[=${element.slice(2)}]`;
  const keys = [...list.keys].sort(compareStrings);
  const value = (key: string) => (isMap(item) ? item.get(key) : undefined) ?? list.item.map?.defaults.get(key);
  const named = keys.flatMap((key) => {
    const found = value(key);
    return found === undefined ? [] : [`${key}=${printJson(found)}`];
  });
  return `[${named.join(',')}]`;
}
