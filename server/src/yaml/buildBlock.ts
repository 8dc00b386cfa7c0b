import { columnOf } from '../base/text.ts';
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
  startsNode,
  Wait,
} from './buildState.ts';
import { peek, skip } from './scan.ts';
import { Token } from './scanState.ts';

// Maps and lists by indentation.

export function blockKey(b: Build, frame: Frame): void {
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
    if (refuse(b, 'did not find expected key', bodyStart(frame))) recoverKey(b, frame, kind);
    return;
  }
  const explicit = scan.kinds[scan.head] === Token.Key && scan.marks[scan.head] === 0;
  skip(scan);
  expectKey(frame, start, explicit);
  if (startsNode(peek(scan))) parseNode(b, true, true);
  else deliver(b, missing, explicit ? start + 1 : start);
}

export function blockColon(b: Build, frame: Frame): void {
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

/** Tolerant reading: something that is not a key stands where a key is expected. */
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

export function blockItem(b: Build, frame: Frame): void {
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
  if (!refuse(b, "did not find expected '-' indicator", bodyStart(frame))) return;
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

export function indentlessItem(b: Build, frame: Frame): void {
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
