import { baseName, folderOf, withFolders } from './uri.ts';

/** What kustomizations make of the files around them. */
export interface Kustomized {
  /** Files to whose objects some kustomization may add what they lack. */
  readonly completed: ReadonlySet<string>;
  /** Those to whose objects some kustomization may do anything, as patches do. */
  readonly patched: ReadonlySet<string>;
  /** Files that some kustomization takes objects from. */
  readonly listed: ReadonlySet<string>;
  /** Where there are kustomizations. */
  readonly folders: ReadonlySet<string>;
}

/** The end of what a resource that is built is called, as a file. */
export const builtMark = '#build';

/** Whether what takes a file may add what it lacks. Folders are named as such by what takes all that is in them. */
export function isCompleted(completed: Kustomized['completed'], uri: string): boolean {
  return completed.has(uri) || completed.has(folderOf(uri));
}

/** Whether a file's objects may lack parts: something adds them, or it lies beside a kustomization that leaves it out. */
export function mayLackParts({ completed, listed, folders }: Kustomized, uri: string): boolean {
  // What is built has all that is added to it.
  if (uri.endsWith(builtMark)) return false;
  if (isCompleted(completed, uri)) return true;
  if (listed.has(uri)) return false;
  return /patch/i.test(baseName(uri)) || [...withFolders(folderOf(uri))].some((folder) => folders.has(folder));
}
