/** toYaml, fromYaml and their like. */

import { isList, isMap, type Value } from '../../base/value.ts';
import { printed } from '../../template/format.ts';
import { type From, Joined, Later, loosely, type Part, sliceOf, ValuePlace } from '../../template/from.ts';
import { traced } from '../../template/functions.ts';
import { meterValue } from '../../template/meter.ts';
import { isUnknown, plainOf } from '../../template/plainValue.ts';
import { orElse } from '../../template/sprig/encoding.ts';
import { type Call, type Cell, cell, GoList, GoMap, type GoValue, Int } from '../../template/value.ts';
import { goYaml, goYamlPretty } from '../../yaml/goYaml.ts';
import type { Node, Pair } from '../../yaml/node.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { valueAsWritten } from '../../yaml/unended.ts';
import { documentVerdict, keyName } from '../../yaml/value.ts';

export const yamlFunctions = [
  traced('toYaml(any) string', ([one], call) =>
    orElse(
      () => written(one!, goYaml, call),
      () => cell('', call.from),
    ),
  ),
  traced('mustToYaml(any) string', ([one], call) => written(one!, goYaml, call)),
  traced('toYamlPretty(any) string', ([one], call) =>
    orElse(
      () => written(one!, goYamlPretty, call, directly),
      () => cell('', call.from),
    ),
  ),
  traced('fromYaml(string) map[string]any', ([text], call) => {
    const made = mapInYaml(text!, call);
    return typeof made === 'string' ? cell(new GoMap(new Map([['Error', cell(made, call.from)]])), call.from) : made;
  }),
  traced('fromYamlArray(string) []any', ([text], call) => {
    const made = listInYaml(text!, call);
    return typeof made === 'string' ? cell(new GoList([cell(made, call.from)]), call.from) : made;
  }),
];

/** The map that a text is, or what is said where it is none. */
export function mapInYaml(text: Cell, call: Call): Cell | string {
  const { value, error } = read(text, call);
  if (error !== undefined || value.value instanceof GoMap) return error ?? value;
  return value.value === null ? cell(new GoMap(), call.from) : mistyped(value.value, 'map[string]interface {}');
}

export function listInYaml(text: Cell, call: Call): Cell | string {
  const { value, error } = read(text, call);
  if (error !== undefined || value.value instanceof GoList) return error ?? value;
  return value.value === null ? cell(new GoList([]), call.from) : mistyped(value.value, '[]interface {}');
}

/** What encoding/json says of a value that is of another type than is asked for. */
export function mistyped(value: GoValue, type: string): string {
  return `error unmarshaling JSON: while decoding JSON: ${jsonMistyped(value, type)}`;
}

export function jsonMistyped(value: GoValue, type: string): string {
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${type}`;
}

function jsonKind(value: GoValue): string {
  if (value instanceof GoList) return 'array';
  if (value instanceof GoMap) return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

/** What goyaml.v3 has of a value itself: a list that is nil is an empty one, a duration is its text. */
function directly(value: GoValue): Value {
  meterValue();
  if (value instanceof GoList && value.type !== '[]uint8') return value.items.map((item) => directly(item.value));
  if (value instanceof GoMap) return new Map(Array.from(value.all(), ([key, item]) => [key, directly(item.value)]));
  if (typeof value === 'number') return value;
  return value instanceof Int && value.type === 'time.Duration' ? printed(value) : plainOf(value);
}

/** The YAML of a value as a file has it: with the line break at its end. */
export function wholeYaml(one: Cell, call: Call): Cell {
  return traceable(goYaml(plainOf(one.value)), one, call);
}

function written(one: Cell, write: (value: Value) => string, call: Call, plain = plainOf): Cell {
  return traceable(write(plain(one.value)).replace(/\n$/, ''), one, call);
}

/** A text that was written of a value, with where each part of it comes from. */
function traceable(text: string, one: Cell, call: Call): Cell {
  call.spend(text.length);
  const of = isUnknown(one) ? [unknown, one.from] : [one.from];
  return cell(text, new Later(of, () => new Joined(partsOf(text, one, call.from))));
}

/** Stands for what is unknown somewhere inside. */
const unknown: From = { isUnknown: true, runs: () => [] };

/** The parts of the text by what they were written of: found by reading it again. */
function partsOf(text: string, one: Cell, from: From): Part[] {
  const { root, rootStart } = parseDocument(text);
  const writer = new Writer(text, from);
  if (root) writer.node(root, rootStart, one);
  writer.upTo(text.length);
  return writer.parts;
}

class Writer {
  readonly parts: Part[] = [];
  private readonly text: string;
  private readonly from: From;
  private at = 0;

  constructor(text: string, from: From) {
    this.text = text;
    this.from = from;
  }

  upTo(end: number): void {
    if (end > this.at) this.parts.push({ text: this.text.slice(this.at, end), from: this.from });
    this.at = Math.max(this.at, end);
  }

  node(node: Node, start: number, one: Cell | undefined): void {
    const value = one?.value;
    if (!one) return;
    if (node.kind === 'map' && value instanceof GoMap) {
      for (const pair of node.pairs) {
        const inner = value.get(keyName(pair.key));
        const keyStart = start + pair.at + pair.keyAt;
        if (inner) this.whole(keyStart, keyStart + pair.key.length, keyFrom(inner));
        this.node(pair.value, start + pair.at + pair.valueAt, inner);
      }
    } else if (node.kind === 'list' && value instanceof GoList) {
      for (const [i, item] of node.items.entries()) this.node(item.node, start + item.at + item.nodeAt, value.items[i]);
    } else this.scalar(start, start + node.length, one);
  }

  private whole(start: number, end: number, from: From): void {
    this.upTo(start);
    if (end > start) this.parts.push({ text: this.text.slice(start, end), from });
    this.at = Math.max(this.at, end);
  }

  /** A text that is quoted, or written in lines of a block, is in there piece by piece. */
  private scalar(start: number, end: number, { value, from }: Cell): void {
    if (typeof value !== 'string') this.whole(start, end, from);
    else if (!this.lines(start, end, value, from)) this.whole(start, end, loosely(from));
  }

  /** Whether the lines of a text are there as they are. */
  private lines(start: number, end: number, value: string, from: From): boolean {
    let [at, inText] = [start, 0];
    for (const line of value.split('\n')) {
      const found = line === '' ? -1 : this.text.indexOf(line, at);
      if (line !== '' && (found === -1 || found + line.length > end)) break;
      if (line !== '') {
        this.upTo(found);
        this.parts.push(sliceOf(value, from, inText, inText + line.length));
        this.at = found + line.length;
        at = this.at;
      }
      inText += line.length + 1;
    }
    return at > start || start === end;
  }
}

/** What a key is: the text that it was read from, that of a value in a file, or of what the value comes from. */
function keyFrom({ from, key }: Cell): From {
  if (key) return key;
  return from instanceof ValuePlace ? from.asKey : loosely(from);
}

interface Read {
  readonly value: Cell;
  readonly error: string | undefined;
}

/** The first document of a text; its parts come from where they are written there. */
function read(text: Cell, call: Call): Read {
  const all = text.value as string;
  call.spend(all.length);
  const document = parseDocument(all);
  const { error } = documentVerdict(document);
  if (error !== undefined) return { value: cell(null, call.from), error: `error converting YAML to JSON: ${error}` };
  const value = valueAsWritten(document) ?? null;
  const reader: Reader = { text: all, from: text.from };
  return { value: cellAt(reader, value, document.root, document.rootStart), error: undefined };
}

interface Reader {
  readonly text: string;
  readonly from: From;
}

function cellAt(reader: Reader, value: Value, node: Node | undefined, start: number): Cell {
  if (isList(value)) {
    const nodes = node?.kind === 'list' ? node.items : [];
    const items = value.map((item, i) => {
      const at = nodes[i];
      return cellAt(reader, item, at?.node, start + (at ? at.at + at.nodeAt : 0));
    });
    return cell(new GoList(items), partOf(reader, node, start));
  }
  if (isMap(value)) return cell(mapAt(reader, value, node, start), partOf(reader, node, start));
  const read = typeof value === 'bigint' ? Number(value) : (value as GoValue);
  return cell(read, node ? fromOf(reader, value, node, start) : reader.from);
}

function partOf({ text, from }: Reader, node: Node | undefined, start: number): From {
  return node ? loosely(sliceOf(text, from, start, start + node.length).from) : from;
}

function mapAt(reader: Reader, value: ReadonlyMap<string, Value>, node: Node | undefined, start: number): GoMap {
  const pairs = new Map(node?.kind === 'map' ? node.pairs.map((pair) => [keyName(pair.key), pair]) : []);
  const entries = Array.from(value, ([key, item]): [string, Cell] => {
    const pair = pairs.get(key);
    const inner = cellAt(reader, item, pair?.value, start + (pair ? pair.at + pair.valueAt : 0));
    return [key, pair ? { ...inner, key: keyIn(reader, pair, start) } : inner];
  });
  return new GoMap(new Map(entries));
}

function keyIn({ text, from }: Reader, { key, at, keyAt }: Pair, start: number): From {
  const keyStart = start + at + keyAt;
  return sliceOf(text, from, keyStart, keyStart + key.length).from;
}

function fromOf({ text, from }: Reader, value: Value, node: Node, start: number): From {
  const end = start + node.length;
  const raw = text.slice(start, end);
  if (typeof value === 'string' && value !== '' && raw !== value) {
    const at = raw.indexOf(value);
    if (at !== -1) return sliceOf(text, from, start + at, start + at + value.length).from;
  }
  const slice = sliceOf(text, from, start, end).from;
  return raw === value || typeof value !== 'string' ? slice : loosely(slice);
}
