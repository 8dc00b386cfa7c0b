import type { NameCheck } from '../metadata/validate.ts';
import { dns1035Label, dns1123Label, maskTrailingDash, pathSegment, subdomainName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { BuiltinKind } from './kinds.ts';

// Each built-in kind has a rule of its own for its names. Here are the kinds whose rule is known for all releases;
// nothing is said of the names of others.

const subdomains: ReadonlySet<string> = new Set([
  ...['ConfigMap', 'Endpoints', 'LimitRange', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'Pod'].map(core),
  ...['ResourceQuota', 'Secret', 'ServiceAccount'].map(core),
  ...['apps/DaemonSet', 'apps/Deployment', 'apps/ReplicaSet', 'batch/CronJob', 'batch/Job'],
  ...['autoscaling/HorizontalPodAutoscaler', 'coordination.k8s.io/Lease', 'discovery.k8s.io/EndpointSlice'],
  ...['networking.k8s.io/Ingress', 'networking.k8s.io/IngressClass', 'networking.k8s.io/NetworkPolicy'],
  ...['node.k8s.io/RuntimeClass', 'scheduling.k8s.io/PriorityClass'],
  ...['storage.k8s.io/CSIDriver', 'storage.k8s.io/StorageClass', 'storage.k8s.io/VolumeAttachment'],
]);

function core(kind: string): string {
  return `/${kind}`;
}

function label(name: string, prefix: boolean): readonly string[] {
  return dns1123Label(prefix ? maskTrailingDash(name) : name);
}

function service(name: string, prefix: boolean): readonly string[] {
  return dns1035Label(prefix ? maskTrailingDash(name) : name);
}

const labels: ReadonlySet<string> = new Set(['/Namespace', 'apps/StatefulSet']);

/** What a kind demands of names, as far as that is known. */
export function nameCheckOf({ group, kind }: BuiltinKind, { relaxedServiceNames }: KubernetesVersion): NameCheck {
  if (group === 'rbac.authorization.k8s.io') return pathSegment;
  if (group === 'admissionregistration.k8s.io') return subdomainName;
  if (subdomains.has(`${group}/${kind}`)) return subdomainName;
  if (labels.has(`${group}/${kind}`)) return label;
  if (group === '' && kind === 'Service') return relaxedServiceNames ? label : service;
  return () => [];
}

/** Whether the server makes up a name where an object has none. */
export function isNamedByServer({ group, kind }: BuiltinKind): boolean {
  return group === '' && kind === 'LimitRange';
}
