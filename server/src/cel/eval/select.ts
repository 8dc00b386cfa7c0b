import { goType } from './goType.ts';
import {
  type CelError,
  error,
  isError,
  isKind,
  itemAt,
  type List,
  type Selector,
  sizeOfList,
  typeName,
  type Val,
} from './values.ts';

/** What stands under a name. */
export function selected(value: Val, selector: Selector): Val {
  if (!isKind(value, 'map')) return qualify(value, selector.name);
  const found = value.select(selector);
  return found === undefined ? selector.missing() : found;
}

/** Whether something stands under a name. */
export function has(value: Val, selector: Selector): Val {
  const found = isKind(value, 'map') ? value.select(selector) : find(value, selector.name);
  return found !== undefined && isError(found) ? found : found !== undefined;
}

/** The value under a key that was computed. */
export function keyed(value: Val, key: Val): Val {
  return badKey(key) ?? qualify(value, key);
}

/** Only primitive values select anything. */
export function badKey(key: Val): CelError | undefined {
  if (key !== null && typeof key !== 'object') return undefined;
  if (isError(key)) return key;
  return isKind(key, 'uint') ? undefined : error(`invalid qualifier type: ${goType(key)}`);
}

function keyText(key: Val): string {
  if (isKind(key, 'uint')) return String(key.value);
  return typeof key === 'number' ? floatText(key) : String(key);
}

function floatText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The value under a key, or why there is none. */
function qualify(value: Val, key: Val): Val {
  const found = isKind(value, 'map') ? value.find(key) : find(value, key);
  if (found !== undefined) return found;
  return error(isKind(value, 'list') ? `index out of bounds: ${keyText(key)}` : `no such key: ${keyText(key)}`);
}

/** The value under a key; undefined where there is none. */
export function find(value: Val, key: Val): Val | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  switch (value.kind) {
    case 'map':
      return value.find(key);
    case 'list':
      return atIndex(value, key);
    case 'error':
      return value;
    default:
      return undefined;
  }
}

function atIndex(value: List, key: Val): Val | undefined {
  const index = indexOf(key);
  if (typeof index !== 'bigint') return index;
  const found = index >= 0n && index < BigInt(sizeOfList(value)) ? itemAt(value, Number(index)) : undefined;
  return found === undefined || typeof key === 'bigint' || !value.habits ? found : value.habits.wrongIndex(key);
}

/** A list's index from any number that is whole. */
export function indexOf(key: Val): bigint | CelError {
  if (typeof key === 'bigint') return key;
  if (typeof key === 'number') {
    return Number.isInteger(key) && Math.abs(key) < 2 ** 63
      ? BigInt(key)
      : error(`unsupported index value ${floatText(key)} in list`);
  }
  if (isKind(key, 'uint'))
    return key.value < 2n ** 63n ? key.value : error(`unsupported index value ${key.value} in list`);
  return error(`unsupported index type '${typeName(key)}' in list`);
}
