import { append } from '../base/append.ts';
import { difference, editedText } from '../rules/fixing/fixes.ts';
import type { Diagnostic, Fix, TextEdit } from '../rules/model/diagnostic.ts';
import { fileAt, type Snapshot, withOpen } from '../workspace/snapshot.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { diagnose } from './diagnose.ts';
import { fixesFor } from './fixes.ts';

/** One fix may leave work for the next: a key that appears three times is removed twice. */
const mostRounds = 10;

/** All safe fixes of a file, or those of one code; undefined where there are none. */
export function fixAll(snapshot: Snapshot, uri: string, code?: string): Fix | undefined {
  const text = fileAt(snapshot, uri)?.text;
  if (text === undefined) return undefined;
  const first = round(snapshot, uri, code);
  if (first.count === 0) return undefined;
  let after = editedText(text, first.edits);
  for (let rounds = 1; rounds < mostRounds; rounds++) {
    const next = round(withOpen(snapshot, sourceFile(uri, after)), uri, code);
    if (next.count === 0) break;
    after = editedText(after, next.edits);
  }
  const isAll = after === editedText(text, first.edits);
  const title = code === undefined ? 'Apply all safe fixes' : `Fix all \`${code}\` in this file`;
  return { title, edits: isAll ? first.edits : difference(text, after), safe: true };
}

/** Whether more than one problem of a code has a safe fix. */
export function isOneOfSeveral(snapshot: Snapshot, uri: string, code: string): boolean {
  let count = 0;
  for (const problem of diagnose(snapshot, uri)) {
    if (problem.code === code && safeFix(snapshot, uri, problem)) count++;
    if (count > 1) return true;
  }
  return false;
}

function safeFix(snapshot: Snapshot, uri: string, { code, key }: Diagnostic): Fix | undefined {
  return fixesFor(snapshot, uri, code, key).find(({ safe }) => safe);
}

interface Round {
  readonly edits: readonly TextEdit[];
  readonly count: number;
}

/** The safe fixes that do not get in each other's way, in the order of the text. */
function round(snapshot: Snapshot, uri: string, code: string | undefined): Round {
  const taken: TextEdit[] = [];
  let count = 0;
  for (const problem of diagnose(snapshot, uri)) {
    if (code !== undefined && problem.code !== code) continue;
    const fix = safeFix(snapshot, uri, problem);
    if (!fix || fix.edits.some((edit) => taken.some((other) => touches(edit, other)))) continue;
    append(taken, fix.edits);
    count++;
  }
  return { edits: taken, count };
}

function touches({ range: a }: TextEdit, { range: b }: TextEdit): boolean {
  return a.start <= b.end && b.start <= a.end;
}
