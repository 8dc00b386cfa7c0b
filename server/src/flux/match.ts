/** Patterns of shells, as Flux's envsubst matches them: `*` goes over slashes as well. All over bytes. */
import { goBytes } from '../gostd/bytes.ts';

/** A text as one character for each of its bytes. */
export function bytesOf(text: string): string {
  return Array.from(goBytes(text), (byte) => String.fromCharCode(byte)).join('');
}

/** The pattern means nothing. */
export class BadPattern extends Error {}

/** Counts what is done. */
export interface Budget {
  left: number;
}

/** Too much would have to be tried. */
export class TooMuchMatching extends Error {}

interface Chunk {
  readonly star: boolean;
  readonly chunk: string;
  readonly rest: string;
}

/** Whether a pattern fits all of a name. */
export function matches(pattern: string, name: string, budget: Budget): boolean {
  let [left, text] = [pattern, name];
  while (left !== '') {
    const { star, chunk, rest } = chunkOf(left);
    left = rest;
    if (star && chunk === '') return true;
    const end = afterChunk(chunk, text, budget, rest === '', star);
    if (end === undefined) return false;
    text = end;
  }
  return text === '';
}

/** What is behind a chunk at the beginning of a text, or behind a star anywhere in it. */
function afterChunk(chunk: string, text: string, budget: Budget, isLast: boolean, star: boolean): string | undefined {
  for (let at = 0; at <= (star ? text.length : 0); at++) {
    const rest = matchChunk(chunk, text.slice(at), budget);
    if (rest !== undefined && (rest === '' || !isLast)) return rest;
  }
  return undefined;
}

function chunkOf(pattern: string): Chunk {
  let start = 0;
  while (pattern[start] === '*') start++;
  let inRange = false;
  let at = start;
  for (; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '[') inRange = true;
    else if (character === ']') inRange = false;
    else if (character === '*' && !inRange) break;
  }
  return { star: start > 0, chunk: pattern.slice(start, at), rest: pattern.slice(at) };
}

function matchChunk(chunk: string, text: string, budget: Budget): string | undefined {
  let at = 0;
  for (let i = 0; i < chunk.length; ) {
    if (budget.left-- <= 0) throw new TooMuchMatching('a pattern takes too long to match');
    if (at >= text.length) return undefined;
    const [rune, width] = runeAt(text, at);
    if (chunk[i] === '[') {
      const range = rangeIn(chunk, i + 1, rune);
      if (!range.fits) return undefined;
      i = range.end;
      at += width;
      continue;
    }
    if (chunk[i] === '?') at += width;
    else {
      if (chunk[i] === '\\' && ++i >= chunk.length) throw new BadPattern();
      if (chunk[i] !== text[at]) return undefined;
      at++;
    }
    i++;
  }
  return text.slice(at);
}

/** A range in brackets, from behind the first one. */
function rangeIn(chunk: string, start: number, rune: number): { readonly fits: boolean; readonly end: number } {
  const isNegated = chunk[start] === '^';
  let at = isNegated ? start + 1 : start;
  let fits = false;
  for (let nth = 0; !(chunk[at] === ']' && nth > 0); nth++) {
    const low = edgeAt(chunk, at);
    const high = chunk[low.end] === '-' ? edgeAt(chunk, low.end + 1) : low;
    if (low.rune <= rune && rune <= high.rune) fits = true;
    at = high.end;
  }
  return { fits: fits !== isNegated, end: at + 1 };
}

/** One end of a range; behind it there has to be more. */
function edgeAt(chunk: string, start: number): { readonly rune: number; readonly end: number } {
  const first = chunk[start];
  const at = first === '\\' ? start + 1 : start;
  if (first === undefined || first === '-' || first === ']' || at >= chunk.length) throw new BadPattern();
  const [rune, width] = runeAt(chunk, at);
  if ((rune === 0xfffd && width === 1) || at + width >= chunk.length) throw new BadPattern();
  return { rune, end: at + width };
}

/** The character whose bytes begin at an offset, and how many those are. */
function runeAt(bytes: string, at: number): readonly [number, number] {
  const first = bytes.charCodeAt(at);
  if (first < 0x80) return [first, 1];
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const taken = Uint8Array.from(bytes.slice(at, at + width), (byte) => byte.charCodeAt(0));
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(taken);
  const rune = text.codePointAt(0) ?? 0xfffd;
  return text.length === (rune > 0xffff ? 2 : 1) && rune !== 0xfffd
    ? [rune, width]
    : [0xfffd, isReplacement(taken) ? 3 : 1];
}

/** The bytes of the character that stands for what is none. */
function isReplacement(bytes: Uint8Array): boolean {
  return bytes.length === 3 && bytes[0] === 0xef && bytes[1] === 0xbf && bytes[2] === 0xbd;
}
