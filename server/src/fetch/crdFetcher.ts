import { fileURLToPath } from 'node:url';
import { programInPath } from '../programs/programs.ts';
import type { CrdFetcher, Folder } from '../workspace/fetcher.ts';
import { clusterCommand, contexts } from './cluster.ts';
import { fetchCrds } from './fetch.ts';
import { fetchMissing } from './missing.ts';
import { keep, readLock } from './store.ts';
import { takeIn, updatesOf } from './update.ts';

/** Brings CRDs into a cache, and into folders of workspaces. */
export function crdFetcher(cache: string): CrdFetcher {
  const pathOf = (folder: Folder) => (folder === undefined ? undefined : fileURLToPath(folder));
  const at = (folder: Folder) => ({ cache, workspace: pathOf(folder) });
  return {
    hasKubectl: () => programInPath('kubectl') !== undefined,
    contexts,
    clusterCommand: (context) => ['kubectl', ...clusterCommand(context)].join(' '),
    fetch: fetchCrds,
    missing: fetchMissing,
    keep: (crds, source, folder) => keep(crds, source, at(folder)),
    rows: (folder) => readLock(pathOf(folder) ?? cache),
    updates: (rows, now, folder, tools) => updatesOf(rows, now, at(folder), tools),
    takeIn: (updates, folder) => takeIn(updates, at(folder)),
  };
}
