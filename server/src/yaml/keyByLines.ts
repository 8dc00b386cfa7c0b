import type { Range } from '../base/text.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import type { YamlDocument } from './document.ts';

// Where a key stands in a document of which the value is known and the tree is not: to make the tree of a CRD of a megabyte
// for the place of one keyword takes longer than to judge a resource by it. The lines of a block tell its keys by their
// column. What could be taken for a key and is none, as in a text over several lines, shows in that the names of a block's
// lines are not those of the value, in its order: then nothing is said, and the tree has to be made.

/** The lines that hold something: where it begins, and in which column. */
interface Lines {
  readonly starts: readonly number[];
  readonly columns: readonly number[];
}

/** Lines of a block, of which the first may begin behind a dash. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly column: number;
}

interface Entry {
  /** The range of the key, or the place of the dash. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** The range of the key at a path of a document, if its lines tell it. */
export function keyByLines(document: YamlDocument, value: Value, path: Path): Range | undefined {
  const lines = linesOf(document);
  const whole = blockFrom(lines, 0, lines.starts.length);
  return whole?.start === document.rootStart ? keyIn({ text: document.text, lines }, whole, value, path) : undefined;
}

interface Walk {
  readonly text: string;
  readonly lines: Lines;
}

function keyIn(walk: Walk, block: Block, value: Value | undefined, [step, ...rest]: Path): Range | undefined {
  const isOfMap = isMap(value);
  const entries = isOfMap ? keysOf(walk, block, value) : isList(value) ? itemsOf(walk, block, value.length) : undefined;
  const index = isOfMap ? [...value.keys()].indexOf(String(step)) : Number(step);
  const entry = entries?.[index];
  if (!entry) return undefined;
  if (rest.length === 0) return isOfMap ? { start: entry.start, end: entry.end } : undefined;
  const to = entries?.[index + 1]?.line ?? block.to;
  const next = isOfMap ? below(walk, entry, to) : behindDash(walk, block, entry, to);
  return next && keyIn(walk, next, valueAt(value, [step!]), rest);
}

function blockFrom({ starts, columns }: Lines, from: number, to: number): Block | undefined {
  return from < to ? { from, to, start: starts[from]!, column: columns[from]! } : undefined;
}

const restOfLine = /[ \t]*(?:#.*)?\r?$/my;

/** The block in the lines below a key. */
function below({ text, lines }: Walk, { end, line }: Entry, to: number): Block | undefined {
  restOfLine.lastIndex = end + 1;
  return restOfLine.test(text) ? blockFrom(lines, line + 1, to) : undefined;
}

const blanks = / +/y;

function behindDash({ text }: Walk, { column }: Block, { start, line }: Entry, to: number): Block | undefined {
  blanks.lastIndex = start + 1;
  const [gap] = blanks.exec(text) ?? [];
  if (!gap) return undefined;
  const width = 1 + gap.length;
  return { from: line, to, start: start + width, column: column + width };
}

const plainKey = /[A-Za-z_][\w$./-]*(?=:(?:[ \r\n]|$))/y;
const dash = /-(?=[ \r\n]|$)/y;

/** The entries of a block, if they are those of the value. */
function keysOf({ text, lines }: Walk, block: Block, value: ValueMap): readonly Entry[] | undefined {
  const names = value.keys();
  const entries: Entry[] = [];
  for (const { line, start } of atColumn(lines, block)) {
    const name = matchAt(plainKey, text, start);
    // A list may stand in the column of its key.
    if (name === undefined && entries.length > 0 && matchAt(dash, text, start)) continue;
    if (name === undefined || name !== names.next().value) return undefined;
    entries.push({ start, end: start + name.length, line });
  }
  return entries.length === value.size && !leavesBlock(lines, block) ? entries : undefined;
}

function itemsOf({ text, lines }: Walk, block: Block, length: number): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  for (const { line, start } of atColumn(lines, block)) {
    if (!matchAt(dash, text, start)) return undefined;
    entries.push({ start, end: start + 1, line });
  }
  return entries.length === length && !leavesBlock(lines, block) ? entries : undefined;
}

function matchAt(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

/** The lines of a block that begin in its column. */
function* atColumn(
  { starts, columns }: Lines,
  { from, to, start, column }: Block,
): Iterable<{ line: number; start: number }> {
  yield { line: from, start };
  for (let line = from + 1; line < to; line++) if (columns[line] === column) yield { line, start: starts[line]! };
}

function leavesBlock({ columns }: Lines, { from, to, column }: Block): boolean {
  for (let line = from + 1; line < to; line++) if (columns[line]! < column) return true;
  return false;
}

/** Not a memo: they are let go again, as the tree is. */
const known = new WeakMap<YamlDocument, WeakRef<Lines>>();

function linesOf(document: YamlDocument): Lines {
  const kept = known.get(document)?.deref();
  if (kept) return kept;
  const lines = readLines(document);
  known.set(document, new WeakRef(lines));
  return lines;
}

function readLines({ text, rootStart }: YamlDocument): Lines {
  const starts: number[] = [];
  const columns: number[] = [];
  let lineStart = text.lastIndexOf('\n', rootStart - 1) + 1;
  while (lineStart < text.length) {
    let at = lineStart;
    while (text.charCodeAt(at) === blank) at++;
    const first = text.charCodeAt(at);
    if (at < text.length && first !== lineFeed && first !== carriageReturn && first !== hash) {
      starts.push(at);
      columns.push(at - lineStart);
    }
    const end = text.indexOf('\n', at);
    lineStart = end === -1 ? text.length : end + 1;
  }
  return { starts, columns };
}

const blank = 0x20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const hash = 0x23;
