import { memo } from '../base/memo.ts';
import type { BuiltinKind, BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { guessedResources } from '../kubernetes/policy/watchedKinds.ts';
import { compareVersions } from '../kubernetes/versionPriority.ts';
import type { JsonMap, JsonValue } from './json.ts';
import { listAt, mapAt, textAt } from './json.ts';
import { isReview } from './reviews.ts';

// What clients ask first: which kinds there are, and which parameters requests take.

/** A kind that is served in a version. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly JsonValue[];
  readonly categories: readonly JsonValue[];
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  /** The CRD that defines it; undefined for CRDs themselves, and for what is built in. */
  readonly crd: JsonMap | undefined;
  readonly builtin?: BuiltinKind;
}

export const crdResource: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  kind: 'CustomResourceDefinition',
  listKind: 'CustomResourceDefinitionList',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  crd: undefined,
};

/** The kinds that a CRD has served. */
export function resourcesOf(crd: JsonMap): Resource[] {
  const names = mapAt(crd, 'spec', 'names');
  const versions = listAt(crd, 'spec', 'versions').filter((version) => mapAt(version).served === true);
  return versions.map((version) => ({
    group: textAt(crd, 'spec', 'group'),
    version: textAt(version, 'name'),
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular'),
    kind: textAt(names, 'kind'),
    listKind: textAt(names, 'listKind'),
    shortNames: listAt(names, 'shortNames'),
    categories: listAt(names, 'categories'),
    namespaced: textAt(crd, 'spec', 'scope') === 'Namespaced',
    hasStatus: mapAt(version, 'subresources').status !== undefined,
    crd,
  }));
}

/** What people call built-in kinds on the command line. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ComponentStatus: 'cs', ConfigMap: 'cm', Endpoints: 'ep', Event: 'ev', LimitRange: 'limits' }),
  ...Object.entries({ Namespace: 'ns', Node: 'no', PersistentVolumeClaim: 'pvc', PersistentVolume: 'pv', Pod: 'po' }),
  ...Object.entries({ ReplicationController: 'rc', ResourceQuota: 'quota', ServiceAccount: 'sa', Service: 'svc' }),
  ...Object.entries({ DaemonSet: 'ds', Deployment: 'deploy', ReplicaSet: 'rs', StatefulSet: 'sts', CronJob: 'cj' }),
  ...Object.entries({ HorizontalPodAutoscaler: 'hpa', CertificateSigningRequest: 'csr', Ingress: 'ing' }),
  ...Object.entries({ IPAddress: 'ip', NetworkPolicy: 'netpol', PodDisruptionBudget: 'pdb', StorageClass: 'sc' }),
  ...Object.entries({ VolumeAttributesClass: 'vac', PriorityClass: 'pc' }),
]);

/** Whether these are CRDs themselves. */
export const isDefinition = ({ builtin, crd }: Resource) => !builtin && !crd;

/** What `kubectl get all` shows. */
const inAll = new Set([
  ...['Pod', 'ReplicationController', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  ...['HorizontalPodAutoscaler', 'CronJob', 'Job'],
]);

function categoriesOf(group: string, kind: string): string[] {
  if (group === 'admissionregistration.k8s.io') return ['api-extensions'];
  return inAll.has(kind) ? ['all'] : [];
}

/** The built-in kinds that a server has without being asked for more. */
export const builtinResources = memo((kinds: BuiltinKinds): readonly Resource[] => {
  const served = [...kinds.kinds.values()].filter((kind) => {
    return (
      kind.served && !kind.isGone && (kind.verbs === undefined || isReview(kind.kind)) && /^v\d+$/.test(kind.version)
    );
  });
  return served
    .filter(({ group, kind }) => group !== crdResource.group || kind !== crdResource.kind)
    .map((kind): Resource => {
      const fields = kinds.object(kind.root).fields;
      return {
        group: kind.group,
        version: kind.version,
        plural: guessedResources(kind.kind)[0]!,
        singular: kind.kind.toLowerCase(),
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        shortNames: [shortNames.get(kind.kind) ?? []].flat(),
        categories: categoriesOf(kind.group, kind.kind),
        namespaced: kind.namespaced === true,
        hasStatus: kind.verbs === undefined && fields.some(({ name }) => name === 'status'),
        crd: undefined,
        builtin: kind,
      };
    });
});

/** The version of a group, as paths and lists have it. */
export const groupVersion = ({ group, version }: Pick<Resource, 'group' | 'version'>) =>
  group === '' ? version : `${group}/${version}`;
const objectVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

export function groupOf(group: string, resources: readonly Resource[]): JsonMap {
  const versions = [...new Set(resources.filter((one) => one.group === group).map(({ version }) => version))];
  const named = versions.sort(compareVersions).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: named, preferredVersion: named[0]! };
}

export function groupList(resources: readonly Resource[]): JsonMap {
  const groups = [...new Set(resources.map(({ group }) => group))].filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => groupOf(group, resources)) };
}

const verbsOf = ({ crd, builtin }: Resource) =>
  builtin?.verbs !== undefined ? ['create'] : crd ? objectVerbs : objectVerbs.toSorted();

const partVerbs = ['get', 'patch', 'update'];

/** What an object has of its own paths below its name. */
function subresourcesOf({ hasStatus, crd, version }: Resource): string[] {
  return [...(hasStatus ? ['status'] : []), ...(crd && hasScale(crd, version) ? ['scale'] : [])];
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

export function resourceList(name: string, resources: readonly Resource[]): JsonMap {
  const own = resources.filter((one) => groupVersion(one) === name);
  const entries = own.flatMap((one): JsonMap[] => {
    const { plural, singular, kind, namespaced, shortNames, categories } = one;
    return [
      {
        ...{ name: plural, singularName: singular, namespaced, kind, verbs: verbsOf(one) },
        ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
        ...(categories.length > 0 && { categories: [...categories] }),
      },
      ...subresourcesOf(one).map((part) => ({
        ...{ name: `${plural}/${part}`, singularName: '', namespaced },
        ...(part === 'scale' ? scaleKind : { kind }),
        verbs: partVerbs,
      })),
    ];
  });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: name, resources: entries };
}

/** All groups with all that is in them: what clients ask for in place of one list after the other. */
export function aggregated(resources: readonly Resource[]): JsonMap {
  const groups = [...new Set(resources.map(({ group }) => group))];
  const items = groups.map((group) => {
    const own = resources.filter((one) => one.group === group);
    const versions = [...new Set(own.map(({ version }) => version))].sort(compareVersions).map((version) => ({
      version,
      resources: own.filter((one) => one.version === version).map(aggregatedResource),
      freshness: 'Current',
    }));
    return { metadata: group === '' ? {} : { name: group }, versions };
  });
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function aggregatedResource(one: Resource): JsonMap {
  const { crd, plural, singular, namespaced, shortNames, categories } = one;
  // What is built in does not say of itself where it is.
  const responseKind = { group: crd ? one.group : '', version: crd ? one.version : '', kind: one.kind };
  const subresources = subresourcesOf(one).map((subresource) => {
    return { subresource, responseKind: subresource === 'scale' ? scaleKind : responseKind, verbs: partVerbs };
  });
  return {
    ...{ resource: plural, responseKind, scope: namespaced ? 'Namespaced' : 'Cluster', singularResource: singular },
    verbs: verbsOf(one),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function hasScale(crd: JsonMap, name: string): boolean {
  const version = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === name);
  return mapAt(version, 'subresources').scale !== undefined;
}
