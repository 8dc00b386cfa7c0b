import { contexts } from '../fetch/cluster.ts';
import type { ClusterReader } from '../workspace/clusterReader.ts';
import { clusterOf } from './dryRun.ts';
import { storedCrds, storedObjects } from './objects.ts';

/** Asks clusters through the user's own kubectl, with `get`, `version` and `config get-contexts` alone. */
export const clusterReader: ClusterReader = {
  contexts,
  version: (context, tools) => clusterOf(context, tools).version(),
  crds: storedCrds,
  objects: storedObjects,
};
