/**
 * Where files come from. Addresses are URIs as text, of any scheme: nothing may assume `file:`.
 */
export interface Files {
  /** The YAML files below a folder, at most so many. */
  list(folder: string, most: number): Promise<Listing>;
  /** The bytes of a file; undefined where there is none or it cannot be read; 'too-large' where it is over the limit. */
  read(uri: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined>;
  /** The files that a pattern from the settings names, for CRDs outside the workspace. */
  expand(pattern: string, folder: string | undefined, most: number): Promise<Listing>;
}

export interface Listing {
  readonly uris: readonly string[];
  /** Whether there were more than asked for. */
  readonly cut: boolean;
  /** What could not be looked into, one line each. */
  readonly notes: readonly string[];
}

export const yamlName = /\.ya?ml$/i;

/** Folders that hold no manifests of the user's own. */
export const skippedFolders: ReadonlySet<string> = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform']);
