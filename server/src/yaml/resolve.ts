/** What a scalar is by YAML 1.1 as the API server reads it. */
import { decodeBase64 } from '../gostd/base64.ts';
import type { ScalarNode } from './node.ts';

/** bigint: an integer of up to 64 bits, signed or not; number: a float. */
export type Typed = null | boolean | bigint | number | string;

export type Resolved = { readonly value: Typed } | { readonly error: string };

const long = 'tag:yaml.org,2002:';
const words = new Map<string, Typed>();
for (const word of ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']) words.set(word, true);
for (const word of ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']) words.set(word, false);
for (const word of ['', '~', 'null', 'Null', 'NULL']) words.set(word, null);
for (const word of ['.nan', '.NaN', '.NAN']) words.set(word, Number.NaN);
for (const word of ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']) words.set(word, Infinity);
for (const word of ['-.inf', '-.Inf', '-.INF']) words.set(word, -Infinity);

/** By code: whether text that starts with a character can be something else than a string. */
const mayMean: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '-+0123456789yYnNtTfFoO~.'.includes(String.fromCharCode(code)),
);
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

/** Go's ParseInt and ParseUint with base 0, of text without underscores: what fits in 64 bits. */
function integer(text: string): bigint | undefined {
  const parts = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(text);
  if (!parts) return undefined;
  const [, sign, hex, binary, octal, decimal] = parts;
  const digits = hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : decimal!;
  return inRange(sign!, BigInt(digits));
}

function inRange(sign: string, size: bigint): bigint | undefined {
  if (sign === '-') return -size < int64.min ? undefined : -size;
  return size > (sign === '' ? int64.unsigned : int64.max) ? undefined : size;
}

const floatStyle = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

/** Go's ParseFloat refuses what is out of range. */
function float(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** After a leading dot Go's own syntax counts, with underscores between digits. */
function dotFloat(text: string): number | undefined {
  if (!/^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/.test(text)) return undefined;
  return float(text.replaceAll('_', ''));
}

const usual = /^(?:0|[1-9][0-9]{0,14})$/;

function numeric(text: string): Typed {
  if (usual.test(text)) return BigInt(text);
  const plain = text.replaceAll('_', '');
  const whole = integer(plain);
  if (whole !== undefined) return whole;
  if (floatStyle.test(plain)) return float(plain) ?? text;
  const signed = /^0b([-+]?)([01]+)$/.exec(plain);
  return (signed && inRange(signed[1]!, BigInt(`0b${signed[2]}`))) ?? text;
}

/** What plain text without a tag is. */
export function resolvePlain(text: string): Typed {
  const c = text.charCodeAt(0);
  if (text !== '' && mayMean[c] !== true) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (c === 46) return dotFloat(text) ?? text;
  return c < 58 ? numeric(text) : text;
}

export function resolveScalar(node: ScalarNode): Resolved {
  const tag = node.props?.tag;
  if (tag === undefined) return { value: node.style === 'plain' ? resolvePlain(node.value) : node.value };
  return resolveTagged(tag, node.value);
}

/** Whether a key is the merge key. */
export function isMergeKey(node: ScalarNode): boolean {
  if (node.value !== '<<') return false;
  const tag = node.props?.tag;
  return tag === undefined ? node.style === 'plain' : tag === '!' || tag === `${long}merge`;
}

function resolveTagged(tag: string, text: string): Resolved {
  const name = tag.startsWith(long) ? tag.slice(long.length) : '';
  switch (name) {
    case 'binary':
      return resolveBinary(text);
    case 'bool':
    case 'int':
    case 'float':
    case 'null':
    case 'timestamp':
      return resolveAs(name, text);
    default:
      return { value: text };
  }
}

function kindOf(value: Typed): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float';
  return typeof value === 'boolean' ? 'bool' : 'str';
}

function resolveAs(wanted: string, text: string): Resolved {
  const value = resolvePlain(text);
  if (wanted === 'timestamp' && isTimestamp(text)) return { value: text };
  const kind = kindOf(value);
  if (kind === wanted) return { value };
  // An unsigned integer beyond int64 is refused as a float.
  if (wanted === 'float' && typeof value === 'bigint' && value <= int64.max) return { value: Number(value) };
  return { error: `yaml: cannot decode !!${kind} \`${text}\` as a !!${wanted}` };
}

const date =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

export function isTimestamp(text: string): boolean {
  const parts = date.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number];
  const [hour, minute, second] = (parts[4] ? parts.slice(4, 7) : parts.slice(9, 12)).map((part) => Number(part ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate())
    return false;
  // Of an offset Go takes 24 hours and 60 minutes, too.
  return hour! < 24 && minute! < 60 && second! < 60 && Number(parts[7] ?? 0) <= 24 && Number(parts[8] ?? 0) <= 60;
}

function resolveBinary(text: string): Resolved {
  const decoded = decodeBase64(new TextEncoder().encode(text));
  if ('corruptAt' in decoded) return { error: 'yaml: !!binary value contains invalid base64 data' };
  return { value: fromUtf8(decoded.bytes) };
}

/** Go reads each byte that is not UTF-8 as one replacement character. */
function fromUtf8(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; ) {
    const length = runeLength(bytes[at]!);
    const rune = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + length));
    const valid = Array.from(rune).length === 1 && (rune !== '\ufffd' || bytes[at] === 0xef);
    const whole = valid && at + length <= bytes.length;
    out += whole ? rune : '\ufffd';
    at += whole ? length : 1;
  }
  return out;
}

function runeLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
