import { pathToFileURL } from 'node:url';
import { ruleTitles } from '../rules/model/registry.ts';
import { configsAround, loadConfigs } from '../workspace/config.ts';
import type { Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { type Loaded, loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp, type Library, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import { type LocalSource, localSources } from '../workspace/origin.ts';
import { defaultSettings, type Settings, settingsTable } from '../workspace/settings.ts';
import {
  crdsByFolder,
  emptySnapshot,
  type FolderSettings,
  type Snapshot,
  settingsAt,
  settingsOf,
} from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { folderOf } from '../workspace/uri.ts';
import { goModsAround, localCaches } from './caches.ts';
import { expandAll } from './inputs.ts';
import { printable, shownNote } from './report.ts';

export interface CrdOptions {
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
}

/** Settings beside those of `.kube-crd.yaml`. */
export interface CliSettings {
  /** What options say, which holds above all. */
  readonly chosen: Partial<Settings>;
  /** Other defaults than an editor's. */
  readonly usual?: Partial<Settings>;
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
  { chosen, usual = {} }: CliSettings,
): Promise<Workspace> {
  const here = pathToFileURL(process.cwd()).href;
  const configs = await configsAbove([here, ...listing.uris.map(folderOf)]);
  const settings = { ...settingsOf({ ...defaultSettings, ...usual }), configs, over: chosen };
  const listings = { own: [listing], named: [await expandAll(options.crds), ...(await crdsOfConfigs(settings))] };
  const loaded = await loadWorkspace(promptFiles, listings, { limits: defaultLimits, cancelled: () => false });
  const library = libraryFor(loaded, options.without, settingsAt(settings, `${here}/`));
  return {
    snapshot: withLoaded({ ...emptySnapshot, settings }, loaded),
    knowing: async (snapshot, file) => withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file))),
    notes: () => library.notes(),
  };
}

/** What `.kube-crd.yaml` says in folders, and above them. What means nothing ends the run: it was meant to decide verdicts. */
export async function configsAbove(folders: readonly string[]): Promise<FolderSettings['configs']> {
  const found = await configsAround(promptFiles, new Set(folders));
  const { configs, notes } = await loadConfigs(promptFiles, found, { table: settingsTable(ruleTitles), trusted: true });
  if (notes.length > 0) throw new Error(notes.map((note) => printable(shownNote(note))).join('\n'));
  return configs;
}

async function crdsOfConfigs(settings: FolderSettings): Promise<Listing[]> {
  const patterns = crdsByFolder(settings).flatMap(([folder, crds]) => crds.map((pattern) => ({ pattern, folder })));
  return await Promise.all(
    patterns.map(({ pattern, folder }) => promptFiles.expand(pattern, folder, defaultLimits.files)),
  );
}

/** What knows of CRDs that are not among the files. */
function libraryFor({ leads }: Loaded, without: readonly string[], settings: Settings): Library {
  const here = process.cwd();
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined)
    throw new Error(`there is no source ${unknown}; there are ${Object.keys(localSources).join(', ')}`);
  const workspace = [...new Set([...leads.workspace, ...goModsAround(here)])];
  const off = new Set([...settings.sources, ...(without as readonly LocalSource[])]);
  return libraryOf(
    promptFiles,
    { ...leads, workspace },
    { caches: localCaches(), folders: [pathToFileURL(here).href], off },
  );
}
