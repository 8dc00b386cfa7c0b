import { isMap, type Path } from '../../base/value.ts';
import { mostFileWork } from '../../cel/eval/work.ts';
import { editedText } from '../../rules/fixing/fixes.ts';
import { triesOf } from '../../rules/fixing/tries.ts';
import { judge, workOf } from '../../rules/judging/judge.ts';
import type { Fix, TextEdit } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { Problem } from '../../rules/model/rule.ts';
import { type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { type PlacedDocument, parseStream, type YamlDocument } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';
import { shownAs } from '../problems/diagnose.ts';

// A fix is tried before it is offered: its edits are made in a copy of the document, which is then judged again.

/** What edits come to that are meant to fix some problems. */
export interface Outcome {
  /** Every one of the problems is gone, or less of it is left. */
  readonly fixes: boolean;
  /** Errors that were not there before. */
  readonly adds: readonly { readonly code: string }[];
  /** All objects are of the kinds that they were. */
  readonly keepsKinds: boolean;
  /** Their versions, comments and statuses are there as well, and no more errors: nobody has to look at it first. */
  readonly keepsAll: boolean;
}

/** Tries edits that are to mend problems, or what was found of another kind. */
export interface Trial<Found = Problem> {
  /** How many trials a document of its size is worth. */
  readonly most: number;
  try(problems: readonly Found[], edits: readonly TextEdit[]): Outcome;
}

/** Tries edits on a document of a file; everything around it stays as it is in the snapshot. */
export function trialOn(snapshot: Snapshot, file: SourceFile, document: YamlDocument): Trial {
  const before = judge(snapshot, file, document);
  const counts = countsOf(before);
  const settings = settingsFor(snapshot, file.uri);
  const isError = (problem: Problem) => ruleOf(problem.code)?.damages || shownAs(problem, settings) === 'error';
  const errors = before.filter(isError).length;
  const most = Math.min(
    triesOf(document.text.length + charactersOfProblem * before.length),
    Math.floor(mostFileWork / Math.max(1, workOf(snapshot, file, document))),
  );
  const tried = (problems: readonly Problem[], edits: readonly TextEdit[]): Outcome => {
    const edited = editedDocuments(document, edits);
    const after = judgedIn(snapshot, file, document, edited);
    const left = countsOf(after);
    const fixes = problems.every((one) => idsOf(one).some((id) => (left.get(id) ?? 0) < (counts.get(id) ?? 0)));
    const adds = after.filter((one) => isError(one) && isNew(one, counts, left) && isDueTo(one, problems));
    const grows = after.filter(isError).length > errors;
    const [was, is] = [[document], edited.map((one) => one.document)].map(identityOf);
    // What could not be read was nothing yet.
    const wasUnread = document.readerError !== undefined;
    const keepsKinds = wasUnread || was!.kinds === is!.kinds;
    const keepsRest =
      was!.comments <= is!.comments && (wasUnread || (was!.versions === is!.versions && was!.statuses <= is!.statuses));
    return { fixes, adds, keepsKinds, keepsAll: keepsKinds && keepsRest && !grows };
  };
  return { most, try: tried };
}

function editedDocuments(document: YamlDocument, edits: readonly TextEdit[]): readonly PlacedDocument[] {
  const before = { text: document.text, documents: [{ document, start: 0 }], badSeparator: undefined };
  return parseStream(editedText(document.text, edits), before).documents;
}

function judgedIn(
  snapshot: Snapshot,
  file: SourceFile,
  document: YamlDocument,
  edited: readonly PlacedDocument[],
): readonly Problem[] {
  const [first] = file.stream.documents;
  const documents = !first || first.document === document ? edited : [first, ...edited];
  const around = { ...file, stream: { ...file.stream, documents } };
  return edited.flatMap((one) => judge(snapshot, around, one.document));
}

/** What makes objects what they are to their authors. */
function identityOf(documents: readonly YamlDocument[]) {
  const roots = documents.map(valueOf).filter(isMap);
  const all = (key: string) => roots.map((root) => String(root.get(key))).join();
  const comments = documents.flatMap(({ comments, text }) => comments.map(({ start, end }) => text.slice(start, end)));
  return {
    kinds: all('kind'),
    versions: all('apiVersion'),
    statuses: roots.filter((root) => root.has('status')).length,
    /** How many characters they have: a comment may move, and its indentation change. */
    comments: comments.reduce((sum, comment) => sum + comment.trim().length, 0),
  };
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

/** Whether an error comes from a fix, and was not just hidden by what it fixes. */
function isDueTo(error: Problem, fixed: readonly Problem[]): boolean {
  const isLate = ruleOf(error.code)?.isLate;
  return fixed.some(({ code, path }) => areRelated(error.path, path) || !(isLate || ruleOf(code)?.hides));
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
export const charactersOfProblem = 200;

/** Fixes as they can be offered: one that leaves an error says so, and is left out where another leaves none. */
export function tested<Found>(trial: Trial<Found>, problem: Found, fixes: readonly Fix[], among = 1): readonly Fix[] {
  const most = Math.min(mostTried, Math.floor(trial.most / among));
  const all = fixes.map(
    (fix, i): Tried => ({
      fix,
      outcome: i < most ? trial.try([problem], fix.edits) : undefined,
    }),
  );
  const isClean = ({ outcome }: Tried) => outcome?.fixes === true && outcome.adds.length === 0;
  const clean = all.filter(isClean);
  const isMended = clean.some(({ fix }) => !isRemoval(fix));
  const rest = all.filter(
    ({ outcome }) => outcome === undefined || (outcome.fixes && outcome.adds.length > 0 && !isMended),
  );
  return [...clean.map(asKept), ...rest.map(({ fix, outcome }) => withOutcome(fix, outcome))];
}

interface Tried {
  readonly fix: Fix;
  readonly outcome: Outcome | undefined;
}

const asKept = ({ fix, outcome }: Tried): Fix => (fix.safe && !outcome?.keepsAll ? { ...fix, safe: false } : fix);

const isRemoval = ({ edits }: Fix) => edits.every(({ text }) => text === '');

function withOutcome(fix: Fix, outcome: Outcome | undefined): Fix {
  const [error] = outcome?.adds ?? [];
  const title = error && ruleOf(error.code)?.title;
  const follows = title === undefined ? '' : ` (then: ${title.charAt(0).toLowerCase()}${title.slice(1)})`;
  return { ...fix, title: `${fix.title}${follows}`, safe: false };
}
