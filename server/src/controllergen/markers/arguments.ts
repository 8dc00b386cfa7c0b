/** The arguments of a marker: values in the notation of controller-gen. */
import type { Value } from '../../base/value.ts';
import { int64Of } from '../../gostd/digits.ts';
import { parseGoFloat } from '../../gostd/parseFloat.ts';
import { quote } from '../../gostd/quote.ts';
import type { ArgumentType, MarkerMistake, WrittenValue } from './model.ts';
import { END, FLOAT, IDENT, INT, RAW_STRING, Scanner, STRING, type Token } from './scanner.ts';
import { bareText, unquote } from './strings.ts';

/** Values deeper inside each other are not looked at. */
const maxDepth = 100;

/** The text of a marker's arguments being read. */
export interface Reading {
  readonly scanner: Scanner;
  /** Where the scanner's text starts in the file. */
  readonly offset: number;
  readonly mistakes: MarkerMistake[];
}

export function readingOf(text: string, offset: number): Reading {
  const mistakes: MarkerMistake[] = [];
  const scanner = new Scanner(text, (message) => {
    const end = offset + Math.max(scanner.at, scanner.start);
    mistakes.push({ message: message + placeOf(scanner), range: { start: offset + scanner.start, end } });
  });
  return { scanner, offset, mistakes };
}

/** Where in the arguments controller-gen says that something is: at the last token, if no blank was skipped since. */
export function placeOf({ column }: Scanner): string {
  return column === undefined ? ' (at <input>)' : ` (at <input>:1:${column})`;
}

/** Whether the next token is the one, and otherwise says what was expected. */
export function expect({ scanner }: Reading, token: Token, words: string): boolean {
  if (scanner.scan() === token) return true;
  scanner.fail(`expected ${words}, got ${quote(scanner.tokenText)}`);
  return false;
}

const nothing: WrittenValue = { value: null, valueRange: { start: 0, end: 0 } };

/** The value that is next. What cannot be read is null, and a mistake is noted. */
export function readValue(reading: Reading, type: ArgumentType, inList = false, depth = 0): WrittenValue {
  if (depth > maxDepth) {
    reading.scanner.fail(`values inside each other more than ${maxDepth} times are not read`);
    reading.scanner.at = reading.scanner.text.length;
    return nothing;
  }
  if (type.kind === 'list') return readList(reading, type.of, depth);
  if (type.kind === 'map') return readMap(reading, type.of, depth);
  if (type.kind === 'any') {
    return readValue(reading, guess(reading.scanner.text.slice(reading.scanner.at), !inList, depth), inList, depth);
  }
  return readers[type.kind](reading);
}

const readers = { string: readString, int: readInt, number: readNumber, bool: readBool, raw: readRaw };

function written({ offset }: Reading, value: Value, from: number, to: number): WrittenValue {
  return { value, valueRange: { start: offset + from, end: offset + to } };
}

function readRaw(reading: Reading): WrittenValue {
  const { scanner } = reading;
  const from = scanner.at;
  const value = scanner.text.slice(from);
  while (scanner.scan() !== END);
  return { ...written(reading, value, from, scanner.text.length), map: bareText(value, reading.offset + from) };
}

function readSign(scanner: Scanner): string {
  if (scanner.peek() !== '-') return '';
  scanner.scan();
  return '-';
}

function readNumber(reading: Reading): WrittenValue {
  const { scanner } = reading;
  const from = scanner.at;
  const sign = readSign(scanner);
  const token = scanner.scan();
  if (token !== FLOAT && token !== INT) {
    scanner.fail(`expected integer or float, got ${quote(scanner.tokenText)}`);
    return nothing;
  }
  const number = floatOf(sign + scanner.tokenText);
  if ('error' in number) scanner.fail(`unable to parse number: ${number.error}`);
  return written(reading, 'error' in number ? null : number.value, from, scanner.at);
}

function readInt(reading: Reading): WrittenValue {
  const { scanner } = reading;
  const from = scanner.at;
  const sign = readSign(scanner);
  if (!expect(reading, INT, 'integer')) return nothing;
  const number = integerOf(sign + scanner.tokenText);
  if ('error' in number) scanner.fail(`unable to parse integer: ${number.error}`);
  return written(reading, 'error' in number ? null : number.value, from, scanner.at);
}

/** strconv.ParseFloat. */
export function floatOf(text: string): { readonly value: number } | { readonly error: string } {
  const value = parseGoFloat(text);
  if (value !== undefined) return { value };
  const isTooLarge = /\d/.test(text) && Math.abs(Number(text)) === Infinity;
  return {
    error: `strconv.ParseFloat: parsing ${quote(text)}: ${isTooLarge ? 'value out of range' : 'invalid syntax'}`,
  };
}

/** strconv.Atoi. */
export function integerOf(text: string): { readonly value: bigint } | { readonly error: string } {
  const isInteger = /^[+-]?\d+$/.test(text);
  const value = isInteger ? int64Of(text.replace(/^[+-]/, '')) : undefined;
  if (value !== undefined) return { value: text.startsWith('-') ? -value : value };
  return {
    error: `strconv.Atoi: parsing ${quote(text)}: ${isInteger || isBeyond(text) ? 'value out of range' : 'invalid syntax'}`,
  };
}

/** Go stops at the digit that is too much, whatever follows. */
function isBeyond(text: string): boolean {
  const [, digits = ''] = /^[+-]?0*(\d*)/.exec(text) ?? [];
  return digits.length > 20 || (digits.length === 20 && BigInt(digits) > 0xffff_ffff_ffff_ffffn);
}

function readBool(reading: Reading): WrittenValue {
  const { scanner } = reading;
  if (!expect(reading, IDENT, 'true or false')) return nothing;
  const word = scanner.tokenText;
  if (word !== 'true' && word !== 'false') scanner.fail(`expected true or false, got ${quote(word)}`);
  return written(reading, word === 'true', scanner.start, scanner.at);
}

function readString(reading: Reading, isKey = false): WrittenValue {
  // Where a string may be, nothing is wrong with a number.
  reading.scanner.readsNumbers = false;
  const read = readQuotedOrBare(reading, isKey);
  reading.scanner.readsNumbers = true;
  return read;
}

function readQuotedOrBare(reading: Reading, isKey: boolean): WrittenValue {
  const { scanner, offset } = reading;
  const token = scanner.scan();
  const from = scanner.start;
  if (token === STRING || token === RAW_STRING) {
    const map = unquote(scanner.tokenText, offset + from);
    if (!map) scanner.fail('unable to parse string: invalid syntax');
    return map ? { ...written(reading, map.value, from, scanner.at), map } : nothing;
  }
  skipBare(scanner, isKey);
  // What controller-gen takes ends before the last word where a blank follows that.
  const to = Math.max(from, scanner.tokenEnd);
  const value = scanner.text.slice(from, to);
  return { ...written(reading, value, from, to), map: bareText(value, offset + from) };
}

/** A string without quotes goes on to the next separator. */
function skipBare(scanner: Scanner, isKey: boolean): void {
  for (;;) {
    const next = scanner.peekPastBlanks();
    if (next === '' || next === ',' || next === ';' || next === '}' || (isKey && next === ':')) return;
    scanner.scan();
  }
}

function readList(reading: Reading, of: ArgumentType, depth: number): WrittenValue {
  const { scanner } = reading;
  const isBraced = scanner.peekPastBlanks() === '{';
  const from = scanner.at;
  const items = isBraced ? readBraced(reading, of, depth) : readSeparated(reading, of, depth);
  if (!items) return nothing;
  const to = isBraced ? scanner.at : (lastEnd(items, reading) ?? scanner.at);
  return {
    ...written(
      reading,
      items.map(({ value }) => value),
      from,
      to,
    ),
    items,
  };
}

function lastEnd(items: readonly WrittenValue[], { offset }: Reading): number | undefined {
  const last = items.at(-1);
  return last && last.valueRange.end - offset;
}

/** `{a, b}` */
function readBraced(reading: Reading, of: ArgumentType, depth: number): WrittenValue[] | undefined {
  const { scanner } = reading;
  const items: WrittenValue[] = [];
  scanner.scan();
  for (let next = scanner.peekPastBlanks(); next !== '}' && next !== ''; next = scanner.peekPastBlanks()) {
    items.push(readValue(reading, of, true, depth + 1));
    if (scanner.peekPastBlanks() === '}') break;
    if (!expect(reading, ',', 'comma')) return undefined;
  }
  return expect(reading, '}', 'close curly brace') ? items : undefined;
}

/** `a;b` */
function readSeparated(reading: Reading, of: ArgumentType, depth: number): WrittenValue[] | undefined {
  const { scanner } = reading;
  const items: WrittenValue[] = [];
  const isOver = (next: string): boolean => next === ',' || next === '}' || next === '';
  for (let next = scanner.peekPastBlanks(); !isOver(next); next = scanner.peekPastBlanks()) {
    items.push(readValue(reading, of, true, depth + 1));
    if (isOver(scanner.peekPastBlanks())) break;
    const token = scanner.scan();
    if (token === ';') continue;
    scanner.fail(`expected comma, got ${quote(scanner.tokenText)}`);
    return undefined;
  }
  return items;
}

/** `{key: value, …}` */
function readMap(reading: Reading, of: ArgumentType, depth: number): WrittenValue {
  const { scanner } = reading;
  const entries = new Map<string, Value>();
  if (!expect(reading, '{', 'open curly brace')) return nothing;
  const from = scanner.start;
  for (let next = scanner.peekPastBlanks(); next !== '}' && next !== ''; next = scanner.peekPastBlanks()) {
    const key = readString(reading, true);
    if (!expect(reading, ':', 'colon')) return nothing;
    entries.set(String(key.value), readValue(reading, of, false, depth + 1).value);
    if (scanner.peekPastBlanks() === '}') break;
    if (!expect(reading, ',', 'comma')) return nothing;
  }
  return expect(reading, '}', 'close curly brace') ? written(reading, entries, from, scanner.at) : nothing;
}

const string: ArgumentType = { kind: 'string' };

/** What an argument of any type looks like. */
function guess(text: string, mayBeList: boolean, depth: number): ArgumentType {
  const one = guessOne(text, depth);
  if (!mayBeList) return one;
  const scanner = new Scanner(text);
  for (let token = scanner.scan(); token !== ',' && token !== END; token = scanner.scan()) {
    if (token === ';') return { kind: 'list', of: one };
  }
  return one;
}

function guessOne(text: string, depth: number): ArgumentType {
  let isBroken = false;
  const scanner = new Scanner(text, () => {
    isBroken = true;
  });
  const next = scanner.peekPastBlanks();
  if (next === '"' || next === "'" || next === '`') return string;
  if (next === '{') return guessBraced(scanner, depth);
  let token = scanner.scan();
  if (token === IDENT && /^(?:true|false)$/.test(scanner.tokenText)) return { kind: 'bool' };
  if (token === '-') token = scanner.scan();
  if (isBroken || (token !== INT && token !== FLOAT)) return string;
  const after = scanner.peekPastBlanks();
  // Something like `100Mi` only starts with a number.
  if (after !== '' && !',;}'.includes(after)) return string;
  return { kind: token === INT ? 'int' : 'number' };
}

/** What has a string and a colon is a map, as is `{}`; else it is a list of what comes first. */
function guessBraced(scanner: Scanner, depth: number): ArgumentType {
  scanner.scan();
  const next = scanner.peekPastBlanks();
  const first = depth > maxDepth ? string : guessOne(scanner.text.slice(scanner.at), depth + 1);
  if (first.kind === 'string') {
    readString({ scanner, offset: 0, mistakes: [] }, true);
    if (scanner.scan() === ':' || next === '}') return { kind: 'map', of: { kind: 'any' } };
  }
  return { kind: 'list', of: first };
}
