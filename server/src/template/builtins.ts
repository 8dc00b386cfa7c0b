/** The functions that text/template brings. */
import { byteLength } from '../gostd/bytes.ts';
import { compareValues, equals } from './compare.ts';
import { sprint, sprintf, sprintln } from './format.ts';
import { sliceOf } from './from.ts';
import { functionsOf, plain, traced } from './functions.ts';
import {
  type Cell,
  cell,
  GoError,
  type GoFunction,
  GoList,
  GoMap,
  type GoValue,
  Int,
  isTrue,
  OpenMap,
  typeName,
} from './value.ts';

const never = (): never => {
  throw new GoError('unreachable');
};

/** The type of a thing in messages about one that may be nil. */
function lengthOf(value: GoValue): number | undefined {
  if (typeof value === 'string') return byteLength(value);
  if (value instanceof GoList) return value.items.length;
  return value instanceof GoMap ? value.size : undefined;
}

function indexed([item, ...indexes]: readonly Cell[]): Cell {
  let at = item!;
  if (at.value === undefined || at.value === null) throw new GoError('index of untyped nil');
  for (const { value } of indexes) at = step(at, value);
  return at;
}

function step(item: Cell, index: GoValue): Cell {
  const { value, from } = item;
  if (value === undefined || value === null) throw new GoError('index of nil pointer');
  if (value instanceof GoList) {
    const at = indexArgument(index, value.items.length);
    const found = value.items[at];
    if (!found) throw new GoError('reflect: slice index out of range');
    return found;
  }
  if (typeof value === 'string') return cell(byteAt(value, indexArgument(index, byteLength(value))), from);
  if (value instanceof GoMap) {
    if (typeof index !== 'string') throw new GoError(wrongKey(index));
    const found = value.get(index);
    if (found) return found;
    return cell(value.type === 'map[string]string' ? '' : null, value.place?.child(index, true) ?? from);
  }
  throw new GoError(`can't index item of type ${typeName(value)}`);
}

function wrongKey(index: GoValue): string {
  if (index === undefined || index === null) return 'value is nil; should be of type string';
  return `value has type ${typeName(index)}; should be string`;
}

function indexArgument(index: GoValue, most: number): number {
  if (index === undefined || index === null) throw new GoError('cannot index slice/array with nil');
  if (!(index instanceof Int)) throw new GoError(`cannot index slice/array with type ${typeName(index)}`);
  if (index.value < 0n || index.value > BigInt(most)) throw new GoError(`index out of range: ${index.value}`);
  return Number(index.value);
}

function byteAt(text: string, at: number): Int {
  const byte = new TextEncoder().encode(text)[at];
  if (byte === undefined) throw new GoError('reflect: string index out of range');
  return new Int(byte, 'uint8');
}

function sliced([item, ...indexes]: readonly Cell[]): Cell {
  const { value, from } = item!;
  if (value === undefined || value === null) throw new GoError('slice of untyped nil');
  if (indexes.length > 3) throw new GoError(`too many slice indexes: ${indexes.length}`);
  if (typeof value === 'string' && indexes.length === 3) throw new GoError('cannot 3-index slice a string');
  const length = lengthOf(value);
  if (length === undefined || value instanceof GoMap) throw new GoError(`can't slice item of type ${typeName(value)}`);
  const [start = 0, end = length, most] = indexes.map((one) => indexArgument(one.value, length));
  if (start > end) throw new GoError(`invalid slice index: ${start} > ${end}`);
  if (most !== undefined && end > most) throw new GoError(`invalid slice index: ${end} > ${most}`);
  if (value instanceof GoList) return cell(new GoList(value.items.slice(start, end), value.type), from);
  const text = value as string;
  const part = sliceOf(text, from, characterAt(text, start), characterAt(text, end));
  return cell(part.text, part.from);
}

/** Where a byte of a text is among its UTF-16 units. */
function characterAt(text: string, byte: number): number {
  if (/^[\0-\x7f]*$/.test(text)) return byte;
  let bytes = 0;
  let at = 0;
  for (const character of text) {
    if (bytes >= byte) break;
    bytes += byteLength(character);
    at += character.length;
  }
  return at;
}

function length([{ value }]: readonly [Cell]): Int {
  const known = lengthOf(value);
  if (known !== undefined) return new Int(known);
  if (value === undefined) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  if (value === null) throw new GoError('len of nil pointer');
  throw new GoError(`len of type ${typeName(value)}`);
}

const htmlEscapes = new Map(
  Object.entries({
    '"': '&#34;',
    "'": '&#39;',
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '\0': '\uFFFD',
  }),
);

const jsEscapes = new Map(
  Object.entries({
    '\\': '\\\\',
    "'": "\\'",
    '"': '\\"',
    '<': '\\u003C',
    '>': '\\u003E',
    '&': '\\u0026',
    '=': '\\u003D',
  }),
);

function jsEscape(text: string): string {
  return text.replace(/[\\'"<>&=\0-\x1f]/g, (one) => jsEscapes.get(one) ?? `\\u${hex(one)}`);
}

function hex(one: string): string {
  return one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

function queryEscape(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** All arguments as one text, for those that escape it. */
function textOf(args: readonly Cell[]): string {
  return args.length === 1 && typeof args[0]!.value === 'string'
    ? args[0]!.value
    : String(sprint(args.map(shown)).value);
}

function shown(one: Cell): Cell {
  return one.value == null ? cell('<no value>', one.from) : one;
}

function escaper(name: string, escape: (text: string) => string): GoFunction {
  return traced(`${name}(...any) string`, (args, call) => cell(escape(textOf(args)), call.from));
}

const comparisons: readonly GoFunction[] = [
  traced('eq(reflect.Value, ...reflect.Value) bool', ([first, ...others], call) => {
    if (others.length === 0) throw new GoError('missing argument for comparison');
    return cell(equalsAny(first!.value, others), call.from);
  }),
  plain('ne(reflect.Value, reflect.Value) bool', ([a, b]: [GoValue, GoValue]) => differs(a, b)),
  plain('lt(reflect.Value, reflect.Value) bool', ([a, b]: [GoValue, GoValue]) => compareValues(a, b) < 0),
  plain(
    'le(reflect.Value, reflect.Value) bool',
    ([a, b]: [GoValue, GoValue]) => compareValues(a, b) < 0 || equals(a, b),
  ),
  plain(
    'gt(reflect.Value, reflect.Value) bool',
    ([a, b]: [GoValue, GoValue]) => !(compareValues(a, b) < 0 || equals(a, b)),
  ),
  plain('ge(reflect.Value, reflect.Value) bool', ([a, b]: [GoValue, GoValue]) => compareValues(a, b) >= 0),
];

/** What no condition finds anything in is not another one either. */
function differs(a: GoValue, b: GoValue): boolean {
  const isFound = [a, b].every((one) => !(one instanceof OpenMap && one.isWithoutAny));
  return !equals(a, b) && isFound;
}

function equalsAny(first: GoValue, others: readonly Cell[]): boolean {
  return others.some(({ value }) => equals(first, value));
}

export const builtins = functionsOf([
  traced('and(reflect.Value, ...reflect.Value) reflect.Value', never),
  traced('or(reflect.Value, ...reflect.Value) reflect.Value', never),
  plain('not(reflect.Value) bool', ([value]: [GoValue]) => !isTrue(value)),
  traced('index(reflect.Value, ...reflect.Value) interface {}', indexed),
  traced('slice(reflect.Value, ...reflect.Value) reflect.Value', sliced),
  traced('len(reflect.Value) int', (args, call) => cell(length(args as [Cell]), call.from)),
  traced('print(...any) string', sprint),
  traced('printf(string, ...any) string', ([format, ...args]) => sprintf(format!, args)),
  traced('println(...any) string', (args, call) => sprintln(args, call.from)),
  traced('call(reflect.Value, ...reflect.Value) reflect.Value', ([first]) => {
    throw new GoError(first!.value == null ? 'call of nil' : `non-function of type ${typeName(first!.value)}`);
  }),
  escaper('html', (text) => text.replace(/["'&<>\0]/g, (one) => htmlEscapes.get(one)!)),
  escaper('js', jsEscape),
  escaper('urlquery', queryEscape),
  ...comparisons,
]);
