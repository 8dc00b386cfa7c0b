import { lineStartBefore, movedRange } from '../../base/text.ts';
import { markersFor } from '../../rules/fixing/markers.ts';
import { restoring } from '../../rules/fixing/restoring.ts';
import { judge } from '../../rules/judging/judge.ts';
import type { Ask, Fix, Marker, ProblemId } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { Problem } from '../../rules/model/rule.ts';
import { atVersion, fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { styleOf } from '../../yaml/edit.ts';
import { rangeOf } from '../../yaml/place.ts';
import { tested, trialOn } from './tryFixes.ts';

/**
 * What can be done about the diagnostic of this identity. The edits are computed and tried here, not before; `among`
 * is how many diagnostics are asked about at once.
 */
export function fixesFor(snapshot: Snapshot, uri: string, id: ProblemId, among = 1): readonly Fix[] {
  const found = problemOf(snapshot, uri, id);
  if (!found) return [];
  const { problem, file } = found;
  const fixes = fixesOf(problem);
  if (fixes.length === 0) return [];
  return tested(trialOn(found.snapshot, file, problem.document), problem, fixes, among).map((fix) =>
    inFile(fix, found),
  );
}

/** A fix that its rule takes to be safe, or else its first, which nobody has tried yet. */
export interface Candidate {
  readonly problem: Problem;
  /** Its edits are in offsets of the problem's document. */
  readonly fix: Fix;
  readonly start: number;
  /** In which the problem was found. */
  readonly snapshot: Snapshot;
}

export function candidateFor(snapshot: Snapshot, uri: string, id: ProblemId, unsafe = false): Candidate | undefined {
  const found = problemOf(snapshot, uri, id);
  const fixes = found ? fixesOf(found.problem) : [];
  const fix = fixes.find(({ safe }) => safe) ?? (unsafe ? fixes[0] : undefined);
  return found && fix && { problem: found.problem, fix, start: found.start, snapshot: found.snapshot };
}

/** How the diagnostic can be silenced: for authors who know better, and never done without being chosen. */
export function silencingFor(snapshot: Snapshot, uri: string, id: ProblemId): readonly Fix[] {
  const found = problemOf(snapshot, uri, id);
  return found ? silencing(found).map((fix) => inFile(fix, found)) : [];
}

function inFile(fix: Fix, { start }: Found): Fix {
  return { ...fix, edits: fix.edits.map((edit) => ({ ...edit, range: movedRange(edit.range, start) })) };
}

/** What the fixes of a generated CRD come to in its Go source, each marker once. */
export function markersOf(snapshot: Snapshot, uri: string, id: ProblemId): readonly Marker[] {
  const found = problemOf(snapshot, uri, id);
  const markers = found ? fixesOf(found.problem).flatMap((fix) => markersFor(found.problem, fix)) : [];
  return [...new Map(markers.map((marker) => [`${marker.on} ${marker.text}`, marker])).values()];
}

/** What settles a diagnostic outside of its document. */
export function asksOf(snapshot: Snapshot, uri: string, id: ProblemId): readonly Ask[] {
  const found = problemOf(snapshot, uri, id);
  return found ? (ruleOf(id.code)?.asks?.(found.problem) ?? []) : [];
}

function fixesOf(problem: Problem): readonly Fix[] {
  return [...restoring(problem), ...(ruleOf(problem.code)?.fixes?.(problem) ?? [])];
}

/** Comments above what the problem is about, above its object, and at the top of its file. */
function silencing({ problem: { code, document, path, range, manifest }, start: above }: Found): Fix[] {
  if (code.startsWith('yaml/')) return [];
  const { text } = document;
  const at = rangeOf(document, path, 'pair')?.start ?? range.start;
  const line = lineStartBefore(text, at);
  const indent = /^[ \t]*/.exec(text.slice(line))![0];
  const { eol } = styleOf(document);
  const insert = (place: number, comment: string) => [
    { range: { start: place, end: place }, text: `${comment}${eol}` },
  ];
  const start = manifest && document.rootStart ? lineStartBefore(text, document.rootStart) : 0;
  return [
    { title: `Ignore \`${code}\` here`, edits: insert(line, `${indent}# kube-crd: ignore ${code}`), safe: false },
    { title: 'Ignore this object', edits: insert(start, '# kube-crd: ignore-object'), safe: false },
    { title: 'Ignore this file', edits: insert(-above, '# kube-crd: ignore'), safe: false },
  ];
}

interface Found {
  readonly problem: Problem;
  readonly file: SourceFile;
  /** Where its document starts in the file. */
  readonly start: number;
  /** With the version that it was found for. */
  readonly snapshot: Snapshot;
}

function problemOf(snapshot: Snapshot, uri: string, { code, key }: ProblemId): Found | undefined {
  if (key.of !== 'document') return undefined;
  const { start, nth, version } = key;
  const file = fileAt(snapshot, uri);
  const place = file?.stream.documents.find((document) => document.start === start);
  if (!file || !place) return undefined;
  const judged = version === undefined ? snapshot : atVersion(snapshot, version);
  const problem = judge(judged, file, place.document)[nth];
  return problem?.code === code ? { problem, file, start: place.start, snapshot: judged } : undefined;
}
