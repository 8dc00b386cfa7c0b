/**
 * The tree that kustomize works on: a node of goyaml.v3 with its tag and its style, because both have a say in what a
 * changed value is when it is printed. It is changed in place, as kustomize does; what a build gives away is made of it at
 * the end. See docs/decisions/0025.
 */
import type { Origin } from '../origin.ts';

/** `none` is a node that was made to be filled in. */
export type NodeKind = 'none' | 'map' | 'list' | 'scalar' | 'alias';

export const noTag = '';
export const nullTag = '!!null';
export const stringTag = '!!str';
export const intTag = '!!int';
export const boolTag = '!!bool';
export const mapTag = '!!map';
export const listTag = '!!seq';
export const mergeTag = '!!merge';

/** How a node is written; flow, and for scalars one of the quotes. */
export type Style = '' | 'flow' | 'double' | 'single' | 'literal' | 'folded';

export class Node {
  kind: NodeKind;
  tag: string;
  value: string;
  style: Style;
  /** A tag that was written. */
  tagged = false;
  /** Keys and values in turn, or items. */
  content: Node[] = [];
  anchor: string | undefined;
  alias: Node | undefined;
  /** It is in several places of a resource, as kustomize puts it there: a change of one is a change of all. */
  shared = false;
  /** A null that a patch does not remove. */
  keep = false;
  origin: Origin | undefined;

  constructor(kind: NodeKind, tag: string, value: string, style: Style, origin: Origin | undefined) {
    this.kind = kind;
    this.tag = tag;
    this.value = value;
    this.style = style;
    this.origin = origin;
  }

  /** `known` are copies of nodes that are shared: without it, each place gets one of its own. */
  copy(known?: Map<Node, Node>): Node {
    const before = this.shared ? known?.get(this) : undefined;
    if (before) return before;
    const copy = new Node(this.kind, this.tag, this.value, this.style, this.origin);
    copy.tagged = this.tagged;
    copy.anchor = this.anchor;
    copy.alias = this.alias;
    copy.keep = this.keep;
    if (this.content.length > 0) copy.content = this.content.map((node) => node.copy(known));
    if (this.shared && known) {
      copy.shared = true;
      known.set(this, copy);
    }
    return copy;
  }

  /** Becomes another node, whoever holds it. */
  become(other: Node): void {
    this.kind = other.kind;
    this.tag = other.tag;
    this.value = other.value;
    this.style = other.style;
    this.tagged = other.tagged;
    this.content = other.content === this.content ? this.content : other.content.slice();
    this.anchor = other.anchor;
    this.alias = other.alias;
    this.origin = other.origin;
  }
}

/** Whether trees say the same: the way in which they are written does not matter, nor tags that nobody has given. */
export function saysTheSame(a: Node, b: Node): boolean {
  if (a.kind !== b.kind || a.value !== b.value || a.content.length !== b.content.length) return false;
  if (a.tag !== b.tag && a.tag !== noTag && b.tag !== noTag) return false;
  return a.content.every((child, i) => saysTheSame(child, b.content[i]!));
}

export function scalarNode(value: string, origin?: Origin, tag: string = noTag, style: Style = ''): Node {
  return new Node('scalar', tag, value, style, origin);
}

export function stringNode(value: string, origin?: Origin): Node {
  return scalarNode(value, origin, stringTag, value.includes('\n') ? 'literal' : '');
}

export function mapNode(origin?: Origin, tag: string = noTag): Node {
  return new Node('map', tag, '', '', origin);
}

export function listNode(origin?: Origin, tag: string = noTag): Node {
  return new Node('list', tag, '', '', origin);
}

export function isMissing(node: Node | undefined): boolean {
  return node === undefined || node.tag === nullTag;
}

export function isTaggedNull(node: Node | undefined): boolean {
  return node?.tag === nullTag;
}

export function isEmpty(node: Node | undefined): boolean {
  if (node === undefined || node.tag === nullTag) return true;
  if (node.kind === 'map' || node.kind === 'list') return node.content.length === 0;
  return node.kind === 'none' && node.tag === noTag && node.value === '';
}

export function isEmptyMap(node: Node | undefined): boolean {
  return isMissing(node) || (node!.kind === 'map' && node!.content.length === 0);
}

export function isString(node: Node): boolean {
  return node.kind === 'scalar' && (node.tag === stringTag || node.tag === noTag);
}

export function textOf(node: Node | undefined): string {
  return isMissing(node) ? '' : node!.value;
}

/** Where the value of a key is in a map's content, -1 where it is not. The first one counts. */
export function indexOf(map: Node | undefined, name: string): number {
  if (map === undefined) return -1;
  const { content } = map;
  for (let i = 0; i + 1 < content.length; i += 2) if (content[i]!.value === name) return i + 1;
  return -1;
}

/** The value of a key, of a map or of what is taken for one. */
export function valueIn(map: Node | undefined, name: string): Node | undefined {
  const at = indexOf(map, name);
  return at === -1 ? undefined : map!.content[at];
}

/** The value of a key; of what is not a map there is none. */
export function field(map: Node | undefined, name: string): Node | undefined {
  return map?.kind === 'map' ? valueIn(map, name) : undefined;
}

export function keysOf(map: Node): string[] {
  const keys: string[] = [];
  for (let i = 0; i < map.content.length; i += 2) keys.push(map.content[i]!.value);
  return keys;
}
