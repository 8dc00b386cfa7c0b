/** Dates and durations. What asks the clock gives one fixed moment, which is marked as unknown. */
import { durationError, formatGoDuration, parseGoDuration } from '../../gostd/duration.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { dateOf, zeroSeconds } from '../../gostd/time.ts';
import { formatTime, parseTime, type ZonedTime } from '../../gostd/timeLayout.ts';
import { zoneOffset } from '../../gostd/zone.ts';
import { Computed, type From } from '../from.ts';
import { plain, traced } from '../functions.ts';
import { type Cell, cell, GoError, type GoFunction, GoStruct, type GoValue, Int } from '../value.ts';

const timeType = 'time.Time';
const htmlLayout = '2006-01-02';
const second = 1_000_000_000n;

/** 2026-01-01T12:00:00Z: the sample of what the clock says. */
const sampleNow: ZonedTime = { seconds: 1767268800n, nanoseconds: 0, offset: 0, zone: 'UTC' };

export const dates = [
  traced(`now() ${timeType}`, (_, { from }) => cell(timeValue(sampleNow), new Computed(undefined, [from], true))),
  ...['date', 'htmlDate'].map((name) => {
    const takesLayout = name === 'date';
    return traced(`${name}(${takesLayout ? 'string, any' : 'any'}) string`, (args, call) => {
      const layout = takesLayout ? (args[0]!.value as string) : htmlLayout;
      return dateText(layout, args.at(-1)!, 'Local', call.from);
    });
  }),
  ...['dateInZone', 'date_in_zone'].map((name) =>
    traced(`${name}(string, any, string) string`, ([layout, date, zone], { from }) =>
      dateText(layout!.value as string, date!, zone!.value as string, from),
    ),
  ),
  traced('htmlDateInZone(any, string) string', ([date, zone], { from }) =>
    dateText(htmlLayout, date!, zone!.value as string, from),
  ),
  ...['dateModify', 'date_modify', 'mustDateModify', 'must_date_modify'].map((name) =>
    plain(`${name}(string, ${timeType}) ${timeType}`, ([by, date]: [string, GoStruct]) =>
      modified(date, by, name.startsWith('must')),
    ),
  ),
  plain(`toDate(string, string) ${timeType}`, ([layout, text]: [string, string]) => {
    const parsed = parseTime(text, layout);
    return timeValue('time' in parsed ? parsed.time : zeroTime);
  }),
  plain(`mustToDate(string, string) ${timeType}`, ([layout, text]: [string, string]) => {
    const parsed = parseTime(text, layout);
    if ('error' in parsed) throw new GoError(parsed.error);
    return timeValue(parsed.time);
  }),
  plain(`unixEpoch(${timeType}) string`, ([date]: [GoStruct]) => String((date.content as ZonedTime).seconds)),
  traced('ago(any) string', ([date], { from }) => {
    const { seconds } = momentOf(date!.value) ?? sampleNow;
    const text = formatGoDuration((sampleNow.seconds - seconds) * second);
    return cell(text, new Computed(undefined, [from], true));
  }),
  plain('duration(any) string', ([value]: [GoValue]) => formatGoDuration(BigInt.asIntN(64, secondsOf(value) * second))),
  traced('durationRound(any) string', ([value], { from }) => {
    const given = value!.value;
    const isTime = given instanceof GoStruct && given.type === timeType;
    return cell(roundedDuration(nanosecondsOf(given)), isTime ? new Computed(undefined, [from], true) : from);
  }),
];

const zeroTime: ZonedTime = { seconds: zeroSeconds, nanoseconds: 0, offset: 0, zone: 'UTC' };
const goLayout = '2006-01-02 15:04:05.999999999 -0700 MST';

export function timeValue(time: ZonedTime): GoStruct {
  return new GoStruct(timeType, {
    content: time,
    print: () => formatTime(time, goLayout),
    json: () => formatTime(time, '2006-01-02T15:04:05.999999999Z07:00'),
    methods: new Map(methodsOf(time).map((one) => [one.name, one])),
  });
}

function methodsOf(time: ZonedTime): GoFunction[] {
  const date = () => dateOf(time.seconds + BigInt(time.offset));
  const number = (name: string, get: () => number | bigint, type = 'int') =>
    plain(`${name}() ${type}`, () => new Int(get(), type));
  return [
    plain('Format(string) string', ([layout]: [string]) => formatTime(time, layout)),
    plain('String() string', () => formatTime(time, goLayout)),
    number('Unix', () => time.seconds, 'int64'),
    number('UnixMilli', () => time.seconds * 1000n + BigInt(Math.trunc(time.nanoseconds / 1e6)), 'int64'),
    number('UnixNano', () => time.seconds * second + BigInt(time.nanoseconds), 'int64'),
    number('Nanosecond', () => time.nanoseconds),
    number('Year', () => date().year),
    number('Month', () => date().month, 'time.Month'),
    number('Day', () => date().day),
    number('YearDay', () => date().dayOfYear + 1),
    number('Weekday', () => date().weekday, 'time.Weekday'),
    number('Hour', () => date().hour),
    number('Minute', () => date().minute),
    number('Second', () => date().second),
    plain(`UTC() ${timeType}`, () => timeValue({ ...time, offset: 0, zone: 'UTC' })),
    plain(`Local() ${timeType}`, () => timeValue({ ...time, offset: 0, zone: 'UTC' })),
    plain(`Add(time.Duration) ${timeType}`, ([by]: [Int]) => timeValue(moved(time, by.value))),
    plain(`AddDate(int, int, int) ${timeType}`, ([years, months, days]: [Int, Int, Int]) =>
      timeValue(dateMoved(time, [years, months, days].map(({ value }) => Number(value)) as [number, number, number])),
    ),
    plain('IsZero() bool', () => time.seconds === zeroSeconds && time.nanoseconds === 0),
  ];
}

function moved(time: ZonedTime, by: bigint): ZonedTime {
  const all = time.seconds * second + BigInt(time.nanoseconds) + by;
  const rest = ((all % second) + second) % second;
  return { ...time, seconds: (all - rest) / second, nanoseconds: Number(rest) };
}

function dateMoved(time: ZonedTime, [years, months, days]: [number, number, number]): ZonedTime {
  const { year, month, day, hour, minute, second: seconds } = dateOf(time.seconds + BigInt(time.offset));
  const date = new Date(0);
  date.setUTCFullYear(year + years, month - 1 + months, day + days);
  date.setUTCHours(hour, minute, seconds);
  return { ...time, seconds: BigInt(date.getTime() / 1000 - time.offset) };
}

/** The moment that a value stands for; undefined where Sprig takes the clock instead. */
function momentOf(value: GoValue): ZonedTime | undefined {
  if (value instanceof GoStruct && /^\*?time\.Time$/.test(value.type)) return value.content as ZonedTime;
  if (!(value instanceof Int) || !/^int(?:32|64)?$/.test(value.type)) return undefined;
  return { seconds: value.value, nanoseconds: 0, offset: 0, zone: 'UTC' };
}

function dateText(layout: string, date: Cell, zone: string, from: From): Cell {
  const known = momentOf(date.value);
  const time = known ?? sampleNow;
  const text = formatTime({ ...time, ...zoneAt(zone, time.seconds) }, layout);
  return cell(text, known ? from : new Computed(undefined, [from], true));
}

/** A zone at a moment; ours for the local one, and for those that there are not, is UTC. */
function zoneAt(zone: string, seconds: bigint): { offset: number; zone: string } {
  const offset = zone === 'Local' ? 0 : zoneOffset(zone, seconds);
  if (typeof offset !== 'number' || zone === 'Local' || zone === '') return { offset: 0, zone: 'UTC' };
  return { offset, zone: shortName(zone, seconds) };
}

function shortName(zone: string, seconds: bigint): string {
  if (zone === 'UTC') return 'UTC';
  const date = new Date(Number(seconds) * 1000);
  for (const locale of ['en-US', 'en-GB', 'en-AU', 'en-CA']) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }).formatToParts(date);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{3,4}$/.test(name)) return name;
  }
  return '';
}

function modified(date: GoStruct, by: string, isStrict: boolean): GoValue {
  const duration = parseGoDuration(by);
  if (duration !== undefined) return timeValue(moved(date.content as ZonedTime, duration));
  if (isStrict) throw new GoError(durationError(by));
  return date;
}

function secondsOf(value: GoValue): bigint {
  if (value instanceof Int && value.type === 'int64') return value.value;
  if (typeof value !== 'string') return 0n;
  const read = parseGoInt(value, 10);
  return 'value' in read ? read.value : 0n;
}

function nanosecondsOf(value: GoValue): bigint {
  if (typeof value === 'string') return parseGoDuration(value) ?? 0n;
  if (value instanceof Int && value.type === 'int64') return value.value;
  const moment = value instanceof GoStruct ? momentOf(value) : undefined;
  return moment ? (sampleNow.seconds - moment.seconds) * second : 0n;
}

const units: readonly (readonly [string, bigint])[] = [
  ['y', 365n * 86_400n],
  ['mo', 30n * 86_400n],
  ['d', 86_400n],
  ['h', 3600n],
  ['m', 60n],
  ['s', 1n],
];

function roundedDuration(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = units.find(([, seconds]) => size > seconds * second);
  return unit ? `${size / (unit[1] * second)}${unit[0]}` : '0s';
}
