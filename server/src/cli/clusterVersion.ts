import type { Cluster } from '../cluster/dryRun.ts';
import { kubernetesVersions, newestVersion } from '../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { complain } from './terminal.ts';

/** The release that a cluster runs; the newest that is known, where that one is not. */
export async function clusterVersion(cluster: Cluster, context: string): Promise<KubernetesVersion> {
  const version = await cluster.version();
  const [, name] = /^v?(\d+\.\d+)/.exec(version) ?? [];
  const known = kubernetesVersions.find((one) => one.name === name);
  const beside = known ? '' : `, which is not known here: its answers are compared with ${newestVersion.name}`;
  complain(`cluster ${context} runs Kubernetes ${version}${beside}`);
  return known ?? newestVersion;
}
