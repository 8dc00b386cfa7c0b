import { append } from '../base/append.ts';
import { definitionsFor } from './definitions.ts';
import { keyOfWanted, type WantedKind, wantedKind } from './kinds.ts';
import { type Snapshot, withDisk } from './snapshot.ts';
import type { SourceFile } from './sourceFile.ts';

/** Everything that may know the CRD of a kind which no file of the workspace defines. */
export interface Library {
  /** The files that define a kind, from the first source that knows it. */
  find(wanted: WantedKind): Promise<readonly SourceFile[]>;
  /** What was left out, one line each, as far as anything was read. */
  notes(): readonly string[];
}

/** A library of its own each time: what was looked for in one was not looked for in another. */
export function noLibrary(): Library {
  return { find: async () => [], notes: () => [] };
}

/** The kinds of a file that nothing defines and that nobody has looked for. */
export function kindsToLookUp(snapshot: Snapshot, file: SourceFile): WantedKind[] {
  if (file.template) return [];
  return file.manifests.flatMap((manifest) => {
    if (manifest.role !== 'resource') return [];
    if (definitionsFor(snapshot.definitions, manifest, file.uri).length > 0) return [];
    const wanted = wantedKind(manifest);
    return wanted && !snapshot.missing.has(keyOfWanted(wanted)) ? [wanted] : [];
  });
}

/** What a search for kinds gave. */
export interface LookedUp {
  readonly files: readonly SourceFile[];
  /** By key: what was looked for and not found. */
  readonly missing: readonly string[];
}

export async function lookUp(library: Library, wanted: readonly WantedKind[]): Promise<LookedUp> {
  const files: SourceFile[] = [];
  const missing: string[] = [];
  const kinds = new Map(wanted.map((one) => [keyOfWanted(one), one]));
  for (const [key, one] of kinds) {
    const found = await library.find(one);
    if (found.length === 0) missing.push(key);
    else append(files, found);
  }
  return { files, missing };
}

/** A snapshot that also knows what a search gave. */
export function withLookedUp(snapshot: Snapshot, { files, missing }: LookedUp): Snapshot {
  let next: Snapshot =
    missing.length === 0 ? snapshot : { ...snapshot, missing: new Set([...snapshot.missing, ...missing]) };
  for (const file of files) if (!next.onDisk.has(file.uri)) next = withDisk(next, file.uri, file);
  return next;
}
