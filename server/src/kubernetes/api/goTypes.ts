import type { Value } from '../../base/value.ts';
import { encodeBase64 } from '../../gostd/base64.ts';
import { plainValue } from '../../gostd/json.ts';
import { type GoTime, printRfc3339, zeroSeconds } from '../../gostd/time.ts';
import * as decode from '../decode.ts';
import { type GoValue, goAny, goNil, goString } from '../goValue.ts';
import { schemaNode, structNode } from './editor.ts';
import { printedName, printStruct } from './print.ts';
import { storeStruct } from './store.ts';
import { decodedName, type ElementType, type FieldType, type Struct } from './struct.ts';

// The types that fields of the API have in Go: how each is decoded, stored, printed and shown.

const never = () => false;

function pointer(name: string, to: GoValue | undefined): GoValue {
  const type = `*${printedName(name)}`;
  return to ? { go: 'pointer', type, to } : goNil(type);
}

/** A string; a type of its own shows only where decoding fails. */
export function text(name = 'string'): FieldType<string> {
  return {
    decode: (key) => decode.text(key, name),
    zero: '',
    store: (value) => value,
    isEmpty: never,
    print: (value) => goString(value ?? ''),
    node: (words) => schemaNode('string', words),
  };
}

export function textPointer(name = 'string'): FieldType<string> {
  return {
    ...text(name),
    decode: (key) => decode.textPointer(key, name),
    zero: null,
    print: (value) => pointer(name, value === undefined ? undefined : goString(value)),
  };
}

export const flag: FieldType<boolean> = {
  decode: (key) => decode.flag(key),
  zero: false,
  store: (value) => value,
  isEmpty: never,
  print: (value) => goAny(value ?? false),
  node: (words) => schemaNode('boolean', words),
};

function anyPointer(name: string, value: Value | undefined): GoValue {
  return pointer(name, value === undefined ? undefined : goAny(value));
}

export const flagPointer: FieldType<boolean> = {
  ...flag,
  decode: (key) => decode.flagPointer(key),
  zero: null,
  print: (value) => anyPointer('bool', value),
};

export function integer(bits: 32 | 64): FieldType<bigint> {
  return {
    decode: (key) => decode.integer(key, bits),
    zero: 0n,
    store: (value) => value,
    isEmpty: never,
    print: (value) => goAny(value ?? 0n),
    node: (words) => schemaNode('integer', words),
  };
}

export function integerPointer(bits: 32 | 64): FieldType<bigint> {
  return {
    ...integer(bits),
    decode: (key) => decode.integerPointer(key, bits),
    zero: null,
    print: (value) => anyPointer(`int${bits}`, value),
  };
}

export const floatPointer: FieldType<number> = {
  decode: (key) => decode.floatPointer(key),
  zero: null,
  store: (value) => value,
  isEmpty: never,
  print: (value) => anyPointer('float64', value),
  node: (words) => schemaNode('number', words),
};

export const bytes: FieldType<Uint8Array> = {
  decode: (key) => decode.bytes(key),
  zero: null,
  store: encodeBase64,
  isEmpty: (value) => value.length === 0,
  print: (value) => (value ? { go: 'bytes', base64: encodeBase64(value), bytes: value } : goNil('[]uint8')),
  node: (words) => schemaNode('string', words),
};

function isZeroTime(time: GoTime): boolean {
  return time.seconds === zeroSeconds && time.nanoseconds === 0;
}

export const timePointer: FieldType<GoTime> = {
  decode: (key) => decode.timePointer(key),
  zero: null,
  store: (time) => (isZeroTime(time) ? null : printRfc3339(time)),
  isEmpty: never,
  print: (time) => (time ? { go: 'time', time } : goNil('*v1.Time')),
  node: (words) => schemaNode('string', words),
};

export const time: FieldType<GoTime> = { ...timePointer, decode: (key) => decode.time(key) };

/** Raw JSON behind a pointer. */
export const raw: FieldType<Value> = {
  decode: (key) => decode.raw(key),
  zero: null,
  store: (value) => value,
  isEmpty: never,
  print: (value) => anyPointer('v1.JSON', value),
  node: ({ text = '' }) => anyNode(text),
  isRaw: true,
};

function anyNode(text: string): Map<string, Value> {
  return new Map<string, Value>([
    ['description', text],
    ['x-kubernetes-preserve-unknown-fields', true],
  ]);
}

export const textItem: ElementType<string> = {
  name: 'string',
  decode: decode.textElement,
  store: (value) => value,
  print: goString,
  node: (words) => schemaNode('string', words),
};

export const rawItem: ElementType<Value> = {
  name: 'v1.JSON',
  decode: plainValue,
  store: (value) => value,
  print: goAny,
  node: ({ text = '' }) => anyNode(text),
};

export function structItem<O extends object>(of: Struct<O>): ElementType<O> {
  return {
    name: of.name,
    decode: decode.structElement(() => of.decoding, of.zero),
    store: (value, options) => storeStruct(of, value, options),
    print: (value) => printStruct(of, value),
    node: (_, schema) => structNode(of, of.text, schema),
  };
}

/** A slice; its type may have a name of its own. */
export function list<T>(item: ElementType<T>, name = `[]${item.name}`): FieldType<T[]> {
  const type = printedName(name);
  return {
    decode: (key) => decode.list(key, decodedName(name), item.decode),
    zero: null,
    store: (items, options) => items.map((one) => item.store(one, options)),
    isEmpty: (items) => items.length === 0,
    print: (items) => (items ? { go: 'slice', type, items: items.map(item.print) } : goNil(type)),
    node: ({ text = '', one = '', choices }, schema) =>
      schemaNode('array', { text }).set('items', item.node({ text: one, ...(choices && { choices }) }, schema)),
  };
}

export function map<T>(value: ElementType<T>, name = `map[string]${value.name}`): FieldType<Map<string, T>> {
  const type = printedName(name);
  return {
    decode: (key) => decode.map(key, decodedName(name), value.decode),
    zero: null,
    store: (entries, options) => new Map([...entries].map(([key, one]) => [key, value.store(one, options)])),
    isEmpty: (entries) => entries.size === 0,
    print: (entries) =>
      entries ? { go: 'map', type, entries: [...entries].map(([key, one]) => [key, value.print(one)]) } : goNil(type),
    node: ({ text = '', one = '' }, schema) =>
      schemaNode('object', { text }).set('additionalProperties', value.node({ text: one }, schema)),
  };
}

export function structPointer<O extends object>(of: Struct<O>): FieldType<O> {
  return {
    decode: (key) => decode.structPointer(key, () => of.decoding, of.zero),
    zero: null,
    store: (value, options) => storeStruct(of, value, options),
    isEmpty: never,
    print: (value) => pointer(of.name, value && printStruct(of, value)),
    node: ({ text = '' }, schema) => structNode(of, text, schema),
  };
}

/** A struct within the struct. */
export function embedded<O extends object>(of: Struct<O>): FieldType<O> {
  return {
    ...structPointer(of),
    decode: (key) => decode.struct(key, () => of.decoding, of.zero),
    print: (value) => printStruct(of, value ?? of.zero()),
  };
}

/** A pointer to what decodes itself. */
export function pointerTo<T>(to: ElementType<T>): FieldType<T> {
  return {
    decode: (key) => decode.ownPointer(key, (json, decoder) => to.decode(json, decoder, undefined)),
    zero: null,
    store: to.store,
    isEmpty: never,
    print: (value) => pointer(to.name, value === undefined ? undefined : to.print(value)),
    node: to.node,
  };
}
