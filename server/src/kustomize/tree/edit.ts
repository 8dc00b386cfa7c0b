/** The ways in which kustomize reads and changes trees: those of kyaml, with their odd sides. */
import { parseGoInt } from '../../gostd/parseInt.ts';
import { Failure, fail, panic } from '../failure.ts';
import {
  field,
  indexOf,
  isEmptyMap,
  isMissing,
  isString,
  isTaggedNull,
  Node,
  type NodeKind,
  scalarNode,
  valueIn,
} from './node.ts';
import { isNotText } from './text11.ts';
import { writeNode } from './write.ts';

export const kindWords: Readonly<Record<NodeKind, string>> = {
  none: '',
  map: 'MappingNode',
  list: 'SequenceNode',
  scalar: 'ScalarNode',
  alias: 'AliasNode',
};

/** Refuses what is there and of another kind. */
export function expectKind(node: Node | undefined, kind: NodeKind): void {
  if (isMissing(node) || node!.kind === kind) return;
  const words = `wrong node kind: expected ${kindWords[kind]} but got ${kindWords[node!.kind]}`;
  const place = node!.origin?.how === 'written' ? node!.origin.place : undefined;
  const what = node!.kind === 'scalar' ? 'wrong-kind-scalar' : 'wrong-kind';
  throw new Failure(`${words}: node contents:\n${writeNode(node!)}`, place, what);
}

export function elementsOf(list: Node | undefined): readonly Node[] {
  expectKind(list, 'list');
  return list?.content ?? [];
}

/** The value of a key; of a node that is missing there is none, and of one that is no map it is an error. */
export function get(node: Node | undefined, name: string): Node | undefined {
  if (isMissing(node)) return undefined;
  expectKind(node, 'map');
  return valueIn(node, name);
}

/** Takes a key out. */
export function clear(map: Node | undefined, name: string, ifEmpty = false): void {
  expectKind(map, 'map');
  if (!map) return;
  for (let i = 0; i < map.content.length; i += 2) {
    if (map.content[i]!.value !== name) continue;
    if (ifEmpty && map.content[i + 1]!.content.length > 0) continue;
    map.content.splice(i, 2);
    return;
  }
}

function keepsQuotes(value: Node): void {
  if (isString(value) && value.style === '' && !value.tagged && isNotText(value.value)) value.style = 'double';
}

/** Whether a tag is written belongs to the style of what is there, as quotes do. */
function takeStyle(value: Node, from: Node): void {
  value.style = from.style;
  value.tagged = from.tagged;
}

/** Puts a scalar in the place of another, which keeps its style. */
export function setScalar(node: Node, value: Node): void {
  keepsQuotes(value);
  expectKind(node, 'scalar');
  if (isMissing(value)) return;
  takeStyle(value, node);
  node.become(value);
}

export interface KeyForm {
  readonly style?: Node['style'];
  readonly origin?: Node['origin'];
}

/** Gives a key a value; what is there becomes it and keeps its style. */
export function setField(map: Node, name: string, value: Node | undefined, key: KeyForm = {}): void {
  if (value) keepsQuotes(value);
  if (value === undefined || (isTaggedNull(value) && !value.keep)) {
    clear(map, name);
    return;
  }
  const old = get(map, name);
  if (old) {
    if (old !== value) {
      takeStyle(value, old);
      old.become(value);
    }
    return;
  }
  map.content.push(new Node('scalar', '', name, key.style ?? '', key.origin ?? value.origin), value);
}

/** Numbers as Go's Atoi reads them. */
export function indexOfPart(part: string): number | undefined {
  const read = parseGoInt(part, 10);
  return 'value' in read ? Number(read.value) : undefined;
}

export function isListPart(part: string): boolean {
  return part.startsWith('[') && part.endsWith(']');
}

export function isIndexPart(part: string): boolean {
  const index = indexOfPart(part);
  return index !== undefined && index >= 0;
}

/** `[name=value]`. */
export function nameAndValue(part: string): readonly [string, string] {
  const inside = part.slice(part.startsWith('[') ? 1 : 0, part.endsWith(']') ? -1 : undefined);
  const at = inside.indexOf('=');
  if (at === -1) fail('list path element must contain fieldName=fieldValue for element to match');
  return [inside.slice(0, at), inside.slice(at + 1)];
}

/** What a part of a path has to be for the next one to be in it. */
export function kindFor(next: string, last: NodeKind): NodeKind {
  if (isListPart(next) || isIndexPart(next)) return 'list';
  return next === '' ? last : 'map';
}

/** Names that are nothing but the key of a map. */
const plainName = /^[A-Za-z]\w*$/;

function trimmed(path: readonly string[]): string[] {
  return path.map((part) => part.trim()).filter((part) => part !== '');
}

/** The node at a path, undefined where there is none; `create` is the kind of what is made for one that is not there. */
export function lookup(root: Node | undefined, path: readonly string[], create: NodeKind = 'none'): Node | undefined {
  const parts = path.length === 1 && plainName.test(path[0]!) ? path : trimmed(path);
  let at = root;
  for (const [i, part] of parts.entries()) {
    if (at === undefined) return undefined;
    at = step(at, part, parts[i + 1] ?? '', create);
  }
  return at;
}

function step(node: Node, part: string, next: string, create: NodeKind): Node | undefined {
  if (plainName.test(part)) return keyed(node, part, next, create);
  const index = indexOfPart(part);
  if (index !== undefined) {
    if (index < 0) fail(`array index ${index} cannot be negative`);
    return elementsOf(node)[index];
  }
  if (part === '-') {
    const elements = elementsOf(node);
    if (elements.length === 0) panic('runtime error: index out of range [-1]');
    return elements[elements.length - 1];
  }
  if (part === '*') fail('wildcard is not supported in PathGetter');
  if (isListPart(part)) return element(node, part, create !== 'none');
  return keyed(node, part, next, create);
}

function keyed(node: Node, part: string, next: string, create: NodeKind): Node | undefined {
  const found = get(node, part);
  if (found || create === 'none' || isMissing(node)) return found;
  const made = new Node(kindFor(next, create), '', '', '', node.origin);
  setField(node, part, made);
  return made;
}

function element(list: Node, part: string, create: boolean): Node | undefined {
  const [name, value] = nameAndValue(part);
  const found = matchElement(list, [name], [value]);
  if (found || !create) return found;
  const scalar = scalarNode(value, list.origin);
  const made = name === '' ? scalar : new Node('map', '', '', '', list.origin);
  if (made !== scalar) made.content.push(scalarNode(name, list.origin), scalar);
  expectKind(list, 'list');
  list.content.push(made);
  return made;
}

/** The first item of a list whose keys have these values. */
export function matchElement(list: Node, keys: readonly string[], values: readonly string[]): Node | undefined {
  expectKind(list, 'list');
  if ((keys[0] ?? '') === '') return list.content.find(({ value }) => value === (values[0] ?? ''));
  for (const item of list.content) {
    if (!isMissing(item) && item.kind !== 'map') continue;
    if (keys.length !== values.length) fail('length of keys must equal length of values when MatchAnyValue is false');
    if (keys.every((key, i) => !isMissing(item) && get(item, key)?.value === values[i])) return item;
  }
  return undefined;
}

/** The first item of a list that has a key. */
export function elementWithKey(list: Node, key: string): Node | undefined {
  return list.content.find((item) => !isMissing(item) && field(item, key) !== undefined);
}

/** Puts an item in the place of those whose keys have these values, or at the end; without an item, takes them out. */
export function setElement(
  list: Node,
  keys: readonly string[],
  values: readonly string[],
  item: Node | undefined,
): void {
  expectKind(list, 'list');
  const names = keys.length === 0 ? [''] : keys;
  const isForMaps = (keys[0] ?? '') !== '' && (values[0] ?? '') !== '';
  let found = false;
  const content: Node[] = [];
  for (const old of list.content) {
    if (isMissing(old) || isEmptyMap(old)) continue;
    if (old.kind !== 'map' && isForMaps) content.push(old);
    else if (matches(old, names, values)) {
      found = true;
      if (item) content.push(item);
    } else if (values.length > 0) content.push(old);
  }
  list.content = content;
  if (!found && !isMissing(item)) content.push(item!);
}

function matches(item: Node, keys: readonly string[], values: readonly string[]): boolean {
  let last: Node | undefined;
  for (const [i, key] of keys.entries()) {
    if (i < values.length) last = matchField(item, key, values[i]!);
    if (last === undefined) return false;
  }
  return true;
}

/** An empty value asks only whether the key is there. */
function matchField(item: Node, name: string, value: string): Node | undefined {
  if (name === '') {
    expectKind(item, 'scalar');
    return item.value === value ? item : undefined;
  }
  const found = get(item, name);
  return value === '' || found?.value === value ? found : undefined;
}

/** The keys of a map, once for each time they are written. */
export function fieldsOf(map: Node | undefined): string[] {
  expectKind(map, 'map');
  const keys: string[] = [];
  for (let i = 0; map && i < map.content.length; i += 2) keys.push(map.content[i]!.value);
  return keys;
}

export { field, indexOf };
