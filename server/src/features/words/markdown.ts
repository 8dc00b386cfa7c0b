import { printable } from '../../base/printable.ts';
import { onOneLine } from '../../base/text.ts';

// The one place where Markdown is made. Whoever wrote a CRD must not load pictures from the network, or offer commands of
// the editor, in the cards and pages of those who read it: a text of a document becomes Markdown here alone, as text in
// which nothing means anything, or as code. `npm run fuzz -- --attack --only markdown` reads what comes of it with the
// parsers of editors.

/** Markdown, and the same as plain text for editors that show no other. Only this file makes one. */
export class Markdown {
  readonly source: string;
  readonly plain: string;
  // Nothing else of the same form is taken for one.
  readonly #isEmpty: boolean;

  constructor(source: string, plain: string, _: typeof ownKey) {
    this.source = source;
    this.plain = plain;
    this.#isEmpty = source === '';
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  toJSON(): string {
    return this.source;
  }
}

const ownKey = Symbol('markdown');

const made = (source: string, plain: string) => new Markdown(source, plain, ownKey);

type Part = Markdown | string | number;

/** Markdown of ours with texts of others: what is put in is text, unless it is Markdown already. */
export function md(ours: TemplateStringsArray, ...parts: readonly Part[]): Markdown {
  const all = ours.flatMap((words, i) => [framing(words), ...(i < parts.length ? [asMarkdown(parts[i]!)] : [])]);
  return made(all.map(({ source }) => source).join(''), all.map(({ plain }) => plain).join(''));
}

/** What is ours around a text: its marks begin in one piece and end in another. */
const framing = (words: string) => made(words, plainText(words).replaceAll('*', '').replaceAll('<br>', '\n'));

const asMarkdown = (part: Part) => (part instanceof Markdown ? part : text(String(part)));

/** Words of this program that are Markdown: never those of a document. */
export function own(markdown: string): Markdown {
  return made(markdown, plainText(markdown));
}

/** Several after one another, without those that are empty. */
export function joined(parts: readonly Markdown[], separator: string): Markdown {
  const all = parts.filter((part) => !part.isEmpty);
  return made(all.map(({ source }) => source).join(separator), all.map(({ plain }) => plain).join(separator));
}

/** Parts with empty lines in between. */
export const blocks = (...parts: readonly Markdown[]) => joined(parts, '\n\n');

export const list = (items: readonly Markdown[]) =>
  joined(
    // All lines of an item are its own.
    items.map(({ source, plain }) => made(`- ${source.replaceAll('\n', '\n  ')}`, `- ${plain}`)),
    '\n',
  );

/** A text on one line in which nothing means anything, wherever it is put. */
export function text(words: string): Markdown {
  const line = oneLine(words);
  return made(escaped(line), line);
}

/** What CommonMark or GitHub's own additions would read as something: links, pictures, HTML, addresses, code, emphasis. */
const meaning = /[\\`*[\]<&~$@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<=\/)\//g;

function escaped(line: string): string {
  return (
    line
      .replace(meaning, '\\$&')
      // Inside of a table a backslash would not do.
      .replaceAll('|', '&#124;')
      .replace(/(?<=www)\./gi, '\\.')
      // At the start of a line: lists, headings, quotes, and what goes on where the part before it ended.
      .replace(/^( ?)(?=[#>+=\-./]|:-)/, '$1\\')
      .replace(/^( ?\d{1,9})(?=[.)](?: |$))/, '$1\\')
  );
}

/** A text as code on one line, whatever backquotes it holds. */
export function code(words: string): Markdown {
  const line = printable(onOneLine(words));
  const longest = longestFence(line);
  const fence = '`'.repeat(1 + longest);
  // Without anything in it, it would be the beginning of another.
  const padded = longest > 0 || line.trim() === '' ? ` ${line} ` : line;
  return made(fence + padded + fence, line);
}

/** A text as code on lines of its own, which nothing in it ends. */
export function fenced(language: string, words: string): Markdown {
  const lines = linesOf(words.trimEnd()).map(printable).join('\n');
  const fence = '`'.repeat(Math.max(3, 1 + longestFence(lines)));
  return made(`${fence}${language}\n${lines}\n${fence}`, lines);
}

function longestFence(words: string): number {
  return (words.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

const linesOf = (words: string) => words.split(/\r\n|[\n\r\u2028\u2029]/);

const oneLine = (words: string) => printable(words.replace(/\s+/g, ' '));

/** A line as people write them: what is between backquotes is code, between double asterisks bold, all else is text. */
export function words(written: string): Markdown {
  const line = oneLine(written).trim();
  const parts: Markdown[] = [];
  let at = 0;
  for (const { start, end, fence } of codeSpans(line)) {
    const inside = line.slice(start + fence, end - fence);
    const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.includes('`');
    parts.push(emphasized(line.slice(at, start)), code(isPadded ? inside.slice(1, -1) : inside));
    at = end;
  }
  return joined([...parts, emphasized(line.slice(at))], '');
}

function emphasized(line: string): Markdown {
  const parts = line.split(/\*\*([^\s*]|[^\s*][^*]*[^\s*])\*\*/);
  return joined(
    parts.map((part, i) => (i % 2 === 0 ? text(part) : md`**${part}**`)),
    '',
  );
}

/** What is between backquotes, each as many as in front of it. */
function codeSpans(line: string): { start: number; end: number; fence: number }[] {
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ start: run.index, fence: run[0].length }));
  const nextAlike: (number | undefined)[] = [];
  const known = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const { fence } = runs[i]!;
    nextAlike[i] = known.get(fence);
    known.set(fence, i);
  }
  const spans = [];
  for (let i = 0; i < runs.length; i++) {
    const closing = nextAlike[i];
    if (closing === undefined) continue;
    const { start, fence } = runs[i]!;
    spans.push({ start, fence, end: runs[closing]!.start + fence });
    i = closing;
  }
  return spans;
}

/** A label that leads to an address. */
export function link(label: string, address: string): Markdown {
  const plain = address.replace(/[\s()<>\\[\]]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  // Brackets that are escaped by backslashes are brackets again to the reader of cards, once it has found the link.
  const shown = escaped(oneLine(label)).replace(/\\(.)/g, (both, char: string) => {
    return char === '[' ? '&#91;' : char === ']' ? '&#93;' : both;
  });
  return made(`[${shown}](${plain})`, oneLine(label));
}

/** A table. */
export function table(head: readonly string[], rows: readonly (readonly Markdown[])[]): Markdown {
  const cell = (one: Markdown) => {
    // A bar in code is escaped for the table, which is split before code is read. One behind a backslash cannot be, and
    // a cell has one line.
    if (/\n|\\\|/.test(one.source)) return text(one.plain);
    return made(one.source.replaceAll('|', '\\|'), one.plain);
  };
  const line = (cells: readonly Markdown[]) => md`| ${joinedAll(cells.map(cell), ' | ')} |`;
  return joined([line(head.map(text)), own(`|${'---|'.repeat(head.length)}`), ...rows.map(line)], '\n');
}

/** Parts below one another in a cell of a table: nothing but HTML begins a line there. */
export const inCell = (parts: readonly Markdown[]) => {
  const { source } = joined(parts, '<br>');
  return made(source, joined(parts, ' ').plain);
};

function joinedAll(parts: readonly Markdown[], separator: string): Markdown {
  return made(parts.map(({ source }) => source).join(separator), parts.map(({ plain }) => plain).join(separator));
}

/**
 * A text of several lines, such as a description: its paragraphs, lists and code stay what they are, everything else in it
 * is text.
 */
export function prose(description: string): Markdown {
  const lines = linesOf(description.trim());
  const parts: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const next = codeAt(lines, at) ?? lineAt(lines[at]!);
    if (next) parts.push(next.block);
    at += next?.lines ?? 1;
    if (!next) parts.push({ kind: 'gap', markdown: own('') });
  }
  return parts.reduce((all, { kind, markdown }, i) => {
    if (kind === 'gap' || all.isEmpty) return all.isEmpty ? markdown : all;
    const before = parts[i - 1]!.kind;
    const isApart = before === 'gap' || before === 'code' || kind === 'code' || (kind === 'item' && before !== 'item');
    return joined([all, markdown], isApart ? '\n\n' : '\n');
  }, own(''));
}

interface Block {
  readonly kind: 'line' | 'item' | 'code' | 'gap';
  readonly markdown: Markdown;
}

/** Code on lines of its own: between fences, or indented behind an empty line. */
function codeAt(lines: readonly string[], at: number): { block: Block; lines: number } | undefined {
  const fence = fenceOf(lines[at]!.trim());
  const isCode = (line: string) => (fence ? line.trim() !== fence : /^(?: {4}|\t)/.test(line));
  const start = fence ? at + 1 : at;
  if (!fence && (!isCode(lines[at]!) || lines[at]!.trim() === '' || (lines[at - 1] ?? '').trim() !== ''))
    return undefined;
  let end = start;
  while (end < lines.length && isCode(lines[end]!)) end++;
  const own = lines.slice(start, end);
  const shown = fence ? own : own.map((line) => line.replace(/^(?: {4}|\t)/, ''));
  return { block: { kind: 'code', markdown: fenced('', shown.join('\n')) }, lines: end - at + (fence ? 1 : 0) };
}

/** What opens code, and what closes it. */
function fenceOf(line: string): string | undefined {
  const [fence] = /^(?:`{3,}|~{3,})/.exec(line) ?? [];
  return fence !== undefined && !line.slice(fence.length).includes('`') ? fence : undefined;
}

function lineAt(line: string): { block: Block; lines: number } | undefined {
  const written = line.trim();
  if (written === '') return undefined;
  const [, mark] = /^([-*+•]|\d{1,9}[.)])\s/.exec(written) ?? [];
  if (mark === undefined) return { block: { kind: 'line', markdown: words(written) }, lines: 1 };
  const bullet = /\d/.test(mark) ? mark : '-';
  return { block: { kind: 'item', markdown: md`${own(bullet)} ${words(written.slice(mark.length))}` }, lines: 1 };
}

/** Markdown of people as plain text. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*\n?/gm, '')
    .replace(/(\*{1,2})([^*\n]+)\1/g, '$2')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(/\[([^[\]\n]+)\]\([^()[\]\n]*\)/g, '$1');
}
