import { promises as fs } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { printable } from '../base/printable.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import { ruleTitles } from '../rules/model/registry.ts';
import { needsBuiltin, unpackBuiltin } from '../workspace/builtin.ts';
import { configsAround, loadConfigs } from '../workspace/config.ts';
import { isAddress, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../workspace/loader.ts';
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
import { lockFaults } from '../workspace/sources/fetched.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { lockName } from '../workspace/sources/lock.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { isLock, type Leads } from '../workspace/sources/places.ts';
import { folderOf } from '../workspace/uri.ts';
import { holdValues } from '../yaml/value.ts';
import { readBuiltinKinds } from './builtinKinds.ts';
import { leadsAround, localCaches } from './caches.ts';
import { expandAll } from './inputs.ts';
import { nameOf, shownNote } from './report.ts';

export interface CrdOptions {
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
  /** What was fetched counts only as the workspace's lock file names it: verdicts are the same on every machine. */
  readonly locked?: boolean;
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
  /** What is not as a lock file says, where it has to be, one line each. */
  readonly lockFaults: readonly string[];
}

/** The CRDs of 500 kinds and more: a run asks for them in the order of its files, which may be any. */
const heldCharacters = 16_000_000;

export async function openWorkspace(
  listing: Listing,
  options: CrdOptions,
  { chosen, usual = {} }: CliSettings,
  /** Folders of other files, whose settings are asked for as well. */
  others: readonly string[] = [],
): Promise<Workspace> {
  const address = options.crds.find(isAddress);
  if (address !== undefined)
    throw new Error(`${address} is not read by itself: kube-crd crds fetch takes --url and --catalogue`);
  holdValues(heldCharacters);
  const here = pathToFileURL(process.cwd()).href;
  const configs = await configsAbove([here, ...listing.uris.map(folderOf), ...others]);
  const settings = { ...settingsOf({ ...defaultSettings, ...usual }), configs, over: chosen };
  const listings = { own: [listing], named: [await expandAll(options.crds), ...(await crdsOfConfigs(settings))] };
  const loaded = await loadWorkspace(promptFiles, listings, { limits: defaultLimits, cancelled: () => false });
  const workspace = [...new Set([...loaded.leads.workspace, ...leadsAround(process.cwd())])];
  const leads = { ...loaded.leads, workspace };
  const library = libraryFor(leads, options, settingsAt(settings, `${here}/`));
  return {
    snapshot: withLoaded({ ...emptySnapshot, settings }, loaded),
    knowing: async (snapshot, file) => {
      const found = withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file)));
      return needsBuiltin(found, file) ? { ...found, builtin: await builtinFile() } : found;
    },
    notes: () => library.notes(),
    lockFaults: options.locked ? await faultsOf(leads) : [],
  };
}

let builtin: Promise<BuiltinFile> | undefined;

async function builtinFile(): Promise<BuiltinFile> {
  builtin ??= readBuiltinKinds().then(unpackBuiltin);
  return await builtin;
}

/** What `.kube-crd.yaml` says in folders, and above them. What means nothing ends the run: it was meant to decide verdicts. */
async function configsAbove(folders: readonly string[]): Promise<FolderSettings['configs']> {
  const found = await configsAround(promptFiles, new Set(folders));
  const { configs, notes } = await loadConfigs(promptFiles, found, { table: settingsTable(ruleTitles), trusted: true });
  if (notes.length > 0) throw new Error(notes.map((note) => printable(shownNote(note))).join('\n'));
  return configs;
}

/** The settings by which files at a path are judged, with that place: a folder's ends with a slash. */
export async function settingsNear(path: string): Promise<{ settings: FolderSettings; uri: string }> {
  const { href } = pathToFileURL(path);
  const isFolder = (await fs.stat(path).catch(() => undefined))?.isDirectory() === true;
  const uri = isFolder && !href.endsWith('/') ? `${href}/` : href;
  return { settings: { ...settingsOf(defaultSettings), configs: await configsAbove([folderOf(uri)]) }, uri };
}

async function crdsOfConfigs(settings: FolderSettings): Promise<Listing[]> {
  const patterns = crdsByFolder(settings).flatMap(([folder, crds]) =>
    crds.filter((one) => !isAddress(one)).map((pattern) => ({ pattern, folder })),
  );
  return await Promise.all(
    patterns.map(({ pattern, folder }) => promptFiles.expand(pattern, folder, defaultLimits.files)),
  );
}

/** What knows of CRDs that are not among the files. */
function libraryFor(leads: Leads, { without, locked }: CrdOptions, settings: Settings): Library {
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined)
    throw new Error(`there is no source ${unknown}; there are ${Object.keys(localSources).join(', ')}`);
  const off = new Set([...settings.sources, ...(without as readonly LocalSource[])]);
  if (locked) off.add('userCache');
  return libraryOf(promptFiles, leads, { caches: localCaches(), folders: [pathToFileURL(process.cwd()).href], off });
}

async function faultsOf({ workspace }: Leads): Promise<string[]> {
  const locks = workspace.filter(isLock);
  const faults: string[] = [];
  for (const lock of locks)
    for (const fault of await lockFaults(promptFiles, lock, localCaches().fetched))
      faults.push(`${nameOf(lock)}: ${fault}`);
  return locks.length === 0 ? [`there is no ${lockName} here`] : faults;
}
