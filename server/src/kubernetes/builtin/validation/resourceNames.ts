import { qualifiedName } from '../../names.ts';
import type { KubernetesVersion } from '../../releases/release.ts';

// The names of resources: which there are, and where each may be named.

const computed = ['cpu', 'memory', 'ephemeral-storage'];
const ofKinds = ['requests', 'limits'];
const counted = [
  ...[
    'pods',
    'resourcequotas',
    'services',
    'replicationcontrollers',
    'secrets',
    'configmaps',
    'persistentvolumeclaims',
  ],
  ...['services.nodeports', 'services.loadbalancers'],
];

const prefixed = ofKinds.flatMap((kind) => computed.map((name) => `${kind}.${name}`));
const ofContainers: ReadonlySet<string> = new Set(computed);
const ofQuotas: ReadonlySet<string> = new Set([...computed, ...prefixed, 'requests.storage', ...counted]);
const standard: ReadonlySet<string> = new Set([...computed, ...prefixed, 'requests.storage', 'storage', ...counted]);
const integers: ReadonlySet<string> = new Set(counted);

export const pagesPrefix = 'hugepages-';

export function isPages(name: string): boolean {
  return name.startsWith(pagesPrefix);
}

function isPagesOfQuota(name: string): boolean {
  return isPages(name) || name.startsWith(`requests.${pagesPrefix}`);
}

/** Resources of Kubernetes' own, not of a device. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** Whether there may be more in requests than there is. */
export function isOvercommitted(name: string): boolean {
  return isNative(name) && !isPages(name);
}

function isExtended(name: string, version: KubernetesVersion): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`, version).length === 0;
}

export function isInteger(name: string, version: KubernetesVersion): boolean {
  return integers.has(name) || isExtended(name, version);
}

export function isOfQuotas(name: string): boolean {
  return ofQuotas.has(name) || isPagesOfQuota(name);
}

export type NameRule = (name: string, version: KubernetesVersion) => string[];

/** Any name of a resource. */
export const anyResource: NameRule = (name, version) => {
  const texts = qualifiedName(name, version);
  if (texts.length > 0 || name.includes('/') || standard.has(name) || isPagesOfQuota(name)) return texts;
  return ['must be a standard resource type or fully qualified'];
};

export const containerResource: NameRule = (name, version) => {
  const texts = anyResource(name, version);
  if (!name.includes('/')) {
    return ofContainers.has(name) || isPages(name) ? texts : [...texts, 'must be a standard resource for containers'];
  }
  if (isNative(name) || isExtended(name, version)) return texts;
  return [...texts, "doesn't follow extended resource name standard"];
};

export const quotaResource: NameRule = (name, version) => {
  const texts = anyResource(name, version);
  return name.includes('/') || isOfQuotas(name) ? texts : [...texts, 'must be a standard resource for quota'];
};
