import { pathToFileURL } from 'node:url';
import type { Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { type Loaded, loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp, type Library, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import { type LocalSource, localSources } from '../workspace/origin.ts';
import { defaultSettings, type Settings } from '../workspace/settings.ts';
import { emptySnapshot, type Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { goModsAround, localCaches } from './caches.ts';
import { expandAll } from './inputs.ts';

export interface CrdOptions {
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
}

/** The kinds that files define, and where others are looked for. */
export interface Workspace {
  readonly snapshot: Snapshot;
  /** The snapshot with the CRDs of a file's kinds, wherever they come from. */
  knowing(snapshot: Snapshot, file: SourceFile): Promise<Snapshot>;
  /** What could not be looked into, one line each. */
  notes(): readonly string[];
}

export async function openWorkspace(
  listing: Listing,
  options: CrdOptions,
  settings: Partial<Settings>,
): Promise<Workspace> {
  const listings = { own: [listing], named: [await expandAll(options.crds)] };
  const loaded = await loadWorkspace(nodeFiles, listings, { limits: defaultLimits, cancelled: () => false });
  const library = libraryFor(loaded, options.without);
  const all = { ...defaultSettings, ...settings };
  return {
    snapshot: withLoaded({ ...emptySnapshot, settings: { all, folders: new Map() } }, loaded),
    knowing: async (snapshot, file) => withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file))),
    notes: () => library.notes(),
  };
}

/** What knows of CRDs that are not among the files. */
function libraryFor({ leads }: Loaded, without: readonly string[]): Library {
  const here = process.cwd();
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined)
    throw new Error(`there is no source ${unknown}; there are ${Object.keys(localSources).join(', ')}`);
  const workspace = [...new Set([...leads.workspace, ...goModsAround(here)])];
  const off = new Set(without as readonly LocalSource[]);
  return libraryOf(
    nodeFiles,
    { ...leads, workspace },
    { caches: localCaches(), folders: [pathToFileURL(here).href], off },
  );
}
