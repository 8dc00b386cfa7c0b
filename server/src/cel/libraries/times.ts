import { formatNothing } from '../../gostd/format.ts';
import { dateOf } from '../../gostd/time.ts';
import { zoneOffset } from '../../gostd/zone.ts';
import { secondsOf } from '../eval/convert.ts';
import type { Impl } from '../eval/implementation.ts';
import { type CelError, error, isKind, noSuchOverload, type Timestamp } from '../eval/values.ts';
import { type CalledRow, type FunctionDecl, fn, type Library } from '../overload.ts';

export interface TimeOptions {
  /** What is wrong with a time zone is taken for a format (before cel-go 0.23). */
  readonly formatsZoneErrors: boolean;
}

type Part = (time: ReturnType<typeof dateOf>, nanos: number) => number;

function partOf(time: Timestamp, offset: number, part: Part): bigint {
  return BigInt(part(dateOf(time.seconds + BigInt(offset)), time.nanos));
}

/** Without a zone UTC counts. */
function inUtc(part: Part): Impl {
  return (a) => (isKind(a, 'timestamp') ? partOf(a, 0, part) : noSuchOverload);
}

function inZone(part: Part, { formatsZoneErrors }: TimeOptions): Impl {
  return (a, zone) => {
    if (!isKind(a, 'timestamp') || typeof zone !== 'string') return noSuchOverload;
    const offset = offsetOf(zone, a);
    if (typeof offset === 'number') return partOf(a, offset, part);
    return formatsZoneErrors ? error(formatNothing(offset.message)) : offset;
  };
}

/** Seconds east of UTC at a moment, or what is wrong with the zone. */
function offsetOf(zone: string, time: Timestamp): number | CelError {
  const colon = zone.indexOf(':');
  if (colon < 0) {
    const offset = zoneOffset(zone, time.seconds);
    return typeof offset === 'number' ? offset : error(offset.error);
  }
  const hours = whole(zone.slice(0, colon));
  if (typeof hours !== 'number') return hours;
  const minutes = whole(zone.slice(colon + 1));
  if (typeof minutes !== 'number') return minutes;
  if (minutes < 0 || minutes > 59) return error(`timezone offset minutes out of range [0, 59]: ${zone}`);
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
}

function whole(text: string): number | CelError {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  return error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

const minute = 60_000_000_000n;
const hour = 60n * minute;

function inUnits(nanos: bigint, unit: bigint): bigint {
  return BigInt(Math.trunc(Number(nanos / unit) + Number(nanos % unit) / Number(unit)));
}

/** A part of a timestamp, and of a duration where `whole` says how many such units one has. */
interface TimePart {
  readonly name: string;
  readonly doc: string;
  /** What the ids of its overloads call it. */
  readonly id: string;
  readonly zonedId?: string;
  readonly part: Part;
  /** Its value in the example. */
  readonly sample: number;
  readonly whole?: (nanos: bigint) => bigint;
}

const timeParts: readonly TimePart[] = [
  { name: 'getFullYear', doc: 'The year.', id: 'year', part: (date) => date.year, sample: 2024 },
  {
    name: 'getMonth',
    doc: 'The month, starting at 0 for January.',
    id: 'month',
    part: (date) => date.month - 1,
    sample: 1,
  },
  {
    name: 'getDayOfYear',
    doc: 'The day of the year, starting at 0.',
    id: 'day_of_year',
    part: (date) => date.dayOfYear,
    sample: 33,
  },
  {
    name: 'getDayOfMonth',
    doc: 'The day of the month, starting at 0.',
    id: 'day_of_month',
    part: (date) => date.day - 1,
    sample: 2,
  },
  {
    name: 'getDate',
    doc: 'The day of the month, starting at 1.',
    id: 'day_of_month_1_based',
    part: (date) => date.day,
    sample: 3,
  },
  {
    name: 'getDayOfWeek',
    doc: 'The day of the week, starting at 0 for Sunday.',
    id: 'day_of_week',
    part: (date) => date.weekday,
    sample: 6,
  },
  {
    name: 'getHours',
    doc: 'The hour, 0 to 23.',
    id: 'hours',
    part: (date) => date.hour,
    sample: 4,
    whole: (nanos) => inUnits(nanos, hour),
  },
  {
    name: 'getMinutes',
    doc: 'The minute, 0 to 59.',
    id: 'minutes',
    part: (date) => date.minute,
    sample: 5,
    whole: (nanos) => inUnits(nanos, minute),
  },
  {
    name: 'getSeconds',
    doc: 'The second, 0 to 59.',
    id: 'seconds',
    zonedId: 'timestamp_to_seconds_tz',
    part: (date) => date.second,
    sample: 6,
    whole: (nanos) => BigInt(Math.trunc(secondsOf(nanos))),
  },
  {
    name: 'getMilliseconds',
    doc: 'The millisecond, 0 to 999.',
    id: 'milliseconds',
    part: (_date, nanos) => Math.trunc(nanos / 1e6),
    sample: 789,
    whole: (nanos) => nanos / 1_000_000n,
  },
];

const zoneDoc = 'The optional argument is a time zone, such as "Europe/Berlin" or "+02:00"; the default is UTC.';
const moment = 'timestamp("2024-02-03T04:05:06.789Z")';

function timePart({ name, doc, id, zonedId, part, sample, whole }: TimePart, options: TimeOptions): FunctionDecl {
  const rows: CalledRow[] = [
    {
      id: `timestamp_to_${id}`,
      signature: `timestamp.${name}(): int`,
      example: `${moment}.${name}() == ${sample}`,
      impl: inUtc(part),
    },
    {
      id: zonedId ?? `timestamp_to_${id}_with_tz`,
      signature: `timestamp.${name}(string): int`,
      doc: `${doc} ${zoneDoc}`,
      impl: inZone(part, options),
    },
  ];
  if (whole) {
    rows.push({
      id: `duration_to_${id}`,
      signature: `duration.${name}(): int`,
      doc: 'The whole duration in this unit, without its fraction.',
      impl: (a) => (isKind(a, 'duration') ? whole(a.nanos) : noSuchOverload),
    });
  }
  return fn(name, doc, rows);
}

/** The parts of timestamps and durations. */
export const times = (options: TimeOptions): Library => timeParts.map((part) => timePart(part, options));
