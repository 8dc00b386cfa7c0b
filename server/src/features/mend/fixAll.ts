import { append } from '../../base/append.ts';
import { movedRange } from '../../base/text.ts';
import { difference, editedText } from '../../rules/fixing/fixes.ts';
import type { Diagnostic, Fix, TextEdit } from '../../rules/model/diagnostic.ts';
import { fileAt, type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import { diagnose } from '../problems/diagnose.ts';
import { type Candidate, candidateFor } from './fixes.ts';
import { type Trial, trialOn } from './tryFixes.ts';

/** One fix may leave work for the next: a key that appears three times is removed twice. */
const mostRounds = 10;

/** Which fixes: those of one code, and those that are a choice as well. */
export interface Which {
  readonly code?: string;
  /** Only of problems that this is true of. */
  readonly wanted?: (problem: Pick<Diagnostic, 'code' | 'severity'>) => boolean;
  readonly unsafe?: boolean;
}

/** All safe fixes of a file, or others; undefined where there are none. */
export function fixAll(snapshot: Snapshot, uri: string, which: Which = {}): Fix | undefined {
  const text = fileAt(snapshot, uri)?.text;
  if (text === undefined) return undefined;
  const first = round(snapshot, uri, which);
  if (first.count === 0) return undefined;
  let after = editedText(text, first.edits);
  for (let rounds = 1; rounds < mostRounds; rounds++) {
    const next = round(withOpen(snapshot, sourceFile(uri, after)), uri, which);
    if (next.count === 0) break;
    after = editedText(after, next.edits);
  }
  const isAll = after === editedText(text, first.edits);
  const { code } = which;
  const title = code === undefined ? 'Apply all safe fixes' : `Fix all \`${code}\` in this file`;
  return { title, edits: isAll ? first.edits : difference(text, after), safe: true };
}

/** Whether more than one problem of a code has a safe fix. */
export function isOneOfSeveral(snapshot: Snapshot, uri: string, code: string): boolean {
  let count = 0;
  for (const problem of diagnose(snapshot, uri)) {
    if (problem.code === code && candidateFor(snapshot, uri, problem)) count++;
    if (count > 1) return true;
  }
  return false;
}

interface Round {
  readonly edits: readonly TextEdit[];
  readonly count: number;
}

/** The safe fixes that do not get in each other's way and hold when they are tried, in the order of the text. */
function round(snapshot: Snapshot, uri: string, { code, wanted, unsafe = false }: Which): Round {
  const file = fileAt(snapshot, uri);
  const candidates = diagnose(snapshot, uri)
    .filter((problem) => (code === undefined || problem.code === code) && (wanted?.(problem) ?? true))
    .flatMap((problem) => candidateFor(snapshot, uri, problem, unsafe) ?? []);
  const documents = [...new Set(candidates.map(({ problem }) => problem.document))];
  const kept = documents.flatMap((document) => {
    const own = apart(candidates.filter(({ problem }) => problem.document === document));
    const judged = [...new Set(own.map((one) => one.snapshot))];
    return judged.flatMap((version) =>
      file
        ? holding(
            trialOn(version, file, document),
            own.filter((one) => one.snapshot === version),
            unsafe,
          )
        : [],
    );
  });
  const edits = kept.flatMap(({ fix, start }) => fix.edits.map((edit) => moved(edit, start)));
  return { edits, count: kept.length };
}

/** Those whose edits do not touch those of one before. */
function apart(candidates: readonly Candidate[]): readonly Candidate[] {
  const taken: TextEdit[] = [];
  return candidates.filter(({ fix }) => {
    if (fix.edits.some((edit) => taken.some((other) => touches(edit, other)))) return false;
    append(taken, fix.edits);
    return true;
  });
}

/** How often the fixes of a document are tried: where all of them hold, once is enough. */
const mostTrials = 60;

/** As many of the candidates as leave no new error together. Those that do are looked for by halves. */
function holding(trial: Trial, candidates: readonly Candidate[], unsafe: boolean): readonly Candidate[] {
  // A user who asks for all waits longer than one who moves the cursor.
  let left = Math.max(1, Math.min(mostTrials, 4 * trial.most));
  const hold = (all: readonly Candidate[]) => {
    const problems = all.map(({ problem }) => problem);
    const { fixes, adds, keepsKinds, keepsAll } = trial.try(
      problems,
      all.flatMap(({ fix }) => fix.edits),
    );
    return fixes && adds.length === 0 && (unsafe ? keepsKinds : keepsAll);
  };
  const grown = (kept: readonly Candidate[], more: readonly Candidate[]): readonly Candidate[] => {
    if (more.length === 0 || left-- <= 0) return kept;
    if (hold([...kept, ...more])) return [...kept, ...more];
    if (more.length === 1) return kept;
    const middle = more.length >> 1;
    return grown(grown(kept, more.slice(0, middle)), more.slice(middle));
  };
  return grown([], candidates);
}

function moved({ range, text }: TextEdit, by: number): TextEdit {
  return { range: movedRange(range, by), text };
}

function touches({ range: a }: TextEdit, { range: b }: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}
