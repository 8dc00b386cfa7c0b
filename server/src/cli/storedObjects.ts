import { isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { storedObjects } from '../cluster/objects.ts';
import { type LoweredCrd, lowerCrd } from '../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { notJudged, type StoredJudge, storedJudge } from '../rules/changes/stored.ts';
import { StoredCounter, type StoredTotals, storedName } from '../rules/changes/storedTotals.ts';
import { FetchFailure } from '../workspace/fetcher.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { shownUri } from '../workspace/sources/shown.ts';
import { renderBlock } from '../yaml/render.ts';
import { dumpedObjects, type Unread } from './dumped.ts';
import { progressOf } from './progress.ts';
import { complain } from './terminal.ts';

// What changed CRDs do to the objects that a cluster stores: asked of the cluster, or of files of what it has.

/** Which of the objects are looked at. */
export interface StoredOptions {
  readonly namespace: string | undefined;
  readonly selector: string | undefined;
  /** Of each kind. */
  readonly maxObjects: number | undefined;
  readonly pageSize: number;
}

/** A CRD before and after. */
export interface CrdChange {
  readonly old: Value;
  readonly now: Value;
}

/** A CRD as a cluster stores it, without what only tells who wrote it. */
export function storedText(crd: ValueMap): string {
  const metadata = crd.get('metadata');
  const kept = new Map(isMap(metadata) ? metadata : []);
  kept.delete('managedFields');
  return `${renderBlock(new Map(crd).set('metadata', kept), 0, { eol: '\n', step: 2, indentLists: false })}\n`;
}

/** Files with the CRDs that a cluster stores. */
export function storedSide(crds: readonly ValueMap[], context: string): SourceFile[] {
  return crds.map((crd, i) => sourceFile(storedUri(context, i), storedText(crd), { made: true }));
}

/** No folder of it has the context's name: one that is called `test` has no test data in it. */
export const storedUri = (context: string, nth: number) => shownUri(`${context}/cluster`, `${nth}.yaml`);

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

/** The version that objects are read in: the one that they are stored in, if that is served. */
function versionOf({ versions }: LoweredCrd): string {
  const served = versions.filter((one) => one.served);
  return (served.find(({ storage }) => storage) ?? served[0])?.name ?? '';
}

function kindOf(crd: Value, version: KubernetesVersion) {
  const lowered = lowerCrd(crd, version);
  return {
    group: lowered?.group ?? '',
    kind: lowered?.names.kind ?? '',
    plural: lowered?.names.plural ?? '',
    isNamespaced: lowered?.namespaced ?? true,
    version: lowered ? versionOf(lowered) : '',
  };
}

/** Judges the objects of one kind as they come. */
class Judged {
  readonly kind: ReturnType<typeof kindOf>;
  private readonly counter = new StoredCounter();
  private readonly judge: StoredJudge;
  count = 0;

  constructor({ old, now }: CrdChange, version: KubernetesVersion) {
    this.kind = kindOf(old, version);
    const judge = storedJudge(old, now, version);
    this.judge = 'error' in judge ? () => notJudged(judge.error) : judge;
  }

  /** A backup may hold an object in several versions: the first counts. */
  private readonly seen = new Set<string>();

  isNew(object: ValueMap): boolean {
    const name = storedName(object);
    const isNew = !this.seen.has(name);
    this.seen.add(name);
    return isNew;
  }

  add(object: ValueMap): void {
    this.count++;
    this.counter.add(object, this.judge(object));
  }

  totals(cut?: string): StoredTotals {
    return this.counter.totals(this.kind.kind, this.kind.version, cut);
  }
}

const cutAt = (most: number | undefined) => `no more than --max-objects ${most} were looked at`;

/** Asks a cluster for the objects of each CRD. */
export async function judgedInCluster(
  changes: ReadonlyMap<string, CrdChange>,
  context: string,
  options: StoredOptions,
  version: KubernetesVersion,
  signal: AbortSignal,
  unread: Unread,
): Promise<Map<string, StoredTotals>> {
  const { namespace, selector, maxObjects, pageSize } = options;
  const all = new Map<string, StoredTotals>();
  for (const [name, change] of changes) {
    const judged = new Judged(change, version);
    const { kind } = judged;
    if (kind.version === '') {
      complain(`${name} serves no version there, so its objects cannot be read`);
      unread.count++;
      continue;
    }
    if (namespace !== undefined && !kind.isNamespaced) {
      complain(`${name} has no namespaces, so --namespace leaves its objects out`);
      continue;
    }
    const progress = progressOf((count) => `${count} objects of ${name}`);
    const wanted = { context, ...kind, namespace, selector, pageSize: Math.min(pageSize, maxObjects ?? pageSize) };
    let cut: string | undefined;
    try {
      for await (const object of storedObjects(wanted, { signal, say: () => {} })) {
        if (judged.count === maxObjects) {
          cut = cutAt(maxObjects);
          break;
        }
        judged.add(object);
        progress.step();
      }
    } catch (error) {
      // What was judged so far is worth telling, as when a list takes longer than the cluster keeps it.
      if (!(error instanceof FetchFailure) || signal.aborted || judged.count === 0) throw error;
      cut = `the others could not be read: ${error.message}`;
      unread.count++;
    }
    progress.clear();
    all.set(name, judged.totals(cut));
  }
  return all;
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
  const byKind = new Map<string, [string, Judged]>();
  for (const [name, change] of changes) {
    const judged = new Judged(change, version);
    byKind.set(`${judged.kind.group}/${judged.kind.kind}`, [name, judged]);
  }
  const cut = new Set<Judged>();
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
