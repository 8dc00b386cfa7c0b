import {
  addU64,
  floatToU64,
  maxU64,
  subtractU64,
  toU64,
  type U64,
  wrappingAddU64,
  wrappingMultiplyU64,
} from '../../base/u64.ts';
import { byteLength, runeCount } from '../../gostd/bytes.ts';
import { searchText, searchTextBack } from '../../gostd/search.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { type Estimator, itemsOf, nodeSize } from '../estimate.ts';
import { goText } from '../eval/goText.ts';
import type { Impl } from '../eval/implementation.ts';
import { actualSize } from '../eval/size.ts';
import { pieceByPiece } from '../eval/unknown.ts';
import { error, isKind, itemAt, itemsOfList, noSuchOverload, sizeOfList, textsList, type Val } from '../eval/values.ts';
import { spend, spendText } from '../eval/work.ts';
import { fn, type Library, type Price } from '../overload.ts';
import { stringFactor } from '../prices.ts';
import { add, multiply, oneUnit, type Range, scale, zero } from '../range.ts';
import { formatText } from './format.ts';
import { traverse, walkArgument, walks, walkTarget } from './walks.ts';

/** What releases of cel-go do differently with strings. */
export interface StringOptions {
  /** `%e` prints spaces around its cross (up to 0.22). */
  readonly spacedExponents: boolean;
  /** Searching from behind the end fails (0.20). */
  readonly strictOffsets: boolean;
  /** A search from the end of an empty string fails (up to 0.23). */
  readonly strictEmpty: boolean;
  /** The empty string is found wherever the search starts, inside the text or not (up to 0.28). */
  readonly emptyAnywhere: boolean;
}

const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upperAscii = (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

// Prices, which are Kubernetes'

/** One walk over the target; the result is no longer than it. */
const walk = walks(1, ({ target, model }) => {
  if (!target) return undefined;
  const size = nodeSize(target, model);
  return { cost: traverse(size), size };
});

/** `indexOf` of strings and of lists: which of the two it is shows in the target's type. */
const searchEstimate: Estimator = ({ target, model }) => {
  if (!target) return undefined;
  const items = itemsOf(target);
  const size = nodeSize(target, model);
  if (!items) return { cost: traverse(size) };
  const sized = items.type.kind === 'string' || items.type.kind === 'bytes';
  const each = sized ? add(oneUnit, traverse(nodeSize(items, model))) : oneUnit;
  return { cost: multiply(size, each) };
};

/** Dearer than all that may be spent on one object: how much dearer does not matter. */
const beyondAllLimits = 12_000_000;

/** A walk over everything inside a value: a tenth of a unit a byte, one a number. */
function deepWalk(value: Val): number {
  if (typeof value === 'string') {
    spend(value.length >> 6);
    return Math.trunc(byteLength(value) * stringFactor);
  }
  if (isKind(value, 'bytes')) return Math.trunc(value.bytes.length * stringFactor);
  if (isKind(value, 'list')) return walkAll(sizeOfList(value), (i) => deepWalk(itemAt(value, i)));
  if (!isKind(value, 'map')) return 1;
  const keys = value.keys();
  return walkAll(keys.length, (i) => deepWalk(keys[i]!) + deepWalk(value.find(keys[i]!) ?? null));
}

function walkAll(size: number, part: (at: number) => number): number {
  spend(size);
  let sum = 0;
  for (let i = 0; i < size && sum < beyondAllLimits; i++) sum += part(i);
  return sum;
}

export const search: Price = { estimate: searchEstimate, cost: (a) => deepWalk(a), paidFirst: true };

interface Replacements {
  readonly count: U64;
  readonly kept: U64;
}

const roundUp = (a: U64, b: U64): U64 => floatToU64(Math.ceil(Number(a) / Number(b)));

/** How often at most something can be replaced, and what stays of the text. */
function most(text: Range, what: Range, by: Range): Replacements {
  if (what.min === 0) return { count: text.max < maxU64 ? addU64(text.max, 1) : text.max, kept: text.max };
  if (by.max <= what.min) return { count: 0, kept: text.max };
  return { count: roundUp(text.max, what.min), kept: 0 };
}

function least(text: Range, what: Range, by: Range): Replacements {
  if (what.max === 0) return { count: text.min < maxU64 ? addU64(text.min, 1) : text.min, kept: text.min };
  if (what.max <= by.min) return { count: 0, kept: text.min };
  return { count: roundUp(text.min, what.max), kept: 0 };
}

const replacing = walks(2, ({ target, args, model }) => {
  if (!target || args.length < 2) return undefined;
  const text = nodeSize(target, model);
  const [what, by] = [nodeSize(args[0]!, model), nodeSize(args[1]!, model)];
  const [longest, shortest] = [most(text, what, by), least(text, what, by)];
  const count = { min: shortest.count, max: longest.count };
  const size = add(multiply(count, by), { min: shortest.kept, max: longest.kept });
  return { cost: scale(text, 2 * stringFactor), size };
});

const splitting = walks(2, ({ target, args, model }) => {
  if (!target) return undefined;
  const size = nodeSize(target, model);
  const limit = args[1]?.written;
  return { cost: scale(size, 2 * stringFactor), size: { min: 0, max: limit === undefined ? size.max : toU64(limit) } };
});

/** The separators between items: one fewer than there are items. */
function gaps(items: Range): Range {
  const fewer = (count: U64) => (count > 0 ? subtractU64(count, 1) : 0);
  return { min: fewer(items.min), max: fewer(items.max) };
}

const joinEstimate: Estimator = ({ target, args, model }) => {
  if (!target) return undefined;
  const items = nodeSize(target, model);
  const item = itemsOf(target);
  let size = item ? multiply(items, nodeSize(item, model)) : zero;
  if (args.length > 0) size = add(size, multiply(nodeSize(args[0]!, model), gaps(items)));
  return { cost: traverse(size), size };
};

const joining: Price = {
  estimate: joinEstimate,
  cost: (a, b) => Math.ceil(joinedSize(a, b) * 2 * stringFactor),
  paidFirst: true,
};

/** The size of what joining gives; 1 where that is an error. */
function joinedSize(values: Val, separator: Val): number {
  if (!isKind(values, 'list') || (separator !== null && typeof separator !== 'string')) return 1;
  const count = sizeOfList(values);
  const between = separator === null ? 0 : actualSize(separator);
  spend(count);
  let size = Math.max(0, count - 1) * between;
  for (let i = 0; i < count; i++) {
    const item = itemAt(values, i);
    if (typeof item !== 'string') return 1;
    if (size < beyondAllLimits) size += actualSize(item);
  }
  return size;
}

/** Every character may need a backslash. */
const quoting = walkArgument((text) => ({
  min: wrappingAddU64(text.min, 2),
  max: wrappingAddU64(wrappingMultiplyU64(text.max, 2), 2),
}));

// What they do

const outOfRange = (index: bigint) => error(`index out of range: ${index}`);

/** A function of a string alone, or with more arguments that it looks at itself. */
function ofText(apply: (text: string, b: Val, c: Val, d: Val) => Val): Impl {
  return (a, b, c, d) => (typeof a === 'string' ? apply(a, b, c, d) : noSuchOverload);
}

/** Offsets count code points: the index in the text of so many of them. Without pairs they are the same. */
function unitsAt(text: string, runes: number): number {
  if (!hasPairs(text)) return Math.min(runes, text.length);
  let at = 0;
  for (let left = runes; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

function runesBefore(text: string, at: number): number {
  return hasPairs(text) ? runeCount(text.slice(0, at)) : at;
}

function hasPairs(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** The length in code points. Every function here looks at the whole text at least once. */
function lengthOf(text: string): bigint {
  spendText(text.length);
  return BigInt(hasPairs(text) ? runeCount(text) : text.length);
}

function indexOf(text: string, part: string, offset: bigint, strict: boolean): Val {
  if (offset < 0n) return outOfRange(offset);
  const length = lengthOf(text);
  if (part === '') return offset > length ? length : offset;
  if (offset >= length) return strict ? outOfRange(offset) : -1n;
  spendText(part.length);
  const found = searchText(text, part, unitsAt(text, Number(offset)));
  return found < 0 ? -1n : BigInt(runesBefore(text, found));
}

function lastIndexOf(text: string, part: string, offset: bigint | undefined, strict: boolean): Val {
  const length = lengthOf(text);
  if (offset === undefined) {
    if (part === '') return length;
    if (length === 0n && !strict) return -1n;
  }
  const from = offset ?? length - 1n;
  if (from < 0n) return outOfRange(from);
  if (part === '') return from > length ? length : from;
  if (from >= length) return strict && offset !== undefined ? outOfRange(from) : -1n;
  spendText(part.length);
  const start = Math.min(unitsAt(text, Number(from)), text.length - part.length);
  const found = start < 0 ? -1 : searchTextBack(text, part, start);
  return found < 0 ? -1n : BigInt(runesBefore(text, found));
}

function charAt(text: string, at: bigint): Val {
  if (at < 0n || at > lengthOf(text)) return outOfRange(at);
  const start = unitsAt(text, Number(at));
  return start < text.length ? String.fromCodePoint(text.codePointAt(start)!) : '';
}

function substring(text: string, start: bigint, end: bigint | undefined): Val {
  const length = lengthOf(text);
  if (end !== undefined && start > end) {
    return error(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return text.slice(unitsAt(text, Number(start)), end === undefined ? undefined : unitsAt(text, Number(end)));
}

/** Go's strings.Replace: at most `count` times, always where that is negative. */
function replace(text: string, what: string, by: string, count: bigint): string {
  if (count === 0n || what === by) return text;
  const most = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  return what === '' ? replaceEmpty(text, by, most) : replaceFound(text, what, by, most);
}

function replaceFound(text: string, what: string, by: string, most: number): string {
  spendText(text.length + what.length);
  let out = '';
  let from = 0;
  for (let left = most; left > 0; left--) {
    const at = searchText(text, what, from);
    if (at < 0) break;
    spend(1 + (by.length >> 3));
    out += text.slice(from, at) + by;
    from = at + what.length;
  }
  return out + text.slice(from);
}

function replaceEmpty(text: string, by: string, count: number): string {
  let out = '';
  let left = count;
  for (const rune of text) {
    spend(1);
    if (left > 0) {
      spendText(by.length);
      out += by;
    }
    left--;
    out += rune;
  }
  if (left <= 0) return out;
  spendText(by.length);
  return out + by;
}

/** Go's strings.SplitN. */
function split(text: string, separator: string, count: bigint): string[] {
  if (count === 0n) return [];
  spendText(text.length + separator.length);
  const most = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  const parts: string[] = [];
  let from = 0;
  for (const at of separator === '' ? runeStarts(text) : separators(text, separator)) {
    if (parts.length + 1 >= most) break;
    spend(1);
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  if (separator !== '' || text !== '') parts.push(text.slice(from));
  return parts;
}

function* separators(text: string, separator: string): Iterable<number> {
  for (let from = 0; ; ) {
    const at = searchText(text, separator, from);
    if (at < 0) return;
    yield at;
    from = at + separator.length;
  }
}

/** Where each code point but the first begins. */
function* runeStarts(text: string): Iterable<number> {
  let at = 0;
  for (const rune of text) {
    if (at > 0) yield at;
    at += rune.length;
  }
}

function joined(values: Val, separator: Val): Val {
  if (!isKind(values, 'list')) return noSuchOverload;
  const texts: string[] = [];
  for (const value of itemsOfList(values)) {
    if (typeof value !== 'string') return error(`join: invalid input: ${goText(value)}`);
    spendText(value.length + (separator as string).length);
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

/** The strings library as it was first. */
export function strings({ strictOffsets, strictEmpty, emptyAnywhere }: StringOptions): Library {
  const from = (find: typeof indexOf) =>
    ofText((a, b, c) => (emptyAnywhere && b === '' ? c : find(a, text(b), int(c), strictOffsets)));
  return [
    fn('charAt', 'The character at an index, starting at 0; at the end, the empty string.', [
      {
        id: 'string_char_at_int',
        signature: 'string.charAt(int): string',
        example: '"abc".charAt(1) == "b"',
        impl: ofText((a, b) => charAt(a, int(b))),
      },
    ]),
    fn(
      'indexOf',
      'The index of the first occurrence of another string, or −1. A second argument says where to start searching.',
      [
        {
          id: 'string_index_of_string',
          signature: 'string.indexOf(string): int',
          example: '"abcb".indexOf("b") == 1',
          impl: ofText((a, b) => indexOf(a, text(b), 0n, strictOffsets)),
        },
        {
          id: 'string_index_of_string_int',
          signature: 'string.indexOf(string, int): int',
          example: '"abcb".indexOf("b", 2) == 3',
          impl: from(indexOf),
        },
      ],
      { price: search },
    ),
    fn(
      'lastIndexOf',
      'The index of the last occurrence of another string, or −1. A second argument says up to where to search.',
      [
        {
          id: 'string_last_index_of_string',
          signature: 'string.lastIndexOf(string): int',
          example: '"abcb".lastIndexOf("b") == 3',
          impl: ofText((a, b) => lastIndexOf(a, text(b), undefined, strictEmpty)),
        },
        {
          id: 'string_last_index_of_string_int',
          signature: 'string.lastIndexOf(string, int): int',
          example: '"abcb".lastIndexOf("b", 2) == 1',
          impl: from(lastIndexOf),
        },
      ],
      { price: search },
    ),
    fn(
      'lowerAscii',
      'The string with A to Z in lower case.',
      [
        {
          id: 'string_lower_ascii',
          signature: 'string.lowerAscii(): string',
          example: '"AbÖ".lowerAscii() == "abÖ"',
          impl: ofText(lowerAscii),
        },
      ],
      { price: walk, partly: pieceByPiece(lowerAscii) },
    ),
    fn(
      'replace',
      'The string with every occurrence of one text replaced with another; a third argument limits the number of replacements.',
      [
        {
          id: 'string_replace_string_string',
          signature: 'string.replace(string, string): string',
          example: '"aab".replace("a", "c") == "ccb"',
          impl: ofText((a, b, c) => replace(a, text(b), text(c), -1n)),
        },
        {
          id: 'string_replace_string_string_int',
          signature: 'string.replace(string, string, int): string',
          example: '"aab".replace("a", "c", 1) == "cab"',
          impl: ofText((a, b, c, d) => replace(a, text(b), text(c), int(d))),
        },
      ],
      { price: replacing },
    ),
    fn(
      'split',
      'The parts of a string between separators; a second argument limits their number.',
      [
        {
          id: 'string_split_string',
          signature: 'string.split(string): list(string)',
          example: '"a,b".split(",") == ["a", "b"]',
          impl: ofText((a, b) => textsList(split(a, text(b), -1n))),
        },
        {
          id: 'string_split_string_int',
          signature: 'string.split(string, int): list(string)',
          example: '"a,b,c".split(",", 2) == ["a", "b,c"]',
          impl: ofText((a, b, c) => textsList(split(a, text(b), int(c)))),
        },
      ],
      { price: splitting },
    ),
    fn(
      'substring',
      'The part of a string from one index up to another, or to the end.',
      [
        {
          id: 'string_substring_int',
          signature: 'string.substring(int): string',
          example: '"abc".substring(1) == "bc"',
          impl: ofText((a, b) => substring(a, int(b), undefined)),
        },
        {
          id: 'string_substring_int_int',
          signature: 'string.substring(int, int): string',
          example: '"abc".substring(0, 2) == "ab"',
          impl: ofText((a, b, c) => substring(a, int(b), int(c))),
        },
      ],
      { price: walk },
    ),
    fn(
      'trim',
      'The string without white space at its start and end.',
      [
        {
          id: 'string_trim',
          signature: 'string.trim(): string',
          example: '" a ".trim() == "a"',
          impl: ofText((a) => trimSpace(a)),
        },
      ],
      { price: walk },
    ),
    fn(
      'upperAscii',
      'The string with a to z in upper case.',
      [
        {
          id: 'string_upper_ascii',
          signature: 'string.upperAscii(): string',
          example: '"abö".upperAscii() == "ABö"',
          impl: ofText(upperAscii),
        },
      ],
      { price: walk, partly: pieceByPiece(upperAscii) },
    ),
  ];
}

/** `join` as every version has it. */
export const join: Library = [
  fn(
    'join',
    'The strings of a list joined together, with an optional separator between them.',
    [
      {
        id: 'list_join',
        signature: 'list(string).join(): string',
        example: '["a", "b"].join() == "ab"',
        impl: (a) => joined(a, ''),
      },
      {
        id: 'list_join_string',
        signature: 'list(string).join(string): string',
        example: '["a", "b"].join("-") == "a-b"',
        impl: joined,
      },
    ],
    { price: joining },
  ),
];

/** What version 1 of the strings library added. */
export const stringFormat = ({ spacedExponents }: StringOptions): Library => [
  fn('format', 'The string with %s, %d, %f, %e, %b, %o, %x and %X replaced by the items of the list.', [
    {
      id: 'string_format',
      signature: 'string.format(list(dyn)): string',
      example: '"%d items".format([3]) == "3 items"',
      price: walkTarget,
      impl: ofText((a, b) => formatText(a, b, spacedExponents)),
    },
  ]),
  fn('strings.quote', 'The string in double quotes, with special characters escaped.', [
    {
      id: 'strings_quote',
      signature: 'strings.quote(string): string',
      example: 'strings.quote("a") == "\\"a\\""',
      price: quoting,
      impl: ofText((a) => quote(a)),
    },
  ]),
];
