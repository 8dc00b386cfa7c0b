import { utf8 } from '../../gostd/bytes.ts';
import { parseGoDuration } from '../../gostd/duration.ts';
import { formatFloat, plainFloat } from '../../gostd/float.ts';
import { parseGoFloat } from '../../gostd/parseFloat.ts';
import { parseRfc3339, printRfc3339 } from '../../gostd/time.ts';
import { int, intOverflow, maxInt, maxUint, minInt, moment, uintOverflow } from './arithmetic.ts';
import { bytes, duration, error, isKind, type Timestamp, typeName, type Uint, uint, type Val } from './values.ts';
import { spendText } from './work.ts';

function failed(value: Val, to: string): Val {
  return error(`type conversion error from '${typeName(value)}' to '${to}'`);
}

const decimal = /^[+-]?\d+$/;
/** More digits than any 64 bits have. */
const manyDigits = 21;

export function toInt(value: Val): Val {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return doubleToInt(value);
  if (typeof value === 'string') return textToInt(value);
  if (isKind(value, 'uint')) return int(value.value);
  if (isKind(value, 'duration')) return value.nanos;
  return isKind(value, 'timestamp') ? value.seconds : failed(value, 'int');
}

function doubleToInt(value: number): Val {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) return intOverflow;
  return BigInt(Math.trunc(value));
}

function textToInt(text: string): Val {
  spendText(text.length);
  if (!decimal.test(text)) return failed(text, 'int');
  const written = text.replace(/^[+-]?0*(?=\d)/, '');
  if (written.length >= manyDigits) return failed(text, 'int');
  const value = BigInt(text.startsWith('-') ? `-${written}` : written);
  return value < minInt || value > maxInt ? failed(text, 'int') : value;
}

export function toUint(value: Val): Val {
  if (isKind(value, 'uint')) return value;
  if (typeof value === 'bigint') return value < 0n ? uintOverflow : uint(value);
  if (typeof value === 'number') return doubleToUint(value);
  return typeof value === 'string' ? textToUint(value) : failed(value, 'uint');
}

function doubleToUint(value: number): Val {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) return uintOverflow;
  return uint(BigInt(Math.trunc(value)));
}

function textToUint(text: string): Uint | Val {
  spendText(text.length);
  if (!/^\d+$/.test(text)) return failed(text, 'uint');
  const written = text.replace(/^0*(?=\d)/, '');
  if (written.length >= manyDigits) return failed(text, 'uint');
  const value = BigInt(written);
  return value > maxUint ? failed(text, 'uint') : uint(value);
}

export function toDouble(value: Val): Val {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (isKind(value, 'uint')) return Number(value.value);
  if (typeof value !== 'string') return failed(value, 'double');
  spendText(value.length);
  return parseGoFloat(value) ?? failed(value, 'double');
}

const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const lies = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

export function toBool(value: Val): Val {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return failed(value, 'bool');
  if (truths.has(value)) return true;
  return lies.has(value) ? false : failed(value, 'bool');
}

export function toBytes(value: Val): Val {
  if (isKind(value, 'bytes')) return value;
  if (typeof value !== 'string') return failed(value, 'bytes');
  spendText(value.length);
  return bytes(utf8(value));
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesToText(value: Uint8Array): Val {
  spendText(value.length);
  try {
    return decoder.decode(value);
  } catch (failure) {
    if (!(failure instanceof TypeError)) throw failure;
    return error('invalid UTF-8 in bytes, cannot convert to string');
  }
}

export function toText(value: Val): Val {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return formatFloat(value);
    default:
      if (value === null) return 'null';
  }
  if (value.kind === 'uint') return String(value.value);
  if (value.kind === 'bytes') return bytesToText(value.bytes);
  if (value.kind === 'duration') return durationText(value.nanos);
  return value.kind === 'timestamp' ? timestampText(value) : failed(value, 'string');
}

/** Seconds as Go's Duration.Seconds computes them: whole seconds plus the rest, each a float64. */
export function secondsOf(nanos: bigint): number {
  return Number(nanos / 1_000_000_000n) + Number(nanos % 1_000_000_000n) / 1e9;
}

/** Seconds with a fraction, as JSON has it too. */
export function durationText(nanos: bigint): string {
  return `${plainFloat(secondsOf(nanos))}s`;
}

/** RFC 3339 with as many digits of a fraction as there are. */
export function timestampText(time: Timestamp): string {
  const zone = time.zone ?? 0;
  const local = printRfc3339({ seconds: time.seconds + BigInt(zone), nanoseconds: 0 });
  const fraction = time.nanos === 0 ? '' : `.${String(time.nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return local.slice(0, -1) + fraction + zoneText(zone);
}

function zoneText(zone: number): string {
  if (zone === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(zone) / 60);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${zone < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

export function toDuration(value: Val): Val {
  if (isKind(value, 'duration')) return value;
  if (typeof value !== 'string') return failed(value, 'google.protobuf.Duration');
  spendText(value.length);
  const nanos = parseGoDuration(value);
  return nanos === undefined ? failed(value, 'google.protobuf.Duration') : duration(nanos);
}

export function toTimestamp(value: Val): Val {
  if (isKind(value, 'timestamp')) return value;
  if (typeof value === 'bigint') return moment(value, 0);
  if (typeof value !== 'string') return failed(value, 'google.protobuf.Timestamp');
  spendText(value.length);
  const parsed = parseRfc3339(value);
  if ('error' in parsed) return failed(value, 'google.protobuf.Timestamp');
  return moment(parsed.time.seconds, parsed.time.nanoseconds, parsed.zone);
}
