import type { Read } from '../files/read.ts';

/**
 * Where files come from. Addresses are URIs as text, of any scheme: nothing may assume `file:`.
 */
export interface Files {
  /** The files below a folder that may hold manifests or lead to CRDs, at most so many, and no further than a walk goes. */
  list(folder: string, most: number, walk?: Walk): Promise<Listing>;
  /** The bytes of a file; undefined where there is none or it may not be read; 'too-large' where it is over the limit. */
  read(uri: string, mostBytes: number): Promise<Read>;
  /** Whether a file or folder is in a folder, or is it, once all links are followed. */
  isInside(uri: string, folder: string): Promise<boolean>;
  /** The files that a pattern names; where there is a walk, it looks no further than that. */
  expand(pattern: string, folder: string | undefined, most: number, walk?: Walk): Promise<Listing>;
  /** Where a pattern begins: the file or folder that it names, or the folder before its first wildcard. */
  startOf(pattern: string, folder: string | undefined): string;
  /** Unpacks gzipped bytes, where the host has a faster way than the platform. */
  readonly gunzip?: (bytes: Uint8Array) => AsyncIterable<Uint8Array>;
  /**
   * What is in a folder itself; nothing where there is none. Links to folders do not count as folders, but say where they lead
   * where a host knows that. A host may leave out what has other names than those that are wanted.
   */
  entries(folder: string, wanted?: readonly string[]): Promise<readonly Entry[]>;
}

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  /** The folder that a link leads to. */
  readonly leadsTo?: string;
}

/** How far a search through folders goes. */
export interface Walk {
  /** The folders that may still be looked into; a hundred names in one count as one more. */
  folders: number;
}

export interface Listing {
  /** Files that may hold manifests. */
  readonly uris: readonly string[];
  /** JSON whose names do not say whether it holds manifests; not where an editor lists, and not watched. */
  readonly json: readonly string[];
  /** Files that hold CRDs in another form, or say which CRDs are used: archives, go.mod, Chart.lock, kube-crd.lock. */
  readonly leads: readonly string[];
  /** Folders of JSON schemas by group and kind, which are not listed. */
  readonly catalogues: readonly string[];
  /** Whether there were more than asked for. */
  readonly cut: boolean;
  /** What could not be looked into, one line each. */
  readonly notes: readonly string[];
  /** Why nothing was looked for, or why some of it was left out. */
  readonly refused?: string;
}

export const emptyListing: Listing = { uris: [], json: [], leads: [], catalogues: [], cut: false, notes: [] };

/** Whether the settings name something that is not a file: it is only fetched from, when the user asks for it. */
export function isAddress(pattern: string): boolean {
  return /^https?:\/\//i.test(pattern);
}

/** Folders that hold no manifests of the user's own. */
export const skippedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.terraform',
  '.kube-crd',
]);
