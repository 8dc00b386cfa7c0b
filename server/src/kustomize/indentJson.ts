import { isList, isMap, type Value } from '../base/value.ts';
import { compareStrings, printJson, printJsonString } from '../gostd/jsonPrint.ts';

/** A value as Go's json.MarshalIndent writes it, with two blanks. */
export function indentJson(value: Value, indent = ''): string {
  const inner = `${indent}  `;
  const wrap = (open: string, close: string, items: readonly string[]) =>
    items.length === 0 ? open + close : `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
  if (isList(value))
    return wrap(
      '[',
      ']',
      value.map((item) => indentJson(item, inner)),
    );
  if (!isMap(value)) return printJson(value);
  const entries = [...value].sort(([a], [b]) => compareStrings(a, b));
  return wrap(
    '{',
    '}',
    entries.map(([key, item]) => `${printJsonString(key)}: ${indentJson(item, inner)}`),
  );
}
