import { isList, isMap, type Value } from '../../base/value.ts';
import { fixedFloat } from '../../gostd/float.ts';
import { quote } from '../../gostd/quote.ts';
import type { Structural } from '../schema/structural.ts';

type OldItem = (item: Value) => Value | undefined;

const noItem: OldItem = () => undefined;

/** Finds the old item with the keys of a new one; only lists of type map have such. */
export function correlatedItems(schema: Structural, old: Value): OldItem {
  const { listType, listMapKeys } = schema.extensions;
  if (schema.type !== 'array' || listType !== 'map' || listMapKeys.length === 0) return noItem;
  if (!isList(old) || old.length === 0) return noItem;
  const byKey = new Map<string, Value>();
  for (const item of old) {
    const text = keyText(item, listMapKeys);
    if (text !== undefined && !byKey.has(text)) byKey.set(text, item);
  }
  return (item) => {
    const text = keyText(item, listMapKeys);
    return text === undefined ? undefined : byKey.get(text);
  };
}

function keyText(item: Value, keys: readonly string[]): string | undefined {
  if (!isMap(item)) return undefined;
  let text = '';
  for (const name of keys) {
    const part = partText(item.get(name), keys.length > 1);
    if (part === undefined) return undefined;
    text += `\0${part}`;
  }
  return text;
}

/** Among several keys floats count to six decimals, as Go prints them. */
function partText(value: Value | undefined, several: boolean): string | undefined {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return several ? fixedFloat(value, 6) : `float ${value}`;
}
