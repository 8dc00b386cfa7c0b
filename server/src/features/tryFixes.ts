import type { Path } from '../base/value.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import { triesOf } from '../rules/fixing/tries.ts';
import { judge } from '../rules/judging/judge.ts';
import type { Fix, TextEdit } from '../rules/model/diagnostic.ts';
import { type RuleCode, ruleOf } from '../rules/model/registry.ts';
import type { Problem } from '../rules/model/rule.ts';
import { type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { parseStream, type YamlDocument } from '../yaml/parse.ts';
import { shownAs } from './diagnose.ts';

// A fix is tried before it is offered: its edits are made in a copy of the document, which is then judged again.

/** What edits come to that are meant to fix some problems. */
export interface Outcome {
  /** Every one of the problems is gone, or less of it is left. */
  readonly fixes: boolean;
  /** Errors that were not there before. */
  readonly adds: readonly Problem[];
}

export interface Trial {
  /** How many trials a document of its size is worth. */
  readonly most: number;
  try(problems: readonly Problem[], edits: readonly TextEdit[]): Outcome;
}

/** Tries edits on a document of a file; everything around it stays as it is in the snapshot. */
export function trialOn(snapshot: Snapshot, file: SourceFile, document: YamlDocument): Trial {
  const before = judge(snapshot, file, document);
  const counts = countsOf(before);
  const settings = settingsFor(snapshot, file.uri);
  const isError = (problem: Problem) => damages.has(problem.code) || shownAs(problem, settings) === 'error';
  const most = triesOf(document.text.length + charactersOfProblem * before.length);
  const tried = (problems: readonly Problem[], edits: readonly TextEdit[]): Outcome => {
    const after = judgedAfter(snapshot, file, document, edits);
    const left = countsOf(after);
    const fixes = problems.every((one) => idsOf(one).some((id) => (left.get(id) ?? 0) < (counts.get(id) ?? 0)));
    const adds = after.filter((one) => isError(one) && isNew(one, counts, left) && isDueTo(one, problems));
    return { fixes, adds };
  };
  return { most, try: tried };
}

/** A value is lost, though nothing is refused. */
const damages: ReadonlySet<string> = new Set<RuleCode>(['yaml/duplicate-key']);

function judgedAfter(
  snapshot: Snapshot,
  file: SourceFile,
  document: YamlDocument,
  edits: readonly TextEdit[],
): readonly Problem[] {
  const before = { text: document.text, documents: [{ document, start: 0 }], badSeparator: undefined };
  const [edited, ...more] = parseStream(editedText(document.text, edits), before).documents;
  const [first] = file.stream.documents;
  if (!edited) return [];
  const documents = !first || first.document === document ? [edited, ...more] : [first, edited, ...more];
  const around = { ...file, stream: { ...file.stream, documents } };
  return [edited, ...more].flatMap((one) => judge(snapshot, around, one.document));
}

/** What makes a problem the same one in another version of a text: items of lists may move, and messages show values. */
function idsOf({ code, path, missing = [] }: Problem): string[] {
  const place = JSON.stringify([code, ...path.map((step) => (typeof step === 'number' ? 0 : step))]);
  return missing.length === 0 ? [place] : missing.map((name) => `${place} ${name}`);
}

function countsOf(problems: readonly Problem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of problems.flatMap(idsOf)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

type Counts = ReadonlyMap<string, number>;

function isNew(problem: Problem, before: Counts, after: Counts): boolean {
  return idsOf(problem).some((id) => (after.get(id) ?? 0) > (before.get(id) ?? 0));
}

/** Behind these nothing else is looked at. */
const hiding: ReadonlySet<string> = new Set<RuleCode>([
  'yaml/syntax',
  'crd/decode',
  'crd/server-panic',
  'crd/v1beta1',
  'cr/decode',
  'cr/no-such-version',
  'cr/kind-misspelled',
  'builtin/decode',
  'builtin/not-served',
  'builtin/kind-misspelled',
]);

/** Whether an error comes from a fix, and was not just hidden by what it fixes. */
function isDueTo(error: Problem, fixed: readonly Problem[]): boolean {
  // Rules and defaults are looked at only once everything else is right.
  const isLate = /^(?:crd\/(?:rule|default)|cr\/rule)/.test(error.code);
  return fixed.some(({ code, path }) => areRelated(error.path, path) || !(isLate || hiding.has(code)));
}

/** Whether one of two places holds the other; a rule is about the whole node that it is on. */
function areRelated(a: Path, b: Path): boolean {
  const [x, y] = [nodeOf(a), nodeOf(b)];
  const length = Math.min(x.length, y.length);
  return x.slice(0, length).every((step, i) => step === y[i]);
}

function nodeOf(path: Path): Path {
  const at = path.indexOf('x-kubernetes-validations');
  return at === -1 ? path : path.slice(0, at);
}

/** How many fixes of a problem are tried at most. */
const mostTried = 16;
/** What it takes to say a problem again, as if it were so much text. */
const charactersOfProblem = 200;

/** Fixes as they can be offered: one that leaves an error says so, and is left out where another leaves none. */
export function tested(trial: Trial, problem: Problem, fixes: readonly Fix[], among = 1): readonly Fix[] {
  const most = Math.min(mostTried, Math.floor(trial.most / among));
  const all = fixes.map((fix, i) => ({
    fix,
    outcome: i < most ? trial.try([problem], fix.edits) : undefined,
  }));
  const isClean = ({ outcome }: (typeof all)[number]) => outcome?.fixes === true && outcome.adds.length === 0;
  const clean = all.filter(isClean);
  const isMended = clean.some(({ fix }) => !isRemoval(fix));
  const rest = all.filter(
    ({ outcome }) => outcome === undefined || (outcome.fixes && outcome.adds.length > 0 && !isMended),
  );
  return [...clean.map(({ fix }) => fix), ...rest.map(({ fix, outcome }) => withOutcome(fix, outcome))];
}

const isRemoval = ({ edits }: Fix) => edits.every(({ text }) => text === '');

function withOutcome(fix: Fix, outcome: Outcome | undefined): Fix {
  const [error] = outcome?.adds ?? [];
  const title = error && ruleOf(error.code)?.title;
  const follows = title === undefined ? '' : ` (then: ${title.charAt(0).toLowerCase()}${title.slice(1)})`;
  return { ...fix, title: `${fix.title}${follows}`, safe: false };
}
