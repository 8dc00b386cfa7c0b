/** Which resource is meant: group, version and kind, name and namespace. */
import { compareStrings } from '../gostd/jsonPrint.ts';
import { clusterKinds } from './data/schema.ts';

export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Of ids that are only remembered, this is not known. */
  readonly isCluster: boolean;
}

export interface ResId extends Gvk {
  readonly name: string;
  readonly namespace: string;
}

let cluster: ReadonlySet<string> | undefined;

export function gvk(group: string, version: string, kind: string): Gvk {
  cluster ??= new Set(clusterKinds);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return { group, version, kind, isCluster: cluster.has(`${apiVersion} ${kind}`) };
}

/** Few kinds come again and again. */
const kinds = new Map<string, Map<string, Gvk>>();
const mostKinds = 2_000;

export function gvkOfKind(apiVersion: string, kind: string): Gvk {
  let byKind = kinds.get(apiVersion);
  if (!byKind) {
    if (kinds.size >= mostKinds) kinds.clear();
    byKind = new Map();
    kinds.set(apiVersion, byKind);
  }
  let found = byKind.get(kind);
  if (!found) {
    if (byKind.size >= mostKinds) byKind.clear();
    const { group, version } = splitApiVersion(apiVersion);
    found = gvk(group, version, kind);
    byKind.set(kind, found);
  }
  return found;
}

export function splitApiVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const at = apiVersion.indexOf('/');
  if (at === -1) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, at), version: apiVersion.slice(at + 1) };
}

export function apiVersionOf({ group, version }: Gvk): string {
  return group === '' ? version : `${group}/${version}`;
}

export function gvkText({ group, version, kind }: Gvk): string {
  return `${kind || '[noKind]'}.${version || '[noVer]'}.${group || '[noGrp]'}`;
}

export function idText(id: ResId): string {
  return `${gvkText(id)}/${id.name || '[noName]'}.${id.namespace || '[noNs]'}`;
}

export function sameGvk(a: Gvk, b: Gvk): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

/** Whether a kind is one of those that a selector names; what it leaves empty may be anything. */
export function isSelected(id: Gvk, { group, version, kind }: Pick<Gvk, 'group' | 'version' | 'kind'>): boolean {
  return (
    (group === '' || id.group === group) &&
    (version === '' || id.version === version) &&
    (kind === '' || id.kind === kind)
  );
}

export function effectiveNamespace(id: ResId): string {
  if (id.isCluster) return '_non_namespaceable_';
  return id.namespace === '' ? 'default' : id.namespace;
}

export function sameNamespace(a: ResId, b: ResId): boolean {
  return effectiveNamespace(a) === effectiveNamespace(b);
}

export function sameNameAndKind(a: ResId, b: ResId): boolean {
  return a.name === b.name && sameGvk(a, b);
}

export function sameId(a: ResId, b: ResId): boolean {
  return sameNamespace(a, b) && sameNameAndKind(a, b);
}

/** The same text for the same id. */
export function idKey(id: ResId): string {
  return `${effectiveNamespace(id)}\0${id.name}\0${id.group}\0${id.version}\0${id.kind}`;
}

export const orderFirst: readonly string[] = [
  ...['Namespace', 'ResourceQuota', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount', 'PodSecurityPolicy'],
  ...['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'ConfigMap', 'Secret', 'Endpoints', 'Service'],
  ...['LimitRange', 'PriorityClass', 'PersistentVolume', 'PersistentVolumeClaim', 'Deployment', 'StatefulSet'],
  ...['CronJob', 'PodDisruptionBudget'],
];
export const orderLast: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

/** Where a kind comes in an order of kinds. */
export function rankOf(kind: string, first: readonly string[], last: readonly string[]): number {
  const behind = last.lastIndexOf(kind);
  if (behind !== -1) return 1 + behind;
  const at = first.lastIndexOf(kind);
  return at === -1 ? 0 : at - first.length;
}

export function sortText({ group, version, kind }: Gvk): string {
  return `${group || '~G'}_${version || '~V'}_${kind || '~K'}`;
}

export function compareGvks(a: Gvk, b: Gvk): number {
  const ranks = rankOf(a.kind, orderFirst, orderLast) - rankOf(b.kind, orderFirst, orderLast);
  return ranks === 0 ? compareStrings(sortText(a), sortText(b)) : ranks;
}
