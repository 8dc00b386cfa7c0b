/** Go's encoding/json over values of templates. */

import { isList, isMap, type Value } from '../base/value.ts';
import { encodeBase64 } from '../gostd/base64.ts';
import { goBytes } from '../gostd/bytes.ts';
import { jsonFloat } from '../gostd/float.ts';
import { plainValue, readJson } from '../gostd/json.ts';
import { printJsonString } from '../gostd/jsonPrint.ts';
import { type From, Joined, Later, loosely, type Part } from './from.ts';
import { meterValue } from './meter.ts';
import {
  type Cell,
  cell,
  GoError,
  GoFunc,
  GoList,
  GoMap,
  GoStruct,
  type GoValue,
  Int,
  isBytes,
  textOfBytes,
} from './value.ts';

export interface JsonStyle {
  /** Whether `<`, `>` and `&` are written as codes. */
  readonly escapesHtml: boolean;
  /** What each level is indented by; undefined: all on one line. */
  readonly indent: string | undefined;
}

/** JSON whose parts know which value they come from. */
export function jsonCell(one: Cell, style: JsonStyle, from: From): Cell {
  let text = '';
  const of = [one.from, from];
  const add = (part: string, its: From) => {
    text += part;
    if (its.isUnknown) of.push(its);
  };
  write({ style, from, emit: add }, one, '');
  return cell(
    text,
    new Later(of, () => {
      const parts: Part[] = [];
      write({ style, from, emit: (part, its) => parts.push({ text: part, from: its }) }, one, '');
      return new Joined(parts);
    }),
  );
}

type Emit = (text: string, from: From) => void;

/** One writing of a value. */
interface Writing {
  readonly style: JsonStyle;
  /** What brackets and commas come from. */
  readonly from: From;
  readonly emit: Emit;
}

function write(writing: Writing, one: Cell, pad: string): void {
  meterValue();
  const { value } = one;
  if (value instanceof GoStruct) writeStruct(writing, value, one.from, pad);
  else if (value instanceof GoMap && !value.isNil) writeEntries(writing, value.sorted(), pad);
  else if (value instanceof GoList && value.type !== '[]uint8' && !value.isNil) writeList(writing, value, pad);
  else if (typeof value === 'string') writeString(writing, value, one.from);
  else writing.emit(scalar(value), one.from);
}

function writeList(writing: Writing, { items }: GoList, pad: string): void {
  const { style, from, emit } = writing;
  const inner = innerPad(style, pad);
  for (const [i, item] of items.entries()) {
    emit((i === 0 ? '[' : ',') + inner, from);
    write(writing, item, inner);
  }
  emit(items.length === 0 ? '[]' : `${outerPad(style, pad)}]`, from);
}

function writeStruct(writing: Writing, value: GoStruct, of: From, pad: string): void {
  if (value.json) write(writing, cell(value.json(), of), pad);
  else writeEntries(writing, [...value.fields], pad);
}

function writeEntries(writing: Writing, entries: readonly [string, Cell][], pad: string): void {
  const { style, from, emit } = writing;
  const inner = innerPad(style, pad);
  for (const [i, [key, item]] of entries.entries()) {
    emit((i === 0 ? '{' : ',') + inner, from);
    // The quotes and the colon are there whatever the key is.
    emit('"', from);
    emit(jsonString(key, style).slice(1, -1), loosely(item.from));
    emit(style.indent === undefined ? '":' : '": ', from);
    write(writing, item, inner);
  }
  emit(entries.length === 0 ? '{}' : `${outerPad(style, pad)}}`, from);
}

function innerPad({ indent }: JsonStyle, pad: string): string {
  if (indent === undefined) return '';
  return (pad === '' ? '\n' : pad) + indent;
}

function outerPad({ indent }: JsonStyle, pad: string): string {
  return indent === undefined ? '' : pad === '' ? '\n' : pad;
}

/** A text between quotes; what is escaped in it is no longer the text to the letter. */
function writeString({ style, from, emit }: Writing, value: string, of: From): void {
  const inner = jsonString(value, style).slice(1, -1);
  emit('"', from);
  emit(inner, inner === value ? of : loosely(of));
  emit('"', from);
}

function scalar(value: GoValue): string {
  if (typeof value === 'number') return number(value);
  if (value instanceof Int) return String(value.value);
  if (isBytes(value)) return `"${encodeBase64(goBytes(textOfBytes(value)))}"`;
  if (value instanceof GoFunc) throw new GoError('json: unsupported type: func()');
  return typeof value === 'boolean' ? String(value) : 'null';
}

function number(value: number): string {
  if (Number.isFinite(value)) return jsonFloat(value);
  throw new GoError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
}

const htmlCodes: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ '\\u003c': '<', '\\u003e': '>', '\\u0026': '&' }),
);

function jsonString(text: string, { escapesHtml }: JsonStyle): string {
  const written = printJsonString(text);
  if (escapesHtml) return written;
  return written.replace(/\\(?:\\|u003c|u003e|u0026)/g, (code) => htmlCodes.get(code) ?? code);
}

/** What encoding/json makes of a text in an `any`; a GoError where it is not JSON. */
export function fromJsonText(text: string, from: From): Cell {
  const read = readJson(text);
  if ('error' in read) throw new GoError(read.error.message);
  return cellOf(plainValue(read.json), from);
}

/** A plain value in an `any`: all numbers are float64. */
export function cellOf(value: Value, from: From): Cell {
  meterValue();
  if (typeof value === 'bigint') return cell(Number(value), from);
  if (isList(value)) return cell(new GoList(value.map((item) => cellOf(item, from))), from);
  if (isMap(value)) return cell(new GoMap(new Map([...value].map(([key, item]) => [key, cellOf(item, from)]))), from);
  return cell(value as GoValue, from);
}
