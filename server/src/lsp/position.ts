import type { Position, Range as ProtocolRange } from 'vscode-languageserver';
import { type LineIndex, lineIndex, type Range } from '../base/text.ts';

/** How the client counts characters in a line. */
export type Encoding = 'utf-8' | 'utf-16';

/** Turns offsets of a text into the protocol's positions and back. */
export interface Positions {
  toPosition(offset: number): Position;
  toOffset(position: Position): number;
  toRange(range: Range): ProtocolRange;
}

export function positionsOf(text: string, encoding: Encoding, lines: LineIndex = lineIndex(text)): Positions {
  const toPosition = (offset: number): Position => {
    const line = lines.lineAt(offset);
    const start = lines.lineStart(line);
    // Between the two characters of a line's end there is no place of the protocol's.
    const at = Math.min(offset, lines.lineEnd(line));
    return { line, character: encoding === 'utf-16' ? at - start : utf8Length(text, start, at) };
  };
  const toOffset = ({ line, character }: Position): number => {
    if (line >= lines.count) return text.length;
    const start = lines.lineStart(line);
    const end = lines.lineEnd(line);
    if (encoding === 'utf-16') return Math.min(start + character, end);
    return advanceUtf8(text, start, end, character);
  };
  return { toPosition, toOffset, toRange: ({ start, end }) => ({ start: toPosition(start), end: toPosition(end) }) };
}

function utf8Length(text: string, start: number, end: number): number {
  let length = 0;
  for (let i = start; i < end; ) {
    const point = text.codePointAt(i)!;
    length += utf8Bytes(point);
    i += point > 0xffff ? 2 : 1;
  }
  return length;
}

function advanceUtf8(text: string, start: number, end: number, bytes: number): number {
  let at = start;
  for (let left = bytes; at < end && left > 0; ) {
    const point = text.codePointAt(at)!;
    left -= utf8Bytes(point);
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function utf8Bytes(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
