import { utf8 } from '../../gostd/bytes.ts';
import { fixedFloat } from '../../gostd/float.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { quote } from '../../gostd/quote.ts';
import { toText } from '../eval/convert.ts';
import {
  type CelMap,
  error,
  isError,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  noSuchOverload,
  sizeOfList,
  typeName,
  type Val,
} from '../eval/values.ts';
import { spend, spendText } from '../eval/work.ts';
import { asciiText, readClause } from '../formatString.ts';

/** Ends formatting with what is wrong. */
interface Failure {
  readonly failure: string;
}

const fail = (failure: string): Failure => ({ failure });
const failed = (result: string | Failure): result is Failure => typeof result !== 'string';

const decoder = new TextDecoder();

/** `text.format(values)`, with cel-go's texts for what goes wrong. */
export function formatText(text: string, values: Val, spacedExponents: boolean): Val {
  if (!isKind(values, 'list')) return noSuchOverload;
  spendText(text.length);
  const bytes = utf8(text);
  let out = '';
  let plain = 0;
  let used = 0;
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i] !== 37) {
      i++;
      continue;
    }
    out += decoder.decode(bytes.subarray(plain, i));
    if (bytes[i + 1] === 37) {
      out += '%';
      i += 2;
    } else {
      const clause = formatClause(bytes, i, values, used++, spacedExponents);
      if ('failure' in clause) return error(clause.failure);
      spendText(clause.text.length);
      out += clause.text;
      i = clause.end;
    }
    plain = i;
  }
  return out + decoder.decode(bytes.subarray(plain));
}

function formatClause(
  bytes: Uint8Array,
  at: number,
  values: List,
  used: number,
  spacedExponents: boolean,
): { readonly text: string; readonly end: number } | Failure {
  if (used >= sizeOfList(values)) return fail(`index ${used} out of range`);
  if (at + 1 >= bytes.length) return fail('unexpected end of string');
  const value = itemAt(values, used);
  const clause = readClause(bytes, at + 1);
  if ('error' in clause) return fail(`could not parse formatting clause: ${clause.error}`);
  const written = asciiText(bytes, at + 1, clause.end);
  const precision = written.startsWith('.') ? Number(written.slice(1, -1)) : 6;
  spendDigits(precision);
  const text = formatted(written.at(-1)!, value, precision, spacedExponents);
  if (failed(text)) return fail(`error during formatting: ${text.failure}`);
  return { text, end: clause.end };
}

/** Digits count more than characters: as many of them cost more. */
function spendDigits(precision: number): void {
  spend((precision / 64) ** 2);
}

function formatted(verb: string, value: Val, precision: number, spacedExponents: boolean): string | Failure {
  switch (verb) {
    case 's':
      return stringText(value);
    case 'd':
      return (
        integerText(value, 10) ?? fail(`decimal clause can only be used on integers, was given ${typeName(value)}`)
      );
    case 'f':
      return floatText(value, 'fixed-point', 0, (float) => grouped(fixedFloat(float, precision)));
    case 'e':
      return floatText(value, 'scientific', precision, (float) => scientific(float, precision, spacedExponents));
    case 'b':
      return binaryText(value);
    case 'o':
      return integerText(value, 8) ?? fail(`octal clause can only be used on integers, was given ${typeName(value)}`);
    default:
      return hexText(value, verb === 'X');
  }
}

function integerText(value: Val, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return isKind(value, 'uint') ? value.value.toString(base) : undefined;
}

function binaryText(value: Val): string | Failure {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = integerText(value, 2);
  return text ?? fail(`only integers and bools can be formatted as binary, was given ${typeName(value)}`);
}

function hexText(value: Val, upper: boolean): string | Failure {
  const text = lowerHex(value);
  if (failed(text)) return text;
  return upper ? text.toUpperCase() : text;
}

function lowerHex(value: Val): string | Failure {
  if (typeof value === 'string') {
    spend(value.length);
    return bytesHex(utf8(value));
  }
  if (isKind(value, 'bytes')) {
    spend(value.bytes.length);
    return bytesHex(value.bytes);
  }
  const what = 'only integers, byte buffers, and strings can be formatted as hex';
  return integerText(value, 16) ?? fail(`${what}, was given ${typeName(value)}`);
}

function bytesHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const specials: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity };

/** `width` is how wide what is not a number becomes: cel-go takes the precision of %e for that. */
function floatText(value: Val, clause: string, width: number, print: (float: number) => string): string | Failure {
  const float = typeof value === 'string' && Object.hasOwn(specials, value) ? specials[value]! : value;
  if (typeof float !== 'number')
    return fail(`${clause} clause can only be used on doubles, was given ${typeName(value)}`);
  if (Number.isNaN(float)) return 'NaN'.padStart(width);
  if (!Number.isFinite(float)) return (float > 0 ? '∞' : '-∞').padStart(width);
  return Object.is(float, -0) && !print(float).startsWith('-') ? `-${print(float)}` : print(float);
}

/** Thousands apart, as in the locale that cel-go always uses. */
function grouped(text: string): string {
  const [whole, fraction] = text.split('.') as [string, string | undefined];
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? apart : `${apart}.${fraction}`;
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: number, precision: number, spaced: boolean): string {
  const [mantissa, exponent] = exponential(value, precision);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const power = Array.from(digits, (digit) => raised[Number(digit)]).join('');
  const cross = spaced ? '\u202f×\u202f10' : '×10';
  return `${mantissa}${cross}${exponent < 0 ? '⁻' : ''}${power}`;
}

function exponential(value: number, precision: number): [string, number] {
  const [mantissa, exponent] = value.toExponential(Math.min(precision, 100)).split('e') as [string, string];
  const more = precision > 100 ? '0'.repeat(precision - 100) : '';
  return [mantissa + more, Number(exponent)];
}

// Strings

const stringable =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

function stringText(value: Val): string | Failure {
  if (isKind(value, 'list')) return listText(value);
  if (isKind(value, 'map')) return mapText(value);
  if (isKind(value, 'type')) return value.type.name;
  if (isKind(value, 'optional') || isKind(value, 'opaque') || isKind(value, 'preserved')) {
    return fail(`${stringable}, was given ${typeName(value)}`);
  }
  if (isError(value)) return fail(`${stringable}, was given error`);
  const text = toText(value);
  if (typeof text === 'string') return text;
  return fail(`could not convert argument ${quote(isError(text) ? text.message : '')} to string`);
}

/** A value inside a list or map: strings in quotes, times as calls. */
function innerText(value: Val): string | Failure {
  if (typeof value === 'number') return innerFloat(value);
  if (isKind(value, 'optional') || isKind(value, 'opaque') || isKind(value, 'preserved') || isError(value)) {
    return fail(`no formatting function for ${typeName(value)}`);
  }
  const text = stringText(value);
  if (failed(text)) return text;
  if (typeof value === 'string') return quote(text);
  if (isKind(value, 'bytes')) return `b${quote(text)}`;
  if (isKind(value, 'timestamp')) return `timestamp(${quote(text)})`;
  return isKind(value, 'duration') ? `duration(${quote(text)})` : text;
}

function innerFloat(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.000000' : fixedFloat(value, 6);
  return quote(Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
}

function listText(value: List): string | Failure {
  const texts: string[] = [];
  for (const item of itemsOfList(value)) {
    const text = innerText(item);
    if (failed(text)) return text;
    spend(1 + (text.length >> 3));
    texts.push(text);
  }
  return `[${texts.join(', ')}]`;
}

function mapText(value: CelMap): string | Failure {
  const pairs: [string, string][] = [];
  for (const key of value.keys()) {
    const name = keyText(key);
    if (failed(name)) return name;
    const text = innerText(value.find(key) ?? null);
    if (failed(text)) return text;
    spend(1 + ((name.length + text.length) >> 3));
    pairs.push([name, text]);
  }
  pairs.sort(([a], [b]) => compareStrings(a, b));
  return `{${pairs.map(([name, text]) => `${name}:${text}`).join(', ')}}`;
}

function keyText(key: Val): string | Failure {
  const good = typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint' || isKind(key, 'uint');
  return good ? innerText(key) : fail(`no formatting function for map key of type ${typeName(key)}`);
}
