import { type FunctionDecl, fn, type Library, type Row } from '../overload.ts';
import { decode, encode, matchArgument, matchTarget, searchText, walkArgument } from './estimates.ts';

const zone = 'The optional argument is a time zone, such as "Europe/Berlin" or "+02:00"; without it UTC counts.';

/** A part of a timestamp, and of a duration where `duration` names an overload. */
function timePart(
  name: string,
  doc: string,
  id: string,
  withZone: string,
  example: string,
  duration?: string,
): FunctionDecl {
  const rows: Row[] = [
    { id, signature: `timestamp.${name}(): int`, example },
    { id: withZone, signature: `timestamp.${name}(string): int`, doc: `${doc} ${zone}` },
  ];
  if (duration)
    rows.push({
      id: duration,
      signature: `duration.${name}(): int`,
      doc: 'The whole duration in this unit, without its fraction.',
    });
  return fn(name, doc, rows);
}

const moment = 'timestamp("2024-02-03T04:05:06.789Z")';

/** A duration from an int, which cel-go had up to 0.26. */
export const intDurations: Library = [
  fn('duration', 'A duration of so many nanoseconds.', [
    {
      id: 'int64_to_duration',
      signature: 'duration(int): duration',
      example: 'duration(1000000000) == duration("1s")',
    },
  ]),
];

/** The functions that are part of the language. */
export const functions: Library = [
  fn('size', 'The number of code points of a string, of bytes, of items of a list or of entries of a map.', [
    { id: 'size_bytes', signature: 'size(bytes): int', example: 'size(b"abc") == 3' },
    { id: 'bytes_size', signature: 'bytes.size(): int', example: 'b"abc".size() == 3' },
    { id: 'size_list', signature: 'size(list(A)): int', example: 'size([1, 2]) == 2' },
    { id: 'list_size', signature: 'list(A).size(): int', example: '[1, 2].size() == 2' },
    { id: 'size_map', signature: 'size(map(A, B)): int', example: 'size({"a": 1}) == 1' },
    { id: 'map_size', signature: 'map(A, B).size(): int', example: '{"a": 1}.size() == 1' },
    { id: 'size_string', signature: 'size(string): int', example: 'size("abc") == 3' },
    { id: 'string_size', signature: 'string.size(): int', example: '"abc".size() == 3' },
  ]),
  fn('type', 'The type of a value.', [{ id: 'type', signature: 'type(A): type(A)', example: 'type(1) == int' }]),
  fn('bool', 'A bool from a string such as "true".', [
    { id: 'bool_to_bool', signature: 'bool(bool): bool', example: 'bool(true)' },
    { id: 'string_to_bool', signature: 'bool(string): bool', example: 'bool("true")' },
  ]),
  fn('bytes', 'The UTF-8 bytes of a string.', [
    { id: 'bytes_to_bytes', signature: 'bytes(bytes): bytes', example: 'bytes(b"a") == b"a"' },
    { id: 'string_to_bytes', signature: 'bytes(string): bytes', example: 'bytes("a") == b"a"', estimate: encode },
  ]),
  fn('double', 'A double from another number or from a string.', [
    { id: 'double_to_double', signature: 'double(double): double', example: 'double(1.5) == 1.5' },
    { id: 'int64_to_double', signature: 'double(int): double', example: 'double(1) == 1.0' },
    { id: 'string_to_double', signature: 'double(string): double', example: 'double("1.5") == 1.5' },
    { id: 'uint64_to_double', signature: 'double(uint): double', example: 'double(1u) == 1.0' },
  ]),
  fn('duration', 'A duration from a string such as "1h30m".', [
    { id: 'duration_to_duration', signature: 'duration(duration): duration' },
    { id: 'string_to_duration', signature: 'duration(string): duration', example: 'duration("60s") == duration("1m")' },
  ]),
  fn('dyn', 'The same value, with checking of its type left to evaluation.', [
    { id: 'to_dyn', signature: 'dyn(A): dyn', example: 'dyn(1) == 1' },
  ]),
  fn(
    'int',
    'An int: a number without its fraction, the seconds of a timestamp, the nanoseconds of a duration, a string.',
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
  fn('string', 'The text of a value.', [
    { id: 'string_to_string', signature: 'string(string): string', example: 'string("a") == "a"' },
    { id: 'bool_to_string', signature: 'string(bool): string', example: 'string(true) == "true"' },
    { id: 'bytes_to_string', signature: 'string(bytes): string', example: 'string(b"a") == "a"', estimate: decode },
    { id: 'double_to_string', signature: 'string(double): string', example: 'string(1.5) == "1.5"' },
    { id: 'duration_to_string', signature: 'string(duration): string', example: 'string(duration("1m")) == "60s"' },
    { id: 'int64_to_string', signature: 'string(int): string', example: 'string(1) == "1"' },
    { id: 'timestamp_to_string', signature: 'string(timestamp): string' },
    { id: 'uint64_to_string', signature: 'string(uint): string', example: 'string(1u) == "1"' },
  ]),
  fn('timestamp', 'A timestamp from an RFC 3339 string, or from seconds since 1970.', [
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
  ]),
  fn('uint', 'A uint from another number or from a string.', [
    { id: 'uint64_to_uint64', signature: 'uint(uint): uint', example: 'uint(1u) == 1u' },
    { id: 'double_to_uint64', signature: 'uint(double): uint', example: 'uint(1.9) == 1u' },
    { id: 'int64_to_uint64', signature: 'uint(int): uint', example: 'uint(1) == 1u' },
    { id: 'string_to_uint64', signature: 'uint(string): uint', example: 'uint("1") == 1u' },
  ]),
  fn('contains', 'Whether a string has another one inside.', [
    {
      id: 'contains_string',
      signature: 'string.contains(string): bool',
      example: '"abc".contains("b")',
      estimate: searchText,
    },
  ]),
  fn('endsWith', 'Whether a string ends with another one.', [
    {
      id: 'ends_with_string',
      signature: 'string.endsWith(string): bool',
      example: '"abc".endsWith("bc")',
      estimate: walkArgument,
    },
  ]),
  fn('startsWith', 'Whether a string starts with another one.', [
    {
      id: 'starts_with_string',
      signature: 'string.startsWith(string): bool',
      example: '"abc".startsWith("ab")',
      estimate: walkArgument,
    },
  ]),
  fn('matches', 'Whether an RE2 pattern matches anywhere in a string; `^` and `$` tie it to the ends.', [
    {
      id: 'matches',
      signature: 'matches(string, string): bool',
      example: 'matches("abc", "^a.c$")',
      estimate: matchArgument,
    },
    {
      id: 'matches_string',
      signature: 'string.matches(string): bool',
      example: '"abc".matches("^a.c$")',
      estimate: matchTarget,
    },
  ]),
  timePart(
    'getFullYear',
    'The year.',
    'timestamp_to_year',
    'timestamp_to_year_with_tz',
    `${moment}.getFullYear() == 2024`,
  ),
  timePart(
    'getMonth',
    'The month, 0 for January.',
    'timestamp_to_month',
    'timestamp_to_month_with_tz',
    `${moment}.getMonth() == 1`,
  ),
  timePart(
    'getDayOfYear',
    'The day of the year, counted from 0.',
    'timestamp_to_day_of_year',
    'timestamp_to_day_of_year_with_tz',
    `${moment}.getDayOfYear() == 33`,
  ),
  timePart(
    'getDayOfMonth',
    'The day of the month, counted from 0.',
    'timestamp_to_day_of_month',
    'timestamp_to_day_of_month_with_tz',
    `${moment}.getDayOfMonth() == 2`,
  ),
  timePart(
    'getDate',
    'The day of the month, counted from 1.',
    'timestamp_to_day_of_month_1_based',
    'timestamp_to_day_of_month_1_based_with_tz',
    `${moment}.getDate() == 3`,
  ),
  timePart(
    'getDayOfWeek',
    'The day of the week, 0 for Sunday.',
    'timestamp_to_day_of_week',
    'timestamp_to_day_of_week_with_tz',
    `${moment}.getDayOfWeek() == 6`,
  ),
  timePart(
    'getHours',
    'The hour, 0 to 23.',
    'timestamp_to_hours',
    'timestamp_to_hours_with_tz',
    `${moment}.getHours() == 4`,
    'duration_to_hours',
  ),
  timePart(
    'getMinutes',
    'The minute, 0 to 59.',
    'timestamp_to_minutes',
    'timestamp_to_minutes_with_tz',
    `${moment}.getMinutes() == 5`,
    'duration_to_minutes',
  ),
  timePart(
    'getSeconds',
    'The second, 0 to 59.',
    'timestamp_to_seconds',
    'timestamp_to_seconds_tz',
    `${moment}.getSeconds() == 6`,
    'duration_to_seconds',
  ),
  timePart(
    'getMilliseconds',
    'The millisecond, 0 to 999.',
    'timestamp_to_milliseconds',
    'timestamp_to_milliseconds_with_tz',
    `${moment}.getMilliseconds() == 789`,
    'duration_to_milliseconds',
  ),
];
