/** What is printed of a tree: it goes through YAML and JSON on the way, and some values are others behind it. */
import type { Value } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { parseDocument } from '../../yaml/document.ts';
import { compareKeys } from '../../yaml/keyOrder.ts';
import { attempt, Failure, fail } from '../failure.ts';
import type { BuiltEntry, BuiltMap, BuiltNode } from '../types.ts';
import { finite } from './fromJson.ts';
import { linesOfKeys } from './lines.ts';
import type { Node } from './node.ts';
import { isSurelyText, type Resolved, resolve } from './resolve.ts';
import { canBePlain, foldedAgain, shownTag, writeNode } from './write.ts';

/** The tree of a resource as it is printed. */
export function builtOf(node: Node): BuiltMap {
  const built = make(node, false, true);
  return built as BuiltMap;
}

/** A tree as it is decoded without being written first; with `anyNumber`, without going through JSON after that. */
export function decodedOf(node: Node, anyNumber = false): BuiltNode {
  if (node.kind === 'list')
    return { kind: 'list', origin: node.origin, items: node.content.map((item) => decodedOf(item, anyNumber)) };
  if (node.kind !== 'map') {
    const value = node.kind === 'none' ? null : decodedScalar(node).value;
    return { kind: 'scalar', origin: node.origin, value: anyNumber ? value : jsonOf(value) };
  }
  const entries = new Map<string, BuiltEntry>();
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const key = node.content[i]!;
    entries.set(key.value, {
      key: key.value,
      keyOrigin: key.origin,
      value: decodedOf(node.content[i + 1]!, anyNumber),
    });
  }
  return { kind: 'map', origin: node.origin, entries: inOrder([...entries.values()]) };
}

export function decodedScalar(node: Node): Resolved {
  const isText = node.tag === '!!str' || (node.tag === '' && node.style !== '' && node.style !== 'flow');
  return isText ? { tag: '!!str', value: node.value } : resolve(node.tag, node.value);
}

/** Any tree, as a value. */
export function plainOf(node: Node): BuiltNode {
  return withKeysOnce(node, () => make(node, false, false));
}

function withKeysOnce<T>(node: Node, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof DuplicateKey) fail(`yaml: unmarshal errors:\n  ${linesOfKeys(writeNode(node)).join('\n  ')}`);
    throw error;
  }
}

function make(node: Node, isFlow: boolean, isTop: boolean): BuiltNode {
  if (node.kind === 'list') {
    const inside = isFlow || node.style === 'flow' || node.content.length === 0;
    return { kind: 'list', origin: node.origin, items: node.content.map((item) => make(item, inside, false)) };
  }
  if (node.kind === 'map') return mapOf(node, isFlow, isTop);
  if (node.kind === 'none') return { kind: 'scalar', origin: node.origin, value: null };
  if (node.kind === 'alias') return make(node.alias!, isFlow, isTop);
  const isAsItIs = node.style !== 'folded' && isPlainText(node);
  const value = isAsItIs ? node.value : jsonOf(scalarOf(node, isFlow, false).value);
  return { kind: 'scalar', origin: node.origin, value };
}

function jsonOf(value: Resolved['value']): Value {
  return typeof value === 'number' ? finite(value) : value;
}

function mapOf(node: Node, isFlow: boolean, isTop: boolean): BuiltMap {
  const inside = isFlow || node.style === 'flow' || node.content.length === 0;
  const entries: BuiltEntry[] = [];
  const seen = node.content.length >= 2 * manyKeys ? new Set<string>() : undefined;
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const key = node.content[i]!;
    if (key.kind === 'map' || key.kind === 'list') fail('yaml: invalid map key');
    if (seen ? seen.has(key.value) : isAmongFirst(node.content, i)) throw new DuplicateKey();
    seen?.add(key.value);
    const tag = isPlainText(key) ? '!!str' : scalarOf(key, inside, true).tag;
    if (tag !== '!!str' && tag !== '!!merge' && !isTop) fail(unsupportedKeys);
    entries.push({ key: key.value, keyOrigin: key.origin, value: make(node.content[i + 1]!, inside, false) });
  }
  return { kind: 'map', origin: node.origin, entries: inOrder(entries) };
}

/** Text in whatever way it is written. */
function isPlainText({ tag, tagged, value }: Node): boolean {
  return (tag === '!!str' || tag === '') && !tagged && isSurelyText(value);
}

/** Maps with so many keys are worth a set of them. */
const manyKeys = 17;

function isAmongFirst(content: readonly Node[], at: number): boolean {
  const { value } = content[at]!;
  for (let i = 0; i < at; i += 2) if (content[i]!.value === value) return true;
  return false;
}

/** Most maps are printed as they are written. */
function inOrder(entries: BuiltEntry[]): BuiltEntry[] {
  for (let i = 1; i < entries.length; i++)
    if (compareKeys(entries[i - 1]!.key, entries[i]!.key) > 0) return entries.sort((a, b) => compareKeys(a.key, b.key));
  return entries;
}

/** Told by the caller, who knows the whole tree. */
class DuplicateKey extends Error {}

/** What a scalar is once it was written and read again. */
function scalarOf(node: Node, isFlow: boolean, isKey: boolean): Resolved {
  const { tag, force } = shownTag(node);
  if (tag !== '') {
    if (node.style !== '' && tag === '!!str') return { tag, value: node.value };
    return resolve(tag, node.value);
  }
  const text = {
    tag: '!!str',
    value: node.style === 'folded' && !isFlow && !isKey ? foldedText(node.value) : node.value,
  };
  if (force || (node.style !== '' && node.style !== 'flow') || node.value.includes('\n')) return text;
  if (node.value === '') return isFlow || isKey ? text : { tag: '!!null', value: null };
  const read = resolve('', node.value);
  if (read.tag === '!!str' || !canBePlain(node.value, isFlow)) return text;
  return read;
}

/** A folded text comes back with other breaks where some of its lines are indented. */
function foldedText(text: string): string {
  const written = foldedAgain(text);
  const root = written === undefined ? undefined : parseDocument(written).root;
  const value = root?.kind === 'map' ? root.pairs[0]?.value : undefined;
  return value?.kind === 'scalar' ? value.value : text;
}

/** The tree of a resource, or the error of the encoder. */
export function printedOf(node: Node): BuiltMap {
  try {
    return withKeysOnce(node, () => builtOf(node));
  } catch (error) {
    if (error instanceof Failure && error.message.startsWith('json:')) fail(firstJsonError(node) ?? error.message);
    throw error;
  }
}

/** JSON is written by its keys in order, and ends at the first value that it cannot hold. */
function firstJsonError(node: Node): string | undefined {
  const entries: (readonly [Node, Node])[] = [];
  for (let i = 0; i + 1 < node.content.length; i += 2) entries.push([node.content[i]!, node.content[i + 1]!]);
  if (node.kind === 'map') entries.sort(([a], [b]) => compareStrings(a.value, b.value));
  const children = node.kind === 'list' ? node.content : entries.map(([, value]) => value);
  for (const child of children) {
    const found = child.kind === 'scalar' ? attempt(() => make(child, false, false)).failure : undefined;
    const odd = child.kind === 'map' && attempt(() => keysOnly(child)).failure;
    const message = found?.message ?? (odd ? odd.message : firstJsonError(child));
    if (message !== undefined) return message;
  }
  return undefined;
}

function keysOnly(map: Node): void {
  for (let i = 0; i < map.content.length; i += 2) {
    const { tag } = scalarOf(map.content[i]!, false, true);
    if (tag !== '!!str' && tag !== '!!merge') fail(unsupportedKeys);
  }
}

const unsupportedKeys = 'json: unsupported type: map[interface {}]interface {}';

export function valueOfBuilt(node: BuiltNode): Value {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(valueOfBuilt);
  return new Map(node.entries.map(({ key, value }) => [key, valueOfBuilt(value)]));
}
