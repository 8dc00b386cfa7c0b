import type { NameCheck } from '../metadata/validate.ts';
import { dns1123Label, dns1123Subdomain, maskTrailingDash, pathSegment } from '../names.ts';
import type { BuiltinKind } from './kinds.ts';

// Each built-in kind has a rule of its own for its names. Here are the kinds whose rule is the same in all releases;
// nothing is said of the names of others.

const subdomains: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap',
    'Endpoints',
    'LimitRange',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'ResourceQuota',
    'Secret',
    'ServiceAccount',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet'],
  batch: ['CronJob', 'Job'],
  autoscaling: ['HorizontalPodAutoscaler'],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'networking.k8s.io': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'node.k8s.io': ['RuntimeClass'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'StorageClass', 'VolumeAttachment'],
};

function subdomain(name: string, prefix: boolean): readonly string[] {
  return dns1123Subdomain(prefix ? maskTrailingDash(name) : name);
}

function label(name: string, prefix: boolean): readonly string[] {
  return dns1123Label(prefix ? maskTrailingDash(name) : name);
}

/** What a kind demands of names, as far as that is known. */
export function nameCheckOf({ group, kind }: BuiltinKind): NameCheck {
  if (group === 'rbac.authorization.k8s.io') return pathSegment;
  if (subdomains[group]?.includes(kind)) return subdomain;
  return group === '' && kind === 'Namespace' ? label : () => [];
}
