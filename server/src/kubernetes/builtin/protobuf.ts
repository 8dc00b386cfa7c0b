import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import { isList, type Value } from '../../base/value.ts';
import { encodeBase64 } from '../../gostd/base64.ts';
import { formatGoDuration } from '../../gostd/duration.ts';
import { plainValue, readJson } from '../../gostd/json.ts';
import type { GoType, OwnType } from './goType.ts';
import type { BuiltinField, BuiltinKinds, BuiltinObject } from './kinds.ts';

// Clients write built-in kinds in protobuf. What they mean is what Go would write of the same object in JSON.

/** Bytes that are not what they say they are. */
export class BrokenProtobuf extends Error {}

/** What stands before every object in protobuf. */
const magic = [0x6b, 0x38, 0x73, 0x00];

export interface ProtobufObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object itself; undefined where its kind is not built in. */
  readonly value: Map<string, Value> | undefined;
}

/** Reads an object as client-go sends it. */
export function readProtobuf(bytes: Uint8Array, kinds: BuiltinKinds): ProtobufObject {
  if (magic.some((byte, i) => bytes[i] !== byte)) throw new BrokenProtobuf('the bytes before the object are missing');
  const envelope = fieldsOf(bytes.subarray(magic.length));
  const type = fieldsOf(lastBytes(envelope, 1));
  const [apiVersion, kind] = [textOf(lastBytes(type, 1)), textOf(lastBytes(type, 2))];
  const root = kind === deleteOptions.name ? deleteOptions : rootOf(kinds, `${apiVersion}/${kind}`);
  if (!root) return { apiVersion, kind, value: undefined };
  const value = new Map<string, Value>([
    ['apiVersion', apiVersion],
    ['kind', kind],
  ]);
  for (const [name, member] of messageOf(lastBytes(envelope, 2), root, { kinds, level: 0 })) value.set(name, member);
  return { apiVersion, kind, value };
}

function rootOf(kinds: BuiltinKinds, key: string): BuiltinObject | undefined {
  const kind = kinds.kinds.get(key);
  return kind && !kind.isGone ? kinds.object(kind.root) : undefined;
}

const optional = (name: string, type: GoType): BuiltinField => ({ name, type, text: '', optional: true });
const plain = { text: { is: 'text', name: 'string' }, flag: { is: 'flag', name: 'bool' } } as const;

/** Deletions have options, of a type that belongs to no kind. */
const deleteOptions: BuiltinObject = {
  name: 'DeleteOptions',
  text: '',
  fields: [
    optional('gracePeriodSeconds', { is: 'integer', name: 'int64', bits: 64 }),
    optional('preconditions', { is: 'object', id: 'preconditions' }),
    optional('orphanDependents', plain.flag),
    optional('propagationPolicy', plain.text),
    optional('dryRun', { is: 'list', name: '[]string', of: plain.text }),
    optional('ignoreStoreReadErrorWithClusterBreakingPotential', plain.flag),
  ],
  wire: '+,+,+,+,,+',
};

const preconditions: BuiltinObject = {
  name: 'Preconditions',
  text: '',
  fields: [optional('uid', plain.text), optional('resourceVersion', plain.text)],
  wire: '+,+',
};

// The wire format

type Wire = { readonly number: number } & ({ readonly bytes: Uint8Array } | { readonly scalar: bigint });

/** The fields of a message, in their order. */
function fieldsOf(bytes: Uint8Array): Wire[] {
  const reader = new Reader(bytes);
  const found: Wire[] = [];
  while (!reader.atEnd) {
    const tag = Number(reader.varint());
    const number = Math.floor(tag / 8);
    if (number === 0) throw new BrokenProtobuf('a field without a number');
    if (tag % 8 === 0) found.push({ number, scalar: reader.varint() });
    else if (tag % 8 === 1) found.push({ number, scalar: reader.fixed(8) });
    else if (tag % 8 === 2) found.push({ number, bytes: reader.block() });
    else if (tag % 8 === 5) found.push({ number, scalar: reader.fixed(4) });
    else throw new BrokenProtobuf(`a field of the unknown form ${tag % 8}`);
  }
  return found;
}

class Reader {
  private at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new BrokenProtobuf('unexpected end');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new BrokenProtobuf('a number of more than 64 bits');
  }

  fixed(size: number): bigint {
    return this.take(size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }

  block(): Uint8Array {
    return this.take(Number(this.varint()));
  }

  private take(size: number): Uint8Array {
    if (size > this.bytes.length - this.at) throw new BrokenProtobuf('unexpected end');
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

const nothing = new Uint8Array();

function lastBytes(fields: readonly Wire[], number: number): Uint8Array {
  const found = fields.findLast((field) => field.number === number);
  return found && 'bytes' in found ? found.bytes : nothing;
}

function lastScalar(fields: readonly Wire[], number: number): bigint {
  const found = fields.findLast((field) => field.number === number);
  return found && 'scalar' in found ? found.scalar : 0n;
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const signed = (scalar: bigint) => BigInt.asIntN(64, scalar);

// What it means

export interface Member {
  readonly field: BuiltinField;
  /** Whether JSON has its zero value: always, if it is set, or never. */
  readonly zero: 'always' | 'set' | 'never';
}

/** What the numbers of a message lead to: a field, or those of a struct that has no name in JSON. */
type Numbers = Map<number, Member | Numbers>;

const numbersOf = memo((object: BuiltinObject): Numbers => {
  const numbers: Numbers = new Map();
  for (const { path, ...member } of membersOf(object)) if (path[0]! > 0) put(numbers, path, member);
  return numbers;
});

/** The fields of an object, with how JSON has them. */
export const fieldsByName = memo(
  (object: BuiltinObject): ReadonlyMap<string, Member> =>
    new Map(membersOf(object).map(({ field, zero }) => [field.name, { field, zero }])),
);

function membersOf({ fields, wire }: BuiltinObject): (Member & { readonly path: readonly number[] })[] {
  const parts = wire.split(',');
  let last = 0;
  return fields.map((field, i) => {
    const [, written = '', kept = ''] = /^(.*?)([+!]?)$/.exec(parts[i] ?? '0')!;
    const path = written === '' ? [last + 1] : written.split('.').map(Number);
    last = path[0]!;
    return { field, path, zero: kept === '!' ? 'always' : kept === '+' ? 'set' : 'never' };
  });
}

function put(numbers: Numbers, [first = 0, ...rest]: readonly number[], member: Member): void {
  if (rest.length === 0) {
    numbers.set(first, member);
    return;
  }
  const known = numbers.get(first);
  const inner: Numbers = known instanceof Map ? known : new Map();
  numbers.set(first, inner);
  put(inner, rest, member);
}

/** Messages within each other, and levels of the JSON that is embedded in one: all of them are read by recursion. */
const mostLevels = 1_000;

/** Where a message is read. */
interface Within {
  readonly kinds: BuiltinKinds;
  readonly level: number;
}

function messageOf(bytes: Uint8Array, object: BuiltinObject, { kinds, level }: Within): Map<string, Value> {
  if (level >= mostLevels) throw new BrokenProtobuf(`messages are nested more than ${mostLevels} levels deep`);
  const value = new Map<string, Value>();
  readInto(value, bytes, numbersOf(object), { kinds, level: level + 1 });
  return value;
}

/** Fields that are not known are left out, as a server of this release does. */
function readInto(value: Map<string, Value>, bytes: Uint8Array, numbers: Numbers, within: Within): void {
  for (const wire of fieldsOf(bytes)) {
    const meant = numbers.get(wire.number);
    if (meant instanceof Map) readInto(value, bytesOf(wire), meant, within);
    else if (meant) take(value, wire, meant, within);
  }
  // Protobuf has neither empty lists nor pointers to nothing, for which Go writes null.
  for (const meant of numbers.values()) {
    if (meant instanceof Map || meant.zero !== 'always' || value.has(meant.field.name)) continue;
    value.set(meant.field.name, null);
  }
}

function take(value: Map<string, Value>, wire: Wire, { field, zero }: Member, within: Within): void {
  const { name, type } = field;
  const before = value.get(name);
  if (type.is === 'list') {
    // Every item comes in a field of its own, and the list is one that this message has begun.
    const items = itemsOf(wire, type.of, within);
    if (isList(before)) append(before as Value[], items);
    else value.set(name, items);
  } else if (type.is === 'map') {
    const entry = fieldsOf(bytesOf(wire));
    const key = textOf(lastBytes(entry, 1));
    const held = before instanceof Map ? before : new Map<string, Value>();
    value.set(name, held.set(key, entryOf(entry, type.of, within)));
  } else {
    const now = valueOf(wire, type, within);
    if (zero !== 'never' || !isZero(now)) value.set(name, now);
    else value.delete(name);
  }
}

/** Numbers may come one by one, or several in one block. */
function itemsOf(wire: Wire, type: GoType, within: Within): Value[] {
  if (type.is !== 'integer' || 'scalar' in wire) return [valueOf(wire, type, within)];
  const reader = new Reader(wire.bytes);
  const found: Value[] = [];
  while (!reader.atEnd) found.push(signed(reader.varint()));
  return found;
}

/** The value of an entry of a map; lists are in a message of their own there. */
function entryOf(entry: readonly Wire[], type: GoType, within: Within): Value {
  if (type.is === 'list') {
    return fieldsOf(lastBytes(entry, 2)).flatMap((item) => itemsOf(item, type.of, within));
  }
  const value = entry.findLast(({ number }) => number === 2);
  return value ? valueOf(value, type, within) : zeroOf(type);
}

function zeroOf({ is }: GoType): Value {
  if (is === 'integer') return 0n;
  return is === 'float' ? 0 : is === 'flag' ? false : '';
}

function isZero(value: Value): boolean {
  return !value || (value instanceof Map && value.size === 0);
}

function bytesOf(wire: Wire): Uint8Array {
  if ('bytes' in wire) return wire.bytes;
  throw new BrokenProtobuf(`field ${wire.number} is a number, and should not be one`);
}

function valueOf(wire: Wire, type: GoType, within: Within): Value {
  switch (type.is) {
    case 'text':
      return textOf(bytesOf(wire));
    case 'bytes':
      return encodeBase64(bytesOf(wire));
    case 'object':
      return messageOf(
        bytesOf(wire),
        type.id === 'preconditions' ? preconditions : within.kinds.object(type.id),
        within,
      );
    case 'own':
      return own[type.what](fieldsOf(bytesOf(wire)));
  }
  if (!('scalar' in wire)) throw new BrokenProtobuf(`field ${wire.number} should be a number`);
  if (type.is === 'flag') return wire.scalar !== 0n;
  return type.is === 'float' ? floatOf(wire.scalar) : signed(wire.scalar);
}

function floatOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  return view.getFloat64(0);
}

/** Types that write themselves in JSON. */
const own: Readonly<Record<OwnType, (fields: readonly Wire[]) => Value>> = {
  time: (fields) => timeOf(fields, ''),
  microTime: (fields) => {
    const micros = Number(lastScalar(fields, 2)) / 1000;
    return timeOf(fields, `.${String(Math.floor(micros)).padStart(6, '0')}`);
  },
  duration: (fields) => formatGoDuration(signed(lastScalar(fields, 1))),
  raw: (fields) => {
    const text = textOf(lastBytes(fields, 1));
    if (text === '') return null;
    const read = readJson(text, mostLevels);
    if ('error' in read) throw new BrokenProtobuf('what is embedded is not JSON, or too deep');
    return plainValue(read.json);
  },
  quantity: (fields) => textOf(lastBytes(fields, 1)) || '0',
  intOrString: (fields) =>
    lastScalar(fields, 1) === 0n ? signed(lastScalar(fields, 2)) : textOf(lastBytes(fields, 3)),
};

/** A time that is not set has no bytes, and is null in JSON. */
function timeOf(fields: readonly Wire[], fraction: string): Value {
  if (fields.length === 0) return null;
  const date = new Date(Number(signed(lastScalar(fields, 1))) * 1000);
  if (Number.isNaN(date.getTime())) throw new BrokenProtobuf('a time that no calendar has');
  return date.toISOString().replace('.000Z', `${fraction}Z`);
}

/** What Go makes of nothing: the structs that are there whatever is set. */
export function emptyObject(object: BuiltinObject, kinds: BuiltinKinds): Map<string, Value> {
  const value = new Map<string, Value>();
  fillEmpty(value, numbersOf(object), kinds);
  return value;
}

function fillEmpty(value: Map<string, Value>, numbers: Numbers, kinds: BuiltinKinds): void {
  for (const meant of numbers.values()) {
    if (meant instanceof Map) continue;
    const { type, name } = meant.field;
    if (type.is === 'object' && meant.zero !== 'set') value.set(name, emptyObject(kinds.object(type.id), kinds));
    if ((type.is === 'list' || type.is === 'map') && meant.zero === 'always') value.set(name, null);
  }
}
