import type { Item, MapNode, Node, Pair, Properties, ScalarNode } from './node.ts';
import { type Directive, note, type Scan, Token } from './scanState.ts';

// What has been built so far: the collections that are open, and how a finished node finds its place in them.

export const FrameType = { Block: 0, List: 1, Indentless: 2, FlowList: 3, FlowMap: 4, FlowPair: 5 } as const;

/** What a map waits for: a key or its end, the key's node, the colon, the value's node. */
export const Wait = { Key: 0, KeyNode: 1, Colon: 2, ValueNode: 3 } as const;

export interface Frame {
  readonly type: number;
  readonly start: number;
  readonly anchor: OpenAnchor | undefined;
  readonly props: Properties | undefined;
  wait: number;
  first: boolean;
  readonly pairs: Pair[];
  readonly items: Item[];
  shared: boolean;
  /** Where the pair or item being read starts, and what is known of it. */
  from: number;
  key: Node | undefined;
  keyStart: number;
  colon: number;
  end: number;
  /** Ends of blocks to come that belong to maps that the tolerant reading did not open. */
  surplus: number;
}

export interface OpenAnchor {
  readonly name: string;
}

export interface Build {
  readonly scan: Scan;
  readonly stack: Frame[];
  readonly anchors: Map<string, Node | OpenAnchor>;
  readonly tags: Directive[];
  hasAlias: boolean;
  root: Node | undefined;
  rootStart: number;
}

export function isDocumentToken(kind: number): boolean {
  return kind >= Token.StreamEnd && kind <= Token.Directive;
}

/** Notes that the next token may not stand here. Says whether to go on. */
export function refuse(b: Build, text: string, context?: number): boolean {
  const { scan } = b;
  const i = scan.head;
  // The grammar names lines one too low: it counts them from 0.
  note(scan, {
    text,
    line: scan.lines[i] ?? 0,
    start: scan.starts[i]!,
    end: Math.max(scan.ends[i]!, scan.starts[i]! + 1),
    ...(context === undefined ? {} : { context }),
  });
  return scan.tolerant && !scan.failed;
}

/** Where the text of a collection begins, behind its properties. */
export function bodyStart({ start, props }: Pick<Frame, 'start' | 'props'>): number {
  return start + (props?.bodyAt ?? 0);
}

export const missing: ScalarNode = {
  kind: 'scalar',
  length: 0,
  props: undefined,
  style: 'plain',
  value: '',
  indent: 0,
};

/** What a map has no use for, and a list has none of. */
const noItems: Item[] = [];
const noPairs: Pair[] = [];

export function newFrame(type: number, start: number, props?: Properties, anchor?: OpenAnchor): Frame {
  const isList = isListType(type);
  return {
    type,
    start,
    anchor,
    props,
    wait: Wait.Key,
    first: true,
    pairs: isList ? noPairs : [],
    items: isList ? [] : noItems,
    shared: false,
    from: start,
    key: undefined,
    keyStart: 0,
    colon: -1,
    end: start,
    surplus: 0,
  };
}

/** Hands a finished node to what waits for it. */
export function deliver(b: Build, node: Node, start: number): void {
  const frame = b.stack[b.stack.length - 1];
  if (frame === undefined) {
    b.root = node;
    b.rootStart = start;
    return;
  }
  if (node.kind === 'alias' || ((node.kind === 'map' || node.kind === 'list') && node.shared)) frame.shared = true;
  const end = start + node.length;
  if (isListFrame(frame)) {
    frame.items.push({
      at: frame.from - frame.start,
      length: Math.max(end, frame.end) - frame.from,
      node,
      nodeAt: start - frame.from,
    });
  } else if (frame.wait === Wait.KeyNode) {
    frame.key = node;
    frame.keyStart = start;
    frame.wait = Wait.Colon;
  } else addPair(frame, node, start);
  frame.end = Math.max(frame.end, end);
}

function isListFrame(frame: Frame): boolean {
  return isListType(frame.type);
}

function isListType(type: number): boolean {
  return type >= FrameType.List && type <= FrameType.FlowList;
}

export function addPair(frame: Frame, value: Node, valueStart: number): void {
  const { from, keyStart, colon } = frame;
  const key = frame.key!;
  const end = Math.max(valueStart + value.length, colon + 1, keyStart + key.length);
  frame.pairs.push({
    at: from - frame.start,
    length: end - from,
    key,
    keyAt: keyStart - from,
    colonAt: colon < 0 ? -1 : colon - from,
    value,
    valueAt: valueStart - from,
  });
  if (key.kind === 'scalar' && key.value === '<<') frame.shared = true;
  frame.end = Math.max(frame.end, end);
  frame.key = undefined;
  frame.wait = Wait.Key;
}

export function finish(b: Build, frame: Frame, end: number): void {
  b.stack.pop();
  const length = Math.min(end, b.scan.end) - frame.start;
  const { props, shared } = frame;
  // Copies that hold nothing in reserve, for they stay.
  const [items, pairs] = [frame.items.slice(), frame.pairs.slice()];
  if (isListFrame(frame)) {
    const style = frame.type === FrameType.FlowList ? 'flow' : 'block';
    deliver(b, closeAnchor(b, frame.anchor, { kind: 'list', length, props, style, items, shared }), frame.start);
    return;
  }
  const style: MapNode['style'] =
    frame.type === FrameType.Block ? 'block' : frame.type === FrameType.FlowMap ? 'flow' : 'pair';
  deliver(b, closeAnchor(b, frame.anchor, { kind: 'map', length, props, style, pairs, shared }), frame.start);
}

export function closeAnchor(b: Build, anchor: OpenAnchor | undefined, node: Node): Node {
  if (anchor && b.anchors.get(anchor.name) === anchor) b.anchors.set(anchor.name, node);
  return node;
}

/** The next token starts a node, rather than the key, value or end after a node that is missing. */
export function startsNode(kind: number): boolean {
  return kind !== Token.Key && kind !== Token.Value && kind !== Token.BlockEnd;
}

export function expectKey(frame: Frame, start: number, explicit: boolean): void {
  frame.from = start;
  frame.colon = -1;
  frame.wait = Wait.KeyNode;
  frame.end = Math.max(frame.end, explicit ? start + 1 : start);
}
