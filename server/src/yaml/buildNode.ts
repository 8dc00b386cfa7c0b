import type { Range } from '../base/text.ts';
import {
  type Build,
  closeAnchor,
  deliver,
  FrameType,
  isDocumentToken,
  missing,
  newFrame,
  type OpenAnchor,
  refuse,
} from './buildState.ts';
import type { AliasNode, Node, Properties, ScalarNode } from './node.ts';
import { peek, skip } from './scan.ts';
import { type Directive, note, Token } from './scanState.ts';

// One node: its properties, and an alias, a scalar, or the collection that it opens.

interface Head {
  start: number;
  props: Properties | undefined;
  anchor: OpenAnchor | undefined;
}

export function parseNode(b: Build, block: boolean, indentless: boolean): void {
  const { scan } = b;
  if (peek(scan) === Token.Alias) {
    parseAlias(b);
    return;
  }
  if (peek(scan) === Token.Scalar) {
    deliverScalar(b, scan.starts[scan.head]!, undefined, undefined);
    return;
  }
  const head = parseProperties(b);
  const kind = peek(scan);
  if (kind === Token.Failed) return;
  const i = scan.head;
  if (kind === Token.Scalar) {
    deliverScalar(b, head.start, head.props, head.anchor);
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
  if (refuse(b, 'did not find expected node content', head.start)) {
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
  return scan.tolerant && !scan.failed;
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

function deliverScalar(b: Build, start: number, props: Properties | undefined, anchor: OpenAnchor | undefined): void {
  const { scan } = b;
  const i = scan.head;
  const scalar = scan.facts[i] as ScalarNode;
  const length = Math.min(scan.ends[i]!, scan.end) - start;
  skip(scan);
  const node = props || length !== scalar.length ? { ...scalar, length, props } : scalar;
  deliver(b, closeAnchor(b, anchor, node), start);
}

function open(b: Build, type: number, { start, props, anchor }: Head): void {
  const { scan } = b;
  b.stack.push(newFrame(type, start, props, anchor));
  // The mark or bracket that opens it; an indentless list has none.
  if (type !== FrameType.Indentless) skip(scan);
}
