/** Safe fixes of what is found only in what is built, all at once: each is made where it is written, and tried in every build. */
import { editedText } from '../../rules/fixing/fixes.ts';
import type { Diagnostic, Fix } from '../../rules/model/diagnostic.ts';
import { rootsWith } from '../../workspace/kustomizations/builds.ts';
import { fileAt, type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import type { Which } from '../mend/fixAll.ts';
import { diagnose } from '../problems/diagnose.ts';
import { type FoundIn, foundInBuild, withBuilds } from './diagnoseBuild.ts';
import { fixesInBuild } from './fixesBuild.ts';

/** Fixes of one file: each takes the builds anew. */
const mostInBuilds = 20;

/** A file with these fixes; undefined where there are none. `known` is what was found in the builds already. */
export function fixedInBuilds(snapshot: Snapshot, uri: string, which: Which, known: FoundIn): string | undefined {
  const before = fileAt(snapshot, uri)?.text;
  if (before === undefined || wantedIn(snapshot, uri, which, known).length === 0) return undefined;
  let at = snapshot;
  for (let i = 0; i < mostInBuilds; i++) {
    const fix = nextFix(at, uri, which);
    if (!fix) break;
    at = withFix(at, uri, fix);
  }
  const after = fileAt(at, uri)!.text;
  return after === before ? undefined : after;
}

/** What is found only in builds. */
function wantedIn(snapshot: Snapshot, uri: string, { wanted }: Which, known?: FoundIn): readonly Diagnostic[] {
  return withBuilds(snapshot, uri, diagnose(snapshot, uri), known).filter(
    (one) => one.key.of === 'file' && (wanted?.(one) ?? true),
  );
}

function nextFix(snapshot: Snapshot, uri: string, which: Which): Fix | undefined {
  for (const { code, range } of wantedIn(snapshot, uri, which)) {
    const fixes = fixesInBuild(snapshot, uri, { code, offset: range.start, among: 1 });
    const fix = fixes.find((one) => (one.safe || which.unsafe) && isHarmless(snapshot, uri, one));
    if (fix) return fix;
  }
  return undefined;
}

/** Whether no build has more findings than before, wherever those are. */
function isHarmless(snapshot: Snapshot, uri: string, fix: Fix): boolean {
  const after = withFix(snapshot, uri, fix);
  return rootsWith(snapshot, uri).every((root) => {
    const [old, now] = [foundInBuild(snapshot, root), foundInBuild(after, root)];
    return now !== undefined && old?.isBuilt === now.isBuilt && old.findings.length >= now.findings.length;
  });
}

function withFix(snapshot: Snapshot, uri: string, { edits }: Fix): Snapshot {
  const file = fileAt(snapshot, uri)!;
  return withOpen(snapshot, sourceFile(uri, editedText(file.text, edits), { previous: file }));
}
