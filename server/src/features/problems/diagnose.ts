import { capitalized, grouped, movedRange, type Range } from '../../base/text.ts';
import { rangeText } from '../../kubernetes/releases/range.ts';
import { markerHint } from '../../rules/fixing/markers.ts';
import { judgeSafely } from '../../rules/judging/judge.ts';
import type { Diagnostic, ProblemKey } from '../../rules/model/diagnostic.ts';
import { type RuleCode, ruleOf } from '../../rules/model/registry.ts';
import type { Problem } from '../../rules/model/rule.ts';
import { namesIn, refusedFirst, type Says } from '../../rules/model/says.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { isSilenced } from '../../workspace/pragmas.ts';
import type { FieldValidation, Settings, Severity } from '../../workspace/settings.ts';
import { atVersion, type Snapshot, settingsFor, versionsFor } from '../../workspace/snapshot.ts';
import { type PlacedDocument, separatorProblem } from '../../yaml/parse.ts';
import { nodeAtPath, rangeOf } from '../../yaml/place.ts';

/** Everything to be said about a file of the snapshot, in the order of the text: in all versions that it is judged for. */
export function diagnose(snapshot: Snapshot, uri: string): Diagnostic[] {
  const versions = versionsFor(snapshot, uri);
  if (versions.length === 1) return diagnoseOne(snapshot, uri);
  const byMessage = new Map<string, { one: Diagnostic; readonly names: string[] }>();
  for (const { name } of versions) {
    for (const diagnostic of diagnoseOne(atVersion(snapshot, name), uri)) {
      const { range, code, severity, message } = diagnostic;
      const id = [range.start, range.end, code, severity, message].join('\0');
      const known = byMessage.get(id);
      if (known) known.names.push(name);
      else byMessage.set(id, { one: { ...diagnostic, key: keyIn(diagnostic.key, name) }, names: [name] });
    }
  }
  const all = [...byMessage.values()].map(({ one, names }) =>
    names.length === versions.length ? one : { ...one, kubernetes: names },
  );
  return firstOf(all);
}

/** The versions that a diagnostic is true of, where not of all; '' otherwise. */
export function onlyIn({ kubernetes }: Pick<Diagnostic, 'kubernetes'>): string {
  return kubernetes ? `(Kubernetes ${rangeText(kubernetes)} only)` : '';
}

/** The key of a problem that was found for one of several versions. */
function keyIn(key: ProblemKey, version: string): ProblemKey {
  return key.of === 'document' ? { ...key, version } : key;
}

function byPlace({ range: a }: Diagnostic, { range: b }: Diagnostic): number {
  return a.start - b.start || a.end - b.end;
}

function diagnoseOne(snapshot: Snapshot, uri: string): Diagnostic[] {
  const file = snapshot.open.get(uri) ?? snapshot.onDisk.get(uri);
  if (!file || file.template || snapshot.patches.has(uri)) return [];
  const settings = settingsFor(snapshot, uri);
  const placed = file.stream.documents.slice(0, defaultLimits.documents);
  const separator = separatorProblem(file.stream);
  const found = placed.flatMap((place) =>
    judgeSafely(snapshot, file, place.document).flatMap((problem, i) => worded(problem, i, place, uri, settings)),
  );
  const more = file.stream.documents.length - placed.length;
  const cut = more > 0 ? [leftOut(`Only the first ${placed.length} documents are judged: ${more} more are not.`)] : [];
  return firstOf([...cut, ...onceInFile(found), ...(separator ? [ofFile(separator)] : [])]);
}

/** As many as are told, in the order of the text, and how many are not. */
export function firstOf(all: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...all].sort(byPlace);
  const more = sorted.length - defaultLimits.problems;
  if (more <= 0) return sorted;
  const cut = leftOut(
    `Only the first ${defaultLimits.problems} problems of this file are shown: ${more} more are not.`,
  );
  return [cut, ...sorted.slice(0, defaultLimits.problems)];
}

type OfFile = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'range'>;

const ofFile = (one: OfFile): Diagnostic => ({
  ...one,
  says: {},
  related: [],
  unnecessary: false,
  key: { of: 'file' },
});

function leftOut(message: string): Diagnostic {
  const code: RuleCode = 'file/left-out';
  return ofFile({ code, severity: 'warning', message, range: { start: 0, end: 0 } });
}

/**
 * What is said once in a file, such as that a kind is not known, however many objects it is about; and what the API server
 * has several words for, as of the key of an annotation without a name: that it is empty, and that it is not a word.
 */
function onceInFile(all: readonly Diagnostic[]): Diagnostic[] {
  const told = new Set<string>();
  const isNew = (what: string | undefined) => what === undefined || (!told.has(what) && told.add(what));
  return all.filter((one) => isNew(ruleOf(one.code)?.onceInFile ? one.message : nameSpokenOf(one)));
}

function nameSpokenOf({ code, range, says }: Diagnostic): string | undefined {
  if (!code.startsWith('metadata/')) return undefined;
  const value = refusedFirst(says);
  return value?.startsWith('"') ? `${code} ${range.start} ${value}` : undefined;
}

function worded(
  problem: Problem,
  nth: number,
  { start }: PlacedDocument,
  uri: string,
  settings: Settings,
): Diagnostic[] {
  const severity = shownAs(problem, settings);
  if (severity === 'off' || isSilenced(problem.document, problem.code, placesOf(problem))) return [];
  const inFile = (range: Range): Range => movedRange(range, start);
  const range = inFile(problem.range);
  const { code, serverField, inCrd, unnecessary = false } = problem;
  const marker = markerHint(problem);
  const more = [
    ...(serverField === undefined ? [] : [`(${serverField})`]),
    ...(inCrd === undefined ? [] : [`(in the CRD ${inCrd}, which ${makerOf(problem)} makes of this)`]),
    ...(marker === undefined ? [] : [`In Go: ${marker}`]),
  ];
  const lead = isSaidLater(problem, settings) ? 'Once the other errors are fixed: ' : '';
  const plain = plainly(problem);
  const words = lead + [...plain, withinBounds(problem.message)].join('\n');
  const message = [words, ...more].join('\n');
  const related = (problem.related ?? []).map((one) => ({
    message: one.message,
    ...(one.uri === undefined ? { uri, range: inFile(one.range) } : { uri: one.uri, range: one.range }),
  }));
  const key = { of: 'document', start, nth } as const;
  const listed = ruleOf(code)?.listed?.(problem);
  const whole = wholeOf(problem);
  const about = {
    ...{ words: ruleOf(code)?.numbered ? words.replace(/^line \d+: /, '') : words, path: problem.path },
    ...(listed !== undefined && { listed }),
    ...(whole && { whole: inFile(whole) }),
  };
  const says = saidOf(problem, lead === '' && plain.length === 0, message);
  return [{ code, severity, message, range, related, unnecessary, key, about, says }];
}

/** What a problem says, in parts; nothing may come before its own message. */
function saidOf(problem: Problem, isFirst: boolean, message: string): Says {
  const { code, says = {} } = problem;
  const marker = markerHint(problem);
  return {
    ...says,
    ...ruleOf(code)?.says?.(problem),
    ...(says.error && !isFirst && { error: { ...says.error, isFirst } }),
    ...(marker !== undefined && { marker }),
    ...namesIn(message),
  };
}

function makerOf({ manifest }: Problem): string {
  return manifest?.madeOf?.role === 'instance' ? 'kro' : 'Crossplane';
}

/** The map or list that a problem is about. */
function wholeOf({ ofValue, document, path }: Problem): Range | undefined {
  const found = ofValue && nodeAtPath(document, path);
  if (!found || found.node.kind === 'scalar' || found.node.kind === 'alias') return undefined;
  return { start: found.start, end: found.start + found.node.length };
}

/** Where a problem begins, and the entry that it is about: what is inside a block of text cannot have a comment. */
function placesOf({ document, range, path }: Problem): number[] {
  const entry = rangeOf(document, path, 'pair');
  return entry ? [range.start, entry.start] : [range.start];
}

/** A message that shows more than this beside what is wrong does not begin with it. */
const longMessage = 200;

/** The API server shows values whole; more than this of one nobody reads. */
const mostCharacters = 10_000;

function withinBounds(message: string): string {
  const rest = message.length - mostCharacters;
  return rest <= 0 ? message : `${message.slice(0, mostCharacters)}… (${grouped(rest)} more characters)`;
}

function plainly(problem: Problem): string[] {
  const { code, message, detail } = problem;
  const plain =
    ruleOf(code)?.plain?.(problem) ?? (message.length - (detail ?? '').length > longMessage ? detail : undefined);
  return plain === undefined ? [] : [capitalized(plain)];
}

const unknownFieldSeverity: Readonly<Record<FieldValidation, Severity | 'off'>> = {
  Strict: 'error',
  Warn: 'warning',
  Ignore: 'off',
};

/** How severe a problem is for this user; what nobody says yet is never an error. */
export function shownAs(problem: Problem, settings: Settings): Severity | 'off' {
  const chosen = settings.rules.get(problem.code);
  if (isSaidLater(problem, settings)) return chosen === 'off' || chosen === 'hint' ? chosen : 'information';
  return chosen ?? severityOf(problem, settings);
}

/** Whether another error keeps the API server from saying it, and is told. */
function isSaidLater({ later, follows }: Problem, settings: Settings): boolean {
  if (later || !follows) return later === true;
  const isTold = !isSilenced(follows.document, follows.code, placesOf(follows));
  return isTold && shownAs(follows, settings) === 'error' && settings.fieldValidation === 'Strict';
}

/** How severe problems of a code are, where nothing of the single one matters. */
export function codeShownAs(code: string, { rules }: Settings): Severity | 'off' {
  return rules.get(code) ?? ownSeverity(code);
}

function ownSeverity(code: string): Severity | 'off' {
  return ruleOf(code)?.severity ?? 'error';
}

/** How severe a problem is by itself, before the user's own settings for its rule. */
function severityOf({ code, severity }: Problem, { fieldValidation }: Settings): Severity | 'off' {
  const byValidation = ruleOf(code)?.byFieldValidation ? unknownFieldSeverity[fieldValidation] : undefined;
  return byValidation === 'off' ? 'off' : (severity ?? byValidation ?? ownSeverity(code));
}
