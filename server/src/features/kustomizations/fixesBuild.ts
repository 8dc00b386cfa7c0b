/** Fixes of what is found in what is built, made where that is written: each is tried before it is offered. */
import type { TextEdit } from '../../base/text.ts';
import { print } from '../../kustomize/build.ts';
import { editedText } from '../../rules/fixing/fixes.ts';
import type { Fix } from '../../rules/model/diagnostic.ts';
import { buildOf, madeOf, rootsWith } from '../../workspace/kustomizations/builds.ts';
import type { MadeBuild } from '../../workspace/kustomizations/madeBuild.ts';
import { fileAt, type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import { fixesFor } from '../mend/fixes.ts';
import { diagnose } from '../problems/diagnose.ts';
import { deprecatedFieldFix } from './deprecatedFields.ts';
import { type BuildFinding, foundInBuild, placesOf, withBuilds, withMade } from './diagnoseBuild.ts';

/** A finding, by its code and where it begins. */
interface Told {
  readonly code: string;
  readonly offset: number;
  readonly among: number;
}

/** How many fixes of one finding are tried. */
const mostFixes = 4;

/** What can be done about a finding in the file that it is in. */
export function fixesInBuild(snapshot: Snapshot, uri: string, told: Told): readonly Fix[] {
  for (const root of rootsWith(snapshot, uri)) {
    const made = madeOf(snapshot, root);
    const found = foundInBuild(snapshot, root)?.findings.find(
      (one) => one.uri === uri && one.diagnostic.code === told.code && one.diagnostic.range.start === told.offset,
    );
    if (!made || !found) continue;
    // What is found while building is about the kustomization itself.
    if (!found.inMade) return newField(snapshot, uri, found);
    const most = Math.max(1, Math.floor(mostFixes / told.among));
    return ledBack(snapshot, made, found)
      .slice(0, most)
      .filter((fix) => isMending(snapshot, uri, found, fix));
  }
  return [];
}

/** A field that has another name now, where what is built stays the same to the letter. */
function newField(snapshot: Snapshot, uri: string, found: BuildFinding): readonly Fix[] {
  const file = fileAt(snapshot, uri);
  const fix = file && deprecatedFieldFix(file, found.diagnostic.range.start);
  if (!fix || !isMending(snapshot, uri, found, fix)) return [];
  const after = withOpen(snapshot, sourceFile(uri, editedText(file.text, fix.edits), { previous: file }));
  const isSame = rootsWith(snapshot, uri).every((root) => {
    const [before, now] = [buildOf(snapshot, root), buildOf(after, root)];
    return before && now && !before.error && !now.error && print(before).text === print(now).text;
  });
  return isSame ? [fix] : [];
}

function ledBack(snapshot: Snapshot, made: MadeBuild, { uri, inMade }: BuildFinding): readonly Fix[] {
  if (!inMade) return [];
  const source = made.source(inMade.resource);
  const { diagnostic, resource } = inMade;
  return fixesFor(withMade(snapshot, made, source), source.uri, diagnostic, mostFixes).flatMap((fix) => {
    const edits = fix.edits.flatMap((edit) => editBack(snapshot, made, resource, uri, edit) ?? []);
    return edits.length === fix.edits.length ? [{ ...fix, edits }] : [];
  });
}

/** An edit where the very text that it replaces is written. */
function editBack(
  snapshot: Snapshot,
  made: MadeBuild,
  resource: number,
  uri: string,
  { range, text }: TextEdit,
): TextEdit | undefined {
  const [place] = placesOf(made, resource, { range });
  const written =
    place?.uri === uri ? fileAt(snapshot, uri)?.text.slice(place.range.start, place.range.end) : undefined;
  const replaced = made.source(resource).text.slice(range.start, range.end);
  if (!place || replaced === '' || written !== replaced || text.includes('\n')) return undefined;
  return { range: place.range, text };
}

/** Builds with the fix, and judges that again. */
function isMending(snapshot: Snapshot, uri: string, { diagnostic }: BuildFinding, { edits }: Fix): boolean {
  const file = fileAt(snapshot, uri);
  if (!file) return false;
  const after = withOpen(snapshot, sourceFile(uri, editedText(file.text, edits), { previous: file }));
  const all = (one: Snapshot) => withBuilds(one, uri, diagnose(one, uri));
  const [before, left] = [all(snapshot), all(after)];
  const isSame = (one: (typeof left)[number]) => one.code === diagnostic.code && one.message === diagnostic.message;
  const isGone = left.filter(isSame).length < before.filter(isSame).length;
  return isGone && left.length < before.length;
}
