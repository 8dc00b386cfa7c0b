import { readFileSync } from 'node:fs';
import { defaultSettings } from '../../server/src/workspace/settings.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import type { SuiteCase } from './suite.ts';

/** A snapshot in which these files are open. */
export function snapshotOf(files: readonly { uri: string; text: string }[], kubernetes?: string): Snapshot {
  const all = kubernetes === undefined ? defaultSettings : { ...defaultSettings, kubernetes };
  let snapshot: Snapshot = { ...emptySnapshot, settings: { all, folders: new Map() } };
  for (const { uri, text } of files) snapshot = withOpen(snapshot, sourceFile(uri, text));
  return snapshot;
}

export function snapshotOfCase({ files, settings }: SuiteCase): Snapshot {
  return snapshotOf(files, settings.kubernetes);
}

/** The text of a shared CRD that suites bring in by name. */
export function sharedFile(name: string): string {
  return readFileSync(`test/rules/shared/${name}.yaml`, 'utf8');
}

export function applyEdits(
  text: string,
  edits: readonly { range: { start: number; end: number }; text: string }[],
): string {
  // Later places first; of edits at one place the first given stands first.
  const ordered = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => b.range.start - a.range.start || b.i - a.i);
  return ordered.reduce((now, { range, text: put }) => now.slice(0, range.start) + put + now.slice(range.end), text);
}
