import { append } from '../base/append.ts';
import { T } from './lex.ts';

/** What a literal stands for. */
export type LiteralValue =
  | { readonly of: 'bool'; readonly value: boolean }
  | { readonly of: 'bytes'; readonly value: Uint8Array }
  | { readonly of: 'double'; readonly value: number }
  | { readonly of: 'int' | 'uint'; readonly value: bigint }
  | { readonly of: 'null'; readonly value: null }
  | { readonly of: 'string'; readonly value: string };

/** What a literal's text means, or cel-go's message where it means nothing. */
type Read<Value> = { readonly value: Value } | { readonly error: string };

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** Small ints, which most are. */
const smallInts: readonly bigint[] = Array.from({ length: 256 }, (_, i) => BigInt(i));

function readInt(digits: string, negative: boolean): Read<bigint> {
  if (digits.length <= 3 && !negative) {
    const small = smallInts[+digits];
    if (small !== undefined) return { value: small };
  }
  const magnitude = BigInt(digits);
  const value = negative ? -magnitude : magnitude;
  return value < minInt || value > maxInt ? { error: 'invalid int literal' } : { value };
}

/** The text carries its `u`. */
function readUint(text: string): Read<bigint> {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? { error: 'invalid uint literal' } : { value };
}

function readDouble(text: string, negative: boolean): Read<number> {
  const magnitude = Number(text);
  if (!Number.isFinite(magnitude)) return { error: 'invalid double literal' };
  return { value: negative ? -magnitude : magnitude };
}

const cannotUnescape = 'unable to unescape string';
const replacement = '\ufffd';
const badCodePoint = 'invalid unicode code point';

/** The text between the quotes, with line ends made `\n`, and whether it is raw. */
function body(text: string): { readonly inner: string; readonly raw: boolean } {
  const raw = text[0] === 'r' || text[0] === 'R';
  const from = raw ? 1 : 0;
  const quote = text[from];
  const width = text.length - from >= 6 && text[from + 1] === quote && text[from + 2] === quote ? 3 : 1;
  const inner = text.slice(from + width, text.length - width);
  return { inner: inner.includes('\r') ? inner.replace(/\r\n?/g, '\n') : inner, raw };
}

const simple: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
  '`': 96,
  '?': 63,
};

/** One escape sequence: its code, whether it stands for a byte, and the offset behind it. */
interface Escape {
  readonly code: number;
  readonly numeric: boolean;
  readonly end: number;
}

function readEscape(inner: string, at: number): Escape {
  const char = inner[at + 1]!;
  const code = simple[char];
  if (code !== undefined) return { code, numeric: false, end: at + 2 };
  const width = char === 'x' || char === 'X' ? 2 : char === 'u' ? 4 : char === 'U' ? 8 : 0;
  if (width > 0)
    return { code: Number.parseInt(inner.slice(at + 2, at + 2 + width), 16), numeric: true, end: at + 2 + width };
  return { code: Number.parseInt(inner.slice(at + 1, at + 4), 8), numeric: true, end: at + 4 };
}

function validRune(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** `lenient` is cel-go up to 0.22: half of a surrogate pair becomes the replacement character. */
function readString(text: string, lenient = false): Read<string> {
  const { inner, raw } = body(text);
  if (raw || !inner.includes('\\')) return { value: inner };
  let value = '';
  for (let i = 0; i < inner.length; ) {
    const slash = inner.indexOf('\\', i);
    if (slash < 0) return { value: value + inner.slice(i) };
    value += inner.slice(i, slash);
    const { code, numeric, end } = readEscape(inner, slash);
    const valid = !numeric || validRune(code);
    if (!valid && !lenient) return { error: badCodePoint };
    if (code > 0x10ffff) return { error: cannotUnescape };
    value += valid ? String.fromCodePoint(code) : replacement;
    i = end;
  }
  return { value };
}

const utf8 = new TextEncoder();

/** The text carries its `b`. */
function readBytes(text: string): Read<Uint8Array> {
  const { inner, raw } = body(text.slice(1));
  if (raw || !inner.includes('\\')) return { value: utf8.encode(inner) };
  const bytes: number[] = [];
  for (let i = 0; i < inner.length; ) {
    const slash = inner.indexOf('\\', i);
    append(bytes, utf8.encode(inner.slice(i, slash < 0 ? inner.length : slash)));
    if (slash < 0) break;
    const char = inner[slash + 1];
    if (char === 'u' || char === 'U') return { error: cannotUnescape };
    const { code, end } = readEscape(inner, slash);
    bytes.push(code);
    i = end;
  }
  return { value: Uint8Array.from(bytes) };
}

/** What a token is as a literal, or why it is none that CEL knows; undefined where it is not a literal at all. */
export function readLiteral(
  kind: number,
  text: string,
  negative: boolean,
  lenientEscapes: boolean,
): LiteralValue | { readonly error: string } | undefined {
  switch (kind) {
    case T.string:
      return as('string', readString(text, lenientEscapes));
    case T.int:
      return as('int', readInt(text, negative));
    case T.true:
      return { of: 'bool', value: true };
    case T.false:
      return { of: 'bool', value: false };
    case T.null:
      return { of: 'null', value: null };
    case T.float:
      return as('double', readDouble(text, negative));
    case T.uint:
      return as('uint', readUint(text));
    case T.bytes:
      return as('bytes', readBytes(text));
    default:
      return undefined;
  }
}

function as(of: LiteralValue['of'], read: Read<LiteralValue['value']>): LiteralValue | { readonly error: string } {
  return 'error' in read ? read : ({ of, value: read.value } as LiteralValue);
}
