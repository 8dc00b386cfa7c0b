import { lineStartBefore, type Range } from '../base/text.ts';
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

const emptyKey = /^( *)((?:- +)*)(?:[^\s#"'[\]{},:][^#"'[\]{},:]*|"[^"]*"|'[^']*')[ ]*:[ \t]*(?:#.*)?$/;

/** The nearest line above that says something, if it is a key without value. */
export function emptyKeyAbove(text: string, lineStart: number): EmptyKey | undefined {
  for (let end = lineStart; end > 0; ) {
    const start = lineStartBefore(text, end - 1 - Number(text[end - 1] === '\n' && text[end - 2] === '\r'));
    const line = text.slice(start, end).trimEnd();
    if (line !== '' && !/^\s*#/.test(line)) {
      const found = emptyKey.exec(line);
      return found ? { column: found[1]!.length + found[2]!.length, lineColumn: found[1]!.length } : undefined;
    }
    end = start;
  }
  return undefined;
}

/** By how many blanks a file indents: those of its first indented line. */
export function indentUnit(text: string): string {
  const found = /^( {1,8})[^\s#-]/m.exec(text);
  return found?.[1] ?? '  ';
}
