import { restoring } from '../rules/committed.ts';
import type { Fix } from '../rules/diagnostic.ts';
import { judge } from '../rules/judge.ts';
import { ruleOf } from '../rules/registry.ts';
import { fileAt, type Snapshot } from '../workspace/snapshot.ts';

/** What can be done about the diagnostic of this code and key. The edits are computed here, not before. */
export function fixesFor(snapshot: Snapshot, uri: string, code: string, key: string): readonly Fix[] {
  const file = fileAt(snapshot, uri);
  const [start, nth] = key.split('/').map(Number);
  const place = file?.stream.documents.find((document) => document.start === start);
  if (!file || !place || nth === undefined) return [];
  const problem = judge(snapshot, file, place.document)[nth];
  if (problem?.code !== code) return [];
  const fixes = [...restoring(problem), ...(ruleOf(code)?.fixes?.(problem) ?? [])];
  return fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map((edit) => ({ ...edit, range: shift(edit.range, place.start) })),
  }));
}

function shift(range: { start: number; end: number }, by: number) {
  return { start: range.start + by, end: range.end + by };
}
