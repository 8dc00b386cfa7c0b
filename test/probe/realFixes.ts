import assert from 'node:assert/strict';
import { equalValues, isList, isMap, type Path, type Value } from '../../server/src/base/value.ts';
import { fixAll } from '../../server/src/features/mend/fixAll.ts';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { judge } from '../../server/src/rules/judging/judge.ts';
import type { Diagnostic } from '../../server/src/rules/model/diagnostic.ts';
import { needsBuiltin } from '../../server/src/workspace/builtin.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../../server/src/workspace/loader.ts';
import { kindsToLookUp, withLookedUp } from '../../server/src/workspace/lookUp.ts';
import { textOf } from '../../server/src/workspace/scan.ts';
import { emptySnapshot, fileAt, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { parseStream } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { applyEdits, builtinFile, packagedFiles } from '../support/workspace.ts';

// Every safe fix on files as people have them, held against what nobody may have to look at afterwards.

export interface RealFigures {
  files: number;
  /** Files that all safe fixes together change. */
  changed: number;
  before: number;
  after: number;
  /** By code: how many safe fixes were tried. */
  readonly tried: Map<string, number>;
  readonly failures: string[];
}

export async function probeRealFixes(folder: string, figures: RealFigures): Promise<void> {
  const listing = await nodeFiles.list(folder, defaultLimits.files);
  const options = { limits: defaultLimits, cancelled: () => false };
  const disk = withLoaded(emptySnapshot, await loadWorkspace(nodeFiles, { own: [listing], named: [] }, options));
  for (const uri of listing.uris) {
    const text = textOf(await nodeFiles.read(uri, defaultLimits.fileBytes));
    if (text !== undefined) probeFile(figures, disk, uri, text);
  }
}

export const newRealFigures = (): RealFigures => ({
  files: 0,
  changed: 0,
  before: 0,
  after: 0,
  tried: new Map(),
  failures: [],
});

export function probeFile(figures: RealFigures, disk: Snapshot, uri: string, text: string): void {
  const snapshot = opened(disk, uri, text);
  const found = diagnose(snapshot, uri);
  figures.files++;
  for (const one of found) {
    for (const fix of fixesFor(snapshot, uri, one).filter(({ safe }) => safe)) {
      figures.tried.set(one.code, (figures.tried.get(one.code) ?? 0) + 1);
      const after = applyEdits(text, fix.edits);
      const faults = [...faultsOf(disk, uri, text, after), ...elsewhere(snapshot, uri, one, text, after)];
      figures.failures.push(...faults.map((fault) => `${uri}: ${one.code}: ${fix.title}: ${fault}`));
    }
  }
  const all = fixAll(snapshot, uri);
  const errors = errorsIn(found);
  figures.before += errors;
  if (!all) {
    figures.after += errors;
    return;
  }
  const after = applyEdits(text, all.edits);
  figures.changed++;
  figures.after += errorsIn(diagnose(opened(disk, uri, after), uri));
  figures.failures.push(...faultsOf(disk, uri, text, after).map((fault) => `${uri}: all: ${fault}`));
}

function opened(disk: Snapshot, uri: string, text: string): Snapshot {
  const file = sourceFile(uri, text);
  const open = withOpen(disk, file);
  const snapshot = needsBuiltin(open, file) ? { ...open, builtin: builtinFile() } : open;
  const unknown = kindsToLookUp(snapshot, file);
  const asked = unknown.map((wanted) => ({ wanted, absent: [] }));
  return withLookedUp(snapshot, { files: packagedFiles(unknown), asked });
}

const errorsIn = (found: readonly Diagnostic[]) => found.filter(({ severity }) => severity === 'error').length;

/** What a text has lost, or what is wrong with it that was not. */
function faultsOf(disk: Snapshot, uri: string, before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) => ({
    errors: errorsIn(diagnose(opened(disk, uri, text), uri)),
    identity: valuesIn(text).map((value) => (isMap(value) ? `${value.get('apiVersion')} ${value.get('kind')}` : '')),
    statuses: valuesIn(text).filter((value) => isMap(value) && value.has('status')).length,
    comments: [...text.matchAll(/(?:^|\s)#(.*)/g)].map(([, comment]) => comment!.trim()),
  }));
  const lost = old!.comments.filter((comment) => !now!.comments.includes(comment));
  return [
    ...(now!.errors > old!.errors ? [`${old!.errors} errors become ${now!.errors}`] : []),
    ...(String(now!.identity) === String(old!.identity) ? [] : ['an object is another']),
    ...(now!.statuses < old!.statuses ? ['a status is gone'] : []),
    ...(lost.length > 0 ? [`the comment "${lost[0]}" is gone`] : []),
  ];
}

const valuesIn = (text: string) => parseStream(text).documents.map(({ document }) => valueOf(document));

/** What is another value, though the finding is about something else. */
function elsewhere(snapshot: Snapshot, uri: string, finding: Diagnostic, before: string, after: string): string[] {
  if (finding.code.startsWith('yaml/')) return [];
  assert.ok(finding.key.of === 'document');
  const { start, nth } = finding.key;
  const file = fileAt(snapshot, uri)!;
  const at = file.stream.documents.findIndex((document) => document.start === start);
  const { path } = judge(snapshot, file, file.stream.documents[at]!.document)[nth]!;
  const [old, now] = [valuesIn(before), valuesIn(after)];
  const others = old.flatMap((value, i) => (i === at ? [] : changedIn(value, now[i], [])));
  // Beside a field are those that depend on it; a CRD's name is made of its group and plural.
  const own = path.slice(0, -1);
  const near = changedIn(old[at], now[at], []).filter(
    (place) => !own.every((step, i) => place[i] === step) && !place.every((step, i) => own[i] === step),
  );
  return [...others, ...near].map((place) => `${place.join('.')} is another as well`);
}

function changedIn(old: Value | undefined, now: Value | undefined, at: Path): Path[] {
  if (isMap(old) && isMap(now)) {
    const keys = new Set([...old.keys(), ...now.keys()]);
    return [...keys].flatMap((key) => changedIn(old.get(key), now.get(key), [...at, key]));
  }
  if (isList(old) && isList(now) && old.length === now.length)
    return old.flatMap((item, i) => changedIn(item, now[i], [...at, i]));
  return old !== undefined && now !== undefined && equalValues(old, now) ? [] : old === now ? [] : [at];
}
