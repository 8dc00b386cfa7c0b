import { timestampText } from '../cel/eval/convert.ts';
import { bytes, itemsOfList, list, mapOfPairs, type Tagged, timestamp, uint, type Val } from '../cel/eval/values.ts';
import { type CelType, runtimeText } from '../cel/types.ts';
import { formatGoDuration } from '../gostd/duration.ts';
import type { Input, Output } from './values.ts';

/** A value of JavaScript as CEL has it; what a number is, its type says. */
export function toCel(value: Input, type: CelType | undefined): Val {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return number(value, type?.kind);
  if (value instanceof Uint8Array) return bytes(value);
  if (value instanceof Date) return moment(value);
  if (isList(value)) return list(value.map((item) => toCel(item, type?.params[0])));
  const entries: (readonly [string | number | bigint | boolean, Input])[] =
    value instanceof Map ? [...value] : Object.entries(value as object);
  const [key, inner] = type?.kind === 'map' ? type.params : [];
  return mapOfPairs(entries.map(([name, item]) => [toCel(name, key), toCel(item, inner)] as const));
}

const isList = (value: Input): value is readonly Input[] => Array.isArray(value);

function number(value: number | bigint, kind: CelType['kind'] | undefined): Val {
  if (kind === 'double') return Number(value);
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  if (kind === 'uint' && isWhole) return uint(BigInt(value));
  return isWhole ? BigInt(value) : value;
}

function moment(date: Date): Val {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return timestamp(BigInt(seconds), (milliseconds - seconds * 1000) * 1_000_000);
}

export function toJs(value: Val): Output {
  return typeof value === 'object' && value !== null ? ofTagged(value) : value;
}

function ofTagged(value: Tagged): Output {
  switch (value.kind) {
    case 'uint':
      return value.value;
    case 'bytes':
      return value.bytes;
    case 'duration':
      return formatGoDuration(value.nanos);
    case 'timestamp':
      return timestampText(value);
    case 'type':
      return runtimeText(value.type);
    case 'optional':
      return value.value === undefined ? undefined : toJs(value.value);
    case 'list':
      return itemsOfList(value).map(toJs);
    case 'map':
      return new Map(value.keys().map((key) => [toJs(key), toJs(value.find(key) ?? null)]));
    case 'error':
      return `error: ${value.message}`;
    case 'opaque':
      return value.type.name;
    case 'preserved':
    case 'textInPart':
    case 'sizeInPart':
      return undefined;
  }
}
