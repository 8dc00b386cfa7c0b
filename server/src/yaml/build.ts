/**
 * Tokens to a tree. The stack is explicit, so that depth costs memory and not the call stack. Which token may follow
 * which is the API server's reader's grammar; where it refuses, the tolerant reading goes on with the likeliest tree.
 */
import { blockColon, blockItem, blockKey, indentlessItem } from './buildBlock.ts';
import { flowColon, flowItem, flowKey, flowPair } from './buildFlow.ts';
import { parseNode } from './buildNode.ts';
import { type Build, deliver, type Frame, FrameType, isDocumentToken, missing, refuse, Wait } from './buildState.ts';
import type { Node } from './node.ts';
import { peek, skip } from './scan.ts';
import { type Directive, type Scan, Token } from './scanState.ts';

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
