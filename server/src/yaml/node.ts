/**
 * The tree of a document. A node knows its length and its children's places relative to its own start, never its place
 * in the document, so that it can be shared between versions of a text. Nodes never change.
 */
export type Node = MapNode | ListNode | ScalarNode | AliasNode;

/** What stands before a node's own text: `&anchor`, `!tag`. */
export interface Properties {
  readonly anchor: string | undefined;
  /** The tag in its long form, such as `tag:yaml.org,2002:str`. */
  readonly tag: string | undefined;
  /** Where the node's own text starts, relative to the node. */
  readonly bodyAt: number;
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly length: number;
  readonly props: Properties | undefined;
  readonly style: ScalarStyle;
  /** The decoded text. A missing value is a plain scalar of length 0. */
  readonly value: string;
  /** For block scalars: how far the content is indented from the start of the line. */
  readonly indent: number;
}

export interface MapNode {
  readonly kind: 'map';
  readonly length: number;
  readonly props: Properties | undefined;
  /** `pair` is the map of one pair without braces in a flow list: `[a: b]`. */
  readonly style: 'block' | 'flow' | 'pair';
  readonly pairs: readonly Pair[];
  /** Something inside is an alias or a merge key, so that its value depends on more than its own text. */
  readonly shared: boolean;
}

export interface Pair {
  /** Relative to the map. */
  readonly at: number;
  readonly length: number;
  readonly key: Node;
  /** Relative to the pair, like all below. */
  readonly keyAt: number;
  /** The place of the colon, -1 where there is none. */
  readonly colonAt: number;
  readonly value: Node;
  readonly valueAt: number;
}

export interface ListNode {
  readonly kind: 'list';
  readonly length: number;
  readonly props: Properties | undefined;
  readonly style: 'block' | 'flow';
  readonly items: readonly Item[];
  readonly shared: boolean;
}

export interface Item {
  /** Where the item starts (its dash in a block list), relative to the list. */
  readonly at: number;
  readonly length: number;
  readonly node: Node;
  /** Relative to the item. */
  readonly nodeAt: number;
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly length: number;
  readonly props: undefined;
  readonly name: string;
  /** What it stands for; undefined where the anchor is unknown, or stands around the alias itself. */
  readonly target: Node | undefined;
  readonly cyclic: boolean;
}

/** A node that is not there: the value of `key:`. */
export function isMissing(node: Node): boolean {
  return node.kind === 'scalar' && node.length === 0;
}

/** A node with its place in the document. */
export interface PlacedNode {
  readonly node: Node;
  readonly start: number;
}
