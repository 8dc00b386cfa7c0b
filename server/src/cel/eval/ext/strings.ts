import { trimSpace } from '../../../go/trim.ts';
import { goText } from '../goText.ts';
import type { Impl } from '../implementation.ts';
import { error, isKind, itemsOfList, list, noSuchOverload, type Val } from '../values.ts';
import { formatText } from './format.ts';

const range = (index: bigint) => error(`index out of range: ${index}`);

/** A function of a string alone, or with more arguments that it looks at itself. */
function ofText(apply: (text: string, b: Val, c: Val, d: Val) => Val): Impl {
  return (a, b, c, d) => (typeof a === 'string' ? apply(a, b, c, d) : noSuchOverload);
}

function find(runes: readonly string[], part: readonly string[], from: number, to: number, step: number): number {
  for (let i = from; i !== to; i += step) {
    let j = 0;
    while (j < part.length && runes[i + j] === part[j]) j++;
    if (j === part.length) return i;
  }
  return -1;
}

function indexOf(text: string, part: string, offset: bigint, strict: boolean): Val {
  if (offset < 0n) return range(offset);
  const runes = Array.from(text);
  const length = BigInt(runes.length);
  if (part === '') return offset > length ? length : offset;
  if (offset >= length) return strict ? range(offset) : -1n;
  const wanted = Array.from(part);
  const end = runes.length - wanted.length + 1;
  return Number(offset) >= end ? -1n : BigInt(find(runes, wanted, Number(offset), end, 1));
}

function lastIndexOf(text: string, part: string, offset: bigint | undefined, strict: boolean): Val {
  const runes = Array.from(text);
  const length = BigInt(runes.length);
  if (offset === undefined) {
    if (part === '') return length;
    if (length === 0n && !strict) return -1n;
  }
  const from = offset ?? length - 1n;
  if (from < 0n) return range(from);
  if (part === '') return from > length ? length : from;
  if (from >= length) return strict && offset !== undefined ? range(from) : -1n;
  const wanted = Array.from(part);
  const start = Math.min(Number(from), runes.length - wanted.length);
  return start < 0 ? -1n : BigInt(find(runes, wanted, start, -1, -1));
}

function charAt(text: string, at: bigint): Val {
  const runes = Array.from(text);
  if (at < 0n || at > BigInt(runes.length)) return range(at);
  return runes[Number(at)] ?? '';
}

function substring(text: string, start: bigint, end: bigint | undefined): Val {
  const runes = Array.from(text);
  const length = BigInt(runes.length);
  if (end !== undefined && start > end) {
    return error(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) return range(start);
  if (end !== undefined && (end < 0n || end > length)) return range(end);
  return runes.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

/** Go's strings.Replace: at most `count` times, always where that is negative. */
function replace(text: string, what: string, by: string, count: bigint): string {
  if (count === 0n || what === by) return text;
  if (count < 0n) return what === '' ? replaceEmpty(text, by, Infinity) : text.split(what).join(by);
  if (what === '') return replaceEmpty(text, by, Number(count));
  let out = '';
  let from = 0;
  for (let left = count; left > 0n; left--) {
    const at = text.indexOf(what, from);
    if (at < 0) break;
    out += text.slice(from, at) + by;
    from = at + what.length;
  }
  return out + text.slice(from);
}

function replaceEmpty(text: string, by: string, count: number): string {
  let out = '';
  let left = count;
  for (const rune of text) {
    if (left > 0) out += by;
    left--;
    out += rune;
  }
  return left > 0 ? out + by : out;
}

/** Go's strings.SplitN. */
function split(text: string, separator: string, count: bigint): string[] {
  if (count === 0n) return [];
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (count < 0n || BigInt(parts.length) <= count) return parts;
  const kept = Number(count) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function join(values: Val, separator: Val): Val {
  if (!isKind(values, 'list')) return noSuchOverload;
  const texts: string[] = [];
  for (const value of itemsOfList(values)) {
    if (typeof value !== 'string') return error(`join: invalid input: ${goText(value)}`);
    texts.push(value);
  }
  return texts.join(separator as string);
}

const quoted: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => quoted[character]!)}"`;
}

const text = (value: Val) => value as string;
const int = (value: Val) => value as bigint;

/** What releases of cel-go do differently with strings. */
export interface StringHabits {
  /** `%e` prints spaces around its cross (up to 0.22). */
  readonly spacedExponents: boolean;
  /** Searching from behind the end fails (0.20). */
  readonly strictOffsets: boolean;
  /** A search from the end of an empty string fails (up to 0.23). */
  readonly strictEmpty: boolean;
  /** The empty string is found wherever the search starts, inside the text or not (up to 0.28). */
  readonly emptyAnywhere: boolean;
}

/** cel-go's strings library. */
export function stringImpls(habits: StringHabits): readonly (readonly [string, Impl])[] {
  const { spacedExponents, strictOffsets, strictEmpty, emptyAnywhere } = habits;
  const search = (find: typeof indexOf) =>
    ofText((a, b, c) => (emptyAnywhere && b === '' ? c : find(a, text(b), int(c), strictOffsets)));
  return [
    ['string_char_at_int', ofText((a, b) => charAt(a, int(b)))],
    ['string_index_of_string', ofText((a, b) => indexOf(a, text(b), 0n, strictOffsets))],
    ['string_index_of_string_int', search(indexOf)],
    ['string_last_index_of_string', ofText((a, b) => lastIndexOf(a, text(b), undefined, strictEmpty))],
    ['string_last_index_of_string_int', search(lastIndexOf)],
    ['string_lower_ascii', ofText((a) => a.replace(/[A-Z]+/g, (part) => part.toLowerCase()))],
    ['string_upper_ascii', ofText((a) => a.replace(/[a-z]+/g, (part) => part.toUpperCase()))],
    ['string_replace_string_string', ofText((a, b, c) => replace(a, text(b), text(c), -1n))],
    ['string_replace_string_string_int', ofText((a, b, c, d) => replace(a, text(b), text(c), int(d)))],
    ['string_split_string', ofText((a, b) => list(split(a, text(b), -1n)))],
    ['string_split_string_int', ofText((a, b, c) => list(split(a, text(b), int(c))))],
    ['string_substring_int', ofText((a, b) => substring(a, int(b), undefined))],
    ['string_substring_int_int', ofText((a, b, c) => substring(a, int(b), int(c)))],
    ['string_trim', ofText((a) => trimSpace(a))],
    ['list_join', (a) => join(a, '')],
    ['list_join_string', (a, b) => join(a, b)],
    ['strings_quote', ofText((a) => quote(a))],
    ['string_format', ofText((a, b) => formatText(a, b, spacedExponents))],
  ];
}
