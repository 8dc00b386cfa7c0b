/** Offsets in a text, in UTF-16 units; `end` is the first offset that no longer belongs. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The same range so many characters further on. */
export function movedRange({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by };
}

/** A text that is cut where it is longer than that. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** `1 file`, `2 files`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The replacement of a range of a text. */
/** A whole number as it is read, 20,000: what writes it by a language's rules takes 20 ms to load. */
export function grouped(count: number | bigint): string {
  if (count < 0) return `-${grouped(-count)}`;
  const digits = String(count);
  let out = digits.slice(0, digits.length % 3 || 3);
  for (let at = out.length; at < digits.length; at += 3) out += `,${digits.slice(at, at + 3)}`;
  return out;
}

export interface TextEdit {
  readonly range: Range;
  readonly text: string;
}

/** The lines of a text as editors count them: `\n`, `\r\n` and a lone `\r` end a line. Lines count from 0. */
export interface LineIndex {
  readonly count: number;
  /** The line of an offset; offsets outside the text belong to the first or last line. */
  lineAt(offset: number): number;
  lineStart(line: number): number;
  /** Where the line's content ends, before its line break. */
  lineEnd(line: number): number;
  /** The index of what an edit makes of the text: only the lines of the edit are looked for. */
  edited(edit: TextEdit, after: string): LineIndex;
}

const LF = 10;
const CR = 13;

function startsOf(text: string): number[] {
  const starts = [0];
  const hasCr = text.includes('\r');
  for (let i = 0; ; ) {
    const at = hasCr ? nextBreak(text, i) : text.indexOf('\n', i);
    if (at === -1) return starts;
    i = text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
    starts.push(i);
  }
}

function nextBreak(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === LF || code === CR) return i;
  }
  return -1;
}

/** The index of the last entry of a sorted list that is not above a number; 0 where all are. */
export function lastNotAbove(sorted: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle]! <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The starts after an edit; those of the lines behind it move along. */
function startsAfter(starts: ArrayLike<number>, { range, text }: TextEdit): Int32Array {
  const kept = lastNotAbove(starts, range.start) + 1;
  const behind = lastNotAbove(starts, range.end) + 1;
  const put = startsOf(text);
  const all = new Int32Array(kept + put.length - 1 + starts.length - behind);
  if (starts instanceof Int32Array) all.set(starts.subarray(0, kept));
  else for (let i = 0; i < kept; i++) all[i] = starts[i]!;
  for (let i = 1; i < put.length; i++) all[kept + i - 1] = range.start + put[i]!;
  const [to, by] = [kept + put.length - 1 - behind, text.length - (range.end - range.start)];
  for (let i = behind; i < starts.length; i++) all[i + to] = starts[i]! + by;
  return all;
}

/** The line index of a text, built when it is first asked. A text that is known to have no `\r` is not looked into then. */
export function lineIndex(text: string, known?: ArrayLike<number>, isWithoutCr?: true): LineIndex {
  let found = known;
  let withCr: boolean | undefined = isWithoutCr ? false : undefined;
  const hasCr = () => {
    withCr ??= text.includes('\r');
    return withCr;
  };
  const starts = () => {
    found ??= startsOf(text);
    return found;
  };
  return {
    edited: (edit, after) => {
      // A break may come to be between two characters that were apart.
      if (hasCr() || edit.text.includes('\r')) return lineIndex(after);
      return lineIndex(after, startsAfter(starts(), edit), true);
    },
    get count() {
      return starts().length;
    },
    lineAt: (offset) => lastNotAbove(starts(), offset),
    lineStart: (line) => starts()[Math.max(0, Math.min(line, starts().length - 1))]!,
    lineEnd: (line) => {
      if (line >= starts().length - 1) return text.length;
      const next = starts()[Math.max(0, line) + 1]!;
      if (!hasCr()) return next - 1;
      return text.charCodeAt(next - 1) === LF && text.charCodeAt(next - 2) === CR ? next - 2 : next - 1;
    },
  };
}

/** The start of the line that an offset is on. */
export function lineStartBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== LF && text.charCodeAt(at - 1) !== CR) at--;
  return at;
}

/** The lines that a range is in. */
export function linesAround(text: string, { start, end }: Range): string {
  const lineEnd = text.indexOf('\n', end);
  return text.slice(lineStartBefore(text, start), lineEnd === -1 ? undefined : lineEnd);
}

/** How many UTF-16 units stand before an offset on its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStartBefore(text, offset);
}

/** The text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let out = '';
  let at = 0;
  const sorted = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  for (const { range, text: inserted } of sorted) {
    out += text.slice(at, range.start) + inserted;
    at = range.end;
  }
  return out + text.slice(at);
}

/** Where two texts differ: everything before `start` is the same, and everything from `end` and from `endAfter` on. */
export interface Difference {
  readonly start: number;
  readonly end: number;
  readonly endAfter: number;
}

/**
 * Where a text differs from what it was before two edits, of which the first is known. The later one is in the text between,
 * which it changed by putting so many characters between `start` and `end`, wherever those are.
 */
export function alsoEdited(first: Difference | undefined, { start, end }: Range, inserted: number): Difference {
  const [from, to] = [Math.min(start, end), Math.max(start, end)];
  const grown = inserted - (end - start);
  if (!first) return { start: from, end: to, endAfter: to + grown };
  const beyond = Math.max(0, to - first.endAfter);
  return {
    start: Math.min(first.start, from),
    end: first.end + beyond,
    endAfter: first.endAfter + beyond + grown,
  };
}

const block = 4096;

export function difference(before: string, after: string): Difference {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start + block <= shorter && before.slice(start, start + block) === after.slice(start, start + block))
    start += block;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const most = shorter - start;
  const tail = (text: string, from: number, to: number) => text.slice(text.length - to, text.length - from);
  while (same + block <= most && tail(before, same, same + block) === tail(after, same, same + block)) same += block;
  while (same < most && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same))
    same++;
  return { start, end: before.length - same, endAfter: after.length - same };
}

/** Where the run of characters begins that a text ends with; `one` matches a single character. */
export function runAtEnd(text: string, one: RegExp, end = text.length): number {
  let at = end;
  while (at > 0 && one.test(text[at - 1]!)) at--;
  return at;
}

/** A text with its line breaks, and the blanks around them, as one blank each. */
export function onOneLine(text: string): string {
  const lines = text.split(/[\r\n]/);
  const last = lines.length - 1;
  if (last === 0) return text;
  const between = lines.slice(1, last).map((line) => line.trim());
  return [lines[0]!.trimEnd(), ...between.filter((line) => line !== ''), lines[last]!.trimStart()].join(' ');
}

/** Where a word stands that is not part of a longer one, from an offset on; -1 where it does not. */
export function findWord(text: string, word: string, from = 0): number {
  for (let at = text.indexOf(word, from); at !== -1 && word !== ''; at = text.indexOf(word, at + word.length)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + word.length])) return at;
  }
  return -1;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** A text that begins as a sentence does. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same text as one that keeps nothing else alive: a part that is cut out of a text may keep all of it. */
export function ownText(text: string): string {
  // V8 copies short parts anyway.
  if (text.length < 13) return text;
  return `\0${text}`.slice(1);
}
