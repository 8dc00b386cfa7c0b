import { durationError, parseGoDuration } from '../../../gostd/duration.ts';
import { parseGoInt } from '../../../gostd/parseInt.ts';
import { quote } from '../../../gostd/quote.ts';
import { zoneOffset } from '../../../gostd/zone.ts';

// Schedules as robfig/cron reads them, which the API server has built in.

interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Minute, hour, day of the month, month, day of the week. */
const fields: readonly Bounds[] = [
  { least: 0n, most: 59n },
  { least: 0n, most: 23n },
  { least: 1n, most: 31n },
  { least: 1n, most: 12n, names: months },
  { least: 0n, most: 6n, names: days },
];

const descriptors: ReadonlySet<string> = new Set([
  ...['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'],
]);

/** A longer schedule is not read: the server has no limit, and nobody writes one. */
const longest = 4096;

/** What is wrong with a schedule; undefined if nothing is. */
export function scheduleFault(schedule: string): string | undefined {
  if (schedule.length > longest) return undefined;
  if (schedule === '') return 'empty spec string';
  let rest = schedule;
  if (/^(?:CRON_)?TZ=/.test(schedule)) {
    const [space, equals] = [schedule.indexOf(' '), schedule.indexOf('=')];
    if (space < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
    const zone = schedule.slice(equals + 1, space);
    const offset = zoneOffset(zone, 0n);
    if (typeof offset !== 'number') return `provided bad location ${zone}: ${offset.error}`;
    rest = trimmed(schedule.slice(space));
  }
  return rest.startsWith('@') ? descriptorFault(rest) : fieldsFault(rest);
}

const space = /[\s\u0085]/;

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && space.test(text[start]!)) start++;
  while (end > start && space.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  const every = '@every ';
  if (!text.startsWith(every)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(every.length);
  if (parseGoDuration(duration) !== undefined) return undefined;
  return `failed to parse duration ${text}: ${durationError(duration)}`;
}

function fieldsFault(text: string): string | undefined {
  const written = text.split(/[\s\u0085]+/u).filter((field) => field !== '');
  if (written.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${written.length}: [${written.join(' ')}]`;
  }
  for (const [i, field] of written.entries()) {
    for (const range of field.split(',').filter((part) => part !== '')) {
      const fault = rangeFault(range, fields[i]!);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function rangeFault(text: string, bounds: Bounds): string | undefined {
  const parts = text.split('/');
  const ends = parts[0]!.split('-');
  let [start, end] = [bounds.least, bounds.most];
  if (ends[0] !== '*' && ends[0] !== '?') {
    const first = numberOf(ends[0]!, bounds.names);
    if (typeof first === 'string') return first;
    if (ends.length > 2) return `too many hyphens: ${text}`;
    const last = ends[1] === undefined ? first : numberOf(ends[1], bounds.names);
    if (typeof last === 'string') return last;
    [start, end] = [first, last];
  }
  let step = 1n;
  if (parts.length > 2) return `too many slashes: ${text}`;
  if (parts[1] !== undefined) {
    const read = numberOf(parts[1]);
    if (typeof read === 'string') return read;
    step = read;
    if (ends.length === 1) end = bounds.most;
  }
  return boundsFault(text, start, end, bounds) ?? stepFault(text, step);
}

function boundsFault(text: string, start: bigint, end: bigint, { least, most }: Bounds): string | undefined {
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${text}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${text}`;
  return start > end ? `beginning of range (${start}) beyond end of range (${end}): ${text}` : undefined;
}

function stepFault(text: string, step: bigint): string | undefined {
  return step === 0n ? `step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, names: readonly string[] = []): bigint | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return BigInt(names === months ? named + 1 : named);
  const parsed = parseGoInt(text, 10);
  if ('error' in parsed)
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${parsed.error}`;
  return parsed.value < 0n ? `negative number (${parsed.value}) not allowed: ${text}` : parsed.value;
}
