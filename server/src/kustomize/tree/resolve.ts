/** What a scalar is to goyaml.v3, which reads less than v2 as booleans, and dates as times. */

import { decodeBase64 } from '../../gostd/base64.ts';
import { goText, utf8 } from '../../gostd/bytes.ts';
import { isTimestamp, resolvePlain, type Typed } from '../../yaml/resolve.ts';
import { fail } from '../failure.ts';

export interface Resolved {
  readonly tag: string;
  readonly value: Typed;
}

const words = new Set('y Y yes Yes YES on On ON n N no No NO off Off OFF'.split(' '));
const resolvable = new Set(['', '!!str', '!!bool', '!!int', '!!float', '!!null', '!!timestamp']);

/** Whether a text begins with what nothing but text begins with, when it is written without quotes. */
export function isSurelyText(text: string): boolean {
  return text !== '' && !/^[-+0-9yYnNtTfFoO~.<]/.test(text);
}

export function resolveText(text: string): Resolved {
  if (text === '<<') return { tag: '!!merge', value: text };
  if (words.has(text)) return { tag: '!!str', value: text };
  if (isTime(text)) return { tag: '!!timestamp', value: timeText(text) };
  const value = resolvePlain(text);
  return { tag: tagOf(value), value };
}

export function resolve(tag: string, text: string): Resolved {
  if (tag === '!!binary') return { tag, value: binary(text) };
  if (!resolvable.has(tag)) return { tag, value: text };
  if (tag === '!!str') return { tag, value: text };
  const found = tag !== '' && tag !== '!!timestamp' && isTime(text) ? { tag: '!!str', value: text } : resolveText(text);
  if (tag === '' || tag === found.tag) return found;
  if (tag === '!!float' && typeof found.value === 'bigint') return { tag, value: Number(found.value) };
  fail(`yaml: cannot decode ${found.tag} \`${text}\` as a ${tag}`);
}

export function tagOf(value: Typed): string {
  if (value === null) return '!!null';
  if (typeof value === 'bigint') return '!!int';
  if (typeof value === 'number') return '!!float';
  return typeof value === 'boolean' ? '!!bool' : '!!str';
}

function isTime(text: string): boolean {
  return /^\d{4}-/.test(text) && isTimestamp(text);
}

function binary(text: string): string {
  const decoded = decodeBase64(utf8(text));
  if ('corruptAt' in decoded) fail('yaml: !!binary value contains invalid base64 data');
  return goText(decoded.bytes);
}

const time =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt]| +)(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)?)?$/;

/** A time as Go writes it into JSON. */
function timeText(text: string): string {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = time.exec(text)!;
  const two = (digits: string) => digits.padStart(2, '0');
  const parts = withoutZeros(fraction.slice(0, 9));
  const offset = /^[-+]00:00$/.test(zone) ? 'Z' : zone;
  return `${year}-${two(month!)}-${two(day!)}T${two(hour)}:${two(minute)}:${two(second)}${parts && `.${parts}`}${offset}`;
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
