import { memo } from '../../base/memo.ts';
import { isJsonList, isJsonObject, type Json } from '../../gostd/json.ts';
import { printJsonString } from '../../gostd/jsonPrint.ts';
import { parseQuantity } from '../../gostd/quantity.ts';
import { microseconds, parseRfc3339 } from '../../gostd/time.ts';
import { trimSpace } from '../../gostd/trim.ts';
import {
  bytes,
  type Decoded,
  type DecodeElement,
  type DecodeField,
  type Decoder,
  decodeInto,
  flag,
  floatPointer,
  integer,
  list,
  literalText,
  map,
  type StructType,
  stopDecoding,
  stopWrongType,
  structElement,
  text,
  time,
} from '../decode.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { GoType, OwnType } from './goType.ts';
import type { BuiltinKind, BuiltinKinds } from './kinds.ts';

/** Reads a value as Go would and keeps nothing of it: what is found on the way is what counts. */
type Read = (json: Json, decoder: Decoder) => void;

/** What strict decoding says about an object of a built-in kind. Validation, which comes after it, is not asked. */
export function decodeBuiltin(json: Json, kind: BuiltinKind, kinds: BuiltinKinds, version: KubernetesVersion): Decoded {
  return decodeInto(structOf(kinds, kind.root), {}, json, version);
}

/** The error as the server says it in an answer. */
export function decodeMessage({ kind, version }: BuiltinKind, message: string): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}: ${message}`;
}

const structOf = memo((kinds: BuiltinKinds, id: string): StructType<object> => {
  const { name, fields } = kinds.object(id);
  const readers = new Map<string, DecodeField<object>>();
  for (const field of fields) {
    let read: Read | undefined;
    const held: Read = (json, decoder) => {
      read ??= reader(kinds, field.type);
      read(json, decoder);
    };
    readers.set(field.name, (_, json, decoder) => {
      if (field.in !== undefined && decoder.version.decodeErrorsNameInnerPath) within(field.in, held, json, decoder);
      else held(json, decoder);
    });
  }
  return { name: name.slice(name.indexOf('.') + 1), qualified: name, fields: readers };
});

/** Errors name the Go field on the way, though it has no name in JSON. */
function within(holder: string, read: Read, json: Json, decoder: Decoder): void {
  const name = decoder.fields.pop()!;
  decoder.fields.push(holder, name);
  read(json, decoder);
  decoder.fields.splice(-2, 2, name);
}

type Kept = { value?: never };

/** What a decoder for fields does, without a field that it is for. */
function unkept(decode: DecodeField<Kept>): Read {
  return (json, decoder) => decode({}, json, decoder);
}

function reader(kinds: BuiltinKinds, type: GoType): Read {
  switch (type.is) {
    case 'text':
      return unkept(text('value', type.name) as DecodeField<Kept>);
    case 'flag':
      return unkept(flag('value') as DecodeField<Kept>);
    case 'integer':
      return unkept(integer('value', type.bits) as DecodeField<Kept>);
    case 'float':
      return unkept(floatPointer('value') as DecodeField<Kept>);
    case 'bytes':
      return unkept(bytes('value') as DecodeField<Kept>);
    case 'list':
      return unkept(list('value', type.name, element(reader(kinds, type.of))) as DecodeField<Kept>);
    case 'map':
      return unkept(map('value', type.name, element(reader(kinds, type.of))) as DecodeField<Kept>);
    case 'object': {
      const read = structElement(
        () => structOf(kinds, type.id),
        () => ({}),
      );
      return (json, decoder) => void read(json, decoder, undefined);
    }
    case 'own':
      return own[type.what];
  }
}

function element(read: Read): DecodeElement<null> {
  return (json, decoder) => {
    read(json, decoder);
    return null;
  };
}

const own: Readonly<Record<OwnType, Read>> = {
  time: unkept(time('value') as DecodeField<Kept>),
  microTime: (json, decoder) => {
    if (json === null) return;
    if (typeof json !== 'string') return stopWrongType(decoder, json, 'string');
    const parsed = parseRfc3339(json, microseconds);
    if ('error' in parsed) stopDecoding(decoder, parsed.error);
  },
  // No kind has one outside of what reads itself.
  duration: () => {},
  raw: () => {},
  quantity: (json, decoder) => {
    if (json === null) return;
    const parsed = parseQuantity(quantityText(json));
    if ('error' in parsed) stopDecoding(decoder, parsed.error);
  },
  intOrString: (json, decoder) => {
    if (json === null || typeof json === 'string') return;
    if (typeof json === 'bigint' && BigInt.asIntN(32, json) === json) return;
    stopWrongType(decoder, json, 'int32');
  },
};

/** What a quantity is read from: what stands in the JSON, without the quotes and with all escapes. */
function quantityText(json: Json): string {
  if (typeof json === 'string') return trimSpace(printJsonString(json).slice(1, -1));
  // Whatever else begins with a bracket is as wrong.
  return isJsonList(json) || isJsonObject(json) ? '{' : literalText(json);
}
