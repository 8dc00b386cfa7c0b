import type { Read } from '../../files/read.ts';
import { definesKind } from '../definitions.ts';
import type { Absent, WantedKind } from '../kinds.ts';
import { defaultLimits, type SourceLimits } from '../limits.ts';
import type { Origin } from '../origin.ts';
import { scan, textOf } from '../scan.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';

/** Something that may hold CRDs: a module, a chart, an archive, a catalogue. Nothing of it is read before it is asked. */
export interface Place {
  /** What it is of: places of the same name are versions of one thing. */
  readonly name: string;
  readonly origin: Origin;
  find(wanted: WantedKind): Promise<SourceFile | undefined>;
  /** What to say of it where it is not here. */
  absent?(wanted: WantedKind): Promise<Absent | undefined>;
}

/** A file that may define kinds, by a look at its text: the words behind `group:` and `kind:`. */
export interface Row {
  readonly path: string;
  readonly groups: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The files of a place that speak of CRDs, and how they are read. */
export interface Contents {
  /** Whether there is such a place at all. */
  readonly isThere: boolean;
  readonly rows: readonly Row[];
  uriOf(path: string): string;
  read(path: string): Promise<Read>;
}

const groupWord = /\bgroup"?:[ \t]*["']?([a-z0-9.-]+)/g;
const kindWord = /\bkind"?:[ \t]*["']?([A-Za-z0-9]+)/g;

export function rowOf(path: string, text: string): Row | undefined {
  if (!scan(text, path).crd) return undefined;
  return { path, groups: wordsOf(text, groupWord), kinds: wordsOf(text, kindWord) };
}

/** A word must not keep the whole text that it was cut from alive. */
function wordsOf(text: string, pattern: RegExp): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [, word] of text.matchAll(pattern)) if (!words.has(word!)) words.add([...word!].join(''));
  return words;
}

/** What the search for kinds has read so far, of all places together. */
export interface Reading {
  readonly limits: SourceLimits;
  /** Each file is parsed once, whatever kinds are looked for in it; undefined where it defines none. */
  readonly parsed: Map<string, SourceFile | undefined>;
  /** Characters that may still be parsed of files that turn out to define nothing. */
  vain: number;
  note(what: string): void;
}

/**
 * The file of a place that defines a kind. Where there are several, such as a chart's template beside the CRD that it was
 * made from, or a standard and an experimental set: one that is not a template, then the one that says most.
 */
export async function findIn(
  contents: Contents,
  { group, kind }: WantedKind,
  origin: Origin,
  reading: Reading,
): Promise<SourceFile | undefined> {
  const found: SourceFile[] = [];
  const likely = contents.rows.filter((row) => row.groups.has(group) && row.kinds.has(kind));
  for (const { path } of likely.slice(0, reading.limits.candidates)) {
    const file = await parsedOnce(contents, path, origin, reading);
    if (file && definesKind(file, group, kind)) found.push(file);
  }
  return found.sort((a, b) => Number(a.template) - Number(b.template) || b.text.length - a.text.length)[0];
}

async function parsedOnce(
  { uriOf, read }: Contents,
  path: string,
  origin: Origin,
  reading: Reading,
): Promise<SourceFile | undefined> {
  const uri = uriOf(path);
  if (reading.parsed.has(uri)) return reading.parsed.get(uri);
  const text = textOf(await read(path));
  if (text === undefined) return undefined;
  if (text.length > reading.vain) {
    reading.note(`${origin.text}: so many files only look like CRDs that not all of them were read`);
    return undefined;
  }
  const file = sourceFile(uri, text, { limits: defaultLimits, origin, dormant: true });
  if (!file.definesKinds) reading.vain -= text.length;
  reading.parsed.set(uri, file.definesKinds ? file : undefined);
  return reading.parsed.get(uri);
}
