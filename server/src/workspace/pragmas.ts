import { memo } from '../base/memo.ts';
import { lineStartBefore, type Range } from '../base/text.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { baseName } from './uri.ts';

// What a file says of itself, by its name or by comments such as `# kube-crd: ignore`.

/** Steps of kuttl's tests that are compared with what a cluster holds: parts of objects, which lack the rest. */
const expectation = /^\d+-(?:assert|errors)(?:[-.].*)?\.ya?ml$/i;

/** What a comment asks for. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  /** A blank ends it: something is still to be written. */
  readonly unfinished: boolean;
  /** What stands behind `kube-crd:`, in the text. */
  readonly range: Range;
}

/**
 * The words that comments understand, each with what it asks for:
 * `ignore`, in the first lines of a file: nothing in the file is checked;
 * `ignore CODE …`, above a line or behind it: those rules say nothing about what begins on that line;
 * `ignore-object`, anywhere in an object: it is not checked;
 * `kubernetes VERSION`, in the first lines of a file: the version whose API server judges it.
 */
export const directiveNames: readonly string[] = ['ignore', 'ignore-object', 'kubernetes'];

const marker = /^#[ \t]*kube-crd:[ \t]*/;
/** How many characters of a file its first lines are. */
export const headLength = 2_000;

function directiveIn(comment: string, start: number): Directive | undefined {
  const lead = marker.exec(comment)?.[0].length;
  if (lead === undefined) return undefined;
  const [name = '', ...args] = comment.slice(lead).trim().split(/\s+/);
  const end = comment.trimEnd().length;
  const unfinished = args.length === 0 && end < comment.length;
  return { name, args, unfinished, range: { start: start + lead, end: start + end } };
}

/** The directives of the first lines of a file, where nobody has parsed it yet. */
function directivesAtTop(text: string): Directive[] {
  const head = text.slice(0, headLength);
  return [...head.matchAll(/^[ \t]*(#[^\r\n]*)/gm)].flatMap((line) => {
    return directiveIn(line[1]!, line.index + line[0].indexOf('#')) ?? [];
  });
}

/**
 * Whether a file's name or its first lines say that its objects are not to be judged. Who names a file means it, whatever
 * it is called.
 */
export function isIgnored(uri: string, text: string, named: boolean): boolean {
  if (!named && expectation.test(baseName(uri))) return true;
  return directivesAtTop(text).some(
    ({ name, args, unfinished }) => name === 'ignore' && args.length === 0 && !unfinished,
  );
}

/** What a comment at the top names as the file's Kubernetes version, whether there is such a one or not, and where. */
export function namedKubernetes(text: string): { readonly name: string; readonly start: number } | undefined {
  const found = directivesAtTop(text).find(({ name, args }) => name === 'kubernetes' && args.length > 0);
  return found && { name: found.args[0]!, start: found.range.end - found.args.at(-1)!.length };
}

/** All that the comments of a document ask for. */
export const directivesOf = memo((document: YamlDocument): readonly Directive[] => {
  if (!document.text.includes('kube-crd:')) return [];
  return document.comments.flatMap(({ start, end }) => directiveIn(document.text.slice(start, end), start) ?? []);
});

/** What the comments of a document silence. */
interface Silenced {
  readonly all: boolean;
  /** By the place where a line begins: the codes that say nothing there. */
  readonly lines: ReadonlyMap<number, readonly string[]>;
}

const silencedIn = memo((document: YamlDocument): Silenced => {
  const directives = directivesOf(document);
  const lines = new Map<number, readonly string[]>();
  for (const { name, args, range } of directives) {
    if (name !== 'ignore' || args.length === 0) continue;
    const line = lineMeant(document.text, range);
    lines.set(line, [...(lines.get(line) ?? []), ...args]);
  }
  return { all: directives.some(({ name }) => name === 'ignore-object'), lines };
});

/** Behind something the comment's own line is meant, else the next one that is not a comment. */
function lineMeant(text: string, { start, end }: Range): number {
  const own = lineStartBefore(text, start);
  if (!/^[ \t]*#/.test(text.slice(own, end))) return own;
  const breaks = /[\r\n]/g;
  breaks.lastIndex = end;
  while (breaks.exec(text)) {
    const first = /[^ \t]/g;
    first.lastIndex = breaks.lastIndex;
    const char = first.exec(text)?.[0] ?? '#';
    if (!'#\r\n'.includes(char)) return breaks.lastIndex;
  }
  return own;
}

/** Whether comments of the document ask a rule to be silent about something that begins at one of these places. */
export function isSilenced(document: YamlDocument, code: string, places: readonly number[]): boolean {
  const { all, lines } = silencedIn(document);
  if (all) return true;
  return lines.size > 0 && places.some((at) => lines.get(lineStartBefore(document.text, at))?.includes(code));
}
