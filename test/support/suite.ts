import { type Fence, parseMarkdown, type Section, settings } from './markdown.ts';

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
  /** What was put before and left of the text that the suite shows. */
  readonly frame: Frame;
}

interface Frame {
  readonly lines: number;
  readonly columns: number;
}

/** What a folder of suites understands beside `yaml` fences; anything else is refused, since it would assert nothing. */
export interface Notation {
  readonly fences: readonly string[];
  /** Keys of `<!-- key: value -->`. */
  readonly settings: readonly string[];
  /** Whether a marker's word means something here. */
  readonly isCode: (word: string) => boolean;
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
const almostMarker = /^[ \t]*#[ \t]*\^/;
const directive = /^[ \t]*#-[ \t]*([\w-]+):[ \t]*(.*)$/;

/** The cases of a suite. `shared` gives the text of a file that `#- use: NAME` asks for. */
export function readSuite(text: string, shared: (name: string) => string, notation: Notation): SuiteCase[] {
  return parseMarkdown(text)
    .filter((section) => section.level >= 2 && section.fences.length > 0)
    .map((section) => readCase(section, shared, notation));
}

function readCase(section: Section, shared: (name: string) => string, notation: Notation): SuiteCase {
  const files: SuiteFile[] = [];
  const fences = new Map<string, string>();
  for (const fence of section.fences) {
    const [word = '', name, ...rest] = fence.info.split(/\s+/);
    if (rest.length > 0) refuse(fence.line, `${fence.info}: a word too many after the backquotes`);
    const { text, uses, frame } = takeDirectives(fence);
    if (word === 'yaml') {
      for (const used of uses) files.push(readFile(`file:///suite/${used}.yaml`, shared(used), noFrame, notation));
      files.push(readFile(`file:///suite/${name ?? `main${files.length}.yaml`}`, text, frame, notation));
    } else if (!notation.fences.includes(word)) refuse(fence.line, `a fence \`${word}\` has no meaning here`);
    else fences.set(word, text);
  }
  return { name: section.title, line: section.line, files, fences, settings: readSettings(section, notation) };
}

function readSettings(section: Section, notation: Notation): Readonly<Record<string, string>> {
  const found = settings(section.prose);
  const unknown = Object.keys(found).find((name) => !notation.settings.includes(name));
  if (unknown !== undefined) refuse(section.line, `a setting \`${unknown}\` has no meaning here`);
  const comments = section.prose.match(/<!--/g)?.length ?? 0;
  if (comments > 0 && Object.keys(found).length === 0) refuse(section.line, 'a comment that sets nothing');
  return found;
}

function refuse(line: number, why: string): never {
  throw new Error(`line ${line}: ${why}`);
}

interface Directed {
  readonly text: string;
  readonly uses: readonly string[];
  readonly frame: Frame;
}

/** `#- use: NAME, …` brings in shared files, `#- in: schema` puts a CRD around what is below \`type: object\`. */
function takeDirectives({ text, line: first }: Fence): Directed {
  const uses: string[] = [];
  let frame = noFrame;
  const kept = text.split('\n').filter((line, i) => {
    const [, name, value] = directive.exec(line) ?? [];
    if (name === undefined) return true;
    if (name === 'use') uses.push(...value!.split(',').map((one) => one.trim()));
    else if (name === 'in' && value === 'schema') frame = schemaFrame;
    else refuse(first + i, `${line.trim()} has no meaning here`);
    return false;
  });
  return { text: framed(kept.join('\n'), frame), uses, frame };
}

const crdAroundSchema = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
`;

const noFrame: Frame = { lines: 0, columns: 0 };
const schemaFrame: Frame = { lines: crdAroundSchema.split('\n').length - 1, columns: 10 };

function framed(text: string, frame: Frame): string {
  return frame === noFrame ? text : crdAroundSchema + text.replace(/^(?=.)/gm, ' '.repeat(frame.columns));
}

function readFile(uri: string, marked: string, frame: Frame, notation: Notation): SuiteFile {
  const expected: Expected[] = [];
  const kept: string[] = [];
  let previous = 0;
  let length = 0;
  for (const line of marked.split('\n')) {
    const found = marker.exec(line);
    if (found ? !notation.isCode(found[4]!) : almostMarker.test(line)) throw new Error(`no marker of ours: ${line}`);
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
    ? { uri, text, expected, cursor: undefined, frame }
    : { uri, text: text.slice(0, cursor) + text.slice(cursor + 2), expected, cursor, frame };
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
