import { divideU64, wrappingMultiplyU64 } from '../../base/u64.ts';
import { parseGoDuration } from '../../gostd/duration.ts';
import { parseRfc3339 } from '../../gostd/time.ts';
import { isMoment } from '../eval/arithmetic.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from '../eval/convert.ts';
import type { Impl } from '../eval/implementation.ts';
import { typeVal } from '../eval/values.ts';
import { type ValueTypes, valueTypeOf } from '../eval/valueTypes.ts';
import type { LiteralValue } from '../literal.ts';
import { type FunctionDecl, fn, type Library, type Row } from '../overload.ts';
import { walkArgument } from './walks.ts';

export interface ConversionOptions {
  readonly valueTypes: ValueTypes;
}

/** A function that does the same for each type that it takes. */
function conversion(
  name: string,
  doc: string,
  impl: Impl,
  rows: readonly Row[],
  takesLiteral?: FunctionDecl['takesLiteral'],
): FunctionDecl {
  return fn(
    name,
    doc,
    rows.map((row) => ({ ...row, impl })),
    { folds: true, takesLiteral },
  );
}

const isDuration = (value: LiteralValue['value']) => typeof value === 'string' && parseGoDuration(value) !== undefined;

function isTimestamp(value: LiteralValue['value']): boolean {
  if (typeof value === 'bigint') return isMoment(value);
  if (typeof value !== 'string') return true;
  const parsed = parseRfc3339(value);
  return 'time' in parsed && isMoment(parsed.time.seconds);
}

/** A character takes up to four bytes. */
const encode = walkArgument((text) => ({ min: text.min, max: wrappingMultiplyU64(text.max, 4) }));
const decode = walkArgument((bytes) => ({ min: divideU64(bytes.min, 4), max: bytes.max }));

/** A duration from an int, which cel-go had up to 0.26. */
export const intDurations: Library = [
  conversion('duration', 'A duration with this number of nanoseconds.', toDuration, [
    {
      id: 'int64_to_duration',
      signature: 'duration(int): duration',
      example: 'duration(1000000000) == duration("1s")',
    },
  ]),
];

function typing(types: ValueTypes): Impl {
  const typeOf = valueTypeOf(types);
  return (a) => typeVal(typeOf(a));
}

/** From one type to another. */
export const conversions = ({ valueTypes }: ConversionOptions): Library => [
  fn('type', 'The type of a value.', [{ id: 'type', signature: 'type(A): type(A)', example: 'type(1) == int' }], {
    does: { impl: typing(valueTypes) },
    folds: true,
  }),
  conversion('bool', 'A bool from a string such as "true".', toBool, [
    { id: 'bool_to_bool', signature: 'bool(bool): bool', example: 'bool(true)' },
    { id: 'string_to_bool', signature: 'bool(string): bool', example: 'bool("true")' },
  ]),
  conversion('bytes', 'The UTF-8 bytes of a string.', toBytes, [
    { id: 'bytes_to_bytes', signature: 'bytes(bytes): bytes', example: 'bytes(b"a") == b"a"' },
    { id: 'string_to_bytes', signature: 'bytes(string): bytes', example: 'bytes("a") == b"a"', price: encode },
  ]),
  conversion('double', 'A double from another number or from a string.', toDouble, [
    { id: 'double_to_double', signature: 'double(double): double', example: 'double(1.5) == 1.5' },
    { id: 'int64_to_double', signature: 'double(int): double', example: 'double(1) == 1.0' },
    { id: 'string_to_double', signature: 'double(string): double', example: 'double("1.5") == 1.5' },
    { id: 'uint64_to_double', signature: 'double(uint): double', example: 'double(1u) == 1.0' },
  ]),
  conversion(
    'duration',
    'A duration from a string such as "1h30m".',
    toDuration,
    [
      { id: 'duration_to_duration', signature: 'duration(duration): duration' },
      {
        id: 'string_to_duration',
        signature: 'duration(string): duration',
        example: 'duration("60s") == duration("1m")',
      },
    ],
    isDuration,
  ),
  fn(
    'dyn',
    'The same value, with its type checked only during evaluation.',
    [{ id: 'to_dyn', signature: 'dyn(A): dyn', example: 'dyn(1) == 1' }],
    { does: { impl: (a) => a }, folds: true },
  ),
  conversion(
    'int',
    'An int from a number without its fraction, the seconds of a timestamp, the nanoseconds of a duration, or a string.',
    toInt,
    [
      { id: 'int64_to_int64', signature: 'int(int): int', example: 'int(1) == 1' },
      { id: 'double_to_int64', signature: 'int(double): int', example: 'int(1.9) == 1' },
      { id: 'duration_to_int64', signature: 'int(duration): int', example: 'int(duration("1s")) == 1000000000' },
      { id: 'string_to_int64', signature: 'int(string): int', example: 'int("12") == 12' },
      {
        id: 'timestamp_to_int64',
        signature: 'int(timestamp): int',
        example: 'int(timestamp("1970-01-01T00:01:00Z")) == 60',
      },
      { id: 'uint64_to_int64', signature: 'int(uint): int', example: 'int(1u) == 1' },
    ],
  ),
  conversion('string', 'A value as a string.', toText, [
    { id: 'string_to_string', signature: 'string(string): string', example: 'string("a") == "a"' },
    { id: 'bool_to_string', signature: 'string(bool): string', example: 'string(true) == "true"' },
    { id: 'bytes_to_string', signature: 'string(bytes): string', example: 'string(b"a") == "a"', price: decode },
    { id: 'double_to_string', signature: 'string(double): string', example: 'string(1.5) == "1.5"' },
    { id: 'duration_to_string', signature: 'string(duration): string', example: 'string(duration("1m")) == "60s"' },
    { id: 'int64_to_string', signature: 'string(int): string', example: 'string(1) == "1"' },
    { id: 'timestamp_to_string', signature: 'string(timestamp): string' },
    { id: 'uint64_to_string', signature: 'string(uint): string', example: 'string(1u) == "1"' },
  ]),
  conversion(
    'timestamp',
    'A timestamp from an RFC 3339 string, or from seconds since 1970.',
    toTimestamp,
    [
      { id: 'timestamp_to_timestamp', signature: 'timestamp(timestamp): timestamp' },
      {
        id: 'int64_to_timestamp',
        signature: 'timestamp(int): timestamp',
        example: 'timestamp(0) == timestamp("1970-01-01T00:00:00Z")',
      },
      {
        id: 'string_to_timestamp',
        signature: 'timestamp(string): timestamp',
        example: 'timestamp("1970-01-01T00:00:00Z") == timestamp(0)',
      },
    ],
    isTimestamp,
  ),
  conversion('uint', 'A uint from another number or from a string.', toUint, [
    { id: 'uint64_to_uint64', signature: 'uint(uint): uint', example: 'uint(1u) == 1u' },
    { id: 'double_to_uint64', signature: 'uint(double): uint', example: 'uint(1.9) == 1u' },
    { id: 'int64_to_uint64', signature: 'uint(int): uint', example: 'uint(1) == 1u' },
    { id: 'string_to_uint64', signature: 'uint(string): uint', example: 'uint("1") == 1u' },
  ]),
];
