import { memo } from '../../base/memo.ts';
import { type Cluster, servedIn } from '../../helm/capabilities.ts';
import type { BuiltinFile } from '../../kubernetes/builtin/file.ts';
import { builtinKindsOf } from '../../kubernetes/builtin/kinds.ts';
import { kubernetesVersions } from '../../kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { isOnByDefault } from '../builtin.ts';
import { kubernetesFor, type Snapshot, settingsFor } from '../snapshot.ts';

/** A cluster, and which of a chart's own files of values it is rendered with for it. */
export interface ChartSettings extends Cluster {
  readonly valuesFiles: readonly string[];
}

/** What a chart is rendered for: a new cluster of the release that its files are judged for. */
export function clusterFor(snapshot: Snapshot, root: string): ChartSettings {
  const uri = `${root}/Chart.yaml`;
  const version = kubernetesFor(snapshot, uri);
  const { chartValues } = settingsFor(snapshot, uri);
  return withValues(snapshot.builtin ? withBuiltin(snapshot.builtin, version) : without(version), chartValues);
}

const withValues = memo(
  (cluster: Cluster, valuesFiles: readonly string[]): ChartSettings => ({ ...cluster, valuesFiles }),
);

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
  };
});

/** Whether all releases that are known serve an API, so that only an older cluster does not. */
export function isServedByAll({ builtin }: Snapshot, apiVersion: string): boolean {
  const served = (one: KubernetesVersion) => builtin && servedIn(withBuiltin(builtin, one)).includes(apiVersion);
  return kubernetesVersions.every(served);
}
