import { shortened } from '../base/text.ts';
import { isList, isMap, type Value } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';

/** More of a value is not written out. */
const mostCharacters = 2_000;

/** A value as Go's %#v writes what its YAML library reads. */
export function goSyntax(value: Value): string {
  return shortened(written(value, { left: mostCharacters }), mostCharacters);
}

interface Room {
  left: number;
}

function written(value: Value, room: Room): string {
  if (room.left <= 0) return '…';
  if (isList(value)) return `[]interface {}{${partsOf(value, (item) => written(item, room), room)}}`;
  if (isMap(value)) {
    const sorted = [...value].sort(([a], [b]) => compareStrings(a, b));
    const entry = ([key, item]: [string, Value]) => `${quote(key)}:${written(item, room)}`;
    return `map[interface {}]interface {}{${partsOf(sorted, entry, room)}}`;
  }
  const text = scalarText(value);
  room.left -= text.length;
  return text;
}

function partsOf<T>(parts: readonly T[], write: (part: T) => string, room: Room): string {
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(write(part));
    room.left -= 2;
    if (room.left <= 0) break;
  }
  return texts.join(', ');
}

function scalarText(value: Value): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  return typeof value === 'bigint' && value > 2n ** 63n - 1n ? `0x${value.toString(16)}` : String(value);
}
