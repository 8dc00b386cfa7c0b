import { lineStartBefore, type Range } from '../../base/text.ts';
import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import { rules } from '../../rules/model/registry.ts';
import { headLength } from '../../workspace/pragmas.ts';
import { fileAt, type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import { diagnose } from '../problems/diagnose.ts';
import type { Completion } from './completion.ts';

// Comments such as `# kube-crd: ignore cr/enum`, which change how a file is checked.

/** What a comment at the cursor can ask for; undefined where there is no comment. */
export function completeDirectives(snapshot: Snapshot, uri: string, offset: number): Completion[] | undefined {
  const text = fileAt(snapshot, uri)?.text ?? '';
  const words = wordsOfComment(text.slice(lineStartBefore(text, offset), offset));
  if (!words) return undefined;
  const [lead = '', name, ...args] = words;
  const isTop = offset <= headLength;
  if (name === undefined && lead !== marker) {
    return marker.startsWith(lead) ? directives(wordBefore(offset, lead), `${marker} `, isTop) : [];
  }
  if (lead !== marker) return [];
  if (name === undefined) return directives(wordBefore(offset, ''), ' ', isTop);
  if (args.length === 0) return directives(wordBefore(offset, name), '', isTop);
  return argumentsOf(snapshot, uri, name, wordBefore(offset, args.at(-1)!), isTop);
}

const marker = 'kube-crd:';

/** The words of a comment up to the cursor, the last of which may have yet to begin. */
function wordsOfComment(line: string): string[] | undefined {
  const hash = /(?:^|[ \t])#/.exec(line);
  return hash
    ? line
        .slice(hash.index + hash[0].length)
        .trimStart()
        .split(/[ \t]+/)
    : undefined;
}

function directives(range: Range, lead: string, isTop: boolean): Completion[] {
  return asks(isTop).map(({ label, detail, text }, i) => ({
    label: `${lead.trimStart()}${label}`,
    detail,
    kind: 'keyword',
    range,
    text: `${lead}${text}`,
    snippet: false,
    order: String(i),
  }));
}

const wordBefore = (offset: number, word: string): Range => ({ start: offset - word.length, end: offset });

interface Ask {
  readonly label: string;
  readonly detail: string;
  readonly text: string;
}

/** The first lines of a file can ask for more than the others. */
function asks(isTop: boolean): Ask[] {
  const ofFile: Ask[] = [
    { label: 'ignore', detail: 'check nothing in this file', text: 'ignore' },
    { label: 'kubernetes …', detail: 'check this file as that version would', text: 'kubernetes ' },
  ];
  return [
    { label: 'ignore …', detail: 'silence a rule on this line or the next', text: 'ignore ' },
    { label: 'ignore-object', detail: 'say nothing about this object', text: 'ignore-object' },
    ...(isTop ? ofFile : []),
  ];
}

function argumentsOf(snapshot: Snapshot, uri: string, name: string, range: Range, isTop: boolean): Completion[] {
  const item = (label: string, detail: string, order: string): Completion => {
    return { label, detail, kind: 'value', range, text: label, snippet: false, order };
  };
  if (name === 'kubernetes' && isTop) {
    return kubernetesVersions.map((version, i) => item(version.name, '', String(i).padStart(3, '0')));
  }
  if (name !== 'ignore') return [];
  const here = codesAround(snapshot, uri, range.start);
  return rules.map(({ code, title }) => item(code, title, `${here.has(code) ? 0 : 1}${code}`));
}

/** What is said about the line that a comment stands on, or about the next one that is not a comment. */
function codesAround(snapshot: Snapshot, uri: string, offset: number): ReadonlySet<string> {
  const text = fileAt(snapshot, uri)?.text ?? '';
  const start = lineStartBefore(text, offset);
  const next = /^(?:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$))*[^\r\n]*/.exec(text.slice(start));
  const end = start + (next?.[0].length ?? 0);
  // What is said without the comment: with it, it may be silenced already.
  const lineEnd = start + text.slice(start).search(/\r?\n|$/);
  const blank = text.slice(start, lineEnd).replace(/#.*/, (rest) => ' '.repeat(rest.length));
  const without = sourceFile(uri, text.slice(0, start) + blank + text.slice(lineEnd));
  const found = diagnose(withOpen(snapshot, without), uri).filter(
    ({ range }) => range.start >= start && range.start <= end,
  );
  return new Set(found.map(({ code }) => code));
}
