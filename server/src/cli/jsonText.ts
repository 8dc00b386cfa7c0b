import { isList, isMap, type Value } from '../base/value.ts';
import { jsonFloat } from '../gostd/float.ts';
import { json } from './terminal.ts';

/** A value as indented JSON, its keys in their order; numbers beyond what JavaScript holds stay what they are. */
export function jsonText(value: Value, indent = ''): string {
  const inner = `${indent}  `;
  const lines = (open: string, items: readonly string[], close: string) =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
  if (isList(value))
    return lines(
      '[',
      value.map((item) => jsonText(item, inner)),
      ']',
    );
  if (isMap(value)) {
    const entries = [...value].map(([key, item]) => `${json(key)}: ${jsonText(item, inner)}`);
    return lines('{', entries, '}');
  }
  if (typeof value === 'number') return jsonFloat(value);
  return typeof value === 'bigint' ? String(value) : json(value);
}
