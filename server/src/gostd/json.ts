import type { Unknown, Value, ValueMap } from '../base/value.ts';

/** A number that is not an int64, with the text it was written as, which Go's errors repeat. */
export interface NumberLiteral {
  readonly literal: string;
  readonly value: number;
}

/** An object that names some key twice, in the order of the text. */
export interface DuplicatedObject {
  readonly entries: readonly (readonly [string, Json])[];
}

export type JsonObject = ReadonlyMap<string, Json> | DuplicatedObject;

/**
 * JSON as Go's decoders see it: every plain value is one, and what plain values cannot hold (duplicate keys, the text
 * of a number) stays visible.
 */
export type Json = null | boolean | string | bigint | number | NumberLiteral | readonly Json[] | JsonObject | Unknown;

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

export function isJsonList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}

export function isDuplicated(json: Json | undefined): json is DuplicatedObject {
  return typeof json === 'object' && json !== null && !(json instanceof Map) && 'entries' in json && !isJsonList(json);
}

export function isJsonObject(json: Json | undefined): json is JsonObject {
  return json instanceof Map || isDuplicated(json);
}

function isNumberLiteral(json: Json | undefined): json is NumberLiteral {
  return typeof json === 'object' && json !== null && 'literal' in json;
}

export function isJsonNumber(json: Json | undefined): json is bigint | number | NumberLiteral {
  return typeof json === 'bigint' || typeof json === 'number' || isNumberLiteral(json);
}

/** The entries of an object, duplicates and all. */
export function entriesOf(object: JsonObject): Iterable<readonly [string, Json]> {
  return isDuplicated(object) ? object.entries : object;
}

/** The same, one after the other. Most objects are maps, which are gone through without making something of each entry. */
export function eachEntry(object: JsonObject, visit: (json: Json, key: string) => void): void {
  if (isDuplicated(object)) for (const [key, json] of object.entries) visit(json, key);
  else object.forEach(visit);
}

function plainMap(object: JsonObject): ValueMap {
  const out = new Map<string, Value>();
  for (const [key, json] of entriesOf(object)) out.set(key, plainValue(json));
  return out;
}

function isPlain(json: Json): json is Value {
  if (isJsonList(json)) return json.every(isPlain);
  if (json instanceof Map) return [...json.values()].every(isPlain);
  return !isNumberLiteral(json) && !isDuplicated(json);
}

/** JSON as decoded into an untyped Go value: the last of two equal keys wins, other numbers become float64. */
export function plainValue(json: Json): Value {
  if (isPlain(json)) return json;
  if (isJsonList(json)) return json.map(plainValue);
  if (isJsonObject(json)) return plainMap(json);
  return isNumberLiteral(json) ? json.value : null;
}

export interface JsonSyntaxError {
  readonly message: string;
  readonly offset: number;
}

export type JsonRead = { readonly json: Json } | { readonly error: JsonSyntaxError };

interface Reader {
  readonly text: string;
  /** How deep values may be inside each other. */
  readonly levels: number;
  /** Whether half a character may be in a string that has no escapes. */
  readonly hasHalves: boolean;
  at: number;
}

class Malformed extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** encoding/json's own bound. */
const maxDepth = 10000;

/** Reads one JSON text. Syntax errors carry encoding/json's words. */
export function readJson(text: string, levels: number = maxDepth): JsonRead {
  const reader: Reader = { text, levels, hasHalves: loneSurrogate.test(text), at: 0 };
  try {
    const json = readValue(reader, 0);
    skipSpace(reader);
    if (reader.at < text.length) fail(reader, 'after top-level value');
    return { json };
  } catch (error) {
    if (error instanceof Malformed) return { error: { message: error.message, offset: error.offset } };
    throw error;
  }
}

function describe(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  if (character === '\\') return `'\\\\'`;
  const code = character.codePointAt(0)!;
  if (code >= 0x20 && code < 0x7f) return `'${character}'`;
  const named = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\b': '\\b', '\f': '\\f' }[character];
  if (named !== undefined) return `'${named}'`;
  // encoding/json quotes single bytes, so a character beyond ASCII shows its first UTF-8 byte as a Latin-1 letter.
  const byte = code < 0x80 ? code : new TextEncoder().encode(character)[0]!;
  return byte >= 0xa1 && byte !== 0xad
    ? `'${String.fromCharCode(byte)}'`
    : `'\\x${byte.toString(16).padStart(2, '0')}'`;
}

function fail(reader: Reader, context: string): never {
  const character = reader.text.slice(reader.at, reader.at + 2);
  // At the end Go reads one more blank, which a word or an escape that is not finished does not take.
  const isUnfinished =
    character === '' && /^(?:in (?:literal|numeric|exponent|string escape|\\u)|after decimal)/.test(context);
  if (isUnfinished) throw new Malformed(`invalid character ' ' ${context}`, reader.at);
  if (character === '') throw new Malformed('unexpected end of JSON input', reader.at);
  throw new Malformed(`invalid character ${describe([...character][0]!)} ${context}`, reader.at);
}

function skipSpace(reader: Reader): void {
  const { text } = reader;
  let at = reader.at;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  reader.at = at;
}

function readValue(reader: Reader, depth: number): Json {
  skipSpace(reader);
  if (depth > reader.levels) fail(reader, 'exceeded max depth');
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth + 1);
    case '[':
      return readArray(reader, depth + 1);
    case '"':
      return readString(reader);
    case 't':
      return readWord(reader, 'true', true);
    case 'f':
      return readWord(reader, 'false', false);
    case 'n':
      return readWord(reader, 'null', null);
    default:
      return readNumber(reader);
  }
}

function readWord<T extends Json>(reader: Reader, word: string, value: T): T {
  for (const letter of word) {
    if (reader.text[reader.at] !== letter) fail(reader, `in literal ${word} (expecting '${letter}')`);
    reader.at++;
  }
  return value;
}

const numberSyntax = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function readNumber(reader: Reader): Json {
  numberSyntax.lastIndex = reader.at;
  if (!numberSyntax.test(reader.text)) return notANumber(reader);
  const literal = reader.text.slice(reader.at, numberSyntax.lastIndex);
  reader.at = numberSyntax.lastIndex;
  if (mayGoOn.has(reader.text[reader.at])) refuseUnfinished(reader, literal);
  return numberOf(literal);
}

const mayGoOn: ReadonlySet<string | undefined> = new Set(['.', 'e', 'E']);

function refuseUnfinished(reader: Reader, literal: string): void {
  const rest = unfinished(literal).exec(reader.text.slice(reader.at, reader.at + 2))?.[0];
  if (rest === undefined) return;
  reader.at += rest.length;
  fail(reader, rest === '.' ? 'after decimal point in numeric literal' : 'in exponent of numeric literal');
}

/** What behind a number would go on with it. */
function unfinished(literal: string): RegExp {
  if (/[eE]/.test(literal)) return /^$(?!)/;
  return literal.includes('.') ? /^[eE][+-]?/ : /^(?:\.|[eE][+-]?)/;
}

function notANumber(reader: Reader): never {
  if (reader.text[reader.at] !== '-') return fail(reader, 'looking for beginning of value');
  reader.at++;
  return fail(reader, 'in numeric literal');
}

const longestInt64 = '-9223372036854775808'.length;

/** A number literal as encoding/json with integers preserved decodes it. */
export function numberOf(literal: string): bigint | NumberLiteral {
  if (literal.length <= longestInt64 && /^-?[0-9]+$/.test(literal)) {
    const integer = BigInt(literal);
    if (isInt64(integer)) return integer;
  }
  return { literal, value: Number(literal) };
}

function readArray(reader: Reader, depth: number): Json {
  const items: Json[] = [];
  reader.at++;
  skipSpace(reader);
  if (reader.text[reader.at] === ']') {
    reader.at++;
    return items;
  }
  for (;;) {
    items.push(readValue(reader, depth));
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next !== ',' && next !== ']') fail(reader, 'after array element');
    reader.at++;
    if (next === ']') return items;
  }
}

function readObject(reader: Reader, depth: number): Json {
  const map = new Map<string, Json>();
  reader.at++;
  skipSpace(reader);
  if (reader.text[reader.at] === '}') {
    reader.at++;
    return map;
  }
  let entries: [string, Json][] | undefined;
  for (;;) {
    const key = readKey(reader);
    const json = readValue(reader, depth);
    if (map.has(key)) entries ??= [...map];
    entries?.push([key, json]);
    map.set(key, json);
    skipSpace(reader);
    const next = reader.text[reader.at];
    if (next !== ',' && next !== '}') fail(reader, 'after object key:value pair');
    reader.at++;
    if (next === '}') return entries ? { entries } : map;
  }
}

function readKey(reader: Reader): string {
  skipSpace(reader);
  if (reader.text[reader.at] !== '"') fail(reader, 'looking for beginning of object key string');
  const key = readString(reader);
  skipSpace(reader);
  if (reader.text[reader.at] !== ':') fail(reader, 'after object key');
  reader.at++;
  return key;
}

/** An object of these entries; only one with a duplicate key needs more than a map. */
export function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  const map = new Map(entries);
  return map.size === entries.length ? map : { entries };
}

// With the u flag a surrogate only matches where it has no partner.
const loneSurrogate = /\p{Cs}/u;
const loneSurrogates = /\p{Cs}/gu;
const plainRun = /[^"\\\u0000-\u001f]*/y;
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function readString(reader: Reader): string {
  const { text } = reader;
  reader.at++;
  let out = '';
  let mayHaveHalves = reader.hasHalves;
  for (;;) {
    plainRun.lastIndex = reader.at;
    // It matches everywhere, and tells where it ended without an object for each match.
    plainRun.test(text);
    const end = plainRun.lastIndex;
    out += text.slice(reader.at, end);
    reader.at = end;
    const stop = text[reader.at];
    if (stop === '"') break;
    if (stop !== '\\') fail(reader, 'in string literal');
    reader.at++;
    out += readEscape(reader);
    mayHaveHalves = true;
  }
  reader.at++;
  return mayHaveHalves && loneSurrogate.test(out) ? out.replace(loneSurrogates, '\ufffd') : out;
}

function readEscape(reader: Reader): string {
  const letter = reader.text[reader.at] ?? '';
  const short = shortEscapes[letter];
  if (short !== undefined) {
    reader.at++;
    return short;
  }
  if (letter !== 'u') fail(reader, 'in string escape code');
  reader.at++;
  const digits = /^[0-9a-fA-F]{0,4}/.exec(reader.text.slice(reader.at, reader.at + 4))![0];
  reader.at += digits.length;
  if (digits.length < 4) fail(reader, 'in \\u hexadecimal character escape');
  return String.fromCharCode(Number.parseInt(digits, 16));
}
