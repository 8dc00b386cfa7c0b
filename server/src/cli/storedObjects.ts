import { isString, type ValueMap, valueAt } from '../base/value.ts';
import { clusterReader } from '../cluster/reader.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type CrdChange, cutAt, judgedInCluster, StoredKind, type StoredOptions } from '../rules/changes/storedKind.ts';
import type { StoredTotals } from '../rules/changes/storedTotals.ts';
import { FetchFailure } from '../workspace/fetcher.ts';
import { dumpedObjects, type Unread } from './dumped.ts';
import { type Progress, progressOf } from './progress.ts';
import { complain } from './terminal.ts';

// What changed CRDs do to the objects that a cluster stores: asked of the cluster, or of files of what it has.

/** The CRDs of these names in files of what a cluster has. */
export async function dumpedCrds(
  paths: readonly string[],
  names: ReadonlySet<string>,
  unread: Unread,
): Promise<ValueMap[]> {
  const found = new Map<string, ValueMap>();
  for await (const object of dumpedObjects(paths, unread)) {
    const name = valueAt(object, ['metadata', 'name']);
    if (object.get('kind') === 'CustomResourceDefinition' && isString(name) && names.has(name)) found.set(name, object);
  }
  return [...found.values()];
}

/** Asks a cluster for the objects of each CRD. */
export async function judgedThere(
  changes: ReadonlyMap<string, CrdChange>,
  context: string,
  options: StoredOptions,
  version: KubernetesVersion,
  signal: AbortSignal,
  unread: Unread,
): Promise<Map<string, StoredTotals>> {
  let progress: Progress | undefined;
  const over = () => {
    progress?.clear();
    progress = undefined;
  };
  return judgedInCluster(changes, context, options, version, clusterReader, {
    signal,
    say: () => {},
    step: (_, crd) => {
      progress ??= progressOf((count) => `${count} objects of ${crd}`);
      progress.step();
    },
    over,
    leftOut: complain,
    unread: (why) => {
      over();
      unread.count++;
      if (why !== undefined) complain(why);
    },
  });
}

/** Takes the objects of files. */
export async function judgedInDump(
  changes: ReadonlyMap<string, CrdChange>,
  paths: readonly string[],
  { namespace, maxObjects }: StoredOptions,
  version: KubernetesVersion,
  signal: AbortSignal,
  unread: Unread,
): Promise<Map<string, StoredTotals>> {
  const byKind = new Map<string, [string, StoredKind]>();
  for (const [name, change] of changes) {
    const judged = new StoredKind(change, version);
    byKind.set(`${judged.kind.group}/${judged.kind.kind}`, [name, judged]);
  }
  const cut = new Set<StoredKind>();
  const progress = progressOf((count) => `${count} objects`);
  for await (const object of dumpedObjects(paths, unread)) {
    if (signal.aborted) throw new FetchFailure('cancelled');
    const [apiVersion, kind] = [object.get('apiVersion'), object.get('kind')];
    if (!isString(apiVersion) || !isString(kind)) continue;
    const [, judged] = byKind.get(`${apiVersion.replace(/\/[^/]*$/, '')}/${kind}`) ?? [];
    if (!judged || (namespace !== undefined && valueAt(object, ['metadata', 'namespace']) !== namespace)) continue;
    if (!judged.isNew(object)) continue;
    if (judged.count === maxObjects) cut.add(judged);
    else judged.add(object);
    progress.step();
  }
  progress.clear();
  return new Map(
    [...byKind.values()].map(([name, judged]) => [
      name,
      judged.totals(cut.has(judged) ? cutAt(maxObjects) : undefined),
    ]),
  );
}
