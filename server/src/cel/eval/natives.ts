import { encodeBase64 } from '../../gostd/base64.ts';
import { durationText, timestampText } from './convert.ts';
import { unknownVal } from './unknown.ts';
import {
  bytes,
  type CelMap,
  type Entry,
  error,
  isError,
  itemsOfList,
  type Key,
  keyOf,
  type List,
  list,
  mapFrom,
  type Opaque,
  type Optional,
  type Tagged,
  type Uint,
  unsupported,
  type Val,
} from './values.ts';
import { typeText, type ValueTypes } from './valueTypes.ts';
import { spend } from './work.ts';

/** Go's names of the types that the fields of messages have. */
export type Native =
  | '*structpb.ListValue'
  | '*structpb.Struct'
  | '*structpb.Value'
  | '[]uint8'
  | 'bool'
  | 'float32'
  | 'float64'
  | 'int32'
  | 'int64'
  | 'protoreflect.EnumNumber'
  | 'string'
  | 'uint32'
  | 'uint64'
  | 'uint8';

/** What CEL reads back of a value that a field of a type was set to; an error where Go cannot set it. */
export function throughNative(value: Val, to: Native, types: ValueTypes): Val {
  switch (typeof value) {
    case 'bigint':
      return ofInt(value, to);
    case 'number':
      return ofDouble(value, to);
    case 'string':
      return to === 'string' || to === '*structpb.Value'
        ? value
        : error(`unsupported native conversion from string to '${to}'`);
    case 'boolean':
      return to === 'bool' || to === '*structpb.Value' ? value : notFrom('bool', to);
    default:
      if (value !== null) return ofTagged(value, to, types);
      return to === '*structpb.Value' ? null : notFrom("'null_type'", to);
  }
}

function notFrom(type: string, to: Native): Val {
  return error(`type conversion error from ${type} to '${to}'`);
}

function ofInt(value: bigint, to: Native): Val {
  switch (to) {
    case 'int64':
      return value;
    case 'int32':
    case 'protoreflect.EnumNumber':
      return BigInt.asIntN(32, value) === value ? value : error('integer overflow');
    case '*structpb.Value':
      return jsonNumber(value);
    default:
      return error(`unsupported type conversion from 'int' to ${to}`);
  }
}

const bitsOf: Partial<Record<Native, number>> = { uint8: 8, uint32: 32, uint64: 64 };

function ofUint(given: Uint, to: Native): Val {
  if (to === '*structpb.Value') return jsonNumber(given.value);
  const bits = bitsOf[to];
  if (bits === undefined) return error(`unsupported type conversion from 'uint' to ${to}`);
  return BigInt.asUintN(bits, given.value) === given.value ? given : error('unsigned integer overflow');
}

/** JSON has doubles; what these do not hold exactly is given as text. */
function jsonNumber(value: bigint): Val {
  const exact = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
  return exact ? Number(value) : String(value);
}

function ofDouble(value: number, to: Native): Val {
  if (to === 'float32') return Math.fround(value);
  return to === 'float64' || to === '*structpb.Value' ? value : notFrom('Double', to);
}

function ofTagged(value: Tagged, to: Native, types: ValueTypes): Val {
  const asJson = to === '*structpb.Value';
  switch (value.kind) {
    case 'uint':
      return ofUint(value, to);
    case 'bytes':
      if (to === '[]uint8') return value;
      return asJson ? encodeBase64(value.bytes) : notFrom('Bytes', to);
    case 'duration':
      return asJson ? durationText(value.nanos) : notFrom("'Duration'", to);
    case 'timestamp':
      return asJson ? timestampText(value) : notFrom("'Timestamp'", to);
    case 'list':
      return ofList(value, to, types);
    case 'map':
      return ofMap(value, to, types);
    case 'optional':
      return ofOptional(value, to, types);
    case 'opaque':
      return ofOpaque(value, to);
    case 'type':
      return error("type conversion not supported for 'type'");
    case 'preserved':
      return error(
        `type conversion to '${to}' not supported for values preserved by x-kubernetes-preserve-unknown-fields`,
      );
    case 'error':
      return value;
    case 'textInPart':
    case 'sizeInPart':
      return unknownVal;
  }
}

function ofOptional({ value }: Optional, to: Native, types: ValueTypes): Val {
  return value === undefined ? error('optional.none() dereference') : throughNative(value, to, types);
}

/** The types of Kubernetes are called here as in Go: cel.Quantity. */
function ofOpaque(value: Opaque, to: Native): Val {
  if (to === 'string') throw unsupported(`the text of a ${value.type.name} as a field`);
  return notFrom(`'${value.goType.slice(value.goType.indexOf('.') + 1)}'`, to);
}

function ofList(value: List, to: Native, types: ValueTypes): Val {
  if (to === '[]uint8') return byteList(value, types);
  if (ofSchema(value)) return notFrom(`'${typeText(value, types)}'`, to);
  if (to !== '*structpb.Value' && to !== '*structpb.ListValue') return notFrom('list', to);
  return jsonList(value, types);
}

/** Go converts no list of a schema; of one that was added to, releases say different things. */
function ofSchema({ habits, items }: List): boolean {
  if (habits !== undefined && items !== undefined) throw unsupported('a sum of lists of a schema as a field');
  return habits !== undefined;
}

/** Go turns a list into bytes item by item. */
function byteList(value: List, types: ValueTypes): Val {
  if (ofSchema(value)) throw unsupported('a list of a schema as bytes');
  const items = itemsOfList(value);
  spend(items.length);
  const made = new Uint8Array(items.length);
  for (const [i, item] of items.entries()) {
    const byte = throughNative(item, 'uint8', types);
    if (isError(byte)) return byte;
    made[i] = Number((byte as Uint).value);
  }
  return bytes(made);
}

export function jsonList(value: List, types: ValueTypes): Val {
  const items = itemsOfList(value);
  spend(items.length);
  const made: Val[] = [];
  for (const item of items) {
    const json = throughNative(item, '*structpb.Value', types);
    if (isError(json)) return json;
    made.push(json);
  }
  return list(made);
}

function ofMap(value: CelMap, to: Native, types: ValueTypes): Val {
  if (value.raw !== undefined) return notFrom(`'${typeText(value, types)}'`, to);
  // Go sets the members of the message from the map.
  if (to === '*structpb.ListValue') throw unsupported('a map as a list of JSON');
  return to === '*structpb.Value' || to === '*structpb.Struct' ? jsonMap(value, types) : notFrom('map', to);
}

/** Go takes the entries in any order: which of two failures it reports is left to chance. */
export function jsonMap(value: CelMap, types: ValueTypes): Val {
  const entries = new Map<Key, Entry>();
  const failures = new Map<string, Val>();
  spend(value.size);
  for (const key of value.keys()) {
    const name = throughNative(key, 'string', types);
    const item = isError(name) ? name : throughNative(value.find(key)!, '*structpb.Value', types);
    if (isError(item)) failures.set(item.message, item);
    else entries.set(keyOf(name), { key: name, value: item });
  }
  if (failures.size > 1) throw unsupported('which of several failures Go reports');
  for (const failure of failures.values()) return failure;
  return mapFrom(entries);
}
