const formats = new Map<string, Intl.DateTimeFormat | undefined>();

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, attempt(zone));
  return formats.get(zone);
}

const fields = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

function attempt(zone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone: zone, hourCycle: 'h23', era: 'short' });
  } catch (failure) {
    if (!(failure instanceof RangeError)) throw failure;
    return undefined;
  }
}

/** Seconds east of UTC in a zone of the time zone database at a moment, or what Go says of its name. */
export function zoneOffset(zone: string, seconds: bigint): number | { readonly error: string } {
  if (zone === '' || zone === 'UTC') return 0;
  if (zone.includes('..') || zone.startsWith('/') || zone.startsWith('\\')) {
    return { error: 'time: invalid location name' };
  }
  const format = /^[+-]/.test(zone) ? undefined : formatOf(zone);
  if (!format) return { error: `unknown time zone ${zone}` };
  const part = new Map(format.formatToParts(new Date(Number(seconds) * 1000)).map(({ type, value }) => [type, value]));
  const number = (name: Intl.DateTimeFormatPartTypes) => Number(part.get(name));
  const year = part.get('era') === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return Math.round(local.getTime() / 1000 - Number(seconds));
}
