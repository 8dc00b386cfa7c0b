import { parseNode } from './buildNode.ts';
import {
  addPair,
  type Build,
  bodyStart,
  deliver,
  expectKey,
  type Frame,
  FrameType,
  finish,
  isDocumentToken,
  missing,
  newFrame,
  refuse,
  Wait,
} from './buildState.ts';
import { peek, skip } from './scan.ts';
import { Token } from './scanState.ts';

// Maps and lists in braces and brackets.

/** Stands for the place of the colon after a key that the scanner did not know as one: `{a}`. */
const noColon = -2;

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
  if (kind !== closer) refuse(b, missingCloser(closer), bodyStart(frame));
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
  else return recoverEntry(b, frame, kind, closer);
  return true;
}

function missingCloser(closer: number): string {
  return `did not find expected ',' or '${closer === Token.ListEnd ? ']' : '}'}'`;
}

function recoverEntry(b: Build, frame: Frame, kind: number, closer: number): boolean {
  if (!refuse(b, missingCloser(closer), bodyStart(frame))) return false;
  // A missing comma is taken as read; what can start no entry is stepped over.
  if (kind === Token.Scalar || kind === Token.ListStart || kind === Token.FlowMapStart || kind === Token.Key)
    return true;
  if (kind === Token.Alias || kind === Token.Anchor || kind === Token.Tag) return true;
  skip(b.scan);
  return false;
}

export function flowItem(b: Build, frame: Frame): void {
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

export function flowPair(b: Build, frame: Frame): void {
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

export function flowKey(b: Build, frame: Frame): void {
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

export function flowColon(b: Build, frame: Frame): void {
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
