import type { Value, ValueMap } from '../../base/value.ts';
import { type LoweredCrd, lowerCrd } from '../../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type ClusterReader, type ClusterTools, storedName } from '../../workspace/clusterReader.ts';
import { FetchFailure } from '../../workspace/fetcher.ts';
import { notJudged, type StoredJudge, storedJudge } from './stored.ts';
import { StoredCounter, type StoredTotals } from './storedTotals.ts';

// What changed CRDs do to the objects that a cluster stores, kind by kind.

/** A CRD before and after. */
export interface CrdChange {
  readonly old: Value;
  readonly now: Value;
}

/** Which of the objects are looked at. */
export interface StoredOptions {
  readonly namespace?: string | undefined;
  readonly selector?: string | undefined;
  /** Of each kind. */
  readonly maxObjects?: number | undefined;
  readonly pageSize: number;
}

export const usualPage = 500;

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
export class StoredKind {
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

export const cutAt = (most: number | undefined) => `no more than --max-objects ${most} were looked at`;

/** What is told while a cluster is asked. */
export interface Asking extends ClusterTools {
  /** An object was judged: the last of so many of a CRD. */
  step(count: number, crd: string): void | Promise<void>;
  /** The objects of a CRD are done. */
  over(): void;
  /** Something is left out, and why. */
  leftOut(why: string): void;
  /** Something could not be read, and why. */
  unread(why?: string): void;
}

/** Asks a cluster for the objects of each CRD. */
export async function judgedInCluster(
  changes: ReadonlyMap<string, CrdChange>,
  context: string,
  options: StoredOptions,
  version: KubernetesVersion,
  reader: ClusterReader,
  asking: Asking,
): Promise<Map<string, StoredTotals>> {
  const all = new Map<string, StoredTotals>();
  for (const [name, change] of changes) {
    const judged = new StoredKind(change, version);
    const { kind } = judged;
    if (kind.version === '') asking.unread(`${name} serves no version there, so its objects cannot be read`);
    else if (options.namespace !== undefined && !kind.isNamespaced)
      asking.leftOut(`${name} has no namespaces, so --namespace leaves its objects out`);
    else all.set(name, await judgedOfKind(judged, name, context, options, reader, asking));
  }
  return all;
}

async function judgedOfKind(
  judged: StoredKind,
  name: string,
  context: string,
  { namespace, selector, maxObjects, pageSize }: StoredOptions,
  reader: ClusterReader,
  asking: Asking,
): Promise<StoredTotals> {
  const size = Math.min(pageSize, maxObjects ?? pageSize);
  const wanted = { context, ...judged.kind, namespace, selector, pageSize: size };
  let cut: string | undefined;
  try {
    for await (const object of reader.objects(wanted, asking)) {
      if (judged.count === maxObjects) {
        cut = cutAt(maxObjects);
        break;
      }
      judged.add(object);
      await asking.step(judged.count, name);
    }
  } catch (error) {
    // What was judged so far is worth telling, as when the connection is lost.
    if (!(error instanceof FetchFailure) || asking.signal.aborted || judged.count === 0) throw error;
    cut = `the others could not be read: ${error.message}`;
    asking.unread();
  }
  asking.over();
  return judged.totals(cut);
}
