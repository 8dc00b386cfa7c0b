/** Aliases and merge keys, resolved as kustomize does before it works on a resource. */
import { fail } from '../failure.ts';
import { isMissing, keysOf, mergeTag, type Node, textOf, valueIn } from './node.ts';

/** Far more than anybody writes; an alias of an alias of an alias makes many of few. */
const mostNodes = 1_000_000;

interface Work {
  nodes: number;
  readonly inside: Set<Node>;
}

export function withoutAnchors(node: Node): Node {
  return resolved(node, { nodes: 0, inside: new Set() });
}

function resolved(node: Node, work: Work): Node {
  if (++work.nodes > mostNodes) fail('yaml: document contains excessive aliasing', placeOf(node));
  node.anchor = undefined;
  if (node.kind === 'scalar') return node;
  if (node.kind === 'alias') return ofAlias(node, work);
  if (node.kind === 'map') merge(node);
  work.inside.add(node);
  for (const [i, child] of node.content.entries()) node.content[i] = resolved(child, work);
  work.inside.delete(node);
  return node;
}

function ofAlias(alias: Node, work: Work): Node {
  const target = alias.alias!;
  if (work.inside.has(target)) fail(`yaml: anchor '${alias.value}' value contains itself`, placeOf(alias));
  const size = sizeOf(resolved(target, work), mostNodes);
  work.nodes += size;
  if (work.nodes > mostNodes) fail('yaml: document contains excessive aliasing', placeOf(alias));
  return target.copy();
}

function sizeOf(node: Node, most: number): number {
  let size = 1;
  for (const child of node.content) {
    if (size > most) break;
    size += sizeOf(child, most - size);
  }
  return size;
}

/** Puts what merge keys name into a map: what it has itself comes last, and wins. */
function merge(map: Node): void {
  const value = mergeValue(map);
  if (value === undefined) return;
  const sources = mapsOf(value);
  const at = indexOfKey(map, '<<');
  map.content.splice(at, 2);
  const own = map.copy();
  for (const source of [...sources, own]) {
    if (!isMissing(source) && source.kind !== 'map') fail('map merge requires map or sequence of maps as the value');
    const copy = source === own ? own : source.copy();
    for (const key of keysOf(copy)) setEntry(map, copy.content[indexOfKey(copy, key)]!, valueIn(copy, key)!);
  }
}

function mergeValue(map: Node): Node | undefined {
  let found: Node | undefined;
  for (let i = 0; i < map.content.length; i += 2) {
    const key = map.content[i]!;
    if (key.tag !== mergeTag) continue;
    if (found) fail('duplicate merge key', placeOf(key));
    found = map.content[i + 1];
  }
  return found;
}

function mapsOf(value: Node): Node[] {
  if (value.kind === 'map') return [value];
  if (value.kind === 'alias') {
    if (value.alias!.kind !== 'map') fail('invalid map merge: received alias for a non-map value', placeOf(value));
    return [value.alias!];
  }
  if (value.kind !== 'list') fail('map merge requires map or sequence of maps as the value', placeOf(value));
  let all: Node[] = [];
  for (const item of value.content) {
    if (item.kind === 'list') fail('invalid map merge: received a nested sequence', placeOf(item));
    all = [...mapsOf(item), ...all];
  }
  return all;
}

function indexOfKey(map: Node, name: string): number {
  for (let i = 0; i < map.content.length; i += 2) if (map.content[i]!.value === name) return i;
  return -1;
}

function setEntry(map: Node, key: Node, value: Node): void {
  const at = indexOfKey(map, textOf(key));
  if (at === -1) map.content.push(key, value);
  else map.content.splice(at, 2, key, value);
}

function placeOf(node: Node) {
  return node.origin?.how === 'written' ? node.origin.place : undefined;
}
