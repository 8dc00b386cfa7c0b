/**
 * Tokens to a tree. The stack is explicit, so that depth costs memory and not the call stack. Which token may follow
 * which is the API server's reader's grammar; where it refuses, the tolerant reading goes on with the likeliest tree.
 */
import { columnOf, type Range } from '../base/text.ts';
import type { AliasNode, Item, MapNode, Node, Pair, Properties, ScalarNode } from './node.ts';
import { peek, skip } from './scan.ts';
import { type Directive, note, type Scan, type ScannedScalar, Token } from './scanState.ts';

const FrameType = { Block: 0, List: 1, Indentless: 2, FlowList: 3, FlowMap: 4, FlowPair: 5 } as const;
/** What a map waits for: a key or its end, the key's node, the colon, the value's node. */
const Wait = { Key: 0, KeyNode: 1, Colon: 2, ValueNode: 3 } as const;

interface Frame {
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

/** Stands for the place of the colon after a key that the scanner did not know as one: `{a}`. */
const noColon = -2;

interface OpenAnchor {
  readonly name: string;
}

interface Build {
  readonly scan: Scan;
  readonly stack: Frame[];
  readonly anchors: Map<string, Node | OpenAnchor>;
  readonly tags: Directive[];
  hasAlias: boolean;
  root: Node | undefined;
  rootStart: number;
}

export interface Built {
  readonly root: Node | undefined;
  readonly rootStart: number;
  readonly hasAlias: boolean;
  /** Where reading ended: text after it is ignored. */
  readonly end: number;
}

export function build(scan: Scan): Built {
  const b: Build = { scan, stack: [], anchors: new Map(), tags: [], hasAlias: false, root: undefined, rootStart: 0 };
  startDocument(b);
  while (b.stack.length > 0 && !scan.failed) step(b, b.stack[b.stack.length - 1]!);
  const kind = scan.failed ? Token.Failed : peek(scan);
  const end = kind === Token.Failed || kind === Token.StreamEnd ? scan.end : scan.starts[scan.head]!;
  return { root: b.root, rootStart: b.rootStart, hasAlias: b.hasAlias, end };
}

function isDocumentToken(kind: number): boolean {
  return kind >= Token.StreamEnd && kind <= Token.Directive;
}

function startDocument(b: Build): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.StreamEnd || kind === Token.Failed) return;
  if (kind !== Token.Directive && kind !== Token.DocumentStart) {
    parseNode(b, true, false);
    return;
  }
  readDirectives(b);
  if (scan.failed) return;
  if (peek(scan) === Token.DocumentStart) skip(scan);
  else if (!refuse(b, 'did not find expected <document start>')) return;
  if (peek(scan) === Token.Failed) return;
  if (isDocumentToken(peek(scan))) deliver(b, missing, scan.starts[scan.head]!);
  else parseNode(b, true, false);
}

function readDirectives(b: Build): void {
  const { scan } = b;
  let version = false;
  while (peek(scan) === Token.Directive) {
    const fact = scan.facts[scan.head] as Directive;
    if (fact.version !== undefined) {
      if (version && !refuse(b, 'found duplicate %YAML directive')) return;
      version = true;
      if (fact.version !== '1.1' && !refuse(b, 'found incompatible YAML document')) return;
    } else {
      const again = b.tags.some((tag) => tag.handle === fact.handle);
      if (again && !refuse(b, 'found duplicate %TAG directive')) return;
      b.tags.push(fact);
    }
    skip(scan);
  }
}

/** Notes that the next token may not stand here. Says whether to go on. */
function refuse(b: Build, text: string): boolean {
  const { scan } = b;
  const i = scan.head;
  // The grammar names lines one too low: it counts them from 0.
  note(scan, {
    text,
    line: scan.lines[i] ?? 0,
    start: scan.starts[i]!,
    end: Math.max(scan.ends[i]!, scan.starts[i]! + 1),
  });
  return scan.tolerant;
}

const missing: ScalarNode = { kind: 'scalar', length: 0, props: undefined, style: 'plain', value: '', indent: 0 };

// Nodes

interface Head {
  start: number;
  props: Properties | undefined;
  anchor: OpenAnchor | undefined;
}

function parseNode(b: Build, block: boolean, indentless: boolean): void {
  const { scan } = b;
  if (peek(scan) === Token.Alias) {
    parseAlias(b);
    return;
  }
  const head = parseProperties(b);
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  const i = scan.head;
  if (kind === Token.Scalar) {
    deliverScalar(b, head);
    return;
  }
  if (kind === Token.ListStart) {
    open(b, FrameType.FlowList, head);
    return;
  }
  if (kind === Token.FlowMapStart) {
    open(b, FrameType.FlowMap, head);
    return;
  }
  if (indentless && kind === Token.Entry) {
    open(b, FrameType.Indentless, head);
    return;
  }
  if (block && kind === Token.SeqStart) {
    open(b, FrameType.List, head);
    return;
  }
  if (block && kind === Token.MapStart) {
    open(b, FrameType.Block, head);
    return;
  }
  if (head.props) {
    const { start, props } = head;
    deliver(b, closeAnchor(b, head.anchor, { ...missing, length: props.bodyAt, props }), start);
    return;
  }
  if (refuse(b, 'did not find expected node content')) {
    if (kind === Token.Alias || (kind >= Token.Anchor && kind <= Token.Tag) || isDocumentToken(kind)) {
      if (!isDocumentToken(kind)) skip(scan);
    }
    deliver(b, missing, scan.starts[i]!);
  }
}

function parseAlias(b: Build): void {
  const { scan } = b;
  const i = scan.head;
  const name = scan.facts[i] as string;
  const known = b.anchors.get(name);
  if (known === undefined && !refuseAlias(b, name)) return;
  const cyclic = known !== undefined && !('kind' in known);
  const node: AliasNode = {
    kind: 'alias',
    length: scan.ends[i]! - scan.starts[i]!,
    props: undefined,
    name,
    target: cyclic ? undefined : (known as Node | undefined),
    cyclic,
  };
  b.hasAlias = true;
  const start = scan.starts[i]!;
  skip(scan);
  deliver(b, node, start);
}

function refuseAlias(b: Build, name: string): boolean {
  const { scan } = b;
  const i = scan.head;
  note(scan, { text: `unknown anchor '${name}' referenced`, line: 0, start: scan.starts[i]!, end: scan.ends[i]! });
  return scan.tolerant;
}

function parseProperties(b: Build): Head {
  const { scan } = b;
  const start = scan.starts[scan.head]!;
  let kind = peek(scan);
  if (kind !== Token.Anchor && kind !== Token.Tag) return { start, props: undefined, anchor: undefined };
  let anchor: string | undefined;
  let tag: ScannedTag | undefined;
  const first = kind;
  let end = start;
  for (let i = 0; i < 2 && (kind === Token.Anchor || kind === Token.Tag) && (i === 0 || kind !== first); i++) {
    const at = scan.head;
    end = scan.ends[at]!;
    if (kind === Token.Anchor) anchor = scan.facts[at] as string;
    else tag = { ...(scan.facts[at] as TagName), start: scan.starts[at]!, end, line: scan.lines[at]! };
    skip(scan);
    kind = peek(scan);
  }
  const bodyAt = kind === Token.Failed || !hasBody(kind) ? end - start : scan.starts[scan.head]! - start;
  const opened = anchor === undefined ? undefined : { name: anchor };
  if (opened) b.anchors.set(opened.name, opened);
  return {
    start,
    props: { anchor, tag: tag && kind !== Token.Failed ? tagOf(b, tag) : undefined, bodyAt },
    anchor: opened,
  };
}

function hasBody(kind: number): boolean {
  return kind >= Token.Scalar || kind === Token.ListStart || kind === Token.FlowMapStart || kind === Token.Entry;
}

const defaultTags: readonly Directive[] = [
  { handle: '!', prefix: '!' },
  { handle: '!!', prefix: 'tag:yaml.org,2002:' },
];

interface TagName {
  readonly handle: string;
  readonly suffix: string;
}

interface ScannedTag extends TagName, Range {
  readonly line: number;
}

/** The long form of a tag. Its handle is looked up only after the token behind it was read. */
function tagOf(b: Build, { handle, suffix, line, start, end }: ScannedTag): string | undefined {
  if (handle === '') return suffix === '' ? undefined : suffix;
  const known = [...b.tags, ...defaultTags].find((tag) => tag.handle === handle);
  const tag = known === undefined ? '' : known.prefix + suffix;
  if (tag === '') note(b.scan, { text: 'found undefined tag handle', line, start, end });
  return tag === '' ? undefined : tag;
}

function deliverScalar(b: Build, { start, props, anchor }: Head): void {
  const { scan } = b;
  const i = scan.head;
  const { style, value, indent } = scan.facts[i] as ScannedScalar;
  const length = Math.min(scan.ends[i]!, scan.end) - start;
  skip(scan);
  deliver(b, closeAnchor(b, anchor, { kind: 'scalar', length, props, style, value, indent }), start);
}

function closeAnchor(b: Build, anchor: OpenAnchor | undefined, node: Node): Node {
  if (anchor && b.anchors.get(anchor.name) === anchor) b.anchors.set(anchor.name, node);
  return node;
}

function open(b: Build, type: number, { start, props, anchor }: Head): void {
  const { scan } = b;
  b.stack.push(newFrame(type, start, props, anchor));
  // The mark or bracket that opens it; an indentless list has none.
  if (type !== FrameType.Indentless) skip(scan);
}

function newFrame(type: number, start: number, props?: Properties, anchor?: OpenAnchor): Frame {
  return {
    type,
    start,
    anchor,
    props,
    wait: Wait.Key,
    first: true,
    pairs: [],
    items: [],
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
function deliver(b: Build, node: Node, start: number): void {
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
  return frame.type >= FrameType.List && frame.type <= FrameType.FlowList;
}

function addPair(frame: Frame, value: Node, valueStart: number): void {
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

function finish(b: Build, frame: Frame, end: number): void {
  b.stack.pop();
  const length = Math.min(end, b.scan.end) - frame.start;
  const { props, shared, items, pairs } = frame;
  if (isListFrame(frame)) {
    const style = frame.type === FrameType.FlowList ? 'flow' : 'block';
    deliver(b, closeAnchor(b, frame.anchor, { kind: 'list', length, props, style, items, shared }), frame.start);
    return;
  }
  const style: MapNode['style'] =
    frame.type === FrameType.Block ? 'block' : frame.type === FrameType.FlowMap ? 'flow' : 'pair';
  deliver(b, closeAnchor(b, frame.anchor, { kind: 'map', length, props, style, pairs, shared }), frame.start);
}

// Collections

function step(b: Build, frame: Frame): void {
  switch (frame.type) {
    case FrameType.Block:
      frame.wait === Wait.Colon ? blockColon(b, frame) : blockKey(b, frame);
      return;
    case FrameType.List:
      blockItem(b, frame);
      return;
    case FrameType.Indentless:
      indentlessItem(b, frame);
      return;
    case FrameType.FlowList:
      flowItem(b, frame);
      return;
    case FrameType.FlowMap:
      frame.wait === Wait.Colon ? flowColon(b, frame) : flowKey(b, frame);
      return;
    default:
      flowPair(b, frame);
      return;
  }
}

/** The next token starts a node, rather than the key, value or end after a node that is missing. */
function startsNode(kind: number): boolean {
  return kind !== Token.Key && kind !== Token.Value && kind !== Token.BlockEnd;
}

function blockKey(b: Build, frame: Frame): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  const start = scan.starts[scan.head]!;
  if (kind === Token.BlockEnd) {
    skip(scan);
    if (frame.surplus > 0) frame.surplus--;
    else finish(b, frame, frame.end);
    return;
  }
  if (kind !== Token.Key) {
    if (refuse(b, 'did not find expected key')) recoverKey(b, frame, kind);
    return;
  }
  const explicit = scan.kinds[scan.head] === Token.Key && scan.marks[scan.head] === 0;
  skip(scan);
  expectKey(frame, start, explicit);
  if (startsNode(peek(scan))) parseNode(b, true, true);
  else deliver(b, missing, explicit ? start + 1 : start);
}

function expectKey(frame: Frame, start: number, explicit: boolean): void {
  frame.from = start;
  frame.colon = -1;
  frame.wait = Wait.KeyNode;
  frame.end = Math.max(frame.end, explicit ? start + 1 : start);
}

function blockColon(b: Build, frame: Frame): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  if (kind !== Token.Value) {
    addPair(frame, missing, frame.keyStart + frame.key!.length);
    return;
  }
  frame.colon = scan.starts[scan.head]!;
  skip(scan);
  frame.wait = Wait.ValueNode;
  const next = peek(scan);
  if (next === Token.Failed) return;
  if (startsNode(next)) parseNode(b, true, true);
  else deliver(b, missing, frame.colon + 1);
}

/** Tolerant reading: something that is no key stands where a key is expected. */
function recoverKey(b: Build, frame: Frame, kind: number): void {
  const { scan } = b;
  const start = scan.starts[scan.head]!;
  if (
    kind === Token.StreamEnd ||
    kind === Token.DocumentStart ||
    kind === Token.DocumentEnd ||
    kind === Token.Directive
  ) {
    finish(b, frame, frame.end);
    return;
  }
  if (kind === Token.MapStart) {
    recoverDeeper(b, frame, start);
    return;
  }
  if (kind === Token.Value) {
    expectKey(frame, start, false);
    deliver(b, missing, start);
    return;
  }
  if (kind === Token.Scalar || kind === Token.Alias || kind === Token.ListStart || kind === Token.FlowMapStart) {
    expectKey(frame, start, false);
    parseNode(b, false, false);
    return;
  }
  if (kind === Token.SeqStart) frame.surplus++;
  skip(scan);
}

/**
 * Keys further in than their map. After a lone word at the same column (a key being typed) the map starts with it;
 * otherwise they are read as keys of this map.
 */
function recoverDeeper(b: Build, frame: Frame, start: number): void {
  const { scan } = b;
  const last = frame.pairs[frame.pairs.length - 1];
  skip(scan);
  const wordStart = last ? frame.start + last.at + last.valueAt : -1;
  const word = last?.value;
  const lone =
    word?.kind === 'scalar' && word.length > 0 && columnOf(scan.text, wordStart) === columnOf(scan.text, start);
  if (!last || !lone || !word) {
    frame.surplus++;
    return;
  }
  frame.pairs.pop();
  frame.from = frame.start + last.at;
  frame.key = last.key;
  frame.keyStart = frame.from + last.keyAt;
  frame.colon = last.colonAt < 0 ? -1 : frame.from + last.colonAt;
  frame.wait = Wait.ValueNode;
  const inner = newFrame(FrameType.Block, wordStart);
  expectKey(inner, wordStart, false);
  inner.key = word;
  inner.keyStart = wordStart;
  addPair(inner, missing, wordStart + word.length);
  b.stack.push(inner);
}

function blockItem(b: Build, frame: Frame): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  if (kind === Token.BlockEnd) {
    skip(scan);
    if (frame.surplus > 0) frame.surplus--;
    else finish(b, frame, frame.end);
    return;
  }
  if (kind === Token.Entry) {
    startItem(b, frame, (next) => next !== Token.Entry && next !== Token.BlockEnd);
    return;
  }
  if (!refuse(b, "did not find expected '-' indicator")) return;
  recoverItem(b, frame, kind);
}

/** Tolerant reading: text beside the dashes of a list is stepped over, key by key. */
function recoverItem(b: Build, frame: Frame, kind: number): void {
  if (isDocumentToken(kind)) {
    finish(b, frame, frame.end);
    return;
  }
  if (kind === Token.MapStart || kind === Token.SeqStart) frame.surplus++;
  skip(b.scan);
}

function indentlessItem(b: Build, frame: Frame): void {
  const kind = peek(b.scan);
  if (kind === Token.Failed) return;
  if (kind !== Token.Entry) {
    finish(b, frame, frame.end);
    return;
  }
  startItem(b, frame, (next) => next !== Token.Entry && startsNode(next));
}

function startItem(b: Build, frame: Frame, hasNode: (next: number) => boolean): void {
  const { scan } = b;
  frame.from = scan.starts[scan.head]!;
  frame.end = frame.from + 1;
  skip(scan);
  const next = peek(scan);
  if (next === Token.Failed) return;
  if (hasNode(next)) parseNode(b, true, false);
  else deliver(b, missing, frame.from + 1);
}

/** Whether the next token closes a flow collection, or ends it in the tolerant reading. */
function closes(b: Build, kind: number, closer: number): boolean {
  if (kind === closer) return true;
  if (!b.scan.tolerant) return false;
  return (
    kind === Token.FlowStop ||
    kind === Token.BlockEnd ||
    kind === Token.ListEnd ||
    kind === Token.FlowMapEnd ||
    isDocumentToken(kind)
  );
}

function closeFlow(b: Build, frame: Frame, kind: number, closer: number): void {
  const { scan } = b;
  if (kind !== closer) refuse(b, `did not find expected ',' or '${closer === Token.ListEnd ? ']' : '}'}'`);
  if (kind === closer || kind === Token.ListEnd || kind === Token.FlowMapEnd) {
    const end = scan.ends[scan.head]!;
    skip(scan);
    finish(b, frame, end);
    return;
  }
  if (kind === Token.FlowStop) skip(scan);
  finish(b, frame, Math.max(frame.end, frame.start + (frame.props?.bodyAt ?? 0) + 1));
}

/** Steps over the comma between two entries. False where the collection ends or the comma is missing. */
function nextEntry(b: Build, frame: Frame, kind: number, closer: number): boolean {
  if (closes(b, kind, closer)) {
    closeFlow(b, frame, kind, closer);
    return false;
  }
  if (frame.first) frame.first = false;
  else if (kind === Token.Comma) skip(b.scan);
  else return recoverEntry(b, kind, closer);
  return true;
}

function recoverEntry(b: Build, kind: number, closer: number): boolean {
  if (!refuse(b, `did not find expected ',' or '${closer === Token.ListEnd ? ']' : '}'}'`)) return false;
  // A missing comma is taken as read; what can start no entry is stepped over.
  if (kind === Token.Scalar || kind === Token.ListStart || kind === Token.FlowMapStart || kind === Token.Key)
    return true;
  if (kind === Token.Alias || kind === Token.Anchor || kind === Token.Tag) return true;
  skip(b.scan);
  return false;
}

function flowItem(b: Build, frame: Frame): void {
  const { scan } = b;
  const first = peek(scan);
  if (first === Token.Failed || !nextEntry(b, frame, first, Token.ListEnd)) return;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  if (closes(b, kind, Token.ListEnd)) {
    closeFlow(b, frame, kind, Token.ListEnd);
    return;
  }
  frame.from = scan.starts[scan.head]!;
  frame.end = frame.from;
  if (kind !== Token.Key) {
    flowNode(b);
    return;
  }
  const pair = newFrame(FrameType.FlowPair, frame.from);
  expectKey(pair, frame.from, scan.kinds[scan.head] === Token.Key && scan.marks[scan.head] === 0);
  skip(scan);
  b.stack.push(pair);
}

/** A node in a flow collection; the tolerant reading steps over what cannot be one. */
function flowNode(b: Build): void {
  const before = b.scan.head + b.scan.base;
  const depth = b.stack.length;
  parseNode(b, false, false);
  const { scan } = b;
  if (!scan.tolerant || scan.failed || b.stack.length !== depth || scan.head + scan.base !== before) return;
  const kind = peek(scan);
  if (kind !== Token.Comma && !closes(b, kind, Token.ListEnd)) skip(scan);
}

function flowPair(b: Build, frame: Frame): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  const ends = kind === Token.Comma || kind === Token.ListEnd || (scan.tolerant && closes(b, kind, Token.ListEnd));
  if (frame.pairs.length > 0) {
    finish(b, frame, frame.end);
    return;
  }
  if (frame.wait === Wait.KeyNode) {
    if (kind !== Token.Value && !ends) {
      flowNode(b);
      return;
    }
    // The reader steps over the token that it takes for the missing key.
    scan.readingsDiffer = true;
    const end = scan.ends[scan.head]!;
    if (!scan.tolerant || kind === Token.Value || kind === Token.Comma) skip(scan);
    deliver(b, missing, scan.tolerant ? frame.from + 1 : end);
    return;
  }
  if (kind !== Token.Value) {
    addPair(frame, missing, frame.keyStart + frame.key!.length);
    return;
  }
  frame.colon = scan.starts[scan.head]!;
  skip(scan);
  frame.wait = Wait.ValueNode;
  const next = peek(scan);
  if (next === Token.Failed) return;
  if (next === Token.Comma || next === Token.ListEnd || (scan.tolerant && closes(b, next, Token.ListEnd))) {
    deliver(b, missing, frame.colon + 1);
    return;
  }
  flowNode(b);
}

function flowKey(b: Build, frame: Frame): void {
  const { scan } = b;
  const first = peek(scan);
  if (first === Token.Failed || !nextEntry(b, frame, first, Token.FlowMapEnd)) return;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  if (closes(b, kind, Token.FlowMapEnd)) {
    closeFlow(b, frame, kind, Token.FlowMapEnd);
    return;
  }
  const start = scan.starts[scan.head]!;
  const explicit = kind === Token.Key && scan.kinds[scan.head] === Token.Key && scan.marks[scan.head] === 0;
  expectKey(frame, start, explicit);
  if (kind !== Token.Key) {
    frame.colon = noColon;
    flowNode(b);
    return;
  }
  skip(scan);
  const next = peek(scan);
  if (next === Token.Failed) return;
  if (next === Token.Value || next === Token.Comma || closes(b, next, Token.FlowMapEnd))
    deliver(b, missing, start + (explicit ? 1 : 0));
  else flowNode(b);
}

function flowColon(b: Build, frame: Frame): void {
  const { scan } = b;
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  if (frame.colon === noColon && kind === Token.Value) scan.readingsDiffer = true;
  const alone = kind !== Token.Value || (frame.colon === noColon && !scan.tolerant);
  if (alone) {
    addPair(frame, missing, frame.keyStart + frame.key!.length);
    return;
  }
  frame.colon = scan.starts[scan.head]!;
  skip(scan);
  frame.wait = Wait.ValueNode;
  const next = peek(scan);
  if (next === Token.Failed) return;
  if (next === Token.Comma || closes(b, next, Token.FlowMapEnd)) deliver(b, missing, frame.colon + 1);
  else flowNode(b);
}
