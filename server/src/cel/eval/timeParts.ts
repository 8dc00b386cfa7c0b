import { formatNothing } from '../../go/format.ts';
import { dateOf } from '../../go/time.ts';
import { zoneOffset } from '../../go/zone.ts';
import { secondsOf } from './convert.ts';
import type { Impl } from './implementation.ts';
import { type CelError, error, isError, isKind, noSuchOverload, type Timestamp, type Val } from './values.ts';

type Part = (time: ReturnType<typeof dateOf>, nanos: number) => number;

const parts: Readonly<Record<string, Part>> = {
  year: (date) => date.year,
  month: (date) => date.month - 1,
  day_of_year: (date) => date.dayOfYear,
  day_of_month: (date) => date.day - 1,
  day_of_month_1_based: (date) => date.day,
  day_of_week: (date) => date.weekday,
  hours: (date) => date.hour,
  minutes: (date) => date.minute,
  seconds: (date) => date.second,
  milliseconds: (_date, nanos) => Math.trunc(nanos / 1e6),
};

function partOf(time: Timestamp, offset: number, part: Part): bigint {
  return BigInt(part(dateOf(time.seconds + BigInt(offset)), time.nanos));
}

/** Without a zone UTC counts. */
function inUtc(part: Part): Impl {
  return (a) => (isKind(a, 'timestamp') ? partOf(a, 0, part) : noSuchOverload);
}

function inZone(part: Part): Impl {
  return (a, zone) => {
    if (!isKind(a, 'timestamp') || typeof zone !== 'string') return noSuchOverload;
    const offset = offsetOf(zone, a);
    return isError(offset as Val) ? (offset as CelError) : partOf(a, offset as number, part);
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

const zoned = Object.entries(parts).map(
  ([name, part]) =>
    [name === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${name}_with_tz`, inZone(part)] as const,
);

export const timeParts: readonly (readonly [string, Impl])[] = [
  ...Object.entries(parts).map(([name, part]) => [`timestamp_to_${name}`, inUtc(part)] as const),
  ...zoned,
];

/** Before cel-go 0.23 what is wrong with a zone is taken for a format. */
export const formattingTimeParts: readonly (readonly [string, Impl])[] = zoned.map(([id, impl]) => {
  const formatting: Impl = (a, zone, c, d) => {
    const part = impl(a, zone, c, d);
    return isError(part) ? error(formatNothing(part.message)) : part;
  };
  return [id, formatting];
});

function durationPart(part: (nanos: bigint) => bigint): Impl {
  return (a) => (isKind(a, 'duration') ? part(a.nanos) : noSuchOverload);
}

const minute = 60_000_000_000n;
const hour = 60n * minute;

function inUnits(nanos: bigint, unit: bigint): bigint {
  return BigInt(Math.trunc(Number(nanos / unit) + Number(nanos % unit) / Number(unit)));
}

export const durationParts: readonly (readonly [string, Impl])[] = [
  ['duration_to_hours', durationPart((nanos) => inUnits(nanos, hour))],
  ['duration_to_minutes', durationPart((nanos) => inUnits(nanos, minute))],
  ['duration_to_seconds', durationPart((nanos) => BigInt(Math.trunc(secondsOf(nanos))))],
  ['duration_to_milliseconds', durationPart((nanos) => nanos / 1_000_000n)],
];
