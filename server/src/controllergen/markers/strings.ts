/** The strings of marker arguments, and where each of their characters is written. */
import type { TextMap } from './model.ts';

const simple = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
]);

/** The decoded units, each with the text it comes from. */
interface Trace {
  value: string;
  readonly starts: number[];
  readonly ends: number[];
}

/** Go's strconv.Unquote of a literal that starts at `offset` of the file; undefined where it is none. */
export function unquote(literal: string, offset: number): TextMap | undefined {
  const kind = literal[0]!;
  if (literal.length < 2 || !literal.endsWith(kind)) return undefined;
  const trace: Trace = { value: '', starts: [], ends: [] };
  const isRead = kind === '`' ? traceRaw(literal, trace, offset) : traceQuoted(literal, trace, offset);
  return isRead ? mapOf(trace, offset + 1) : undefined;
}

/** A string without quotes, as it is written. */
export function bareText(value: string, offset: number): TextMap {
  const inside = (at: number): number => Math.max(0, Math.min(at, value.length));
  return {
    value,
    toText: (at) => offset + inside(at),
    toTextEnd: (at) => offset + inside(at + 1),
    toValue: (at) => (at < offset || at > offset + value.length ? undefined : at - offset),
  };
}

function add(trace: Trace, text: string, start: number, end: number): void {
  trace.value += text;
  for (let i = 0; i < text.length; i++) {
    trace.starts.push(start);
    trace.ends.push(end);
  }
}

function traceRaw(literal: string, trace: Trace, offset: number): boolean {
  for (let at = 1; at < literal.length - 1; at++) {
    if (literal[at] !== '\r') add(trace, literal[at]!, offset + at, offset + at + 1);
  }
  return !literal.slice(1, -1).includes('`');
}

function traceQuoted(literal: string, trace: Trace, offset: number): boolean {
  for (let at = 1; at < literal.length - 1; ) {
    const next = literal[at]!;
    if (next === '"' || next === '\n') return false;
    const part = next === '\\' ? escapeAt(literal, at) : { text: next, length: 1 };
    if (!part || at + part.length > literal.length - 1) return false;
    add(trace, part.text, offset + at, offset + at + part.length);
    at += part.length;
  }
  return true;
}

interface Part {
  readonly text: string;
  readonly length: number;
}

const numeric = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3}))/y;
const bytes = /(?:\\(?:x[89a-fA-F][0-9a-fA-F]|[23][0-7]{2}))+/y;

function escapeAt(literal: string, at: number): Part | undefined {
  const known = simple.get(literal[at + 1]!);
  if (known !== undefined) return { text: known, length: 2 };
  numeric.lastIndex = at;
  const [written, hex, short, long, octal] = numeric.exec(literal) ?? [];
  if (written === undefined) return undefined;
  const code = octal === undefined ? Number.parseInt(hex ?? short ?? long!, 16) : Number.parseInt(octal, 8);
  const isByte = hex !== undefined || octal !== undefined;
  if (isByte) return code > 0xff ? undefined : code < 0x80 ? partOf(code, written) : bytesAt(literal, at);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return isSurrogate || code > 0x10ffff ? undefined : partOf(code, written);
}

function partOf(code: number, written: string): Part {
  return { text: String.fromCodePoint(code), length: written.length };
}

/** Bytes above ASCII that follow each other are UTF-8 together. */
function bytesAt(literal: string, at: number): Part {
  bytes.lastIndex = at;
  const [written = ''] = bytes.exec(literal) ?? [];
  const values = Array.from(written.matchAll(/\\(?:x(..)|(...))/g), ([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal!, 8) : Number.parseInt(hex, 16),
  );
  return { text: new TextDecoder().decode(new Uint8Array(values)), length: written.length };
}

function mapOf({ value, starts, ends }: Trace, from: number): TextMap {
  const end = ends.at(-1) ?? from;
  return {
    value,
    toText: (at) => (at <= 0 ? from : (starts[at] ?? end)),
    toTextEnd: (at) => ends[Math.max(0, Math.min(at, value.length - 1))] ?? from,
    toValue: (at) => {
      if (at < from || at > end) return undefined;
      return firstBeyond(ends, at);
    },
  };
}

/** The index of the first of ordered numbers that is greater. */
function firstBeyond(ordered: readonly number[], least: number): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle]! > least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The literal that a string is in a marker: in backquotes where that saves escapes. */
export function quoted(value: string): string {
  return /["\\]/.test(value) && !/[`\r\n]/.test(value) ? `\`${value}\`` : JSON.stringify(value);
}
