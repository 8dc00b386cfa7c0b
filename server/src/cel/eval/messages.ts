import { isMoment, maxInt, minInt } from './arithmetic.ts';
import { jsonList, jsonMap, type Native, throughNative } from './natives.ts';
import {
  bytes,
  duration,
  error,
  isError,
  isKind,
  list,
  mapFrom,
  timestamp,
  uint,
  unsupported,
  type Val,
} from './values.ts';
import { typeText, type ValueTypes } from './valueTypes.ts';

// The protobuf messages that every environment knows. An expression writes them as literals and gets plain values.

type Fields = ReadonlyMap<string, Val>;

interface Message {
  /** What the fields hold: values of a type, or a list or map of JSON. */
  readonly fields: ReadonlyMap<string, Native | 'list' | 'map'>;
  make(fields: Fields): Val;
}

function message(fields: Readonly<Record<string, Native | 'list' | 'map'>>, make: (fields: Fields) => Val): Message {
  return { fields: new Map(Object.entries(fields)), make };
}

const wrapper = (holds: Native, unset: Val): Message =>
  message({ value: holds }, (fields) => fields.get('value') ?? unset);

const messages: ReadonlyMap<string, Message> = new Map([
  ['google.protobuf.BoolValue', wrapper('bool', false)],
  ['google.protobuf.BytesValue', wrapper('[]uint8', bytes(new Uint8Array()))],
  ['google.protobuf.DoubleValue', wrapper('float64', 0)],
  ['google.protobuf.FloatValue', wrapper('float32', 0)],
  ['google.protobuf.Int32Value', wrapper('int32', 0n)],
  ['google.protobuf.Int64Value', wrapper('int64', 0n)],
  ['google.protobuf.StringValue', wrapper('string', '')],
  ['google.protobuf.UInt32Value', wrapper('uint32', uint(0n))],
  ['google.protobuf.UInt64Value', wrapper('uint64', uint(0n))],
  ['google.protobuf.Duration', message({ seconds: 'int64', nanos: 'int32' }, span)],
  ['google.protobuf.Timestamp', message({ seconds: 'int64', nanos: 'int32' }, moment)],
  ['google.protobuf.ListValue', message({ values: 'list' }, (fields) => fields.get('values') ?? list([]))],
  ['google.protobuf.Struct', message({ fields: 'map' }, (fields) => fields.get('fields') ?? mapFrom(new Map()))],
  [
    'google.protobuf.Value',
    message(
      {
        null_value: 'protoreflect.EnumNumber',
        number_value: 'float64',
        string_value: 'string',
        bool_value: 'bool',
        struct_value: '*structpb.Struct',
        list_value: '*structpb.ListValue',
      },
      json,
    ),
  ],
]);

/**
 * What a message literal with such fields is. Go goes through them in any order: there is no answer where chance has a
 * say, nor for messages that hold nothing or anything.
 */
export function messageOf(name: string, given: Fields, types: ValueTypes): Val {
  // Names such as `list` stand for these types when they are checked, but make none.
  if (!name.startsWith('google.')) return error(`unknown type '${name}'`);
  const known = messages.get(name);
  if (!known) throw unsupported(`the message literal ${name}`);
  const fields = new Map<string, Val>();
  const failures = new Set<string>();
  for (const [field, value] of given) {
    const set = fieldOf(`${name}.${field}`, value, known.fields.get(field)!, types);
    if (isError(set)) failures.add(set.message);
    else fields.set(field, set);
  }
  if (failures.size > 1) throw unsupported('which of several failures Go reports');
  for (const failure of failures) return error(failure);
  return known.make(fields);
}

function fieldOf(field: string, value: Val, holds: Native | 'list' | 'map', types: ValueTypes): Val {
  const set = held(value, holds, types);
  if (set === undefined) return error(`unsupported field type for ${field}: ${typeText(value, types)}`);
  return isError(set) ? error(`field type conversion error for ${field} value type: ${set.message}`) : set;
}

function held(value: Val, holds: Native | 'list' | 'map', types: ValueTypes): Val | undefined {
  if (holds === 'list') return isKind(value, 'list') ? jsonList(value, types) : undefined;
  if (holds === 'map') return isKind(value, 'map') ? jsonMap(value, types) : undefined;
  return throughNative(value, holds, types);
}

const billion = 1_000_000_000n;

function parts(fields: Fields): { readonly seconds: bigint; readonly nanos: bigint } {
  return { seconds: (fields.get('seconds') ?? 0n) as bigint, nanos: (fields.get('nanos') ?? 0n) as bigint };
}

/** Go adds the parts up in 64 bits; where they do not fit, it is the longest duration of that sign. */
function span(fields: Fields): Val {
  const { seconds, nanos } = parts(fields);
  const whole = seconds * billion;
  const sum = whole + nanos;
  const fits = (value: bigint) => value >= minInt && value <= maxInt;
  if (fits(whole) && fits(sum)) return duration(sum);
  return duration(seconds < 0n ? minInt : maxInt);
}

function moment(fields: Fields): Val {
  const { seconds, nanos } = parts(fields);
  const rest = ((nanos % billion) + billion) % billion;
  const whole = seconds + (nanos - rest) / billion;
  if (!isMoment(whole)) throw unsupported('a moment before the year 1 or after 9999');
  return timestamp(whole, Number(rest));
}

/** The kinds of JSON exclude each other: the one that is set last stays. */
function json(fields: Fields): Val {
  if (fields.size > 1) throw unsupported('which of several kinds of JSON Go keeps');
  if (fields.has('null_value')) return null;
  for (const value of fields.values()) return value;
  return null;
}
