import { lineIndex, type TextEdit } from '../../base/text.ts';
import { styleOf } from '../../yaml/edit.ts';
import { parseDocument, type YamlDocument } from '../../yaml/parse.ts';
import { editedText, fixOf } from '../fixing/fixes.ts';
import { triesOf } from '../fixing/tries.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';

/** What is tried on a line: only what leaves fewer mistakes in the text is offered. */
interface Attempt {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly number: number;
}

/** Texts that can be read, and that differ little from one that cannot. */
export function syntaxFixes({ document, range }: Problem): Fix[] {
  const index = lineIndex(document.text);
  const at = index.lineAt(range.start);
  const lineOf = (number: number): Line => {
    const start = index.lineStart(number);
    return { text: document.text.slice(start, index.lineEnd(number)), start, number };
  };
  const lines = [at, at - 1, at + 1].filter((number) => number >= 0 && number < index.count).map(lineOf);
  const all = Array.from({ length: index.count }, (_, number) => number);
  const attempts = [
    ...withoutTabs(document, all.map(lineOf)),
    ...lines.flatMap(blankAfterColon),
    ...[...lines, ...all.slice(0, at).reverse().map(lineOf).filter(isOpen).slice(0, 1)].flatMap(closedQuote),
    ...lines.slice(0, 2).flatMap((line) => otherIndents(line, lineOf, index.count)),
    ...quotedValue(lines[0]!),
  ];
  const better = attempts.slice(0, triesOf(document.text.length)).flatMap((attempt) => {
    const { readerError, problems } = parseDocument(editedText(document.text, attempt.edits));
    const isReadable = readerError === undefined;
    return isReadable || problems.length < document.problems.length ? [{ ...attempt, isReadable }] : [];
  });
  const readable = better.filter(({ isReadable }) => isReadable);
  return (readable.length > 0 ? readable : better).flatMap(({ title, edits }) => fixOf(title, edits, false));
}

const insertion = (at: number, text: string): TextEdit => ({ range: { start: at, end: at }, text });

/** All tabs before the text of lines at once: one alone seldom makes a difference. */
function withoutTabs(document: YamlDocument, lines: readonly Line[]): Attempt[] {
  const { step } = styleOf(document);
  const edits = lines.flatMap(({ text, start }) => {
    const indent = /^[ \t]*/.exec(text)![0];
    if (!indent.includes('\t')) return [];
    return [{ range: { start, end: start + indent.length }, text: indent.replaceAll('\t', ' '.repeat(step)) }];
  });
  return edits.length === 0 ? [] : [{ title: 'Indent with spaces', edits }];
}

function blankAfterColon({ text, start }: Line): Attempt[] {
  const key = /^ *(?:- +)*[\w./-]+:(?=[^\s/])/.exec(text);
  if (!key) return [];
  return [{ title: 'Add a space after the colon', edits: [insertion(start + key[0].length, ' ')] }];
}

/** An odd number of quotes: one that is open here is only found where another line has quotes. */
function isOpen({ text }: Line): boolean {
  return ['"', "'"].some((quote) => text.split(quote).length % 2 === 0);
}

/** In longer lines no quotes are mended: what is looked for in them takes more than linear time. */
const longestLine = 1000;

/** A quote that begins a value and is not closed on its line. */
function closedQuote({ text, start }: Line): Attempt[] {
  if (text.length > longestLine) return [];
  const open = /^ *(?:- +)*(?:[\w./-]+: +)?(["'])((?:(?!\1).)*)$/.exec(text);
  if (!open) return [];
  const end = start + text.replace(/\s+#.*$|\s+$/, '').length;
  return [{ title: 'Close the quote', edits: [insertion(end, open[1]!)] }];
}

/** A line in the columns of the lines around it. */
function otherIndents(line: Line, lineOf: (number: number) => Line, count: number): Attempt[] {
  const own = columnOf(line);
  const near = [line.number - 1, line.number + 1].filter((number) => number >= 0 && number < count).map(lineOf);
  const columns = [...new Set([...near.filter(isText).map(columnOf), own - 1, own + 1])];
  return columns
    .filter((column) => column >= 0 && column !== own && Math.abs(column - own) <= 2)
    .map((column) => {
      const range = { start: line.start, end: line.start + own };
      const title = `Indent line ${line.number + 1} by ${column}`;
      return { title, edits: [{ range, text: ' '.repeat(column) }] };
    });
}

const isText = ({ text }: Line) => /^ *[^\s#]/.test(text);
const columnOf = ({ text }: Line) => /^ */.exec(text)![0].length;

/** A value that begins or goes on with something that means more to YAML than it looks. */
function quotedValue({ text, start }: Line): Attempt[] {
  if (text.length > longestLine) return [];
  const value = /^( *(?:- +)*[\w./-]+: +)([^"'\s#[{|>&].*?)\s*(?:\s#.*)?$/.exec(text);
  if (!value) return [];
  const from = start + value[1]!.length;
  const own = value[2]!;
  const quoted = `'${own.replaceAll("'", "''")}'`;
  return [{ title: 'Quote the value', edits: [{ range: { start: from, end: from + own.length }, text: quoted }] }];
}
