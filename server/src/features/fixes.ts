import type { Range } from '../base/text.ts';
import { markersFor } from '../rules/fixing/markers.ts';
import { restoring } from '../rules/fixing/restoring.ts';
import { judge } from '../rules/judging/judge.ts';
import type { Fix, Marker } from '../rules/model/diagnostic.ts';
import { ruleOf } from '../rules/model/registry.ts';
import type { Problem } from '../rules/model/rule.ts';
import { fileAt, type Snapshot } from '../workspace/snapshot.ts';

/** What can be done about the diagnostic of this code and key. The edits are computed here, not before. */
export function fixesFor(snapshot: Snapshot, uri: string, code: string, key: string): readonly Fix[] {
  const found = problemOf(snapshot, uri, code, key);
  if (!found) return [];
  return fixesOf(found.problem).map((fix) => ({
    ...fix,
    edits: fix.edits.map((edit) => ({ ...edit, range: shift(edit.range, found.start) })),
  }));
}

/** What the fixes of a generated CRD come to in its Go source, each marker once. */
export function markersOf(snapshot: Snapshot, uri: string, code: string, key: string): readonly Marker[] {
  const found = problemOf(snapshot, uri, code, key);
  const markers = found ? fixesOf(found.problem).flatMap((fix) => markersFor(found.problem, fix)) : [];
  return [...new Map(markers.map((marker) => [`${marker.on} ${marker.text}`, marker])).values()];
}

function fixesOf(problem: Problem): readonly Fix[] {
  return [...restoring(problem), ...(ruleOf(problem.code)?.fixes?.(problem) ?? [])];
}

interface Found {
  readonly problem: Problem;
  /** Where its document starts in the file. */
  readonly start: number;
}

function problemOf(snapshot: Snapshot, uri: string, code: string, key: string): Found | undefined {
  const file = fileAt(snapshot, uri);
  const [start, nth] = key.split('/').map(Number);
  const place = file?.stream.documents.find((document) => document.start === start);
  if (!file || !place || nth === undefined) return undefined;
  const problem = judge(snapshot, file, place.document)[nth];
  return problem?.code === code ? { problem, start: place.start } : undefined;
}

function shift({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by };
}
