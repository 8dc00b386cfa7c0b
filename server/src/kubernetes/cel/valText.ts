import { timestampText } from '../../cel/eval/convert.ts';
import { itemsOfList, type Tagged, type Val } from '../../cel/eval/values.ts';
import { runtimeText } from '../../cel/types.ts';
import { formatGoDuration } from '../../gostd/duration.ts';
import { printJson } from '../../gostd/jsonPrint.ts';

/** A value as one would write it in CEL. */
export function valText(value: Val): string {
  return typeof value === 'object' && value !== null ? taggedText(value) : printJson(value);
}

function taggedText(value: Tagged): string {
  switch (value.kind) {
    case 'uint':
      return `${value.value}u`;
    case 'bytes':
      return `b"${Array.from(value.bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
    case 'duration':
      return `duration("${formatGoDuration(value.nanos)}")`;
    case 'timestamp':
      return `timestamp("${timestampText({ ...value, zone: undefined })}")`;
    case 'type':
      return runtimeText(value.type);
    case 'optional':
      return value.value === undefined ? 'optional.none()' : `optional.of(${valText(value.value)})`;
    case 'list':
      return `[${itemsOfList(value).map(valText).join(', ')}]`;
    case 'map':
      return `{${value
        .keys()
        .map((key) => `${valText(key)}: ${valText(value.find(key) ?? null)}`)
        .join(', ')}}`;
    case 'opaque':
      return value.type.name;
    case 'preserved':
      return 'a value without a schema';
    case 'textInPart':
      return `"${value.pieces.join('…')}"`;
    case 'sizeInPart':
      return `${value.least} or more`;
    case 'error':
      return `error: ${value.message}`;
  }
}
