import { isString, type ValueMap, valueAt } from '../base/value.ts';
import type { FetchTools } from './fetcher.ts';

// What asks clusters, as those see it who may not run programs themselves: only a host that can gives it, and it is used on a
// user's command alone. It reads, and writes nothing.

export type ClusterTools = Pick<FetchTools, 'signal' | 'say'>;

/** Objects of a kind in a cluster. */
export interface Wanted {
  readonly context: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Of one namespace; of all without it. */
  readonly namespace?: string | undefined;
  /** As kubectl takes it. */
  readonly selector?: string | undefined;
  /** How many are asked for at once. */
  readonly pageSize: number;
}

export interface ClusterReader {
  /** The contexts of the user's kubeconfig; no cluster is asked for them. */
  contexts(tools: ClusterTools): Promise<readonly string[]>;
  /** Such as `v1.34.2`. */
  version(context: string, tools: ClusterTools): Promise<string>;
  /** The CRDs that it stores, with their status; of those names, where some are given. */
  crds(context: string, names: readonly string[] | undefined, tools: ClusterTools): Promise<readonly ValueMap[]>;
  /** All objects of a kind, in the order of the cluster, page by page. */
  objects(wanted: Wanted, tools: ClusterTools): AsyncIterable<ValueMap>;
}

/** `namespace/name`, or the name alone. */
export function storedName(object: ValueMap): string {
  const [namespace, name] = ['namespace', 'name'].map((key) => valueAt(object, ['metadata', key]));
  return [namespace, name].filter(isString).join('/');
}
