import type { WantedKind } from './kinds.ts';
import type { FetchSource, LockRow } from './sources/lock.ts';

// What brings CRDs in from elsewhere, as those see it who may not run programs or use the network themselves: only a host
// that can gives it, and it is used on a user's command alone.

/** A CRD that was fetched, as it is kept. */
export interface FetchedCrd {
  readonly group: string;
  readonly kind: string;
  readonly text: string;
  /** It was made from the schemas of these versions, which tell less than a CRD. */
  readonly fromSchema?: readonly string[];
}

export interface FetchTools {
  /** Ends everything that is under way: the user has had enough. */
  readonly signal: AbortSignal;
  readonly network: Network;
  /** Says what is about to run, or what is asked of whom. */
  say(line: string): void;
}

/** How the network is reached, beside what the environment says. */
export interface Network {
  /** As an address; undefined for what the environment says. */
  readonly proxy?: string;
  /** A file of certificates, in PEM, that are trusted too. */
  readonly caFile?: string;
}

/** Why nothing could be fetched, in words for the user. */
export class FetchFailure extends Error {}

/** What a source has now of a kind that was fetched from it before. */
export interface Update {
  readonly row: LockRow;
  readonly source: FetchSource;
  /** Undefined where the source does not have the kind any more. */
  readonly crd: FetchedCrd | undefined;
  /** What is different, one line each; none where nothing is. */
  readonly changes: readonly string[];
}

export interface Updates {
  readonly updates: readonly Update[];
  /** Sources that could not be asked, and why. */
  readonly failures: readonly string[];
}

/** What several sources gave of the kinds that were missing. */
export interface Brought {
  readonly brought: readonly { readonly source: FetchSource; readonly crds: readonly FetchedCrd[] }[];
  readonly left: readonly WantedKind[];
  /** What went wrong on the way, one line each. */
  readonly failures: readonly string[];
}

/** Where things are kept beside the user's cache: the address of a workspace's folder on disk, or nowhere. */
export type Folder = string | undefined;

export interface CrdFetcher {
  /** Whether there is a kubectl, which takes no more than a look. */
  hasKubectl(): boolean;
  /** The contexts of the user's kubeconfig; no cluster is asked for them. */
  contexts(tools: FetchTools): Promise<readonly string[]>;
  /** What is run to read the CRDs of a context, to be shown before. */
  clusterCommand(context: string): string;
  /** All CRDs of a source, or, where it cannot list them, those of the kinds that are used. */
  fetch(source: FetchSource, used: readonly WantedKind[], tools: FetchTools): Promise<readonly FetchedCrd[]>;
  /** The CRDs of kinds that nothing defines, from each source what those before it lack. */
  missing(sources: readonly FetchSource[], missing: readonly WantedKind[], tools: FetchTools): Promise<Brought>;
  keep(crds: readonly FetchedCrd[], source: FetchSource, folder: Folder): Promise<void>;
  /** What was kept. */
  rows(folder: Folder): Promise<readonly LockRow[]>;
  /** Asks all sources again; `now` says where something is by now. */
  updates(
    rows: readonly LockRow[],
    now: (source: FetchSource) => FetchSource,
    folder: Folder,
    tools: FetchTools,
  ): Promise<Updates>;
  takeIn(updates: readonly Update[], folder: Folder): Promise<void>;
}
