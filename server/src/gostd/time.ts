import { goBytes } from './bytes.ts';

/** Package time's own quoting: every byte of what is not printable ASCII as `\\x..`. */
export function timeQuote(text: string): string {
  const escaped = text.replace(/[^ -\u007f]|["\\]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return Array.from(goBytes(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `"${escaped}"`;
}

/** A point in time: seconds since 1970 and nanoseconds within the second. */
export interface GoTime {
  readonly seconds: bigint;
  readonly nanoseconds: number;
}

/** `zone` is the offset that was written, in seconds east of UTC; there is none after `Z`. */
export type TimeParse = { readonly time: GoTime; readonly zone: number | undefined } | { readonly error: string };

const rfc3339 = '2006-01-02T15:04:05Z07:00';

/** The layout of Kubernetes' MicroTime: it demands six digits of a second. */
export const microseconds = '2006-01-02T15:04:05.000000Z07:00';

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : days[month - 1]!;
}

/** Days from 1970-01-01 in the proleptic Gregorian calendar. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468;
}

interface Step {
  readonly element: string;
  readonly pattern: RegExp;
}

/** The elements of RFC 3339's layout, as Go's time.Parse walks them. */
const steps: readonly Step[] = [
  { element: '2006', pattern: /^\d{4}/ },
  { element: '-', pattern: /^-/ },
  { element: '01', pattern: /^\d\d/ },
  { element: '-', pattern: /^-/ },
  { element: '02', pattern: /^\d\d/ },
  { element: 'T', pattern: /^T/ },
  { element: '15', pattern: /^\d\d?/ },
  { element: ':', pattern: /^:/ },
  { element: '04', pattern: /^\d\d/ },
  { element: ':', pattern: /^:/ },
  { element: '05', pattern: /^\d\d/ },
  { element: '.000000', pattern: /^[.,]\d{6}/ },
  { element: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/ },
];

const ranges: Readonly<Record<string, { name: string; from: number; to: number }>> = {
  '01': { name: 'month', from: 1, to: 12 },
  '15': { name: 'hour', from: 0, to: 23 },
  '04': { name: 'minute', from: 0, to: 59 },
  '05': { name: 'second', from: 0, to: 59 },
};

function failure(text: string, rest: string, element: string, layout: string): TimeParse {
  return {
    error: `parsing time ${timeQuote(text)} as ${timeQuote(layout)}: cannot parse ${timeQuote(rest)} as ${timeQuote(element)}`,
  };
}

function outOfRange(text: string, what: string): TimeParse {
  return { error: `parsing time ${timeQuote(text)}: ${what} out of range` };
}

/** Seconds east of UTC, or what is out of range. */
function zoneSeconds(zone: string): number | string {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24) return 'time zone offset hour';
  if (minutes > 60) return 'time zone offset minute';
  return (zone[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

interface Read {
  readonly found: ReadonlyMap<string, string>;
  readonly fraction: string;
  readonly rest: string;
}

function walk(text: string, layout: string): Read | TimeParse {
  const found = new Map<string, string>();
  let rest = text;
  let fraction = '';
  for (const { element, pattern } of steps) {
    if (!layout.includes(element)) continue;
    const part = pattern.exec(rest)?.[0];
    if (part === undefined) return failure(text, rest, element, layout);
    const range = ranges[element];
    if (range && (Number(part) < range.from || Number(part) > range.to)) return outOfRange(text, range.name);
    found.set(element, part);
    rest = rest.slice(part.length);
    if (element === '.000000') fraction = part;
    // Digits of a second are read where the layout has none, too.
    if (element === '05' && !layout.includes('.000000')) {
      fraction = /^[.,]\d+/.exec(rest)?.[0] ?? '';
      rest = rest.slice(fraction.length);
    }
  }
  return { found, fraction, rest };
}

/** Go's time.Parse with the layout time.RFC3339, with its error's text. */
export function parseRfc3339(text: string, layout = rfc3339): TimeParse {
  const read = walk(text, layout);
  if (!('found' in read)) return read;
  const { found, fraction, rest } = read;
  const number = (element: string) => Number(found.get(element));
  const written = found.get('Z07:00') ?? 'Z';
  const zone = written === 'Z' ? undefined : zoneSeconds(written);
  if (typeof zone === 'string') return outOfRange(text, zone);
  if (rest !== '') return { error: `parsing time ${timeQuote(text)}: extra text: ${timeQuote(rest)}` };
  const [year, month, day] = [number('2006'), number('01'), number('02')];
  if (day < 1 || day > daysIn(year, month)) return outOfRange(text, 'day');
  const clock = found.has('15') ? number('15') * 3600 + number('04') * 60 + number('05') - (zone ?? 0) : 0;
  const seconds = BigInt(daysSinceEpoch(year, month, day)) * 86400n + BigInt(clock);
  return { time: { seconds, nanoseconds: Number(fraction.slice(1, 10).padEnd(9, '0')) }, zone };
}

/** The same with the layout 2006-01-02. */
export function parseDate(text: string): TimeParse {
  return parseRfc3339(text, '2006-01-02');
}

/** The zero value of Go's time.Time: year 1. */
export const zeroSeconds = -62135596800n;

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** The parts of a moment on the proleptic Gregorian calendar. */
export interface GoDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Counted from 0. */
  readonly dayOfYear: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function dateOf(seconds: bigint): GoDate {
  const clock = Number(((seconds % 86400n) + 86400n) % 86400n);
  const days = Number((seconds - BigInt(clock)) / 86400n);
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const fromMarch = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * fromMarch + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: fromMarch - Math.floor((153 * m + 2) / 5) + 1,
    dayOfYear: days - daysSinceEpoch(year, 1, 1),
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(clock / 3600),
    minute: Math.floor(clock / 60) % 60,
    second: clock % 60,
  };
}

/** A time in UTC as Go's time.RFC3339 prints it, without fractions of a second. */
export function printRfc3339(time: GoTime): string {
  const { year, month, day, hour, minute, second } = dateOf(time.seconds);
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  return `${date}T${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}Z`;
}

/** A time as Go's %v prints it: with the zone that it was written in, whose offset is in seconds. */
export function printGoTime(time: GoTime, zone = 0): string {
  const { year, month, day, hour, minute, second } = dateOf(time.seconds + BigInt(zone));
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  const fraction = time.nanoseconds === 0 ? '' : `.${digits(time.nanoseconds, 9).replace(/0+$/, '')}`;
  const minutes = Math.trunc(Math.abs(zone) / 60);
  const offset = `${zone < 0 ? '-' : '+'}${digits(Math.trunc(minutes / 60), 2)}${digits(minutes % 60, 2)}`;
  const clock = `${digits(hour, 2)}:${digits(minute, 2)}:${digits(second, 2)}${fraction}`;
  return `${date} ${clock} ${offset} ${zone === 0 ? 'UTC' : offset}`;
}
