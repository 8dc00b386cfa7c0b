import { lineStartBefore, type Range } from '../../base/text.ts';
import type { Cursor } from './cursor.ts';

/** A line on which nothing but the beginning of an entry stands: blanks, dashes, a word. */
export interface EntryLine {
  readonly indent: string;
  /** The dashes with the blanks behind them. */
  readonly dashes: string;
  /** The word around the cursor, in the file. */
  readonly word: Range;
}

export function entryLine({ file, placed, offset }: Cursor): EntryLine | undefined {
  const { text } = file.stream;
  const at = placed.start + offset;
  const start = lineStartBefore(text, at);
  const before = /^([ \t]*)((?:-[ \t]+)*)([\w./-]*)$/.exec(text.slice(start, at));
  const behind = /^([\w./-]*)[ \t]*(?:[\r\n,#]|$)/.exec(text.slice(at, at + 200));
  if (!before || !behind || (before[3] === '' && behind[1] !== '')) return undefined;
  const [, indent = '', dashes = '', word = ''] = before;
  // A dash alone is the beginning of an item, not of a word.
  if (word.startsWith('-')) return undefined;
  return { indent, dashes, word: { start: at - word.length, end: at + behind[1]!.length } };
}

/** The key without a value that stands above a line. */
export interface EmptyKey {
  /** Its column, and that of the first character of its line. */
  readonly column: number;
  readonly lineColumn: number;
}

/** The columns of a line that is nothing but a key with its colon, dashes before it and a comment behind it. */
function emptyKeyIn(line: string): EmptyKey | undefined {
  const lineColumn = runOf(line, 0, ' ');
  let column = lineColumn;
  while (line.startsWith('- ', column)) column = runOf(line, column + 1, ' ');
  const end = keyEnd(line, column);
  const colon = end === undefined ? -1 : runOf(line, end, ' ');
  if (end === column || line[colon] !== ':') return undefined;
  const rest = line.slice(colon + 1).trimStart();
  return rest === '' || rest.startsWith('#') ? { column, lineColumn } : undefined;
}

function runOf(line: string, start: number, char: string): number {
  let at = start;
  while (line[at] === char) at++;
  return at;
}

/** Behind a key that begins at a column; undefined where none does. */
function keyEnd(line: string, start: number): number | undefined {
  const quote = line[start];
  if (quote === '"' || quote === "'") {
    const close = line.indexOf(quote, start + 1);
    return close === -1 ? undefined : close + 1;
  }
  if (/\s/.test(quote ?? ' ')) return undefined;
  let at = start;
  while (at < line.length && !'#"\'[]{},:'.includes(line[at]!)) at++;
  return at;
}

/** The nearest line above that says something, if it is a key without value. */
export function emptyKeyAbove(text: string, lineStart: number): EmptyKey | undefined {
  for (let end = lineStart; end > 0; ) {
    const start = lineStartBefore(text, end - 1 - Number(text[end - 1] === '\n' && text[end - 2] === '\r'));
    const line = text.slice(start, end).trimEnd();
    if (line !== '' && !/^\s*#/.test(line)) {
      return emptyKeyIn(line);
    }
    end = start;
  }
  return undefined;
}

/** By how many blanks a file indents: those of its first indented line. */
export function indentUnit(text: string): string {
  const found = /^( {1,8})[^\s#]/m.exec(text);
  return found?.[1] ?? '  ';
}
