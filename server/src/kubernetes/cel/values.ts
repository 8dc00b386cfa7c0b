import { memo } from '../../base/memo.ts';
import { isList, isMap, isUnknown, type Value, type ValueMap } from '../../base/value.ts';
import { equalAsItem, equalRaw } from '../../cel/eval/equal.ts';
import { metPieces, metUnknown } from '../../cel/eval/unknown.ts';
import {
  bytes,
  type CelError,
  type CelMap,
  duration,
  error,
  type Field,
  type ListHabits,
  list,
  mapOfPairs,
  noSuchOverload,
  orNoSuchOverload,
  type Selector,
  timestamp,
  type Val,
} from '../../cel/eval/values.ts';
import { spend } from '../../cel/eval/work.ts';
import { decodeBase64 } from '../../gostd/base64.ts';
import { utf8 } from '../../gostd/bytes.ts';
import { parseDate, parseRfc3339 } from '../../gostd/time.ts';
import type { Structural } from '../schema/structural.ts';
import { withMetadata } from './declType.ts';
import { escapeName, unescapeName } from './escape.ts';
import { parseFormatDuration } from './formatDuration.ts';
import { atomicHabits, mapHabits, rawAtomicHabits, rawSetHabits, setHabits } from './lists.ts';

const notNullable = error('invalid data, got null for schema with nullable=false');
const notIntOrString = error('invalid data, expected XIntOrString value to be either a string or integer');
const notMap = error('invalid data, expected a map for the provided schema with type=object');
const notArray = error('invalid data, expected an array for the provided schema with type=array');
const noItems = error('invalid array type, expected Items with a non-empty Schema');

type Reader = (value: Value) => Val;

/** What releases read differently: see `versions.ts`. */
export interface Reading {
  readonly nullsDiffer: boolean;
  readonly comparesRawSets: boolean;
}

interface Readers {
  readonly known: WeakMap<Structural, Reader>;
  readonly reading: Reading;
}

const readings = new Map<Reading, Readers>();

function readersOf(reading: Reading): Readers {
  let found = readings.get(reading);
  if (!found) {
    // Not a memo: readers find each other in it while they are made.
    found = { known: new WeakMap(), reading };
    readings.set(reading, found);
  }
  return found;
}

/** Reads a document's values as rules see them through a schema. Nothing is copied; items and fields follow when asked for. */
export function schemaReader(schema: Structural, reading: Reading): (value: Value) => Val {
  return readerOf(readersOf(reading), schema);
}

export function schemaValue(value: Value, schema: Structural, reading: Reading): Val {
  return schemaReader(schema, reading)(value);
}

function readerOf(readers: Readers, schema: Structural): Reader {
  let found = readers.known.get(schema);
  if (!found) {
    found = reader(readers, schema, schema.nullable ? null : notNullable);
    readers.known.set(schema, found);
  }
  return found;
}

/** `nothing` is what null is read as. Each reader first looks for what it expects, which is nearly always there. */
function reader(readers: Readers, schema: Structural, nothing: Val): Reader {
  if (schema.extensions.intOrString) {
    return (value) =>
      typeof value === 'string' || typeof value === 'bigint'
        ? value
        : value === null
          ? nothing
          : (inPart(value) ?? orUnknown(value, notIntOrString));
  }
  switch (schema.type) {
    case 'object':
      return objectReader(readers, schema, nothing);
    case 'array':
      return listReader(readers, schema, nothing);
    case 'string':
      return textReader(schema, nothing);
    case 'number':
      return (value) =>
        typeof value === 'number'
          ? value
          : typeof value === 'bigint'
            ? Number(value)
            : expected('float', value, nothing);
    case 'integer':
      return (value) => (typeof value === 'bigint' ? value : expected('int', value, nothing));
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : expected('bool', value, nothing));
    default:
      return (value) => (value === null ? nothing : untyped(value, schema));
  }
}

function untyped(value: Value, schema: Structural): Val {
  if (isUnknown(value)) return metUnknown();
  if (schema.extensions.preserveUnknownFields) return { kind: 'preserved', raw: value };
  return error(
    `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
  );
}

function expected(what: string, value: Value, nothing: Val): Val {
  if (isUnknown(value)) return metUnknown();
  return value === null ? nothing : error(`invalid data, expected ${what}, got ${goName(value)}`);
}

/** A value that is not known may be what was expected. */
function orUnknown(value: Value, otherwise: Val): Val {
  return isUnknown(value) ? metUnknown() : otherwise;
}

/** Go's name for the type of a decoded value. */
function goName(value: Value): string {
  if (isMap(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  return { bigint: 'int64', number: 'float64', boolean: 'bool', string: 'string' }[typeof value as string] ?? '<nil>';
}

// Strings

const formats: Readonly<Record<string, (text: string) => Val>> = {
  duration: durationValue,
  date: dateValue,
  'date-time': dateTimeValue,
  byte: bytesValue,
};

function textReader(schema: Structural, nothing: Val): Reader {
  const format = schema.validation?.format ?? '';
  const read = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!read)
    return (value) => (typeof value === 'string' ? value : (inPart(value) ?? expected('string', value, nothing)));
  return (value) => (typeof value === 'string' ? read(value) : expected('string', value, nothing));
}

function inPart(value: Value): Val | undefined {
  return isUnknown(value) && value.pieces ? metPieces(value.pieces) : undefined;
}

function durationValue(text: string): Val {
  const parsed = parseFormatDuration(text);
  return typeof parsed === 'bigint' ? duration(parsed) : error(`Invalid duration ${text}: ${parsed.error}`);
}

function dateValue(text: string): Val {
  const parsed = parseDate(text);
  if ('error' in parsed) return error(`Invalid date formatted string ${text}: ${parsed.error}`);
  return timestamp(parsed.time.seconds, 0);
}

/** RFC 3339, or the same without a zone, which then is UTC. */
function dateTimeValue(text: string): Val {
  if (text === '') return timestamp(0n, 0);
  const parsed = parseRfc3339(text);
  if ('time' in parsed) return timestamp(parsed.time.seconds, parsed.time.nanoseconds, parsed.zone);
  const local = parseRfc3339(text, '2006-01-02T15:04:05');
  if ('time' in local) return timestamp(local.time.seconds, local.time.nanoseconds);
  return error(`Invalid date-time formatted string ${text}: ${local.error}`);
}

const urlLetters: Readonly<Record<string, string>> = { '-': '+', _: '/', '+': '*', '/': '*' };

/** Base 64 with the alphabet of URLs. */
function bytesValue(text: string): Val {
  const decoded = decodeBase64(utf8(text.replace(/[-_+/]/g, (letter) => urlLetters[letter]!)));
  if ('bytes' in decoded) return bytes(decoded.bytes);
  return error(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${decoded.corruptAt}`);
}

// Lists

function listReader(readers: Readers, schema: Structural, nothing: Val): Reader {
  const { items } = schema;
  const otherwise = (value: Value) => (value === null ? nothing : orUnknown(value, notArray));
  const habits = items ? habitsOf(schema, readers.reading) : noItems;
  if (!items || 'message' in habits) return (value) => (isList(value) ? (habits as CelError) : otherwise(value));
  const adapt = readerOf(readers, items);
  return (value) =>
    isList(value) ? { kind: 'list', items: undefined, raw: value, adapt, habits, growing: false } : otherwise(value);
}

function habitsOf(schema: Structural, { comparesRawSets }: Reading): ListHabits | CelError {
  const { listType, listMapKeys } = schema.extensions;
  switch (listType ?? '') {
    case 'map':
      return mapHabits(listMapKeys, comparesRawSets);
    case 'set':
      return comparesRawSets ? rawSetHabits : setHabits;
    case '':
    case 'atomic':
      return comparesRawSets ? rawAtomicHabits : atomicHabits;
    default:
      return error(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
  }
}

// Objects

/** A value as CEL reads it where no schema says what it is. */
export function plainVal(value: Value): Val {
  if (isList(value)) return list(value.map(plainVal));
  if (isMap(value)) return mapOfPairs([...value].map(([key, item]) => [key, plainVal(item)]));
  if (isUnknown(value)) return metUnknown();
  return value;
}

/** A schema whose name, kind and version can be asked for whatever it declares. */
export const asResource = memo((schema: Structural): Structural => {
  return { ...schema, properties: withMetadata(schema, { capsNames: false }) };
});

/** How the objects of one schema are read, or, with `values`, its maps. */
interface Fields {
  readonly values: Reader | undefined;
  readonly isObject: boolean;
  readonly reading: Reading;
  has(name: string): boolean;
  /** The fields of objects, under the names that expressions have used so far. */
  readonly known: Map<string, Field>;
  field(key: string): Field | undefined;
}

function objectReader(readers: Readers, given: Structural, nothing: Val): Reader {
  const schema = given.extensions.embeddedResource ? asResource(given) : given;
  const fields = schema.properties
    ? fieldsOf(readers, schema.properties)
    : entriesOf(readers, schema.additionalProperties?.schema);
  return (value) => (isMap(value) ? new SchemaMap(value, fields) : value === null ? nothing : orUnknown(value, notMap));
}

function fieldsOf(readers: Readers, properties: ReadonlyMap<string, Structural>): Fields {
  const known = new Map<string, Field>();
  const field = (key: string) => {
    const name = key.includes('__') ? unescapeName(key) : key;
    const schema = name === undefined ? undefined : properties.get(name);
    if (name === undefined || !schema) return undefined;
    const found = { name, read: readerOf(readers, schema) };
    known.set(key, found);
    return found;
  };
  const { reading } = readers;
  return { isObject: true, reading, values: undefined, has: (name) => properties.has(name), known, field };
}

function entriesOf(readers: Readers, schema: Structural | undefined): Fields {
  const values = schema && readerOf(readers, schema);
  const { reading } = readers;
  return {
    isObject: false,
    reading,
    values,
    has: () => values !== undefined,
    known: new Map(),
    field: () => undefined,
  };
}

/** An object or map of a document. A class, since one is made for every object that an expression meets. */
class SchemaMap implements CelMap {
  declare readonly kind: 'map';
  declare readonly entries: undefined;
  declare growing: boolean;
  declare readonly raw: ValueMap;
  declare readonly fields: Fields;

  constructor(raw: ValueMap, fields: Fields) {
    this.raw = raw;
    this.fields = fields;
  }

  get size(): number {
    return this.raw.size;
  }

  find(key: Val): Val | undefined {
    if (typeof key !== 'string') return orNoSuchOverload(key);
    const { values, known } = this.fields;
    if (values) {
      const found = this.raw.get(key);
      return found === undefined ? undefined : values(found);
    }
    const field = known.get(key) ?? this.fields.field(key);
    const found = field && this.raw.get(field.name);
    // A field that is null is absent.
    return found === undefined || found === null ? undefined : field!.read(found);
  }

  select(selector: Selector): Val | undefined {
    const { fields } = this;
    if (fields.values) return this.find(selector.name);
    if (selector.owner !== fields) {
      selector.owner = fields;
      selector.field = fields.known.get(selector.name) ?? fields.field(selector.name);
    }
    const { field } = selector;
    const found = field && this.raw.get(field.name);
    return found === undefined || found === null ? undefined : field!.read(found);
  }

  keys(): Val[] {
    spend(this.raw.size);
    const keys: Val[] = [];
    for (const name of this.raw.keys()) if (this.fields.has(name)) keys.push(this.keyFor(name));
    return keys;
  }

  firstKey(): Val | undefined {
    for (const name of this.raw.keys()) if (this.fields.has(name)) return this.keyFor(name);
    return undefined;
  }

  private keyFor(name: string): string {
    return this.fields.isObject ? (escapeName(name) ?? name) : name;
  }

  equal(other: Val): Val {
    return equalMaps(this, other);
  }
}

// What all have in common is not written anew for each.
Object.assign(SchemaMap.prototype, { kind: 'map', entries: undefined, growing: false });

function equalMaps(map: SchemaMap, other: Val): Val {
  if (typeof other !== 'object' || other === null || other.kind !== 'map') return orNoSuchOverload(other);
  if (map.size !== other.size) return false;
  spend(map.size);
  for (const [name, item] of map.raw) {
    const result = map.fields.has(name) ? sameField(map, other, name) : sameUnknown(other, name, item);
    if (result !== true) return result;
  }
  return true;
}

function sameField(map: SchemaMap, other: CelMap, name: string): Val {
  const [mine, theirs] = [map.find(name), other.find(name)];
  if (mine === undefined || theirs === undefined) return mine === theirs && !map.fields.reading.nullsDiffer;
  return mine === null ? theirs === null : equalAsItem(mine, theirs);
}

/** What the schema does not know is compared as it stands in the documents. */
function sameUnknown(other: CelMap, name: string, item: Value): Val {
  if (!isMap(other.raw)) return noSuchOverload;
  const theirs = other.raw.get(name);
  return theirs === undefined || equalRaw(item, theirs);
}
