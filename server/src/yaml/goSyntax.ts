import { shortened } from '../base/text.ts';
import { isMap, type Value, type ValueMap } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import type { Typed } from './resolve.ts';

/** More of a value is not written out. */
const mostCharacters = 2_000;

/** A map whose keys may be something else than texts. */
export class TypedMap {
  readonly entries: readonly (readonly [Typed, Read])[];

  constructor(entries: readonly (readonly [Typed, Read])[]) {
    this.entries = entries;
  }
}

/** What the library reads. */
export type Read = Typed | Value | TypedMap | readonly Read[];

/** A value as Go's %#v writes what its YAML library reads. */
export function goSyntax(value: Read): string {
  return value === null ? '<nil>' : shortened(written(value, { left: mostCharacters }), mostCharacters);
}

interface Room {
  left: number;
}

function written(value: Read, room: Room): string {
  if (room.left <= 0) return '…';
  if (Array.isArray(value)) return around('[]interface {}', value, (item) => written(item, room), room);
  const entries =
    value instanceof TypedMap ? value.entries : isMap(value as Value) ? [...(value as ValueMap)] : undefined;
  if (entries) {
    const sorted = entries.toSorted(([a], [b]) => inOrder(a, b));
    const entry = ([key, item]: readonly [Typed, Read]) => `${scalarText(key)}:${written(item, room)}`;
    return around('map[interface {}]interface {}', sorted, entry, room);
  }
  const text = scalarText(value as Typed);
  room.left -= text.length;
  return text;
}

/** The type takes room before its parts do, which bounds how deep they are written. */
function around<T>(type: string, parts: readonly T[], write: (part: T) => string, room: Room): string {
  const texts: string[] = [];
  room.left -= type.length;
  for (const part of parts) {
    texts.push(write(part));
    room.left -= 2;
    if (room.left <= 0) break;
  }
  return `${type}{${texts.join(', ')}}`;
}

function scalarText(value: Typed): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat(value);
  return isUnsigned(value) ? `0x${value.toString(16)}` : String(value);
}

function isUnsigned(value: Typed): value is bigint {
  return typeof value === 'bigint' && value > 2n ** 63n - 1n;
}

/** As Go prints the keys of a map: by their type, in the order that the types have in its programs, and then by what they are. */
function inOrder(a: Typed, b: Typed): number {
  const byType = typeOrder(a) - typeOrder(b);
  if (byType !== 0) return byType;
  if (typeof a === 'string') return compareStrings(a, b as string);
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return a! < b! ? -1 : Number(a! > b!);
}

function typeOrder(value: Typed): number {
  return ['object', 'string', 'bigint', 'number', 'boolean'].indexOf(typeof value) - (isUnsigned(value) ? 0.5 : 0);
}
