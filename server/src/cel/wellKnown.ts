import type { StructInfo, Structs } from './env.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  structType,
  timestampType,
  uintType,
  wrapperOf,
} from './types.ts';

/** The protobuf messages that every environment knows. */
const messages: readonly (readonly [name: string, type: CelType, fields: Readonly<Record<string, CelType>>])[] = [
  ['Any', anyType, { type_url: stringType, value: bytesType }],
  ['BoolValue', wrapperOf(boolType), { value: boolType }],
  ['BytesValue', wrapperOf(bytesType), { value: bytesType }],
  ['DoubleValue', wrapperOf(doubleType), { value: doubleType }],
  ['FloatValue', wrapperOf(doubleType), { value: doubleType }],
  ['Int32Value', wrapperOf(intType), { value: intType }],
  ['Int64Value', wrapperOf(intType), { value: intType }],
  ['StringValue', wrapperOf(stringType), { value: stringType }],
  ['UInt32Value', wrapperOf(uintType), { value: uintType }],
  ['UInt64Value', wrapperOf(uintType), { value: uintType }],
  ['Duration', durationType, { seconds: intType, nanos: intType }],
  ['Timestamp', timestampType, { seconds: intType, nanos: intType }],
  ['Empty', structType('google.protobuf.Empty'), {}],
  ['ListValue', listOf(dynType), { values: listOf(dynType) }],
  ['Struct', mapOf(stringType, dynType), { fields: mapOf(stringType, dynType) }],
  [
    'Value',
    dynType,
    {
      null_value: intType,
      number_value: doubleType,
      string_value: stringType,
      bool_value: boolType,
      struct_value: mapOf(stringType, dynType),
      list_value: listOf(dynType),
    },
  ],
  ['NullValue', nullType, {}],
];

/** Those whose names are values: the others are known as types of messages, but not as values of type `type`. */
const asValues: ReadonlySet<string> = new Set(['Duration', 'Timestamp', 'Empty']);

const byName: ReadonlyMap<string, StructInfo> = new Map(
  messages
    .filter(([name]) => name !== 'NullValue')
    .map(([name, type, fields]) => [
      `google.protobuf.${name}`,
      {
        ...{ type, onlyChecked: !asValues.has(name) },
        field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
      },
    ]),
);

export const wellKnownStructs: Structs = (name) => byName.get(name);

/** The values of the enums among them, which are ints. */
export const wellKnownConstants: ReadonlyMap<string, bigint> = new Map([['google.protobuf.NullValue.NULL_VALUE', 0n]]);
