import { simpleEscapes } from './escapes.ts';
/** Texts as scalars, in the style that the YAML library of Kubernetes' Go programs takes for them. */
import { isTimestamp, resolvePlain } from './resolve.ts';

export interface ScalarPlace {
  /** The column of its first character. */
  readonly column: number;
  /** The column of its further lines; undefined where it cannot have any, as a key. */
  readonly indent: number | undefined;
}

/** A line is broken at the first blank behind this column. */
const width = 80;

const breaks = /[\n\r\u0085\u2028\u2029]/;
const blankAtBreak = / [\n\u2028\u2029]/;
const breakAtBlank = /[\n\u2028\u2029] /;

/** Tabs are among them, and, as halves, all that is beyond 16 bits. */
const unprintable = /[^\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** What means something in YAML: at the start of a text, behind a word, in front of one. */
const syntax = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?: |$))|:(?: |$)| #/;

/** Minutes and seconds are numbers for readers of YAML 1.1, although not for this one. */
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

export function goScalar(text: string, place: ScalarPlace): string {
  if (text.includes('\n')) return canBeLiteral(text) ? literal(text, place.indent ?? 0) : doubleQuoted(text, place);
  if (!isReadAsText(text)) return doubleQuoted(text, place);
  if (canBePlain(text)) return isOneLine(text, place) ? text : folded([...text], place);
  return canBeSingleQuoted(text) ? singleQuoted(text, place) : doubleQuoted(text, place);
}

export function hasBreak(text: string): boolean {
  return breaks.test(text);
}

function isReadAsText(text: string): boolean {
  return resolvePlain(text) === text && !isTimestamp(text) && !base60.test(text);
}

function canBePlain(text: string): boolean {
  return !unprintable.test(text) && !syntax.test(text) && !breaks.test(text) && !/^ | $/.test(text);
}

function canBeSingleQuoted(text: string): boolean {
  return !unprintable.test(text) && !blankAtBreak.test(text) && !breakAtBlank.test(text);
}

function canBeLiteral(text: string): boolean {
  return !unprintable.test(text) && !blankAtBreak.test(text) && !text.endsWith(' ');
}

function literal(text: string, indent: number): string {
  const lines = text.replace(/[^\n\u2028\u2029]+/g, (line) => ' '.repeat(indent) + line);
  // How far it is indented cannot be seen by a first line that starts with a blank.
  return `|${/^[ \n\u2028\u2029]/.test(text) ? '2' : ''}${chomping(text)}\n${lines}`;
}

/** Whether none, one or all of the breaks at the end belong to the text. */
function chomping(text: string): string {
  if (!hasBreak(text.slice(-1))) return '-';
  return text.length === 1 || hasBreak(text.at(-2)!) ? '+' : '';
}

/** Whether no line of a text can be broken: most are short, or have no blank. */
function isOneLine(written: string, { column, indent }: ScalarPlace): boolean {
  const isShort = indent === undefined || column + written.length <= width || !written.includes(' ');
  return isShort && !hasBreak(written);
}

function singleQuoted(text: string, { column, indent }: ScalarPlace): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (isOneLine(quoted, { column, indent })) return quoted;
  const pieces = Array.from(text, (char) => (char === "'" ? "''" : char));
  return `'${folded(pieces, { column: column + 1, indent })}'`;
}

function doubleQuoted(text: string, { column, indent }: ScalarPlace): string {
  if (!mustEscape(text) && isOneLine(text, { column: column + 2, indent })) return `"${text}"`;
  // The library asks whether the text, not the character, is a byte order mark.
  const all = text.startsWith('\ufeff');
  const pieces = Array.from(text, (char) => (all || mustEscape(char) ? escaped(char) : char));
  return `"${folded(pieces, { column: column + 1, indent }, true)}"`;
}

/** Broken at lone blanks; between double quotes at several as well, where a backslash keeps the others. */
function folded(pieces: readonly string[], { column, indent }: ScalarPlace, canKeep = false): string {
  if (indent === undefined) return pieces.join('');
  const pad = ' '.repeat(indent);
  let out = '';
  let at = column;
  for (const [i, piece] of pieces.entries()) {
    const next = pieces[i + 1];
    const isInside = i > 0 && next !== undefined;
    if (piece === ' ' && at > width && isInside && pieces[i - 1] !== ' ' && (canKeep || next !== ' ')) {
      const kept = next === ' ' ? '\\' : '';
      out += `\n${pad}${kept}`;
      at = indent + kept.length;
    } else if (hasBreak(piece)) {
      const isLineNext = next !== undefined && !hasBreak(next);
      out += isLineNext ? piece + pad : piece;
      at = isLineNext ? indent : 0;
    } else {
      out += piece;
      at += piece.length;
    }
  }
  return out;
}

function mustEscape(text: string): boolean {
  return text.includes('"') || text.includes('\\') || unprintable.test(text) || breaks.test(text);
}

/** What Go programs write otherwise: a tab by its letter, blanks and single quotes by their codes. */
const notWritten: ReadonlySet<string> = new Set(['\t', ' ', "'"]);

/** Characters that they write with an escape of their own. */
const letters: ReadonlyMap<string, string> = new Map(
  [...simpleEscapes].filter(([letter]) => !notWritten.has(letter)).map(([letter, char]) => [char, letter]),
);

function escaped(char: string): string {
  const code = char.codePointAt(0)!;
  const [letter, digits] =
    code <= 0xff ? (['x', 2] as const) : code <= 0xffff ? (['u', 4] as const) : (['U', 8] as const);
  return `\\${letters.get(char) ?? letter + code.toString(16).toUpperCase().padStart(digits, '0')}`;
}
