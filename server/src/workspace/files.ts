/**
 * Where files come from. Addresses are URIs as text, of any scheme: nothing may assume `file:`.
 */
export interface Files {
  /** The files below a folder that may hold manifests or lead to CRDs, at most so many. */
  list(folder: string, most: number): Promise<Listing>;
  /** The bytes of a file; undefined where there is none or it cannot be read; 'too-large' where it is over the limit. */
  read(uri: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined>;
  /** The files that a pattern from the settings names, for CRDs outside the workspace. */
  expand(pattern: string, folder: string | undefined, most: number): Promise<Listing>;
  /** What is in a folder itself; nothing where there is none. Links to folders do not count as folders. */
  entries(folder: string): Promise<readonly Entry[]>;
}

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

export interface Listing {
  /** Files that may hold manifests. */
  readonly uris: readonly string[];
  /** Files that hold CRDs in another form, or say which CRDs are used: archives, go.mod, Chart.lock, kube-crd.lock. */
  readonly leads: readonly string[];
  /** Folders of JSON schemas by group and kind, which are not listed. */
  readonly catalogues: readonly string[];
  /** Whether there were more than asked for. */
  readonly cut: boolean;
  /** What could not be looked into, one line each. */
  readonly notes: readonly string[];
}

export const emptyListing: Listing = { uris: [], leads: [], catalogues: [], cut: false, notes: [] };

export const yamlName = /\.ya?ml$/i;
const jsonName = /\.json$/i;
export const archiveName = /\.(?:tgz|tar\.gz)$/i;
const leadName = /^(?:go\.mod|Chart\.lock|kube-crd\.lock)$/;

/** A file of tests for a CRD. */
export function isTestFile(path: string): boolean {
  return /\.crdtest\.ya?ml$/i.test(path);
}

/** A file with an expression that is tried, and what it is tried over. */
export function isPlayground(path: string): boolean {
  return /\.cel\.ya?ml$/i.test(path);
}

/** A file of a catalogue, `{kind}_{version}.json`. */
export const catalogueName = /^[a-z0-9]+_[a-z0-9]+\.json$/;

/** Whether a file holds CRDs in another form, or says which are used. */
export function isLead(path: string): boolean {
  const [name = ''] = path.split('/').slice(-1);
  return leadName.test(name) || archiveName.test(name);
}

/** Whether a file may hold manifests: YAML, or JSON that itself or whose folder is named for CRDs. */
export function mayHoldManifests(path: string): boolean {
  const [folder = '', name = ''] = path.split('/').slice(-2);
  if (yamlName.test(name || folder)) return true;
  const own = (name || folder).toLowerCase();
  if (!jsonName.test(own) || catalogueName.test(own)) return false;
  return own.includes('crd') || own.includes('customresourcedefinition') || (name !== '' && crdFolder.test(folder));
}

const crdFolder = /^(?:crds?|customresourcedefinitions?)$|[-_]crds$/i;

/** Whether the settings name something that is not a file: it is only fetched from, when the user asks for it. */
export function isAddress(pattern: string): boolean {
  return /^https?:\/\//i.test(pattern);
}

/** Whether a file that the settings name, whatever it is called, may hold CRDs. */
export function mayHoldCrds(path: string): boolean {
  return yamlName.test(path) || jsonName.test(path) || archiveName.test(path);
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
