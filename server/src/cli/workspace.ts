import { pathToFileURL } from 'node:url';
import { isAddress, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../workspace/loader.ts';
import { kindsToLookUp, type Library, lookUp, withLookedUp } from '../workspace/lookUp.ts';
import { type LocalSource, localSources } from '../workspace/origin.ts';
import { defaultSettings, type Settings } from '../workspace/settings.ts';
import { emptySnapshot, type Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { lockFaults } from '../workspace/sources/fetched.ts';
import { libraryOf } from '../workspace/sources/library.ts';
import { lockName } from '../workspace/sources/lock.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { isLock, type Leads } from '../workspace/sources/places.ts';
import { leadsAround, localCaches } from './caches.ts';
import { expandAll } from './inputs.ts';
import { nameOf } from './report.ts';

export interface CrdOptions {
  readonly crds: readonly string[];
  /** Sources that are not asked, as those that `kubeCrd.sources` turns off. */
  readonly without: readonly string[];
  /** What was fetched counts only as the workspace's lock file names it: verdicts are the same on every machine. */
  readonly locked?: boolean;
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

export async function openWorkspace(
  listing: Listing,
  options: CrdOptions,
  settings: Partial<Settings>,
): Promise<Workspace> {
  const address = options.crds.find(isAddress);
  if (address !== undefined)
    throw new Error(`${address} is not read by itself: kube-crd crds fetch takes --url and --catalogue`);
  const listings = { own: [listing], named: [await expandAll(options.crds)] };
  const loaded = await loadWorkspace(nodeFiles, listings, { limits: defaultLimits, cancelled: () => false });
  const leads = {
    ...loaded.leads,
    workspace: [...new Set([...loaded.leads.workspace, ...leadsAround(process.cwd())])],
  };
  const library = libraryFor(leads, options);
  const all = { ...defaultSettings, ...settings };
  return {
    snapshot: withLoaded({ ...emptySnapshot, settings: { all, folders: new Map() } }, loaded),
    knowing: async (snapshot, file) => withLookedUp(snapshot, await lookUp(library, kindsToLookUp(snapshot, file))),
    notes: () => library.notes(),
    lockFaults: options.locked ? await faultsOf(leads) : [],
  };
}

/** What knows of CRDs that are not among the files. */
function libraryFor(leads: Leads, { without, locked }: CrdOptions): Library {
  const unknown = without.find((name) => !Object.hasOwn(localSources, name));
  if (unknown !== undefined)
    throw new Error(`there is no source ${unknown}; there are ${Object.keys(localSources).join(', ')}`);
  const off = new Set(without as readonly LocalSource[]);
  if (locked) off.add('userCache');
  return libraryOf(nodeFiles, leads, { caches: localCaches(), folders: [pathToFileURL(process.cwd()).href], off });
}

async function faultsOf({ workspace }: Leads): Promise<string[]> {
  const locks = workspace.filter(isLock);
  const faults: string[] = [];
  for (const lock of locks)
    for (const fault of await lockFaults(nodeFiles, lock, localCaches().fetched))
      faults.push(`${nameOf(lock)}: ${fault}`);
  return locks.length === 0 ? [`there is no ${lockName} here`] : faults;
}
