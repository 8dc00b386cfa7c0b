import { isString, isUnknown, type Value, valueAt } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
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

/** The name of an APIService says what it is for. */
export function apiServiceName(object: Value): NameCheck {
  const [version, group] = ['version', 'group'].map((key) => valueAt(object, ['spec', key]) ?? '');
  const isNamed = !isUnknown(valueAt(object, ['metadata', 'name']));
  return (name, prefix) => {
    const faults = pathSegment(name, prefix);
    // What is not known may be what is wanted.
    if (!isNamed || faults.length > 0 || !isString(version) || !isString(group)) return faults;
    const wanted = `${version}.${group}`;
    return name === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${quote(wanted)}`];
  };
}

/** What a kind demands of the name of an object, as far as that is known. */
export function nameCheckOf(
  { group, kind }: BuiltinKind,
  object: Value,
  { relaxedServiceNames }: KubernetesVersion,
): NameCheck {
  if (group === 'apiregistration.k8s.io') return apiServiceName(object);
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
