import { isList, isMap, type Value } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import { setSource, sourceOf } from './draft.ts';

/** A schema with descriptions of at most so many bytes, each cut behind a sentence or word. Schemas share parts: it is a copy. */
export function withShortDescriptions(schema: Draft, most: number): Draft {
  if (most < 0) return schema;
  const copy: Draft = new Map();
  for (const [keyword, value] of schema) {
    const kept = keyword === 'description' ? cut(String(value), most) : partsShortened(keyword, value, most);
    if (keyword !== 'description' || kept !== '') copy.set(keyword, kept);
  }
  setSource(copy, sourceOf(schema));
  return copy;
}

const schemas: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf']);

function partsShortened(keyword: string, value: Value, most: number): Value {
  if (keyword === 'properties' && isMap(value)) {
    const copy = new Map([...value].map(([name, part]) => [name, withShortDescriptions(part as Draft, most)]));
    setSource(copy, sourceOf(value));
    return copy;
  }
  if (!schemas.has(keyword)) return value;
  if (isList(value)) return value.map((part) => (isMap(part) ? withShortDescriptions(part as Draft, most) : part));
  return isMap(value) ? withShortDescriptions(value as Draft, most) : value;
}

function cut(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (most === 0 || bytes.length <= most) return most === 0 ? '' : text;
  const start = textOf(bytes.subarray(0, most));
  // As Go counts: one byte of what ends the sentence stays, however many it has.
  const sentence = lastOf(start, /\p{Sentence_Terminal}/gu);
  if (sentence > 0) return textOf(bytes.subarray(0, sentence + 1));
  const word = lastOf(start, /\p{White_Space}/gu);
  return word > 0 ? `${textOf(bytes.subarray(0, word))}...` : `${start}...`;
}

/** Of a character that is cut, Go replaces each byte. */
function textOf(bytes: Uint8Array): string {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  const isCut = end > 0 && bytes.length < end - 1 + lengthFrom(bytes[end - 1]!);
  const whole = isCut ? bytes.subarray(0, end - 1) : bytes;
  return new TextDecoder().decode(whole) + '\ufffd'.repeat(bytes.length - whole.length);
}

/** How many bytes a character has, by its first. */
function lengthFrom(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The byte at which the last match starts; -1 where there is none. */
function lastOf(text: string, pattern: RegExp): number {
  const at = [...text.matchAll(pattern)].at(-1)?.index;
  return at === undefined ? -1 : new TextEncoder().encode(text.slice(0, at)).length;
}
