/** Go's time.Format and time.Parse: layouts are written as one certain moment would be. */
import { runAtEnd } from '../base/text.ts';
import { dateOf, daysIn, daysSinceEpoch, type GoTime, timeQuote } from './time.ts';

/** A time where it is looked at: with the offset from UTC in seconds, and the zone's short name where it has one. */
export interface ZonedTime extends GoTime {
  readonly offset: number;
  readonly zone: string;
}

const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
const dayNames: readonly string[] = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const element =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|__2|_2(?!006)|2|[345]|PM|pm|[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)/g;

interface Piece {
  readonly text: string;
  readonly isElement: boolean;
}

function piecesOf(layout: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of layout.matchAll(element)) {
    if (found.index > at) pieces.push({ text: layout.slice(at, found.index), isElement: false });
    pieces.push({ text: found[0], isElement: true });
    at = found.index + found[0].length;
  }
  if (at < layout.length) pieces.push({ text: layout.slice(at), isElement: false });
  return pieces;
}

function digits(value: number, width: number, pad = '0'): string {
  return String(value).padStart(width, pad);
}

export function formatTime(time: ZonedTime, layout: string): string {
  return piecesOf(layout)
    .map(({ text, isElement }) => (isElement ? formatElement(time, text) : text))
    .join('');
}

function formatElement(time: ZonedTime, name: string): string {
  if (/^[-Z]/.test(name)) return offsetText(time.offset, name);
  if (/^[.,]/.test(name)) return fractionText(time.nanoseconds, name);
  if (name === 'MST') return time.zone === '' ? nameless(time.offset) : time.zone;
  const date = dateOf(time.seconds + BigInt(time.offset));
  const hour12 = date.hour % 12 || 12;
  switch (name) {
    case '2006':
      return date.year < 0 ? `-${digits(-date.year, 4)}` : digits(date.year, 4);
    case '06':
      return digits(Math.abs(date.year) % 100, 2);
    case 'January':
      return monthNames[date.month - 1]!;
    case 'Jan':
      return monthNames[date.month - 1]!.slice(0, 3);
    case 'Monday':
      return dayNames[date.weekday]!;
    case 'Mon':
      return dayNames[date.weekday]!.slice(0, 3);
    case 'PM':
      return date.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return date.hour >= 12 ? 'pm' : 'am';
    case '002':
      return digits(date.dayOfYear + 1, 3);
    case '__2':
      return digits(date.dayOfYear + 1, 3, ' ');
    case '_2':
      return digits(date.day, 2, ' ');
    case '15':
      return digits(date.hour, 2);
  }
  const values: ReadonlyMap<string, number> = new Map(
    Object.entries<number>({
      '1': date.month,
      '2': date.day,
      '3': hour12,
      '4': date.minute,
      '5': date.second,
    }),
  );
  return digits(values.get(name.slice(-1))!, name.length);
}

function offsetText(offset: number, name: string): string {
  if (name.startsWith('Z') && offset === 0) return 'Z';
  const size = Math.abs(offset);
  const colon = name.includes(':') ? ':' : '';
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60].map((part) => digits(part, 2));
  const count = name.replaceAll(':', '').length / 2 - 0.5;
  return (offset < 0 ? '-' : '+') + parts.slice(0, count).join(colon);
}

function nameless(offset: number): string {
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const rest = minutes % 60 === 0 ? '' : digits(minutes % 60, 2);
  return `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60), 2)}${rest}`;
}

function fractionText(nanoseconds: number, name: string): string {
  const shown = digits(nanoseconds, 9)
    .slice(0, name.length - 1)
    .padEnd(name.length - 1, '0');
  if (name[1] === '0') return name[0] + shown;
  const kept = shown.slice(0, runAtEnd(shown, /0/));
  return kept === '' ? '' : name[0] + kept;
}

export type LayoutParse = { readonly time: ZonedTime } | { readonly error: string };

/** What was read of a time, by the names of its parts. */
interface Read {
  year: number;
  month: number | undefined;
  day: number | undefined;
  dayOfYear: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  isAfternoon: boolean | undefined;
  offset: number | undefined;
  zone: string;
}

class Refused extends Error {}

/** Go's time.Parse: what has no zone is in UTC. */
export function parseTime(text: string, layout: string): LayoutParse {
  try {
    return { time: timeOf(readTime(text, layout), text) };
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure;
    return { error: failure.message };
  }
}

function cannot(text: string, layout: string, rest: string, name: string): Refused {
  return new Refused(
    `parsing time ${timeQuote(text)} as ${timeQuote(layout)}: cannot parse ${timeQuote(rest)} as ${timeQuote(name)}`,
  );
}

function outOfRange(text: string, what: string): Refused {
  return new Refused(`parsing time ${timeQuote(text)}: ${what} out of range`);
}

function readTime(text: string, layout: string): Read {
  const read: Read = {
    year: 0,
    month: undefined,
    day: undefined,
    dayOfYear: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanoseconds: 0,
    isAfternoon: undefined,
    offset: undefined,
    zone: '',
  };
  const pieces = piecesOf(layout);
  let rest = text;
  for (const [i, piece] of pieces.entries()) {
    if (!piece.isElement) {
      const { after, isWhole } = skipped(rest, piece.text);
      if (!isWhole) throw cannot(text, layout, after, piece.text);
      rest = after;
      continue;
    }
    const after = readElement(read, rest, piece.text, text, pieces[i + 1]);
    if (after === undefined) throw cannot(text, layout, rest, piece.text);
    rest = after;
  }
  if (rest !== '') throw new Refused(`parsing time ${timeQuote(text)}: extra text: ${timeQuote(rest)}`);
  return read;
}

/** The text behind a literal part, or behind what is there of it; blanks may be more or fewer. */
function skipped(text: string, literal: string): { readonly after: string; readonly isWhole: boolean } {
  let rest = text;
  for (let i = 0; i < literal.length; i++) {
    if (literal[i] === ' ') {
      if (rest !== '' && rest[0] !== ' ') return { after: rest, isWhole: false };
      while (literal[i + 1] === ' ') i++;
      rest = rest.replace(/^ +/, '');
    } else if (rest[0] !== literal[i]) return { after: rest, isWhole: false };
    else rest = rest.slice(1);
  }
  return { after: rest, isWhole: true };
}

type Setter = (read: Read, found: string) => void;

const patterns: ReadonlyMap<string, readonly [RegExp, Setter]> = new Map(
  Object.entries<readonly [RegExp, Setter]>({
    '2006': [/^\d{4}/, (read, found) => (read.year = Number(found))],
    '06': [/^\d\d/, (read, found) => (read.year = Number(found) + (Number(found) >= 69 ? 1900 : 2000))],
    '1': [/^\d\d?/, (read, found) => (read.month = Number(found))],
    '01': [/^\d\d/, (read, found) => (read.month = Number(found))],
    '2': [/^\d\d?/, (read, found) => (read.day = Number(found))],
    _2: [/^ ?\d\d?/, (read, found) => (read.day = Number(found))],
    '02': [/^\d\d/, (read, found) => (read.day = Number(found))],
    '002': [/^\d{3}/, (read, found) => (read.dayOfYear = Number(found))],
    __2: [/^ {0,2}\d{1,3}/, (read, found) => (read.dayOfYear = Number(found))],
    '15': [/^\d\d?/, (read, found) => (read.hour = Number(found))],
    '3': [/^\d\d?/, (read, found) => (read.hour = Number(found))],
    '03': [/^\d\d/, (read, found) => (read.hour = Number(found))],
    '4': [/^\d\d?/, (read, found) => (read.minute = Number(found))],
    '04': [/^\d\d/, (read, found) => (read.minute = Number(found))],
    '5': [/^\d\d?/, (read, found) => (read.second = Number(found))],
    '05': [/^\d\d/, (read, found) => (read.second = Number(found))],
    PM: [/^[AP]M/, (read, found) => (read.isAfternoon = found === 'PM')],
    pm: [/^[ap]m/, (read, found) => (read.isAfternoon = found === 'pm')],
    MST: [/^(?:UTC|GMT(?:[+-]\d{1,2})?|[A-Z]{3}T?|[+-]\d\d(?:\d\d)?)/, (read, found) => (read.zone = found)],
  }),
);

const limits: ReadonlyMap<string, readonly [name: string, least: number, most: number]> = new Map(
  Object.entries<readonly [name: string, least: number, most: number]>({
    month: ['month', 1, 12],
    hour: ['hour', 0, 23],
    minute: ['minute', 0, 59],
    second: ['second', 0, 59],
  }),
);

function readElement(
  read: Read,
  rest: string,
  name: string,
  text: string,
  next: Piece | undefined,
): string | undefined {
  if (/^Jan|^Mon/.test(name)) return readName(read, rest, name);
  if (/^[.,]/.test(name)) return readFraction(read, rest, name);
  if (/^[-Z]/.test(name)) return readOffset(read, rest, name, text);
  const [pattern, set] = patterns.get(name)!;
  const found = pattern.exec(rest)?.[0];
  if (found === undefined) return undefined;
  set(read, found);
  if (/^0?3$/.test(name) && read.hour > 12) throw outOfRange(text, 'hour');
  checkRange(read, name, text);
  const after = rest.slice(found.length);
  return /^0?5$/.test(name) && !/^[.,]/.test(next?.text ?? '') ? unwrittenFraction(read, after) : after;
}

const fieldOf: ReadonlyMap<string, 'month' | 'hour' | 'minute' | 'second'> = new Map(
  Object.entries<'month' | 'hour' | 'minute' | 'second'>({
    '1': 'month',
    '01': 'month',
    '15': 'hour',
    '4': 'minute',
    '04': 'minute',
    '5': 'second',
    '05': 'second',
  }),
);

function checkRange(read: Read, name: string, text: string): void {
  const field = fieldOf.get(name);
  if (field === undefined) return;
  const [what, least, most] = limits.get(field)!;
  const value = read[field]!;
  if (value < least || value > most) throw outOfRange(text, what);
}

/** Digits behind the point of a second are read although the layout has none. */
function unwrittenFraction(read: Read, rest: string): string {
  const found = /^[.,]\d+/.exec(rest)?.[0];
  return found === undefined ? rest : readNanoseconds(read, rest, found);
}

function readNanoseconds(read: Read, rest: string, found: string): string {
  read.nanoseconds = Number(found.slice(1, 10).padEnd(9, '0'));
  return rest.slice(found.length);
}

function readFraction(read: Read, rest: string, name: string): string | undefined {
  if (name[1] === '9') return unwrittenFraction(read, rest);
  const found = /^[.,]\d+/.exec(rest)?.[0] ?? '';
  return found.length < name.length ? undefined : readNanoseconds(read, rest, found.slice(0, name.length));
}

function readName(read: Read, rest: string, name: string): string | undefined {
  const isMonth = name.startsWith('Jan');
  const names = (isMonth ? monthNames : dayNames).map((one) => (name.length === 3 ? one.slice(0, 3) : one));
  const at = names.findIndex((one) => rest.toLowerCase().startsWith(one.toLowerCase()));
  if (at === -1) return undefined;
  if (isMonth) read.month = at + 1;
  return rest.slice(names[at]!.length);
}

function readOffset(read: Read, rest: string, name: string, text: string): string | undefined {
  if (name.startsWith('Z') && rest.startsWith('Z')) {
    read.offset = 0;
    return rest.slice(1);
  }
  const found = rest.slice(0, name.length);
  // The element itself is of the shape.
  const shape = (offset: string) => offset.replace(/\d/g, '0').slice(1);
  if (!/^[+-]/.test(found) || shape(found) !== shape(name)) return undefined;
  const [hours, minutes = 0, seconds = 0] = found.slice(1).match(/\d\d/g)!.map(Number) as [number, number?, number?];
  if (hours > 24) throw outOfRange(text, 'time zone offset hour');
  if (minutes > 60) throw outOfRange(text, 'time zone offset minute');
  read.offset = (found[0] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
  return rest.slice(found.length);
}

function timeOf(read: Read, text: string): ZonedTime {
  const { year, month = 1, day = 1 } = read;
  if (day < 1 || day > daysIn(year, month)) throw outOfRange(text, 'day');
  const hour = read.isAfternoon === undefined ? read.hour : (read.hour % 12) + (read.isAfternoon ? 12 : 0);
  const days =
    read.dayOfYear === undefined ? daysSinceEpoch(year, month, day) : daysSinceEpoch(year, 1, 1) + read.dayOfYear - 1;
  const clock = hour * 3600 + read.minute * 60 + read.second - (read.offset ?? 0);
  const offset = read.offset ?? 0;
  const zone = read.zone === '' && offset === 0 ? 'UTC' : read.zone;
  return { seconds: BigInt(days) * 86400n + BigInt(clock), nanoseconds: read.nanoseconds, offset, zone };
}
