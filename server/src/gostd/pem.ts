import { decodeBase64 } from './base64.ts';
import { utf8 } from './bytes.ts';

/** A block as Go's encoding/pem finds it. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
  /** Where the text behind the block starts. */
  readonly next: number;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

/** The first block that is whole, at or behind an offset. */
export function nextPemBlock(text: string, from: number): PemBlock | undefined {
  for (let at = from; ; ) {
    const ending = text.indexOf(end, at);
    if (ending < 0) return undefined;
    const tried = blockBefore(text, at, ending);
    if (tried === 'nothing follows') return undefined;
    if (tried) return tried;
    at = ending + end.length;
  }
}

/** The block that a line `-----END` ends; it starts with the last `-----BEGIN` before. */
function blockBefore(text: string, from: number, ending: number): PemBlock | 'nothing follows' | undefined {
  const trailer = ending + end.length;
  const start = text.slice(from, ending).lastIndexOf(begin);
  if (start < 0 || (start > 0 && text[from + start - 1] !== '\n')) return undefined;
  const first = lineAt(text, from + start + begin.length);
  if (!first.line.endsWith(dashes)) return undefined;
  const type = first.line.slice(0, -dashes.length);
  const body = behindHeaders(text, first.next);
  if (body === undefined) return 'nothing follows';
  const hasHeaders = body > first.next;
  if (hasHeaders && ending < body) return trailer < body ? 'nothing follows' : undefined;
  const last = type + dashes;
  if (!text.startsWith(last, trailer) || lineAt(text, trailer + last.length).line !== '') return undefined;
  const bytes = decoded(text.slice(body, Math.max(body, ending)));
  return bytes && { type, hasHeaders, bytes, next: lineAt(text, trailer).next };
}

/** Lines with a colon are headers, wherever the block ends. Undefined where the text ends with one. */
function behindHeaders(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; ) {
    const { line, next } = lineAt(text, at);
    if (!line.includes(':')) return at;
    at = next;
  }
  return undefined;
}

function decoded(body: string): Uint8Array | undefined {
  const result = decodeBase64(utf8(body.replace(/[ \t]/g, '')));
  return 'bytes' in result ? result.bytes : undefined;
}

/** A line without its break and the blanks before it. */
function lineAt(text: string, from: number): { readonly line: string; readonly next: number } {
  const found = text.indexOf('\n', from);
  const next = found < 0 ? text.length : found + 1;
  let stop = found < 0 ? text.length : found;
  if (found > from && text[stop - 1] === '\r') stop--;
  while (stop > from && (text[stop - 1] === ' ' || text[stop - 1] === '\t')) stop--;
  return { line: text.slice(from, stop), next };
}
