import type { CelType } from './types.ts';

/** A place as cel-go counts it: lines from 1, columns from 0 in code points. No place at all is −1:−1. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** What a problem is about, for those who word it or offer a fix. */
export type ProblemFact =
  | {
      readonly kind: 'undefined-field';
      readonly type: CelType;
      readonly field: string;
      /** `has()` or `.?` asks whether it is there. */
      readonly isAsked: boolean;
    }
  | { readonly kind: 'undeclared'; readonly name: string }
  | { readonly kind: 'no-overload'; readonly name: string; readonly args: readonly CelType[]; readonly member: boolean }
  | {
      readonly kind: 'mismatch';
      readonly expected: CelType;
      readonly actual: CelType;
      /** Of two entries of a list or map. */
      readonly isOfEntries?: true;
    };

/** Something wrong with an expression: cel-go's message, and the offset it points at; −1 points nowhere. */
export interface CelProblem {
  readonly at: number;
  readonly message: string;
  /** Where the offending part starts and ends in the text, where that is more than a point. */
  readonly start?: number;
  readonly end?: number;
  readonly fact?: ProblemFact;
}

const maxReported = 100;
const maxSnippetBytes = 16_384;
const wideDot = '．';
const wideCaret = '＾';

/** The offset of problems that point nowhere. */
export const nowhere = -1;
/** The offset of problems that point before the first column, as cel-go's do where a node has no text. */
export const beforeStart = -2;

function locationOf(text: string, at: number): Location {
  if (at === nowhere) return { line: -1, column: -1 };
  if (at === beforeStart) return { line: 1, column: -1 };
  let line = 1;
  let lineStart = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
    line++;
    lineStart = i + 1;
  }
  return { line, column: codePoints(text, lineStart, at) };
}

/** How many code points stand between two offsets. */
export function codePoints(text: string, from: number, to: number): number {
  let count = to - from;
  for (let i = from; i < to - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}

export interface DisplayOptions {
  /** cel-go 0.20 counts a line's first character as the end of the line before, but for syntax errors. */
  readonly lineStartEndsLine: boolean;
}

function placeOf(text: string, problem: CelProblem, options: DisplayOptions): Location {
  const where = locationOf(text, problem.at);
  if (!options.lineStartEndsLine || where.line < 2 || where.column > 0) return where;
  if (problem.message.startsWith('Syntax error: ')) return where;
  const before = locationOf(text, problem.at - 1);
  return { line: before.line, column: before.column + 1 };
}

/** All problems as cel-go prints them: by place, with the line and a caret under the column. */
export function displayProblems(text: string, problems: readonly CelProblem[], options: DisplayOptions): string {
  const total = problems.length;
  const lines = text.split('\n');
  const shown = problems.slice(0, maxReported);
  const reported = shown.map((problem) => ({ problem, where: placeOf(text, problem, options) }));
  reported.sort((a, b) => a.where.line - b.where.line || a.where.column - b.where.column);
  const texts = reported.map(({ problem, where }) => display(lines, text, where, problem.message));
  if (total > maxReported) texts.push(`${total - maxReported} more errors were truncated`);
  return texts.join('\n');
}

function display(lines: readonly string[], text: string, where: Location, message: string): string {
  const head = `ERROR: <input>:${where.line}:${where.column + 1}: ${message}`;
  const line = where.line < 1 ? undefined : lines[where.line - 1];
  if (line === undefined || text === '' || utf8Length(line) > maxSnippetBytes) return head;
  const snippet = line.replaceAll('\t', ' ');
  return `${head}\n | ${snippet}\n | ${indicator(snippet, where.column)}`;
}

function indicator(snippet: string, column: number): string {
  let mark = '';
  let i = Math.min(column, 0);
  for (const char of snippet) {
    const wide = char.charCodeAt(0) >= 0x80;
    if (i === column) return `${mark}${wide ? wideCaret : '^'}`;
    mark += wide ? wideDot : '.';
    i++;
  }
  return `${mark}^`;
}

function utf8Length(text: string): number {
  let length = 0;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
