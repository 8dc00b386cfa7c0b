import { memo } from '../../base/memo.ts';
import type { Cluster } from '../../helm/capabilities.ts';
import type { BuiltinFile } from '../../kubernetes/builtin/file.ts';
import { builtinKindsOf } from '../../kubernetes/builtin/kinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { isOnByDefault } from '../builtin.ts';
import { isKubernetesGroup } from '../kinds.ts';
import { splitApiVersion } from '../manifest.ts';
import { kubernetesFor, type Snapshot } from '../snapshot.ts';

/** The cluster that a chart is rendered for: a new one of the release that its files are judged for. */
export function clusterFor(snapshot: Snapshot, root: string): Cluster {
  const version = kubernetesFor(snapshot, `${root}/Chart.yaml`);
  return snapshot.builtin ? withBuiltin(snapshot.builtin, version) : without(version);
}

const without = memo((version: KubernetesVersion): Cluster => ({ kubeVersion: `v${version.name}.0` }));

const withBuiltin = memo((file: BuiltinFile, version: KubernetesVersion): Cluster => {
  const served = new Set<string>();
  for (const { apiVersion, kind, ...facts } of builtinKindsOf(file, version).kinds.values()) {
    if (facts.isGone || !facts.served || !isOnByDefault(facts.version)) continue;
    served.add(apiVersion).add(`${apiVersion}/${kind}`);
  }
  return {
    kubeVersion: `v${version.name}.0`,
    served: [...served, 'apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1/CustomResourceDefinition'],
    isKnown: (apiVersion) => isKubernetesGroup(splitApiVersion(apiVersion).group),
  };
});
