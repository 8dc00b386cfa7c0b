import type { Cluster } from '../cluster/dryRun.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { releaseLike } from '../workspace/storedCrds.ts';
import { complain } from './terminal.ts';

/** The release that a cluster runs; the newest that is known, where that one is not. */
export async function clusterVersion(cluster: Cluster, context: string): Promise<KubernetesVersion> {
  const version = await cluster.version();
  const { release, isKnown } = releaseLike(version);
  const beside = isKnown ? '' : `, which is not known here: its answers are compared with ${release.name}`;
  complain(`cluster ${context} runs Kubernetes ${version}${beside}`);
  return release;
}
