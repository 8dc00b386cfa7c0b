import { parseMarkdown, type Section, settings } from './markdown.ts';

/** One heading of a Markdown suite: files with what is expected of them. */
export interface SuiteCase {
  readonly name: string;
  readonly line: number;
  readonly files: readonly SuiteFile[];
  /** Text of the other fences by their word: `fixed`, `hover`, `completion`, `expected` … */
  readonly fences: ReadonlyMap<string, string>;
  readonly settings: Readonly<Record<string, string>>;
}

export interface SuiteFile {
  readonly uri: string;
  /** The text without markers. */
  readonly text: string;
  readonly expected: readonly Expected[];
  /** Where `$0` stood. */
  readonly cursor: number | undefined;
}

/** A diagnostic that a marker asks for. */
export interface Expected {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  /** Part of the message; '' where the marker names none. */
  readonly message: string;
}

const marker = /^([ \t]*)# ?([ ]*)(\^+)[ \t]+([\w/-]+)(?:[ \t]+"(.*)")?[ \t]*$/;
const directive = /^[ \t]*#-[ \t]*([\w-]+):[ \t]*(.*)$/;

/** The cases of a suite. `shared` gives the text of a file that `#- use: NAME` asks for. */
export function readSuite(text: string, shared: (name: string) => string): SuiteCase[] {
  return parseMarkdown(text)
    .filter((section) => section.level >= 2 && section.fences.length > 0)
    .map((section) => readCase(section, shared));
}

function readCase(section: Section, shared: (name: string) => string): SuiteCase {
  const set: Record<string, string> = { ...settings(section.prose) };
  const files: SuiteFile[] = [];
  const fences = new Map<string, string>();
  for (const fence of section.fences) {
    const [word = '', ...names] = fence.info.split(/\s+/);
    if (word !== 'yaml' && word !== 'yml') fences.set(word, fence.text);
    else {
      const { text, uses, found } = takeDirectives(fence.text);
      Object.assign(set, found);
      for (const name of uses) files.push(readFile(`file:///suite/${name}.yaml`, shared(name)));
      files.push(readFile(`file:///suite/${names[0] ?? `main${files.length}.yaml`}`, text));
    }
  }
  return { name: section.title, line: section.line, files, fences, settings: set };
}

function takeDirectives(text: string): { text: string; uses: string[]; found: Record<string, string> } {
  const uses: string[] = [];
  const found: Record<string, string> = {};
  const kept = text.split('\n').filter((line) => {
    const [, name, value] = directive.exec(line) ?? [];
    if (name === undefined) return true;
    if (name === 'use') uses.push(...value!.split(',').map((one) => one.trim()));
    else found[name] = value!.trim();
    return false;
  });
  return { text: kept.join('\n'), uses, found };
}

function readFile(uri: string, marked: string): SuiteFile {
  const expected: Expected[] = [];
  const kept: string[] = [];
  let previous = 0;
  let length = 0;
  for (const line of marked.split('\n')) {
    const found = marker.exec(line);
    if (found) {
      const column = line.indexOf('^');
      const [start, end] = [previous + column, previous + column + found[3]!.length];
      expected.push({ start, end, code: found[4]!, message: found[5] ?? '' });
    } else {
      kept.push(line);
      previous = length;
      length += line.length + 1;
    }
  }
  const text = kept.join('\n');
  const cursor = text.indexOf('$0');
  return cursor === -1
    ? { uri, text, expected, cursor: undefined }
    : { uri, text: text.slice(0, cursor) + text.slice(cursor + 2), expected, cursor };
}

/** The text with its expectations written below their lines, as a suite would write them. */
export function withMarkers(text: string, found: readonly Expected[]): string {
  const rows: string[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    rows.push(line);
    for (const one of found.filter((each) => each.start >= start && each.start <= start + line.length)) {
      const column = Math.max(one.start - start, 2);
      const carets = '^'.repeat(Math.max(1, Math.min(one.end, start + line.length) - one.start));
      rows.push(`#${' '.repeat(column - 1)}${carets} ${one.code} "${one.message}"`);
    }
    start += line.length + 1;
  }
  return rows.join('\n');
}
