/** The nodes that a path of a replacement leads to; it can go through all items of a list, and into texts. */

import { quote } from '../../gostd/quote.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import { fail, panic, within } from '../failure.ts';
import { placeIn } from '../origin.ts';
import { elementsOf, get, indexOfPart, isIndexPart, isListPart, kindFor, nameAndValue, setField } from './edit.ts';
import { field, Node, type NodeKind, scalarNode } from './node.ts';
import { readOne } from './read.ts';
import { writeNode } from './write.ts';

export interface Match {
  readonly create: NodeKind;
  spend(steps: number): void;
}

/** Undefined where nothing is found. */
export function matchPath(node: Node, path: readonly string[], match: Match): Node[] | undefined {
  match.spend(1);
  if (path.length === 0) return [node];
  const [part, ...rest] = path as [string, ...string[]];
  if (isIndexPart(part)) return atIndex(node, part, rest, match);
  if (isListPart(part)) return inList(node, part, rest, match);
  if (part === '*') return collect(elementsOf(node), rest, match);
  return inMap(node, part, rest, match);
}

function collect(items: readonly Node[], rest: readonly string[], match: Match): Node[] | undefined {
  let found: Node[] | undefined;
  for (const item of items) {
    const inside = matchPath(item, rest, match);
    if (inside) found = found ? found.concat(inside) : inside;
  }
  return found;
}

function inMap(node: Node, part: string, rest: readonly string[], match: Match): Node[] | undefined {
  let found = get(node, part);
  if (!found && match.create === 'none') return undefined;
  if (!found) {
    found = new Node(kindFor(rest[0] ?? '', match.create), '', '', '', node.origin);
    setField(node, part, found);
  }
  if (found.kind === 'scalar' && rest.length > 0) return matchPath(readText(found), rest, match);
  return matchPath(found, rest, match);
}

/** A text that is YAML itself. */
export function readText(scalar: Node): Node {
  const origin = scalar.origin;
  const place = origin?.how === 'written' ? origin.place : placeIn('');
  const read = readOne({ text: scalar.value, in: 'resource', place: () => place });
  if ('error' in read) fail(read.error, place);
  const node = read.node ?? new Node('none', '', '', '', origin);
  setOrigin(node, origin);
  return node;
}

function setOrigin(node: Node, origin: Node['origin']): void {
  node.origin = origin;
  for (const child of node.content) setOrigin(child, origin);
}

function atIndex(node: Node, part: string, rest: readonly string[], match: Match): Node[] | undefined {
  const index = indexOfPart(part)!;
  const elements = elementsOf(node);
  if (elements.length === index && match.create !== 'none') {
    const made = new Node(kindFor(rest[0] ?? '', match.create), '', '', '', node.origin);
    within(`failed to append element for ${quote(part)}`, () => append(node, made));
  }
  const now = elementsOf(node);
  if (now.length < index + 1) fail(`index ${index} specified but only ${now.length} elements found`);
  return matchPath(now[index]!, rest, match);
}

function append(list: Node, item: Node): void {
  elementsOf(list);
  list.content.push(item);
}

function inList(node: Node, part: string, rest: readonly string[], match: Match): Node[] | undefined {
  const [name, pattern] = nameAndValue(part);
  const search = () => (name === '' ? textsIn(node, pattern) : collect(itemsWith(node, name, pattern), rest, match));
  const found = search();
  if (found && found.length > 0) return found;
  if (match.create === 'none') return undefined;
  const value = scalarNode(pattern, node.origin);
  const made = name === '' ? value : new Node('map', '', '', '', node.origin);
  if (made !== value) made.content.push(scalarNode(name, node.origin), value);
  within(`failed to create element for ${quote(part)}`, () => append(node, made));
  const again = search();
  if (!again) panic('runtime error: the element that was made is not found');
  return again;
}

function textsIn(list: Node, pattern: string): Node[] | undefined {
  const found = elementsOf(list).filter((item) => matches(writeNode(item), pattern));
  return found.length > 0 ? found : undefined;
}

function itemsWith(list: Node, name: string, pattern: string): Node[] {
  return elementsOf(list).filter((item) => {
    const value = field(item, name);
    return value !== undefined && matches(writeNode(value), pattern);
  });
}

function matches(text: string, pattern: string): boolean {
  const regexp = compileGoRegexp(pattern);
  if (!regexp.ok) fail(regexp.error);
  return regexp.matches(text.trim());
}
