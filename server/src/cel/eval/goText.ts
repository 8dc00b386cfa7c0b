import { formatGoDuration } from '../../gostd/duration.ts';
import { formatFloat } from '../../gostd/float.ts';
import { printGoTime } from '../../gostd/time.ts';
import { type Entry, type Tagged, unsupported, type Val } from './values.ts';
import { spend } from './work.ts';

/** How Go's %v shows a value inside an error. */
export function goText(value: Val): string {
  // cel-go's null is a number to Go.
  if (value === null) return '0';
  if (typeof value === 'number') return formatFloat(value);
  if (typeof value !== 'object') return String(value);
  return taggedText(value);
}

function taggedText(value: Tagged): string {
  switch (value.kind) {
    case 'uint':
      return String(value.value);
    case 'error':
      return value.message;
    case 'bytes':
      spend(value.bytes.length);
      return `[${value.bytes.join(' ')}]`;
    case 'duration':
      return formatGoDuration(value.nanos);
    case 'timestamp':
      return printGoTime({ seconds: value.seconds, nanoseconds: value.nanos }, value.zone);
    case 'type':
      if (value.type.params.length === 0) return value.type.name;
      // Releases print the parameters in different ways.
      throw unsupported('the text of such a type in an error');
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional(${goText(value.value)})`;
  }
  if (value.kind === 'list' && value.items && !value.habits) return `[${listed(value.items.map(goText))}]`;
  if (value.kind === 'map' && value.entries) return `{${entriesText([...value.entries.values()])}}`;
  // Go prints addresses of the others.
  throw unsupported(`the text of a ${value.kind} in an error`);
}

function entriesText(entries: readonly Entry[]): string {
  return listed(entries.map(({ key, value }) => `${goText(key)}: ${goText(value)}`));
}

function listed(texts: readonly string[]): string {
  for (const text of texts) spend(1 + (text.length >> 3));
  return texts.join(', ');
}
