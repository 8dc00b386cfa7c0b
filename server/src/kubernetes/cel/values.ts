import { equalValues, isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { equal } from '../../cel/eval/equal.ts';
import {
  bytes,
  type CelMap,
  duration,
  error,
  type List,
  noSuchOverload,
  orNoSuchOverload,
  timestamp,
  type Val,
} from '../../cel/eval/values.ts';
import { decodeBase64 } from '../../go/base64.ts';
import { utf8 } from '../../go/bytes.ts';
import { parseDate, parseRfc3339 } from '../../go/time.ts';
import type { Structural } from '../schema/structural.ts';
import { withMetadata } from './declType.ts';
import { escapeName, unescapeName } from './escape.ts';
import { parseFormatDuration } from './formatDuration.ts';
import { atomicHabits, mapHabits, setHabits } from './lists.ts';

const notNullable = error('invalid data, got null for schema with nullable=false');
const notIntOrString = error('invalid data, expected XIntOrString value to be either a string or integer');
const notMap = error('invalid data, expected a map for the provided schema with type=object');
const notArray = error('invalid data, expected an array for the provided schema with type=array');
const noItems = error('invalid array type, expected Items with a non-empty Schema');

/** A document's value as rules see it through its schema. Nothing is copied; items and fields follow when asked for. */
export function schemaValue(value: Value, schema: Structural): Val {
  if (value === null) return schema.nullable ? null : notNullable;
  if (schema.extensions.intOrString) {
    return typeof value === 'string' || typeof value === 'bigint' ? value : notIntOrString;
  }
  switch (schema.type) {
    case 'object':
      return isMap(value) ? objectValue(value, schema) : notMap;
    case 'array':
      return isList(value) ? listValue(value, schema) : notArray;
    case 'string':
      return typeof value === 'string' ? textValue(value, schema) : expected('string', value);
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : expected('float', value);
    case 'integer':
      return typeof value === 'bigint' ? value : expected('int', value);
    case 'boolean':
      return typeof value === 'boolean' ? value : expected('bool', value);
    default:
      return untyped(value, schema);
  }
}

function untyped(value: Value, schema: Structural): Val {
  if (schema.extensions.preserveUnknownFields) return { kind: 'preserved', raw: value };
  return error(
    `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
  );
}

function expected(what: string, value: Value): Val {
  return error(`invalid data, expected ${what}, got ${goName(value)}`);
}

/** Go's name for the type of a decoded value. */
function goName(value: Value): string {
  if (isMap(value)) return 'map[string]interface {}';
  if (isList(value)) return '[]interface {}';
  return { bigint: 'int64', number: 'float64', boolean: 'bool', string: 'string' }[typeof value as string] ?? '<nil>';
}

// Strings

function textValue(text: string, schema: Structural): Val {
  switch (schema.validation?.format) {
    case 'duration':
      return durationValue(text);
    case 'date':
      return dateValue(text);
    case 'date-time':
      return dateTimeValue(text);
    case 'byte':
      return bytesValue(text);
    default:
      return text;
  }
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

function listValue(value: readonly Value[], schema: Structural): Val {
  const { items } = schema;
  if (!items) return noItems;
  const { listType, listMapKeys } = schema.extensions;
  const base = { kind: 'list', items: undefined, raw: value, adapt: adapter(items), growing: false } as const;
  switch (listType ?? '') {
    case 'map':
      return { ...base, habits: mapHabits(listMapKeys) };
    case 'set':
      return { ...base, habits: setHabits } satisfies List;
    case '':
    case 'atomic':
      return { ...base, habits: atomicHabits } satisfies List;
    default:
      return error(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
  }
}

const adapters = new WeakMap<Structural, (value: Value) => Val>();

function adapter(schema: Structural): (value: Value) => Val {
  let known = adapters.get(schema);
  if (!known) {
    known = (value) => schemaValue(value, schema);
    adapters.set(schema, known);
  }
  return known;
}

// Objects

const resources = new WeakMap<Structural, Structural>();

/** A schema whose name, kind and version can be asked for whatever it declares. */
export function asResource(schema: Structural): Structural {
  let known = resources.get(schema);
  if (!known) {
    known = { ...schema, properties: withMetadata(schema, { capsNames: false }) };
    resources.set(schema, known);
  }
  return known;
}

type PropertySchema = (name: string) => Structural | undefined;

function objectValue(value: ValueMap, given: Structural): Val {
  const schema = given.extensions.embeddedResource ? asResource(given) : given;
  const { properties } = schema;
  if (properties) return mapValue(value, (name) => properties.get(name), true);
  const values = schema.additionalProperties?.schema;
  return mapValue(value, values ? () => values : () => undefined, false);
}

/** A map or an object. An object's fields go by escaped names, and those that are null are absent. */
export function mapValue(value: ValueMap, schemaOf: PropertySchema, isObject: boolean): CelMap {
  const map: CelMap = {
    kind: 'map',
    size: value.size,
    find: (key) => (typeof key === 'string' ? field(value, schemaOf, isObject, key) : orNoSuchOverload(key)),
    keys: () => keysOf(value, schemaOf, isObject),
    equal: (other) => equalMaps(map, value, schemaOf, other),
    raw: value,
    entries: undefined,
    growing: false,
  };
  return map;
}

function field(value: ValueMap, schemaOf: PropertySchema, isObject: boolean, key: string): Val | undefined {
  const name = isObject && key.includes('__') ? unescapeName(key) : key;
  if (name === undefined) return undefined;
  const found = value.get(name);
  if (found === undefined || (isObject && found === null)) return undefined;
  const schema = schemaOf(name);
  return schema && schemaValue(found, schema);
}

function keysOf(value: ValueMap, schemaOf: PropertySchema, isObject: boolean): Val[] {
  const keys: Val[] = [];
  for (const name of value.keys()) if (schemaOf(name)) keys.push(isObject ? (escapeName(name) ?? name) : name);
  return keys;
}

function equalMaps(map: CelMap, value: ValueMap, schemaOf: PropertySchema, other: Val): Val {
  if (typeof other !== 'object' || other === null || other.kind !== 'map') return orNoSuchOverload(other);
  if (map.size !== other.size) return false;
  for (const [name, item] of value) {
    const result = schemaOf(name) ? sameField(map, other, name) : sameUnknown(other, name, item);
    if (result !== true) return result;
  }
  return true;
}

function sameField(map: CelMap, other: CelMap, name: string): Val {
  const [mine, theirs] = [map.find(name), other.find(name)];
  if (mine === undefined || theirs === undefined) return mine === theirs;
  return mine === null ? theirs === null : equal(mine, theirs);
}

/** What the schema does not know is compared as it stands in the documents. */
function sameUnknown(other: CelMap, name: string, item: Value): Val {
  if (!isMap(other.raw)) return noSuchOverload;
  const theirs = other.raw.get(name);
  return theirs === undefined || equalValues(item, theirs);
}
