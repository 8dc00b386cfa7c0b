import { isList, isMap, isUnknown, type Value } from '../base/value.ts';
import { utf8 } from './bytes.ts';
import { jsonFloat } from './float.ts';

const special = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function escaped(character: string): string {
  const known = short[character];
  if (known !== undefined) return known;
  if (/^\p{Cs}$/u.test(character)) return '\\ufffd';
  if (character.length === 1 && special.test(character)) {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  }
  return character;
}

/** A string as encoding/json writes it, with <, > and & escaped. */
export function printJsonString(text: string): string {
  if (!special.test(text)) return `"${text}"`;
  return `"${Array.from(text, escaped).join('')}"`;
}

/** Go's order of strings: by bytes of their UTF-8 form, which is the order of code points. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return orderOfUnit(x) - orderOfUnit(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others. */
function orderOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A value as encoding/json writes it: map keys sorted, HTML escaped. */
export function printJson(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return printJsonString(value);
  if (typeof value === 'number') return jsonFloat(value);
  if (isList(value)) return `[${value.map(printJson).join(',')}]`;
  if (isUnknown(value)) return printJsonString(value.text);
  if (!isMap(value)) return String(value);
  const entries = [...value].sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, item]) => `${printJsonString(key)}:${printJson(item)}`).join(',')}}`;
}

/** How many bytes `printJson` writes; those of lists and maps are noted in `known`, and not counted again. */
export function printedSize(value: Value, known: WeakMap<object, number>): number {
  if (!isList(value) && !isMap(value)) return utf8(printJson(value)).length;
  const before = known.get(value);
  if (before !== undefined) return before;
  // Brackets, and a comma before all items but the first.
  let size = 2 + Math.max((isList(value) ? value.length : value.size) - 1, 0);
  if (isList(value)) for (const item of value) size += printedSize(item, known);
  else for (const [key, item] of value) size += printedSize(key, known) + 1 + printedSize(item, known);
  known.set(value, size);
  return size;
}
