import type { Pieces } from '../../base/pieces.ts';
import type { Value } from '../../base/value.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types.ts';

/**
 * A value at run time. The frequent ones are JavaScript's own: bigint is CEL's int, number its double; everything else
 * says in `kind` what it is. An error is a value too: operators hand it on.
 */
export type Val = null | boolean | bigint | number | string | Tagged;

export type Tagged =
  | Uint
  | Bytes
  | Duration
  | Timestamp
  | TypeVal
  | Optional
  | CelError
  | TextInPart
  | SizeInPart
  | List
  | CelMap
  | Opaque
  | Preserved;

export interface Uint {
  readonly kind: 'uint';
  readonly value: bigint;
}

export interface Bytes {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
}

export interface Duration {
  readonly kind: 'duration';
  readonly nanos: bigint;
}

export interface Timestamp {
  readonly kind: 'timestamp';
  readonly seconds: bigint;
  readonly nanos: number;
  /** The offset it was written with, none for UTC: only its text and sets show it. */
  readonly zone: number | undefined;
}

export interface TypeVal {
  readonly kind: 'type';
  readonly type: CelType;
}

export interface Optional {
  readonly kind: 'optional';
  readonly value: Val | undefined;
}

export interface CelError {
  readonly kind: 'error';
  readonly message: string;
}

/** A text of which pieces are known, since the rest is filled in later. */
export interface TextInPart {
  readonly kind: 'textInPart';
  readonly pieces: Pieces;
}

/** How long such a text is. */
export interface SizeInPart {
  readonly kind: 'sizeInPart';
  readonly least: bigint;
}

/**
 * A list: of values, or over a document's own items, which `adapt` turns into values one at a time. The lists of a
 * schema may compare and add in ways of their own.
 */
export interface List {
  readonly kind: 'list';
  readonly items: readonly Val[] | undefined;
  readonly raw: readonly Value[];
  readonly adapt: ((item: Value) => Val) | undefined;
  readonly habits: ListHabits | undefined;
  /** A comprehension is still adding to it. */
  growing: boolean;
  /** It came of an addition. */
  readonly joined?: boolean;
  /** Go holds it as texts, which some who take a list do not expect. */
  readonly isTexts?: true;
}

export interface ListHabits {
  equal(list: List, other: Val): Val;
  add(list: List, other: Val): Val;
  contains(list: List, item: Val): Val;
  /** Lists are equal if their items are, one after the other. */
  readonly inOrder?: true;
  /** What it says of an index that is a number but no int. */
  wrongIndex(index: Val): CelError;
  /** Go's name of the type that holds it. */
  readonly goType: string;
}

export interface CelMap {
  readonly kind: 'map';
  readonly size: number;
  /** The value of a key, undefined where there is none; an error where the key can be none. */
  find(key: Val): Val | undefined;
  /** The same for a name that stands in the expression. */
  select(selector: Selector): Val | undefined;
  keys(): readonly Val[];
  /** Without a list of them all. */
  firstKey(): Val | undefined;
  /** Whether `in` finds a key, where others may be found that are not there. */
  holds?(key: Val): boolean;
  /** It can be asked for the value of a key and nothing else, neither `size` nor `in`. */
  readonly isLazy?: true;
  /** Equality of its own, as the objects of a schema have. */
  readonly equal: ((other: Val) => Val) | undefined;
  readonly raw: Value | undefined;
  /** The values of a map that a comprehension builds. */
  readonly entries: Map<Key, Entry> | undefined;
  growing: boolean;
}

/** How the objects of a schema read one of their fields. */
export interface Field {
  readonly name: string;
  readonly read: (value: Value) => Val;
}

/** A name after a dot. The objects that come by here mostly have one schema: what it says of the name is kept. */
export class Selector {
  readonly name: string;
  /** The fields that the name was looked up in last, and what it is there. */
  owner: object | undefined = undefined;
  field: Field | undefined = undefined;

  constructor(name: string) {
    this.name = name;
  }

  missing(): CelError {
    return error(`no such key: ${this.name}`);
  }
}

export type Key = string | bigint | number | boolean | object | null;

export interface Entry {
  readonly key: Val;
  readonly value: Val;
}

/** A value of a library's own type. */
export interface Opaque {
  readonly kind: 'opaque';
  readonly type: CelType;
  readonly value: unknown;
  readonly size: number | undefined;
  equal(other: Val): Val;
  /** Go's name of the type that holds it. */
  readonly goType: string;
  /** What it is as the key of a map: a text, itself where Go compares pointers; undefined where Go panics over it. */
  readonly key: string | 'itself' | undefined;
  /** What Go prints of what is inside, where that is not a CEL value by itself. */
  readonly native: (() => string) | undefined;
}

/** Data below x-kubernetes-preserve-unknown-fields: it can only be compared. */
export interface Preserved {
  readonly kind: 'preserved';
  readonly raw: Value;
}

// Making values

export function error(message: string): CelError {
  return { kind: 'error', message };
}

export const noSuchOverload = error('no such overload');

/** The value itself where it is an error, else that there is no such overload. */
export function orNoSuchOverload(value: Val): CelError {
  return isError(value) ? value : noSuchOverload;
}

export function isError(value: Val): value is CelError {
  return typeof value === 'object' && value !== null && value.kind === 'error';
}

export function isKind<K extends Tagged['kind']>(value: Val, kind: K): value is Extract<Tagged, { kind: K }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

export function uint(value: bigint): Uint {
  return { kind: 'uint', value };
}

export function bytes(value: Uint8Array): Bytes {
  return { kind: 'bytes', bytes: value };
}

export function duration(nanos: bigint): Duration {
  return { kind: 'duration', nanos };
}

export function timestamp(seconds: bigint, nanos: number, zone?: number): Timestamp {
  return { kind: 'timestamp', seconds, nanos, zone };
}

export function typeVal(type: CelType): TypeVal {
  return { kind: 'type', type };
}

export const none: Optional = { kind: 'optional', value: undefined };

export function optional(value: Val): Optional {
  return { kind: 'optional', value };
}

const noRaw: readonly Value[] = [];

export function list(items: readonly Val[]): List {
  return { kind: 'list', items, raw: noRaw, adapt: undefined, habits: undefined, growing: false };
}

/** What functions give that make texts of a text. */
export function textsList(items: readonly string[]): List {
  return { ...list(items), isTexts: true };
}

/** An empty list that a comprehension adds to. */
export function growingList(): List {
  return { kind: 'list', items: [], raw: noRaw, adapt: undefined, habits: undefined, growing: true };
}

export function sizeOfList(value: List): number {
  return (value.items ?? value.raw).length;
}

export function itemAt(value: List, index: number): Val {
  return value.items ? value.items[index]! : value.adapt!(value.raw[index]!);
}

export function itemsOfList(value: List): readonly Val[] {
  return value.items ?? value.raw.map((item) => value.adapt!(item));
}

/** What ends a rule over a value that Go's maps cannot have as a key. */
export function unhashable(goType: string): unknown {
  return endWith(error(`internal error: runtime error: hash of unhashable type ${goType}`));
}

/** Numbers of any type find each other as keys. cel-go panics over bytes. */
export function keyOf(key: Val): Key {
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key;
  if (typeof key !== 'object' || key === null) return key;
  if (key.kind === 'uint') return key.value;
  if (key.kind === 'duration') return `\0duration ${key.nanos}`;
  if (key.kind === 'bytes') throw unhashable('types.Bytes');
  if (key.kind === 'opaque') return keyOfOpaque(key);
  if (key.kind === 'type') return key.type;
  return key.kind === 'timestamp' ? `\0timestamp ${key.seconds} ${key.nanos}` : key;
}

function keyOfOpaque(value: Opaque): Key {
  if (value.key === undefined) throw unhashable(value.goType);
  return value.key === 'itself' ? value : `\0${value.goType} ${value.key}`;
}

class BuiltMap implements CelMap {
  readonly kind = 'map';
  readonly equal = undefined;
  readonly raw = undefined;
  readonly entries: Map<Key, Entry>;
  growing: boolean;

  constructor(entries: Map<Key, Entry>, growing: boolean) {
    this.entries = entries;
    this.growing = growing;
  }

  get size(): number {
    return this.entries.size;
  }

  find(key: Val): Val | undefined {
    return this.entries.size === 0 ? undefined : this.entries.get(keyOf(key))?.value;
  }

  select({ name }: Selector): Val | undefined {
    return this.entries.get(name)?.value;
  }

  keys(): Val[] {
    return Array.from(this.entries.values(), (entry) => entry.key);
  }

  firstKey(): Val | undefined {
    for (const { key } of this.entries.values()) return key;
    return undefined;
  }
}

export function mapFrom(entries: Map<Key, Entry>, growing = false): CelMap {
  return new BuiltMap(entries, growing);
}

export function mapOfPairs(pairs: readonly (readonly [Val, Val])[]): CelMap {
  return mapFrom(new Map(pairs.map(([key, value]) => [keyOf(key), { key, value }])));
}

// Types of values

export const listType = listOf(dynType);
export const mapType = mapOf(dynType, dynType);
const bareOptionalType = opaqueType('optional_type');
const unknownType = opaqueType('unknown');

export function typeOfVal(value: Val): CelType {
  switch (typeof value) {
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return stringType;
    case 'boolean':
      return boolType;
    default:
      return value === null ? nullType : typeOfTagged(value);
  }
}

function typeOfTagged(value: Tagged): CelType {
  switch (value.kind) {
    case 'uint':
      return uintType;
    case 'bytes':
      return bytesType;
    case 'duration':
      return durationType;
    case 'timestamp':
      return timestampType;
    case 'type':
      return typeType;
    case 'optional':
      return bareOptionalType;
    case 'error':
      return errorType;
    case 'textInPart':
      return stringType;
    case 'sizeInPart':
      return intType;
    case 'list':
      return listType;
    case 'map':
      return mapType;
    case 'opaque':
      return value.type;
    case 'preserved':
      return unknownType;
  }
}

export function typeName(value: Val): string {
  return typeOfVal(value).name;
}

/** Whether a function that takes this type takes this value; lists and maps are judged by what they start with. */
export function accepts(type: CelType, value: Val): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return true;
    case 'list':
      return isKind(value, 'list') && (sizeOfList(value) === 0 || accepts(type.params[0]!, itemAt(value, 0)));
    case 'map':
      return isKind(value, 'map') && acceptsEntries(type, value);
    default:
      return typeOfVal(value).name === type.name;
  }
}

function acceptsEntries(type: CelType, value: CelMap): boolean {
  const key = value.firstKey();
  if (key === undefined) return true;
  const item = value.find(key);
  return accepts(type.params[0]!, key) && (item === undefined || accepts(type.params[1]!, item));
}

/** Thrown where an evaluation asks for what is not implemented: it has no answer, rather than a guessed one. */
export interface Unsupported {
  readonly unsupported: string;
}

export function unsupported(what: string): Unsupported {
  return { unsupported: what };
}

export function isUnsupported(thrown: unknown): thrown is Unsupported {
  return typeof thrown === 'object' && thrown !== null && 'unsupported' in thrown;
}

/** Thrown inside an evaluation that ends at once, as where cel-go panics. */
export interface Ended {
  readonly ended: CelError;
}

export function endWith(failure: CelError): Ended {
  return { ended: failure };
}

export function isEnded(thrown: unknown): thrown is Ended {
  return typeof thrown === 'object' && thrown !== null && 'ended' in thrown;
}
