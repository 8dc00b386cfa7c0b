/** Files of values, as maps whose parts know where they are written. */
import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { quote } from '../gostd/quote.ts';
import { ValuePlace } from '../template/from.ts';
import { byName, plain, traced } from '../template/functions.ts';
import type { SharedMap, Sharing } from '../template/sharing.ts';
import {
  type Cell,
  cell,
  GoError,
  type GoFunction,
  GoList,
  GoMap,
  type GoValue,
  type MapTraits,
  ofEngine,
} from '../template/value.ts';
import { parseStream, type YamlStream } from '../yaml/parse.ts';
import { readValue } from '../yaml/readValue.ts';
import { documentVerdict, valueOf } from '../yaml/value.ts';
import { wholeYaml } from './functions/yaml.ts';

export const valuesType = 'common.Values';

export interface ReadValues {
  readonly values: GoMap;
  /** In Helm's words, where the text cannot be read. */
  readonly error?: string;
}

/** The values of a file. Those of several documents are merged, the later ones over the earlier ones. */
export function readValues(text: string, source: string): ReadValues {
  return valuesOf(parseStream(text), source);
}

export function valuesOf({ documents }: YamlStream, source: string): ReadValues {
  let values = emptyIn(source);
  for (const { document } of documents) {
    const { error } = documentVerdict(document);
    const read = error === undefined ? mapOrWhy(valueOf(document), source) : unreadable(error);
    if (typeof read === 'string') return { values, error: `cannot unmarshal yaml document: ${read}` };
    values = mergedMaps(values, read);
  }
  return { values };
}

/** The values of a text in an object, which Flux reads as it is: no more than its first document. */
export function readFirstValues(text: string, source: string): ReadValues {
  const { value, error } = readValue(text);
  const read = error === undefined ? mapOrWhy(value, source) : unreadable(error);
  return typeof read === 'string' ? { values: emptyIn(source), error: read } : { values: read };
}

function unreadable(error: string): string {
  return `error converting YAML to JSON: ${error}`;
}

/** The map that a value is, or what is said where it is none. */
function mapOrWhy(value: Value | undefined, source: string): GoMap | string {
  if (value === null || value === undefined) return emptyIn(source);
  if (!isMap(value)) return notAMap(value);
  return isDeeper(value, deepestValues) ? 'it is nested too deeply' : mapOf(value, rootOf(source));
}

function emptyIn(source: string): GoMap {
  return new GoMap(new Map(), { place: rootOf(source) });
}

function rootOf(source: string): ValuePlace {
  return new ValuePlace(source, undefined, '');
}

/** Levels of maps and lists in a file of values. */
const deepestValues = 500;

function isDeeper(value: Value, levels: number): boolean {
  if (levels === 0) return true;
  if (isList(value)) return value.some((item) => isDeeper(item, levels - 1));
  return isMap(value) && [...value.values()].some((item) => isDeeper(item, levels - 1));
}

function notAMap(value: Value): string {
  const type = isList(value)
    ? 'array'
    : typeof value === 'string'
      ? 'string'
      : typeof value === 'boolean'
        ? 'bool'
        : 'number';
  return `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

/** As the later of two files is laid over the earlier: maps by key, all else as a whole. */
export function mergedMaps(below: GoMap, above: GoMap): GoMap {
  const entries = new Map(below.all());
  for (const [key, one] of above.all()) {
    const before = entries.get(key)?.value;
    const isBoth = one.value instanceof GoMap && before instanceof GoMap;
    entries.set(key, isBoth ? cell(mergedMaps(before, one.value as GoMap), one.from) : one);
  }
  return new GoMap(entries, { place: below.size === 0 ? (above.place ?? below.place) : below.place });
}

/** Decoded YAML as Go has it after JSON: all numbers are float64. */
function goValueOf(value: Value, place: ValuePlace): GoValue {
  if (typeof value === 'bigint') return Number(value);
  if (isList(value)) return new GoList(value.map((item, at) => cellOf(item, place.child(at))));
  if (isMap(value)) return mapOf(value, place);
  return value as GoValue;
}

function cellOf(value: Value, place: ValuePlace): Cell {
  return cell(goValueOf(value, place), place);
}

/** A map that is written at a place. */
export function mapOf(value: ValueMap, place: ValuePlace): GoMap {
  const entries = new Map<string, Cell>();
  for (const [key, item] of value) entries.set(key, cellOf(item, place.child(key)));
  return new GoMap(entries, { place });
}

/** A copy that can be changed without the original's changing. */
export function copyOf(map: GoMap): GoMap {
  return copied(map, () => undefined);
}

/** The same for templates that share it. Its maps are numbered from 0 on. */
export function sharedCopyOf(map: GoMap, sharing: Sharing): GoMap {
  let count = 0;
  return copied(map, () => sharing.map(count++));
}

function copied(map: GoMap, next: () => SharedMap | undefined): GoMap {
  const entries = new Map<string, Cell>();
  const { type, place } = map;
  const shared = next();
  for (const [key, one] of map.all()) entries.set(key, copiedCell(one, next));
  return new GoMap(entries, { type, place, shared });
}

function copiedCell(one: Cell, next: () => SharedMap | undefined): Cell {
  const { value, from } = one;
  if (value instanceof GoMap) return cell(copied(value, next), from);
  if (!(value instanceof GoList)) return one;
  const items = value.items.map((item) => copiedCell(item, next));
  return cell(new GoList(items, value.type), from);
}

/** The same entries as Helm's own type, whose methods come before keys that are called so. */
export function asValues(map: GoMap): GoMap {
  return map.as(valuesType, methodsOf);
}

function methodsOf(values: GoMap): ReadonlyMap<string, GoFunction> {
  return byName([
    plain('AsMap() map[string]any', () => values.as(plainMap)),
    traced('YAML() string', (_, call) => wholeYaml(cell(values, call.from), call)),
    plain('Table(string) common.Values', ([path]: [string]) => tableOf(values, path.split('.'))),
    plain('PathValue(string) any', ([path]: [string]) => {
      if (path === '') throw new GoError('YAML path cannot be empty');
      const steps = path.split('.');
      const key = steps.pop()!;
      const found = tableAt(values, steps)?.get(key)?.value;
      if (found === undefined || found instanceof GoMap) throw new GoError(`${quote(key)} is not a value`);
      return found;
    }),
  ]);
}

const plainMap = 'map[string]interface {}';

function tableOf(values: GoMap, path: readonly string[]): GoMap {
  const last = path.findIndex((_, i) => !tableAt(values, path.slice(0, i + 1)));
  if (last !== -1) throw new GoError(`${quote(path[last]!)} is not a table`);
  return asValues(tableAt(values, path)!);
}

/** A map at a path of keys; undefined where there is none. */
export function tableAt(map: GoMap, path: readonly string[]): GoMap | undefined {
  let at: GoMap = map;
  for (const key of path) {
    const next = at.get(key)?.value;
    if (!(next instanceof GoMap)) return undefined;
    at = next;
  }
  return at;
}

/** The engine's own values, which nobody wrote. */
export function engineMap(entries: Record<string, GoValue>, traits?: MapTraits): GoMap {
  const cells = Object.entries(entries).map(([key, value]) => [key, cell(value, ofEngine)] as const);
  return new GoMap(new Map(cells), traits);
}
