import { type FetchedCrd, FetchFailure, type FetchTools, type Update, type Updates } from '../workspace/fetcher.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import { type FetchSource, kindOf, type LockRow, sourceText } from '../workspace/sources/lock.ts';
import { changesOf } from './changes.ts';
import { fetchCrds } from './fetch.ts';
import { type Keep, keep, keptText, rowOf } from './store.ts';

/**
 * Asks every source again for what was fetched from it. `now` says where something is by now: in another version of a
 * chart, where the workspace names another.
 */
export async function updatesOf(
  rows: readonly LockRow[],
  now: (source: FetchSource) => FetchSource,
  where: Keep,
  tools: FetchTools,
): Promise<Updates> {
  const updates: Update[] = [];
  const failures: string[] = [];
  for (const group of bySource(rows)) {
    const source = now(group[0]!.source);
    try {
      const found = await fetchCrds(source, usedBy(group), tools);
      const byKind = new Map(found.map((crd) => [kindOf(crd), crd]));
      for (const row of group) updates.push(await updateOf(row, source, byKind.get(kindOf(row)), where));
    } catch (error) {
      if (!(error instanceof FetchFailure) || tools.signal.aborted) throw error;
      failures.push(`${sourceText(source)}: ${error.message}`);
    }
  }
  return { updates, failures };
}

function bySource(rows: readonly LockRow[]): Iterable<readonly LockRow[]> {
  const groups = new Map<string, LockRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.source);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups.values();
}

/** The kinds in their versions, for sources that have to be asked for each. */
function usedBy(rows: readonly LockRow[]): WantedKind[] {
  return rows.flatMap(({ group, kind, fromSchema = [] }) => fromSchema.map((version) => ({ group, version, kind })));
}

async function updateOf(row: LockRow, source: FetchSource, crd: FetchedCrd | undefined, where: Keep): Promise<Update> {
  if (!crd) return { row, source, crd, changes: ['- the source does not have it any more; it is left as it is'] };
  if ((await rowOf(crd, source)).sha256 === row.sha256) return { row, source, crd, changes: [] };
  const before = await keptText(row, where);
  const changes =
    before === undefined ? ['~ what was fetched before is not here any more'] : changesOf(before, crd.text);
  return { row, source, crd, changes };
}

/** Takes in what updates found; what is the same but from another version is noted as well. */
export async function takeIn(updates: readonly Update[], where: Keep): Promise<void> {
  for (const { row, source, crd, changes } of updates) {
    const isOther = changes.length > 0 || JSON.stringify(source) !== JSON.stringify(row.source);
    if (crd && isOther) await keep([crd], source, where);
  }
}

/** Brings what a lock file names and is not here, and fails where a source has something else by now. */
export async function restore(rows: readonly LockRow[], where: Keep, tools: FetchTools): Promise<number> {
  const missing: LockRow[] = [];
  for (const row of rows) if ((await keptText(row, where)) === undefined) missing.push(row);
  for (const group of bySource(missing)) {
    const { source } = group[0]!;
    const found = await fetchCrds(source, usedBy(group), tools);
    const byKind = new Map(found.map((crd) => [kindOf(crd), crd]));
    for (const row of group) {
      const crd = byKind.get(kindOf(row));
      const what = `the CRD of ${kindOf(row)} from ${sourceText(source)}`;
      if (!crd) throw new FetchFailure(`${what} is not there any more`);
      if ((await rowOf(crd, source)).sha256 !== row.sha256)
        throw new FetchFailure(
          `${what} is not the one that the lock file names; kube-crd crds update shows what is different`,
        );
      await keep([crd], source, where);
    }
  }
  return missing.length;
}
