/** JSON patches, as kustomize's library applies them. */
import { unescapedStep } from '../../base/jsonPointer.ts';
import { equalValues, type Value } from '../../base/value.ts';
import { readJson } from '../../gostd/json.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { parseGoInt } from '../../gostd/parseInt.ts';
import { quote } from '../../gostd/quote.ts';
import { readValue } from '../../yaml/readValue.ts';
import { type Context, checkLevels } from '../context.ts';
import { Failure, fail } from '../failure.ts';
import { type Origin, over, type Place } from '../origin.ts';
import { printedOf, valueOfBuilt } from '../tree/built.ts';
import { fromJson } from '../tree/fromJson.ts';
import type { Node } from '../tree/node.ts';
import { readOne, type TextSource } from '../tree/read.ts';
import { sigsOf } from '../tree/sigs.ts';
import type { BuiltMap, BuiltNode } from '../types.ts';

export interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** Undefined where the operation has none. */
  readonly value: BuiltNode | undefined;
  readonly place: Place;
}

/** Parts of a document that is being patched; null is nothing that a path could go into. */
type Part =
  | PartMap
  | PartList
  | { readonly kind: 'scalar'; readonly value: Value; readonly origin: Origin | undefined };
interface PartMap {
  readonly kind: 'map';
  readonly entries: Map<string, { readonly keyOrigin: Origin | undefined; readonly value: Part }>;
  readonly origin: Origin | undefined;
}
interface PartList {
  readonly kind: 'list';
  readonly items: Part[];
  readonly origin: Origin | undefined;
}

/** The operations of a text; undefined where it is null. */
export function readOperations(source: TextSource): readonly Operation[] | undefined {
  const { text } = source;
  if (text === '') fail('empty json patch operations');
  if (text.startsWith('[')) {
    const read = readJson(text);
    if ('error' in read) fail(read.error.message, source.place(read.error.offset, read.error.offset + 1));
  } else {
    const read = readValue(text);
    if (read.error !== undefined) fail(read.error, source.place(read.start, read.end));
  }
  const one = readOne(source);
  if ('error' in one) fail(one.error, one.place);
  const whole = one.node ? sigsOf(one.node) : undefined;
  if (!whole || (whole.kind === 'scalar' && whole.value === null)) return undefined;
  if (whole.kind !== 'list') fail(`json: cannot unmarshal ${jsonKind(whole)} into Go value of type jsonpatch.Patch`);
  return whole.items.map((item) => operation(item, source));
}

function jsonKind(node: BuiltNode): string {
  if (node.kind === 'list') return 'array';
  if (node.kind === 'map') return 'object';
  if (typeof node.value === 'string') return 'string';
  return typeof node.value === 'boolean' ? 'bool' : 'number';
}

function operation(item: BuiltNode, source: TextSource): Operation {
  const place = item.origin?.how === 'written' ? item.origin.place : source.place(0, source.text.length);
  if (item.kind === 'scalar' && item.value === null)
    return { op: 'unknown', path: undefined, from: undefined, value: undefined, place };
  if (item.kind !== 'map')
    fail(`json: cannot unmarshal ${jsonKind(item)} into Go value of type jsonpatch.Operation`, place);
  const member = (name: string) => item.entries.find(({ key }) => key === name)?.value;
  const text = (name: string) => {
    const found = member(name);
    return found?.kind === 'scalar' && typeof found.value === 'string' ? found.value : undefined;
  };
  return { op: text('op') ?? 'unknown', path: text('path'), from: text('from'), value: member('value'), place };
}

/** Applies operations to a resource's tree, all of which is written anew. Says whether anything has changed. */
export function applyOperations(root: Node, operations: readonly Operation[], context: Context): boolean {
  context.patch(sizeOf(root));
  const before = printedOf(root);
  let whole = partOf(before);
  for (const one of operations) {
    try {
      whole = apply(whole, one, context);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(error.message, error.place ?? one.place, error.kind);
    }
  }
  if (whole.kind === 'list') fail('json: cannot unmarshal array into Go value of type map[string]interface {}');
  const after = builtOf(whole);
  root.become(fromJson(after, 'yaml'));
  return !equalValues(valueOfBuilt(before), valueOfBuilt(after));
}

function sizeOf(node: Node): number {
  let size = 1;
  for (const child of node.content) size += sizeOf(child);
  return size;
}

function partOf(node: BuiltNode): Part {
  if (node.kind === 'list') return { kind: 'list', origin: node.origin, items: node.items.map(partOf) };
  if (node.kind === 'scalar') return node;
  const entries = new Map(node.entries.map(({ key, keyOrigin, value }) => [key, { keyOrigin, value: partOf(value) }]));
  return { kind: 'map', origin: node.origin, entries };
}

function builtOf(part: Part): BuiltNode {
  if (part.kind === 'list') return { kind: 'list', origin: part.origin, items: part.items.map(builtOf) };
  if (part.kind === 'scalar') return part;
  const entries = [...part.entries].map(([key, { keyOrigin, value }]) => ({ key, keyOrigin, value: builtOf(value) }));
  return { kind: 'map', origin: part.origin, entries } satisfies BuiltMap;
}

type Container = PartMap | PartList;

interface Found {
  readonly container: Container;
  readonly key: string;
}

function isNull(part: Part | undefined): boolean {
  return part === undefined || (part.kind === 'scalar' && part.value === null);
}

/** What a path's last part is in; undefined where there is nothing. */
function find(whole: Part, path: string): Found | undefined {
  const parts = path.split('/');
  checkLevels(parts.length);
  if (parts.length < 2 || whole.kind === 'scalar') return undefined;
  let at: Container = whole;
  for (const part of parts.slice(1, -1)) {
    const next = read(at, unescapedStep(part));
    if ('error' in next || !next.part || next.part.kind === 'scalar') return undefined;
    at = next.part;
  }
  return { container: at, key: unescapedStep(parts.at(-1)!) };
}

type Read = { readonly part: Part | undefined } | { readonly error: string };

function read(container: Container, key: string): Read {
  if (container.kind === 'map') return { part: container.entries.get(key)?.value };
  const index = indexIn(key, container.items.length);
  return 'error' in index ? index : { part: container.items[index.at] };
}

function numberOf(key: string): { readonly at: number } | { readonly error: string } {
  const parsed = parseGoInt(key, 10);
  if ('value' in parsed) return { at: Number(parsed.value) };
  const why = parsed.error === 'invalid syntax' ? parsed.error : 'value out of range';
  return { error: `strconv.Atoi: parsing ${quote(key)}: ${why}` };
}

function indexIn(key: string, length: number): { readonly at: number } | { readonly error: string } {
  const index = numberOf(key);
  if ('error' in index) return index;
  const invalid = { error: `Unable to access invalid index: ${index.at}: invalid index referenced` };
  if (index.at >= length || index.at < -length) return invalid;
  return index.at < 0 ? { at: index.at + length } : index;
}

function add({ container, key }: Found, value: Part, keyOrigin: Origin | undefined): string | undefined {
  if (container.kind === 'map') {
    const old = container.entries.get(key);
    container.entries.set(key, { keyOrigin: old?.keyOrigin ?? keyOrigin, value });
    return undefined;
  }
  const { items } = container;
  if (key === '-') {
    items.push(value);
    return undefined;
  }
  const index = numberOf(key);
  if ('error' in index) return `value was not a proper array index: '${key}': ${index.error}`;
  const at = index.at < 0 ? index.at + items.length + 1 : index.at;
  if (at > items.length || at < 0) return `Unable to access invalid index: ${index.at}: invalid index referenced`;
  items.splice(at, 0, value);
  return undefined;
}

function remove({ container, key }: Found): string | undefined {
  if (container.kind === 'map') {
    if (container.entries.delete(key)) return undefined;
    return `Unable to remove nonexistent key: ${key}: missing value`;
  }
  const index = indexIn(key, container.items.length);
  if ('error' in index) return index.error;
  container.items.splice(index.at, 1);
  return undefined;
}

const missing = 'missing value';

function valueOf({ value, place }: Operation): Part {
  const origin: Origin = { how: 'written', in: 'patch', place };
  return value ? partOf(value) : { kind: 'scalar', value: null, origin };
}

function putOver(value: Part, before: Part | undefined): Part {
  return before ? { ...value, origin: over(value.origin, before.origin) } : value;
}

type Act = (whole: Part, operation: Operation, context: Context) => Part;

const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['add', applyAdd],
  ['remove', applyRemove],
  ['replace', applyReplace],
  ['move', applyMove],
  ['test', applyTest],
  ['copy', applyCopy],
]);

function apply(whole: Part, operation: Operation, context: Context): Part {
  const act = acts.get(operation.op);
  if (!act) fail(`Unexpected kind: ${operation.op}`);
  return act(whole, operation, context);
}

function written({ place }: Operation): Origin {
  return { how: 'written', in: 'patch', place };
}

function applyAdd(whole: Part, operation: Operation): Part {
  const { path } = operation;
  if (path === undefined) fail(`add operation failed to decode path: ${missing}`);
  const found = find(whole, path);
  if (!found) fail(`add operation does not apply: doc is missing path: "${path}": ${missing}`);
  const before = found.container.kind === 'map' ? found.container.entries.get(found.key)?.value : undefined;
  const error = add(found, putOver(valueOf(operation), before), written(operation));
  if (error !== undefined) fail(`error in add for path: '${path}': ${error}`);
  return whole;
}

function applyRemove(whole: Part, { path }: Operation): Part {
  if (path === undefined) fail(`remove operation failed to decode path: ${missing}`);
  const found = find(whole, path);
  if (!found) fail(`remove operation does not apply: doc is missing path: "${path}": ${missing}`);
  const error = remove(found);
  if (error !== undefined) fail(`error in remove for path: '${path}': ${error}`);
  return whole;
}

function applyReplace(whole: Part, operation: Operation): Part {
  const { path } = operation;
  if (path === undefined) fail(`replace operation failed to decode path: operation missing path field: ${missing}`);
  if (path === '') {
    const value = valueOf(operation);
    if (value.kind === 'scalar') fail('replace operation value must be object or array: %!w(<nil>)');
    return value;
  }
  const found = find(whole, path);
  if (!found) fail(`replace operation does not apply: doc is missing path: ${path}: ${missing}`);
  const before = read(found.container, found.key);
  if ('error' in before) fail(`replace operation does not apply: doc is missing key: ${path}: ${missing}`);
  const value = putOver(valueOf(operation), before.part);
  if (found.container.kind === 'map') add(found, value, written(operation));
  else {
    const index = indexIn(found.key, found.container.items.length);
    if ('at' in index) found.container.items[index.at] = value;
  }
  return whole;
}

function applyMove(whole: Part, { path, from }: Operation): Part {
  if (from === undefined) fail(`move operation failed to decode from: operation, missing from field: ${missing}`);
  const source = find(whole, from);
  if (!source) fail(`move operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const value = read(source.container, source.key);
  if ('error' in value) fail(`error in move for path: '${source.key}': ${value.error}`);
  const removed = remove(source);
  if (removed !== undefined) fail(`error in move for path: '${source.key}': ${removed}`);
  if (path === undefined) fail(`move operation failed to decode path: operation missing path field: ${missing}`);
  const target = find(whole, path);
  if (!target) fail(`move operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  const error = add(target, value.part ?? { kind: 'scalar', value: null, origin: undefined }, undefined);
  if (error !== undefined) fail(`error in move for path: '${path}': ${error}`);
  return whole;
}

function applyCopy(whole: Part, { path, from }: Operation, context: Context): Part {
  if (from === undefined) fail(`copy operation failed to decode from: operation, missing from field: ${missing}`);
  const source = find(whole, from);
  if (!source) fail(`copy operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const value = read(source.container, source.key);
  if ('error' in value) fail(`error in copy for from: '${from}': ${value.error}`);
  if (path === undefined) fail(`copy operation failed to decode path: ${missing}`);
  const target = find(whole, path);
  if (!target) fail(`copy operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  const copied = value.part ? copyOf(value.part, context) : { kind: 'scalar' as const, value: null, origin: undefined };
  const error = add(target, copied, undefined);
  if (error !== undefined) fail(`error while adding value during copy: ${error}`);
  return whole;
}

function copyOf(part: Part, context: Context): Part {
  context.spend(1);
  if (part.kind === 'scalar') return part;
  if (part.kind === 'list') return { ...part, items: part.items.map((item) => copyOf(item, context)) };
  const entries = [...part.entries].map(
    ([key, { keyOrigin, value }]) => [key, { keyOrigin, value: copyOf(value, context) }] as const,
  );
  return { ...part, entries: new Map(entries) };
}

function applyTest(whole: Part, { path, value }: Operation): Part {
  if (path === undefined) fail(`test operation failed to decode path: operation missing path field: ${missing}`);
  const failed = `testing value ${path} failed: test failed`;
  if (path === '') {
    if (!value || !isSame(whole, partOf(value))) fail(failed);
    return whole;
  }
  const found = find(whole, path);
  if (!found) fail(`test operation does not apply: is missing path: ${path}: ${missing}`);
  const at = read(found.container, found.key);
  if ('error' in at) fail(`error in test for path: '${path}': ${at.error}`);
  const wanted = value && partOf(value);
  if (isNull(at.part)) {
    if (!isNull(wanted)) fail(failed);
  } else if (!wanted || !isSame(at.part!, wanted)) fail(failed);
  return whole;
}

/** Numbers are equal if they are written alike. */
function isSame(a: Part, b: Part): boolean {
  return printJson(valueOfBuilt(builtOf(a))) === printJson(valueOfBuilt(builtOf(b)));
}
