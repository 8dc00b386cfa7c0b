/** What `.Capabilities` has. */

import { memo } from '../base/memo.ts';
import { byName, plain } from '../template/functions.ts';
import { isInRange } from '../template/semver.ts';
import { cell, type GoFunction, GoList, GoStruct, type GoValue, ofEngine } from '../template/value.ts';

/** The release of Helm whose behaviour this is, and the Go and the Kubernetes that it is built with. */
const helmVersion = { helm: 'v4.3', go: 'go1.26.8', kubernetes: 'v1.37' } as const;

/** The groups and versions that Helm takes for served where it sees no cluster, in its order. */
const servedByDefault = `v1 admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1alpha1
admissionregistration.k8s.io/v1beta1 internal.apiserver.k8s.io/v1alpha1 apps/v1 apps/v1beta1 apps/v1beta2
authentication.k8s.io/v1 authentication.k8s.io/v1alpha1 authentication.k8s.io/v1beta1 authorization.k8s.io/v1
authorization.k8s.io/v1beta1 autoscaling/v1 autoscaling/v2 batch/v1 batch/v1beta1 certificates.k8s.io/v1
certificates.k8s.io/v1beta1 certificates.k8s.io/v1alpha1 coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1
coordination.k8s.io/v1 discovery.k8s.io/v1 discovery.k8s.io/v1beta1 events.k8s.io/v1 events.k8s.io/v1beta1
extensions/v1beta1 flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1
flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3 lifecycle.k8s.io/v1alpha1
networking.k8s.io/v1 networking.k8s.io/v1beta1 node.k8s.io/v1 node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1
policy/v1beta1 rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1
resource.k8s.io/v1 resource.k8s.io/v1beta2 resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3
scheduling.k8s.io/v1alpha3 scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1 storage.k8s.io/v1beta1 storage.k8s.io/v1
storage.k8s.io/v1alpha1 storagemigration.k8s.io/v1 storagemigration.k8s.io/v1beta1 apiextensions.k8s.io/v1beta1
apiextensions.k8s.io/v1`.split(/\s/);

export interface Cluster {
  /** Such as `1.37` or `v1.36.3`. */
  readonly kubeVersion?: string;
  /** What is served, such as `apps/v1` and `apps/v1/Deployment`; what Helm takes for served where nobody says. */
  readonly served?: readonly string[];
  /** What is served beside that, such as `monitoring.coreos.com/v1`. */
  readonly apiVersions?: readonly string[];
}

/** What is served where nothing else is said. */
export function servedIn({ served = servedByDefault }: Cluster): readonly string[] {
  return served;
}

/** The Kubernetes of a cluster, as templates see it. */
export function kubeVersionOf({ kubeVersion = `${helmVersion.kubernetes}.0` }: Cluster): string {
  return kubeVersion.startsWith('v') ? kubeVersion : `v${kubeVersion}`;
}

/** What Helm says where a chart is for other versions of Kubernetes. */
export function wantsOtherKubernetes(wanted: string, kubernetes: string): string | undefined {
  if (wanted === '' || isInRange(kubernetes, wanted)) return undefined;
  return `chart requires kubeVersion: ${wanted} which is incompatible with Kubernetes ${kubernetes}`;
}

/** The version of Kubernetes that a chart is rendered for: the nearest before that of the cluster where it is not for that one. */
export function fittingCluster<A extends Cluster>(cluster: A, wanted: string): A {
  const kubernetes = kubeVersionOf(cluster);
  if (wantsOtherKubernetes(wanted, kubernetes) === undefined) return cluster;
  const minor = Number(/^v\d+\.(\d+)/.exec(kubernetes)?.[1] ?? 0);
  const others = Array.from({ length: minor + mostMinorsAfter }, (_, i) => (i < minor ? minor - 1 - i : i + 1));
  const fitting = others.map((one) => `v1.${one}.0`).find((one) => isInRange(one, wanted));
  return fitting === undefined ? cluster : { ...cluster, kubeVersion: fitting };
}

/** Releases after that of the cluster that a chart may be for. */
const mostMinorsAfter = 20;

function struct(
  type: string,
  fields: Record<string, GoValue>,
  print: () => string,
  methods: readonly GoFunction[] = [],
): GoStruct {
  return new GoStruct(type, {
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, cell(value, ofEngine)])),
    methods: byName(methods),
    print,
  });
}

/** The type of `.Capabilities.APIVersions`, which is a list of texts. */
export const versionSetType = 'common.VersionSet';

/** The same for all renderings that see a cluster as it is: templates cannot change it. */
export const capabilities = memo((cluster: Cluster): GoStruct => {
  const kube = kubeStruct(kubeVersionOf(cluster));
  const served = new Set([...servedIn(cluster), ...(cluster.apiVersions ?? [])]);
  const names = [...served].map((name) => cell(name, ofEngine));
  const has = plain('Has(string) bool', ([name]: [string]) => served.has(name));
  const versions = new GoList(names, versionSetType, false, new Map([['Has', has]]));
  const { helm, go, kubernetes } = helmVersion;
  const build = struct(
    'version.BuildInfo',
    { Version: helm, GitCommit: '', GitTreeState: '', GoVersion: go, KubeClientVersion: kubernetes },
    () => `{${helm}   ${go} ${kubernetes}}`,
  );
  return struct('*common.Capabilities', { KubeVersion: kube, APIVersions: versions, HelmVersion: build }, () => '{}');
});

function kubeStruct(text: string): GoStruct {
  // As many numbers as are given.
  const numbers = /^v?(\d+(?:\.\d+)+)/.exec(text)?.[1]?.split('.').map(Number) ?? [1, 0, 0];
  const [major, minor] = numbers.map(String);
  const normal = `v${numbers.join('.')}`;
  return struct('common.KubeVersion', { Version: text, Major: major ?? '', Minor: minor ?? '' }, () => normal, [
    plain('GitVersion() string', () => text),
    plain('String() string', () => normal),
  ]);
}
