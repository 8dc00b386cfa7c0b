/** A tree as goyaml.v3 writes it for kustomize: lists not indented, no line broken, comments left out. */

import type { Node } from './node.ts';
import { resolveText } from './resolve.ts';

interface At {
  /** The column in which the lines of a block start. */
  readonly column: number;
  readonly isFlow: boolean;
  readonly isKey: boolean;
}

export function writeNode(node: Node): string {
  const at = { column: 0, isFlow: false, isKey: false };
  return isBlock(node, at) ? block(node, 0) : ended(inline(node, at));
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function isBlock(node: Node, at: At): boolean {
  return (
    (node.kind === 'map' || node.kind === 'list') && !at.isFlow && node.style !== 'flow' && node.content.length > 0
  );
}

/** The lines of a block; the first one without its indent. */
function block(node: Node, column: number): string {
  const pad = ' '.repeat(column);
  const lines: string[] = [];
  if (node.kind === 'list') for (const item of node.content) lines.push(`- ${value(item, column + 2, true)}`);
  else {
    for (let i = 0; i + 1 < node.content.length; i += 2) {
      const key = inline(node.content[i]!, { column: column + 2, isFlow: false, isKey: true });
      lines.push(`${key}:${valueOfKey(node.content[i + 1]!, column)}`);
    }
  }
  return lines.join(pad);
}

/** A value in place, such as behind a dash, with the end of its last line. */
function value(node: Node, column: number, inList: boolean): string {
  const at = { column, isFlow: false, isKey: false };
  if (isBlock(node, at)) return `${properties(node)}${block(node, column)}`;
  const text = inline(node, inList ? { ...at, column: column - 0 } : at);
  return ended(text);
}

function valueOfKey(node: Node, column: number): string {
  const at = { column: column + 2, isFlow: false, isKey: false };
  if (!isBlock(node, at)) {
    const text = inline(node, at);
    return ended(text === '' ? '' : ` ${text}`);
  }
  const inner = node.kind === 'list' ? column : column + 2;
  const written = properties(node).trimEnd();
  return `${written && ` ${written}`}\n${' '.repeat(inner)}${block(node, inner)}`;
}

function properties(node: Node): string {
  return node.tagged && node.tag !== '' ? `${node.tag} ` : '';
}

function inline(node: Node, at: At): string {
  if (node.kind === 'alias') return `*${node.value}`;
  if (node.kind === 'map') return `${properties(node)}{${flowPairs(node, at)}}`;
  if (node.kind === 'list') {
    const inside = { ...at, isFlow: true, isKey: false };
    return `${properties(node)}[${node.content.map((item) => inline(item, inside)).join(', ')}]`;
  }
  return node.kind === 'none' ? 'null' : scalar(node, at);
}

function flowPairs(node: Node, at: At): string {
  const pairs: string[] = [];
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    const key = inline(node.content[i]!, { ...at, isFlow: true, isKey: true });
    const text = inline(node.content[i + 1]!, { ...at, isFlow: true, isKey: false });
    pairs.push(`${key}: ${text}`);
  }
  return pairs.join(', ');
}

type Quotes = 'plain' | 'single' | 'double' | 'literal' | 'folded';

function scalar(node: Node, at: At): string {
  const { tag, force } = shownTag(node);
  const style = styleOf(node, force, at, tag !== '');
  const shown = written(node.value, style, at.column);
  if (tag === '') return shown;
  return shown === '' ? tag : `${tag} ${shown}`;
}

/** The tag that has to be written, and whether quotes do the same. */
export function shownTag(node: Node): { readonly tag: string; readonly force: boolean } {
  if (node.tag === '' || node.tagged) return { tag: node.tag, force: false };
  if (node.tag === '!!str' && node.style !== '' && node.style !== 'flow') return { tag: '', force: false };
  const read = resolveText(node.value).tag;
  if (read === node.tag) return { tag: '', force: false };
  return node.tag === '!!str' ? { tag: '', force: true } : { tag: node.tag, force: false };
}

function styleOf(node: Node, force: boolean, at: At, hasTag: boolean): Quotes {
  const wanted = wantedStyle(node, force);
  const found = analysis(node.value);
  const isOneLine = at.isKey || at.isFlow;
  if (wanted === 'plain') {
    const allowed = at.isFlow ? found.plainInFlow : found.plain;
    const isEmpty = node.value === '' && isOneLine;
    if (allowed && !isEmpty && !(at.isKey && found.lines)) return 'plain';
  }
  if (wanted === 'plain' || wanted === 'single')
    return found.single && !(at.isKey && found.lines) ? 'single' : 'double';
  if (wanted === 'double') return 'double';
  return !found.block || isOneLine || (hasTag && at.isKey) ? 'double' : wanted;
}

function wantedStyle({ style, value }: Node, force: boolean): Quotes {
  if (style !== '' && style !== 'flow') return style;
  if (value.includes('\n')) return 'literal';
  return force ? 'double' : 'plain';
}

/** Whether a scalar without quotes is read again as what it is. */
export function canBePlain(text: string, isFlow: boolean): boolean {
  const found = analysis(text);
  return isFlow ? found.plainInFlow : found.plain;
}

interface Analysis {
  readonly plain: boolean;
  readonly plainInFlow: boolean;
  readonly single: boolean;
  readonly block: boolean;
  readonly lines: boolean;
}

const simple = /^[A-Za-z0-9_./][A-Za-z0-9_./+-]*$/;
const easy: Analysis = { plain: true, plainInFlow: true, single: true, block: true, lines: false };
const breaks = /[\n\r\u0085\u2028\u2029]/;
const unprintable = /[^\t\n -~\u0085\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\ud800-\udfff]/;
const blockSyntax = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:\s|$))|:(?:\s|$)|\s#/;
const flowSyntax = /^[?:]|^-(?:\s|$)|[,?[\]{}:]/;

function analysis(text: string): Analysis {
  if (simple.test(text)) return easy;
  if (text === '') return { plain: true, plainInFlow: false, single: true, block: false, lines: false };
  const lines = breaks.test(text);
  const special = unprintable.test(text);
  const outer = /^[ \n]|[ \n]$/.test(text);
  const spaceBreak = / [\n\u2028\u2029]/.test(text);
  const plain = !lines && !special && !outer && !blockSyntax.test(text) && !text.includes('\t');
  return {
    plain,
    plainInFlow: plain && !flowSyntax.test(text),
    single: !special && !spaceBreak && !/[\n\u2028\u2029] /.test(text) && !text.includes('\t'),
    block: !special && !spaceBreak && !text.endsWith(' '),
    lines,
  };
}

function written(text: string, style: Quotes, column: number): string {
  if (style === 'plain') return text;
  if (style === 'single') return `'${text.replaceAll("'", "''").replace(/\n/g, '\n\n')}'`;
  if (style === 'double') return doubleQuoted(text);
  return blockScalar(text, style, column);
}

function blockScalar(text: string, style: Quotes, column: number): string {
  const pad = ' '.repeat(Math.max(column, 2));
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = style === 'folded' ? foldedBody(text) : text;
  return `${style === 'folded' ? '>' : '|'}${hint}${chomp}\n${body.replace(/[^\n]+/g, (line) => pad + line)}`;
}

/**
 * A break between two lines is written as two, unless the line before it begins with a blank. The library means to ask
 * about the line behind it as well, but asks about the first one.
 */
function foldedBody(text: string): string {
  const doubles = !/^[\n]*(?:[ \t]|$)/.test(text);
  let out = '';
  let atStart = true;
  let blank = true;
  for (const char of text) {
    if (char === '\n') {
      if (!atStart && !blank && doubles) out += '\n';
      atStart = true;
    } else if (atStart) {
      blank = char === ' ' || char === '\t';
      atStart = false;
    }
    out += char;
  }
  return out;
}

/** What is read of a folded text that was written; undefined where it is not written as one. */
export function foldedAgain(text: string): string | undefined {
  if (!text.slice(0, -1).includes('\n') || !analysis(text).block) return undefined;
  return `a: ${blockScalar(text, 'folded', 2)}`;
}

const short = new Map(
  Object.entries({
    '\0': '\\0',
    '\x07': '\\a',
    '\b': '\\b',
    '\t': '\\t',
    '\n': '\\n',
    '\v': '\\v',
    '\f': '\\f',
    '\r': '\\r',
    '\x1b': '\\e',
    '"': '\\"',
    '\\': '\\\\',
    '\u0085': '\\N',
    '\u2028': '\\L',
    '\u2029': '\\P',
  }),
);

function doubleQuoted(text: string): string {
  const pieces = Array.from(text, (char) => {
    const known = short.get(char);
    if (known) return known;
    if (!unprintable.test(char) && char !== '\ufeff') return char;
    const code = char.codePointAt(0)!;
    const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
    return `\\${letter}${code
      .toString(16)
      .toUpperCase()
      .padStart(digits as number, '0')}`;
  });
  return `"${pieces.join('')}"`;
}
