import type { ManifestPath, Path, Value } from '../base/value.ts';
import { decodeBase64 } from '../gostd/base64.ts';
import { utf8 } from '../gostd/bytes.ts';
import { jsonFloat } from '../gostd/float.ts';
import {
  eachEntry,
  isDuplicated,
  isJsonList,
  isJsonNumber,
  isJsonObject,
  type Json,
  plainValue,
} from '../gostd/json.ts';
import { quote } from '../gostd/quote.ts';
import { type GoTime, parseRfc3339, zeroSeconds } from '../gostd/time.ts';
import type { KubernetesVersion } from './releases/release.ts';

/**
 * Decoding JSON into Go's structs, as the API server's decoder does it: it goes on after a wrong type and reports the
 * first, lists unknown and duplicate fields, merges a field that is given twice, and stops dead at an error from a type
 * that decodes itself.
 */
export interface Decoder {
  readonly version: KubernetesVersion;
  /** Undefined inside types that decode themselves: nothing is strict in there. */
  readonly strict: StrictProblems | undefined;
  /** The JSON names of the struct fields on the way, without indices and keys. */
  readonly fields: string[];
  struct: string;
  /** The way in the document, with indices and keys. */
  readonly path: (string | number)[];
  error: DecodeError | undefined;
}

/** What ends decoding, in the API server's words. `target` is there for wrong types. */
export interface DecodeError {
  readonly message: string;
  readonly path: ManifestPath;
  readonly target?: WrongType;
  readonly isOfBase64?: true;
}

export interface WrongType {
  /** What was found: `string`, `number 1.5`, `object`, … */
  readonly found: string;
  readonly wanted: string;
  readonly struct: string;
  readonly field: string;
}

export interface StrictProblem {
  readonly kind: 'unknown' | 'duplicate';
  readonly message: string;
  readonly path: ManifestPath;
}

export interface StrictProblems {
  readonly found: StrictProblem[];
  readonly seen: Set<string>;
}

const mostStrictProblems = 100;

/** Thrown to leave decoding at once; never leaves this file. */
class Stopped extends Error {
  readonly error: DecodeError;
  constructor(error: DecodeError) {
    super(error.message);
    this.error = error;
  }
}

export type DecodeField<T> = (target: T, json: Json, decoder: Decoder) => void;

export interface StructType<T> {
  /** Go's name of the type, with its package where an error names it so. */
  readonly name: string;
  readonly qualified: string;
  /** By their JSON names. */
  readonly fields: ReadonlyMap<string, DecodeField<T>>;
  /** The fields that a release knows, where releases differ. */
  readonly fieldsIn?: (release: KubernetesVersion) => ReadonlyMap<string, DecodeField<T>>;
}

export interface Decoded {
  readonly strict: readonly StrictProblem[];
  readonly error?: DecodeError;
}

function newDecoder(version: KubernetesVersion, strict: StrictProblems | undefined, path: Path): Decoder {
  return { version, strict, fields: [], struct: '', path: [...path], error: undefined };
}

/** Decodes into `target`, strictly. */
export function decodeInto<T>(type: StructType<T>, target: T, json: Json, version: KubernetesVersion): Decoded {
  const strict: StrictProblems = { found: [], seen: new Set() };
  const error = runDecoder(newDecoder(version, strict, []), (decoder) => decodeStruct(type, target, json, decoder));
  return error ? { strict: [], error } : { strict: strict.found };
}

function runDecoder(decoder: Decoder, decode: (decoder: Decoder) => void): DecodeError | undefined {
  try {
    decode(decoder);
    return decoder.error;
  } catch (error) {
    if (error instanceof Stopped) return error.error;
    throw error;
  }
}

function wrongTypeText({ found, wanted, struct, field }: WrongType): string {
  const into = struct === '' && field === '' ? 'Go value' : `Go struct field ${struct}.${field}`;
  return `json: cannot unmarshal ${found} into ${into} of type ${wanted}`;
}

/** Go's addErrorContext: the innermost struct and the fields on the way there. */
function inContext(decoder: Decoder, error: DecodeError): DecodeError {
  if (!error.target || (decoder.struct === '' && decoder.fields.length === 0)) return error;
  const inner = decoder.version.decodeErrorsNameInnerPath && error.target.field !== '' ? [error.target.field] : [];
  const target = { ...error.target, struct: decoder.struct, field: [...decoder.fields, ...inner].join('.') };
  return { message: wrongTypeText(target), path: error.path, target };
}

function save(decoder: Decoder, error: DecodeError): void {
  decoder.error ??= inContext(decoder, error);
}

function stop(decoder: Decoder, error: DecodeError): never {
  throw new Stopped(inContext(decoder, error));
}

export function literalText(json: Json): string {
  if (typeof json === 'number') return jsonFloat(json);
  if (typeof json === 'object' && json !== null && 'literal' in json) return json.literal;
  return String(json);
}

/** Go's word for a JSON value of the wrong type. */
export function jsonKind(json: Json): string {
  if (json === null) return 'null';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'string') return 'string';
  if (isJsonNumber(json)) return 'number';
  return isJsonList(json) ? 'array' : 'object';
}

function wrongType(decoder: Decoder, found: string, wanted: string): DecodeError {
  const target = { found, wanted, struct: '', field: '' };
  return { message: wrongTypeText(target), path: [...decoder.path], target };
}

function saveWrongType(decoder: Decoder, json: Json, wanted: string): void {
  save(decoder, wrongType(decoder, jsonKind(json), wanted));
}

function pathText(path: Path): string {
  let text = '';
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`;
  return text;
}

function saveStrict(decoder: Decoder, kind: StrictProblem['kind'], key: string): void {
  const { strict } = decoder;
  if (!strict || strict.found.length >= mostStrictProblems) return;
  const prefix = decoder.path.length > 0 ? `${pathText(decoder.path)}.` : '';
  const message = `${kind} field ${quote(prefix + key)}`;
  if (strict.seen.has(message)) return;
  strict.seen.add(message);
  strict.found.push({ kind, message, path: [...decoder.path, key] });
}

/** How many problems there are so far; undefined where more would not be counted. */
export function problemCount({ error, strict }: Decoder): number | undefined {
  if (error || (strict && strict.found.length >= mostStrictProblems)) return undefined;
  return strict?.found.length ?? 0;
}

function decodeStruct<T>(type: StructType<T>, target: T, json: Json, decoder: Decoder): void {
  if (json === null) return;
  if (!isJsonObject(json)) {
    saveWrongType(decoder, json, type.qualified);
    return;
  }
  const seen = isDuplicated(json) ? new Set<string>() : undefined;
  const outer = decoder.struct;
  const fields = type.fieldsIn?.(decoder.version) ?? type.fields;
  eachEntry(json, (value, name) => {
    const field = fields.get(name);
    if (!field) {
      saveStrict(decoder, 'unknown', name);
      return;
    }
    if (seen?.has(name)) saveStrict(decoder, 'duplicate', name);
    seen?.add(name);
    decoder.struct = type.name;
    decoder.fields.push(name);
    decoder.path.push(name);
    field(target, value, decoder);
    decoder.path.pop();
    decoder.fields.pop();
    decoder.struct = outer;
  });
}

/** Fields of a struct by their key in ours. */
export type Keyed<K extends string, V> = { [key in K]?: V | undefined };

/** A string; Go's empty string is absent here. */
export function text<K extends string>(key: K, type = 'string'): DecodeField<Keyed<K, string>> {
  return (target, json, decoder) => {
    if (json === null) return;
    if (typeof json !== 'string') return saveWrongType(decoder, json, type);
    target[key] = json === '' ? undefined : (json as Keyed<K, string>[K]);
  };
}

/** A pointer to a string: empty is not absent. */
export function textPointer<K extends string>(key: K, type = 'string'): DecodeField<Keyed<K, string>> {
  return (target, json, decoder) => {
    if (json === null) target[key] = undefined;
    else if (typeof json === 'string') target[key] = json as Keyed<K, string>[K];
    else saveWrongType(decoder, json, type);
  };
}

export function flag<K extends string>(key: K): DecodeField<Keyed<K, boolean>> {
  return (target, json, decoder) => {
    if (json === null) return;
    if (typeof json !== 'boolean') return saveWrongType(decoder, json, 'bool');
    target[key] = json ? (true as Keyed<K, boolean>[K]) : undefined;
  };
}

export function flagPointer<K extends string>(key: K): DecodeField<Keyed<K, boolean>> {
  return (target, json, decoder) => {
    if (json === null) target[key] = undefined;
    else if (typeof json === 'boolean') target[key] = json as Keyed<K, boolean>[K];
    else saveWrongType(decoder, json, 'bool');
  };
}

function integerOf(json: Json, bits: 32 | 64, decoder: Decoder): bigint | undefined {
  if (!isJsonNumber(json)) {
    saveWrongType(decoder, json, `int${bits}`);
    return undefined;
  }
  if (typeof json === 'bigint' && BigInt.asIntN(bits, json) === json) return json;
  save(decoder, wrongType(decoder, `number ${literalText(json)}`, `int${bits}`));
  return undefined;
}

/** An integer; Go's zero is absent here. */
export function integer<K extends string>(key: K, bits: 32 | 64): DecodeField<Keyed<K, bigint>> {
  return (target, json, decoder) => {
    if (json === null) return;
    const value = integerOf(json, bits, decoder);
    if (value !== undefined) target[key] = value === 0n ? undefined : (value as Keyed<K, bigint>[K]);
  };
}

export function integerPointer<K extends string>(key: K, bits: 32 | 64): DecodeField<Keyed<K, bigint>> {
  return (target, json, decoder) => {
    const value = json === null ? undefined : integerOf(json, bits, decoder);
    if (json === null || value !== undefined) target[key] = value as Keyed<K, bigint>[K];
  };
}

function floatOf(json: Json, decoder: Decoder): number | undefined {
  if (!isJsonNumber(json)) {
    saveWrongType(decoder, json, 'float64');
    return undefined;
  }
  const value = typeof json === 'object' ? json.value : Number(json);
  if (Number.isFinite(value)) return value;
  save(decoder, wrongType(decoder, `number ${literalText(json)}`, 'float64'));
  return undefined;
}

export function floatPointer<K extends string>(key: K): DecodeField<Keyed<K, number>> {
  return (target, json, decoder) => {
    const value = json === null ? undefined : floatOf(json, decoder);
    if (json === null || value !== undefined) target[key] = value as Keyed<K, number>[K];
  };
}

/** Base64 in a string, or, as Go has it, a list of numbers. */
export function bytes<K extends string>(key: K): DecodeField<Keyed<K, Uint8Array>> {
  return (target, json, decoder) => {
    if (json === null) target[key] = undefined;
    else if (typeof json === 'string') {
      const decoded = decodeBase64(utf8(json));
      if ('bytes' in decoded) target[key] = decoded.bytes as Keyed<K, Uint8Array>[K];
      else {
        const message = `illegal base64 data at input byte ${decoded.corruptAt}`;
        save(decoder, { message, path: [...decoder.path], isOfBase64: true });
      }
    } else if (isJsonList(json)) target[key] = byteList(json, decoder) as Keyed<K, Uint8Array>[K];
    else saveWrongType(decoder, json, '[]uint8');
  };
}

function byteList(json: readonly Json[], decoder: Decoder): Uint8Array {
  return Uint8Array.from(json, (item) => {
    if (typeof item === 'bigint' && item >= 0n && item < 256n) return Number(item);
    if (item === null) return 0;
    const found = isJsonNumber(item) ? `number ${literalText(item)}` : jsonKind(item);
    save(decoder, wrongType(decoder, found, 'uint8'));
    return 0;
  });
}

/** A pointer to a struct: null takes it away, an object is decoded over what stood there. */
export function structPointer<K extends string, T>(
  key: K,
  type: () => StructType<T>,
  zero: () => T,
): DecodeField<Keyed<K, T>> {
  return (target, json, decoder) => {
    if (json === null) {
      target[key] = undefined;
      return;
    }
    const into: T = target[key] ?? zero();
    target[key] = into as Keyed<K, T>[K];
    decodeStruct(type(), into, json, decoder);
  };
}

/** A struct held by value: null says nothing. */
export function struct<K extends string, T>(
  key: K,
  type: () => StructType<T>,
  zero: () => T,
): DecodeField<Keyed<K, T>> {
  return (target, json, decoder) => {
    const into: T = target[key] ?? zero();
    target[key] = into as Keyed<K, T>[K];
    decodeStruct(type(), into, json, decoder);
  };
}

export type DecodeElement<T> = (json: Json, decoder: Decoder, before: T | undefined) => T;

export function structElement<T>(type: () => StructType<T>, zero: () => T): DecodeElement<T> {
  return (json, decoder, before) => {
    const into = before ?? zero();
    decodeStruct(type(), into, json, decoder);
    return into;
  };
}

export const textElement: DecodeElement<string> = (json, decoder, before) => {
  if (typeof json === 'string') return json;
  if (json !== null) saveWrongType(decoder, json, 'string');
  return before ?? '';
};

/** A slice: an empty one is not absent; one that is given twice is decoded over the first, item by item. */
export function list<K extends string, T>(key: K, type: string, element: DecodeElement<T>): DecodeField<Keyed<K, T[]>> {
  return (target, json, decoder) => {
    if (json === null) target[key] = undefined;
    else if (isJsonList(json)) {
      const before: readonly T[] = target[key] ?? [];
      const items = json.map((item, i) => at(decoder, i, () => element(item, decoder, before[i])));
      target[key] = items as Keyed<K, T[]>[K];
    } else saveWrongType(decoder, json, type);
  };
}

function at<T>(decoder: Decoder, step: string | number, decode: () => T): T {
  decoder.path.push(step);
  const value = decode();
  decoder.path.pop();
  return value;
}

/** A map: the last of two equal keys wins as a whole. */
export function map<K extends string, T>(
  key: K,
  type: string,
  element: DecodeElement<T>,
): DecodeField<Keyed<K, Map<string, T>>> {
  return (target, json, decoder) => {
    if (json === null) target[key] = undefined;
    else if (isJsonObject(json)) {
      const before: Map<string, T> = target[key] ?? new Map();
      target[key] = before as Keyed<K, Map<string, T>>[K];
      const seen = isDuplicated(json) ? new Set<string>() : undefined;
      eachEntry(json, (item, name) => {
        if (seen?.has(name)) saveStrict(decoder, 'duplicate', name);
        seen?.add(name);
        decoder.path.push(name);
        before.set(name, element(item, decoder, undefined));
        decoder.path.pop();
      });
    } else saveWrongType(decoder, json, type);
  };
}

/** A type that decodes itself: it starts afresh, nothing is strict inside, and its error ends everything. */
export function ownDecoding<T>(decoder: Decoder, decode: (inner: Decoder) => T): T {
  const inner = newDecoder(decoder.version, undefined, decoder.path);
  let value: T | undefined;
  const error = runDecoder(inner, (within) => {
    value = decode(within);
  });
  if (error) stop(decoder, error);
  return value as T;
}

/** A pointer to such a type. */
export function ownPointer<K extends string, T>(
  key: K,
  decode: (json: Json, inner: Decoder) => T,
): DecodeField<Keyed<K, T>> {
  return (target, json, decoder) => {
    const value = json === null ? undefined : ownDecoding(decoder, (inner) => decode(json, inner));
    target[key] = value as Keyed<K, T>[K];
  };
}

export function stopDecoding(decoder: Decoder, message: string): never {
  return stop(decoder, { message, path: [...decoder.path] });
}

/** A value of the wrong type for a type that decodes itself. */
export function stopWrongType(decoder: Decoder, json: Json, wanted: string): never {
  const found = isJsonNumber(json) ? `number${wanted === 'string' ? '' : ` ${literalText(json)}`}` : jsonKind(json);
  return stop(decoder, wrongType(decoder, found, wanted));
}

/** Raw JSON behind a pointer; null takes it away. */
export function raw<K extends string>(key: K): DecodeField<Keyed<K, Value>> {
  return (target, json) => {
    target[key] = json === null ? undefined : (plainValue(json) as Keyed<K, Value>[K]);
  };
}

function timeOf(json: Json, decoder: Decoder): GoTime | undefined {
  if (json === null) return undefined;
  if (typeof json !== 'string') return stopWrongType(decoder, json, 'string');
  const parsed = parseRfc3339(json);
  if ('error' in parsed) return stopDecoding(decoder, parsed.error);
  return parsed.time;
}

/** A metav1.Time held by value; its zero is absent here. */
export function time<K extends string>(key: K): DecodeField<Keyed<K, GoTime>> {
  return (target, json, decoder) => {
    const value = timeOf(json, decoder);
    const isZero = value?.seconds === zeroSeconds && value.nanoseconds === 0;
    target[key] = isZero ? undefined : (value as Keyed<K, GoTime>[K]);
  };
}

export function timePointer<K extends string>(key: K): DecodeField<Keyed<K, GoTime>> {
  return (target, json, decoder) => {
    target[key] = timeOf(json, decoder) as Keyed<K, GoTime>[K];
  };
}
