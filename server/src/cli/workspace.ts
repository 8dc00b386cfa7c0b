import { printable } from '../base/printable.ts';
import { addressOf } from '../files/address.ts';
import { kindAt } from '../files/folders.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { ruleTitles } from '../rules/model/registry.ts';
import type { OpenApiTexts } from '../serve/openApi/texts.ts';
import { builtinOf, needsBuiltin } from '../workspace/builtin.ts';
import { configsAround, loadConfigs } from '../workspace/config.ts';
import { emptyListing, type Files, isAddress, type Listing } from '../workspace/files.ts';
import { GoPackages } from '../workspace/goPackages.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp, type Library, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import { listedByConfigs } from '../workspace/namedByConfigs.ts';
import { type LocalSource, localSources } from '../workspace/origin.ts';
import { defaultSettings, type Settings, settingsTable } from '../workspace/settings.ts';
import {
  emptySnapshot,
  type FolderSettings,
  type Snapshot,
  settingsAt,
  settingsOf,
  withOpen,
} from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { lockFaults } from '../workspace/sources/fetched.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { lockName } from '../workspace/sources/lock.ts';
import { type Homes, homesIn, namedByFiles } from '../workspace/sources/named.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { type Caches, isLock, type Leads } from '../workspace/sources/places.ts';
import { type ClusterCrds, clusterFiles, withCluster } from '../workspace/storedCrds.ts';
import { folderOf } from '../workspace/uri.ts';
import { keepTrees } from '../yaml/parse.ts';
import { holdValues } from '../yaml/value.ts';
import { leadsAround, localCaches, rootsAround } from './caches.ts';
import { programName } from './called.ts';
import { packagedText } from './data.ts';
import { expandAll, listingAt, sourcesAt } from './inputs.ts';
import { keptBetweenRuns } from './keptValues.ts';
import { nameOf, shownNote } from './report.ts';
import { complain } from './terminal.ts';

export interface CrdOptions {
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
  /** What was fetched counts only as the workspace's lock file names it: verdicts are the same on every machine. */
  readonly locked?: boolean;
  /** The CRDs of a cluster, which count before all others. */
  readonly clusterCrds?: ClusterCrds | undefined;
  /** What is named, if it knows the CRDs of the repository that it is in. */
  readonly paths?: readonly string[];
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
  /** The folders in which what files of a folder name may lie. */
  homesOf: Homes;
  /** What could not be looked into, one line each. */
  notes(): readonly string[];
  /** The repositories around what is named, whose CRDs are known. */
  readonly around: readonly string[];
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
    throw new Error(`${address} is not read by itself: ${programName()} crds fetch takes --url and --catalogue`);
  holdValues(heldCharacters);
  keepTrees(heldCharacters);
  const here = addressOf(process.cwd());
  const configs = await configsAbove([here, ...listing.uris.map(folderOf), ...others]);
  const byConfigs = await listedByConfigs(configs, filesNamedIn(options));
  for (const { config, why } of byConfigs.refusals) complain(shownNote(`${config}: crds: ${why}`));
  const settings = {
    ...settingsOf({ ...defaultSettings, ...usual }),
    configs: byConfigs.configs,
    over: chosen,
  };
  const around = rootsAround(options.paths ?? []);
  const beside = await Promise.all(around.map((root) => promptFiles.list(root, defaultLimits.files)));
  const listings = {
    own: [listing, ...beside],
    named: [await expandAll(options.crds), ...byConfigs.listings],
  };
  const { helm } = cachesFor(options.locked);
  // Of the repository around what is named most is not judged itself, and so need not be parsed.
  const kept = around.length > 0 ? keptBetweenRuns() : undefined;
  const reading = { limits: defaultLimits, cancelled: () => false, helm, kept };
  const loaded = await loadWorkspace(promptFiles, listings, reading);
  const workspace = [...new Set([...loaded.leads.workspace, ...leadsAround(process.cwd())])];
  const leads = { ...loaded.leads, workspace };
  const there = options.clusterCrds ? clusterFiles(options.clusterCrds) : [];
  const library = libraryFor(leads, options, settingsAt(settings, `${here}/`));
  return {
    snapshot: withCluster(withLoaded({ ...emptySnapshot, settings }, loaded), there),
    knowing: async (snapshot, file) => {
      const found = withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file), packagedText));
      return needsBuiltin(found, file) ? { ...found, builtin: await builtinFile() } : found;
    },
    homesOf: homesFor(options),
    notes: () => library.notes(),
    around,
    lockFaults: options.locked ? await faultsOf(leads) : [],
  };
}

/** Which repositories around what is named count, one line each: what is in the working folder is expected to. */
export function repositoriesSaid({ around }: Workspace): string[] {
  const others = around.map(nameOf).filter((name) => name !== '');
  return others.map((name) => `the CRDs of ${name}, the repository around, are known`);
}

/** The definitions of all kinds that paths define, standard input among them. */
export async function definitionsAt(
  paths: readonly string[],
  crds: CrdOptions,
  version: KubernetesVersion,
  { mayBeEmpty = false } = {},
) {
  const settings = { chosen: { kubernetesVersion: version.name } };
  const { snapshot } = await openWorkspace(await listingAt(paths, mayBeEmpty), crds, settings);
  let known = snapshot;
  for await (const file of sourcesAt(paths.filter(isStandardInput), emptyListing)) {
    if (typeof file === 'string') throw new Error(file);
    known = withOpen(known, file);
  }
  return [...known.definitions.values()];
}

const isStandardInput = (path: string) => path === '-';

let builtin: Promise<BuiltinFile> | undefined;

/** The built-in kinds, read once. */
export async function builtinFile(): Promise<BuiltinFile> {
  builtin ??= packagedText('builtinKinds.json.gz').then(builtinOf);
  return await builtin;
}

let texts: Promise<OpenApiTexts> | undefined;

/** What OpenAPI documents say alike, read once. */
export async function openApiTexts(): Promise<OpenApiTexts> {
  texts ??= packagedText('openApi.json.gz').then((text) => JSON.parse(text));
  return await texts;
}

/** What `.kube-crd.yaml` says in folders, and above them. What means nothing ends the run: it was meant to decide verdicts. */
async function configsAbove(folders: readonly string[]): Promise<FolderSettings['configs']> {
  const found = await configsAround(promptFiles, new Set(folders));
  const reading = { table: settingsTable(ruleTitles), trusted: true };
  const { configs, notes, leftOut } = await loadConfigs(promptFiles, found, reading);
  for (const what of leftOut) complain(shownNote(what));
  if (notes.length > 0) throw new Error(notes.map((note) => printable(shownNote(note))).join('\n'));
  return configs;
}

/** Go packages of folders, with the options that settings give. */
export async function goPackagesFor(folders: readonly string[]): Promise<GoPackages> {
  const settings = { ...settingsOf(defaultSettings), configs: await configsAbove(folders) };
  const options = (folder: string) => settingsAt(settings, `${folder}/`).controllerGen;
  return new GoPackages(promptFiles, localCaches().goModules, packagedText, options);
}

/** The settings by which files at a path are judged, with that place: a folder's ends with a slash. */
export async function settingsNear(path: string): Promise<{ settings: FolderSettings; uri: string }> {
  const href = addressOf(path);
  const isFolder = (await kindAt(path)) === 'folder';
  const uri = isFolder && !href.endsWith('/') ? `${href}/` : href;
  return { settings: { ...settingsOf(defaultSettings), configs: await configsAbove([folderOf(uri)]) }, uri };
}

/** Files whose patterns come from files of the workspace: what they name lies in it, or in what the command line names. */
export function filesNamedIn(options: CrdOptions & { readonly paths?: readonly string[] }): Files {
  return namedByFiles(promptFiles, homesFor(options));
}

/** The folders in which what files of the workspace name may lie. */
export function homesFor({ crds = [], paths = [] }: Partial<Pick<CrdOptions, 'crds' | 'paths'>>): Homes {
  const named = [...crds, ...paths].map((pattern) => promptFiles.startOf(pattern, undefined));
  const here = addressOf(process.cwd());
  return homesIn(promptFiles, { folders: [], otherwise: here, named, repository: true });
}

/** What knows of CRDs that are not among the files. */
function libraryFor(leads: Leads, { without, locked }: CrdOptions, settings: Settings): Library {
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined)
    throw new Error(`there is no source ${unknown}; there are ${Object.keys(localSources).join(', ')}`);
  const off = new Set([...settings.sources, ...(without as readonly LocalSource[])]);
  return libraryOf(promptFiles, leads, {
    caches: cachesFor(locked),
    folders: [addressOf(process.cwd())],
    off,
  });
}

/** What only this machine has decides nothing where the same commit is to give the same verdict everywhere. */
function cachesFor(locked: boolean | undefined): Caches {
  return locked ? { goModules: undefined, helm: undefined, fetched: undefined } : localCaches();
}

async function faultsOf({ workspace }: Leads): Promise<string[]> {
  const locks = workspace.filter(isLock);
  const faults: string[] = [];
  for (const lock of locks)
    for (const fault of await lockFaults(promptFiles, lock, undefined)) faults.push(`${nameOf(lock)}: ${fault}`);
  return locks.length === 0 ? [`there is no ${lockName} here`] : faults;
}
