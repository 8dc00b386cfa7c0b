// Mistakes in kustomizations: one token of a base, a patch or a generator is changed so that what is built becomes wrong. The
// finding has to be at that token. Whether it is wrong is decided without the way back: what is built is judged as a file.
import type { Range } from '../../server/src/base/text.ts';
import { foundInBuild } from '../../server/src/features/kustomizations/diagnoseBuild.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import type { Diagnostic } from '../../server/src/rules/model/diagnostic.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { madeOf } from '../../server/src/workspace/kustomizations/builds.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { withKustomizations } from '../support/kustomizations.ts';
import type { Random } from '../support/random.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';
import { kustomizationTree, root, type TreeFile } from './kustomizeMaking.ts';

export type MistakeKind = TreeFile['what'];

/** `harmless`: nothing that is built became wrong; `refused`: kustomize builds nothing; `lacking`: only the right key is missed. */
export type Outcome = 'right' | 'missed' | 'elsewhere' | 'harmless' | 'refused' | 'lacking';

export interface Judged {
  readonly kind: MistakeKind;
  readonly outcome: Outcome;
  readonly about: string;
}

interface Mistake {
  readonly file: TreeFile;
  readonly range: Range;
  readonly text: string;
  readonly isKey: boolean;
}

const line = /^([ \t]*(?:- )*)([A-Za-z][\w.-]*):(?: +([A-Za-z0-9][\w./-]*))?[ \t]*$/gm;
const literal = /^ *- ([\w.-]+)=([\w.-]+)$/gm;

function mistakesIn(file: TreeFile): Mistake[] {
  if (file.what === 'generator') return inGenerators(file);
  return [...file.text.matchAll(line)].flatMap((match): Mistake[] => {
    const [whole, before, key, value] = match as unknown as [string, string, string, string | undefined];
    const at = match.index + before.length;
    const ofKey = { file, range: { start: at, end: at + key.length }, text: `${key}z`, isKey: true };
    if (value === undefined) return [ofKey];
    const end = match.index + whole.trimEnd().length;
    const text = /^(?:\d|true$|false$)/.test(value) ? 'Wrong' : '12';
    return [ofKey, { file, range: { start: end - value.length, end }, text, isKey: false }];
  });
}

/** Names and labels that no server takes, and keys of data. */
function inGenerators(file: TreeFile): Mistake[] {
  const keys = [...file.text.matchAll(literal)].map(({ index, 0: whole, 1: key }): Mistake => {
    const start = index + whole.indexOf(key!);
    return { file, range: { start, end: start + key!.length }, text: `${key}/x`, isKey: false };
  });
  const values = [...file.text.matchAll(/^ *-? ?(?:name|team): ([\w-]+)$/gm)].map(({ index, 0: whole, 1: value }) => {
    const end = index + whole.length;
    return { file, range: { start: end - value!.length, end }, text: 'Not_valid-', isKey: false };
  });
  return [...keys, ...values];
}

function snapshotWith(files: readonly TreeFile[]): Snapshot {
  return withKustomizations(
    { ...snapshotOf(files.map(({ uri, text }) => ({ uri, text }))), builtin: builtinFile() },
    files,
  );
}

/** What is said of what is built, as if that were files that somebody wrote. */
function wrongIn(snapshot: Snapshot): Map<string, string> {
  const texts = madeOf(snapshot, root)!.sources.map(({ text }, i) => ({ uri: `file:///made-${i}.yaml`, text }));
  const found = texts.flatMap(({ uri, text }) => {
    return diagnose(withOpen(snapshot, sourceFile(uri, text)), uri)
      .filter(isCounted)
      .map((one) => [wordsOf(one), text.slice(one.range.start, one.range.end)] as const);
  });
  return new Map(found);
}

function isCounted({ code, severity }: Diagnostic): boolean {
  return !ruleOf(code)?.ofFiles && (severity === 'error' || severity === 'warning');
}

function wordsOf({ code, about, message }: Diagnostic): string {
  return `${code} ${about?.words ?? message}`;
}

/** One mistake in a tree of our own making. */
export function probedKustomization(random: Random): Judged {
  const tree = kustomizationTree(random);
  const kind = random.pick<MistakeKind>(['base', 'patch', 'generator']);
  const mistake = random.pick(tree.filter(({ what }) => what === kind).flatMap(mistakesIn));
  const { file, range, text, isKey } = mistake;
  const changed = file.text.slice(0, range.start) + text + file.text.slice(range.end);
  const after = snapshotWith(tree.map((one) => (one === file ? { ...file, text: changed } : one)));
  const made = madeOf(after, root)!;
  const judged = (outcome: Outcome, about: string): Judged => {
    const before = file.text.slice(0, range.start).split('\n');
    return { kind, outcome, about: `${file.uri}:${before.length} ${before.at(-1)}[${text}] ${about}` };
  };
  if (made.build.error) return judged('refused', made.build.error.message);
  const known = wrongIn(snapshotWith(tree));
  const fresh = [...wrongIn(after)].filter(([words]) => !known.has(words));
  if (fresh.length === 0) return judged('harmless', '');
  if (isKey && !fresh.some(([, place]) => place.replace(/^["']|["']$/g, '') === text)) return judged('lacking', '');
  const words = new Set(fresh.map(([one]) => one));
  const found = foundInBuild(after, root)!.findings.filter(({ diagnostic }) => words.has(wordsOf(diagnostic)));
  const end = range.start + text.length;
  const isThere = found.some(
    ({ uri, diagnostic }) => uri === file.uri && diagnostic.range.start < end && diagnostic.range.end > range.start,
  );
  const places = found.map(({ uri, diagnostic }) => `${uri} ${diagnostic.range.start}-${diagnostic.range.end}`);
  const about = `at ${range.start}-${end}: ${[...words].join(' | ').slice(0, 300)}; found: ${places.join(' | ')}`;
  return judged(isThere ? 'right' : found.length > 0 ? 'elsewhere' : 'missed', about);
}
