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
const shortNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['Namespace', ['ns']],
  ['Pod', ['po']],
  ['Service', ['svc']],
  ['ConfigMap', ['cm']],
  ['ServiceAccount', ['sa']],
  ['Deployment', ['deploy']],
  ['StatefulSet', ['sts']],
  ['DaemonSet', ['ds']],
  ['ReplicaSet', ['rs']],
  ['Ingress', ['ing']],
  ['CronJob', ['cj']],
  ['PersistentVolume', ['pv']],
  ['PersistentVolumeClaim', ['pvc']],
  ['HorizontalPodAutoscaler', ['hpa']],
  ['NetworkPolicy', ['netpol']],
  ['PodDisruptionBudget', ['pdb']],
  ['ResourceQuota', ['quota']],
  ['LimitRange', ['limits']],
  ['Node', ['no']],
  ['Event', ['ev']],
]);

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
        shortNames: shortNames.get(kind.kind)?.slice() ?? [],
        categories: [],
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

export function resourceList(name: string, resources: readonly Resource[]): JsonMap {
  const entries = resources
    .filter((one) => groupVersion(one) === name)
    .flatMap(({ plural, singular, kind, namespaced, shortNames, categories, hasStatus, crd, builtin }): JsonMap[] => [
      {
        name: plural,
        singularName: singular,
        namespaced,
        kind,
        verbs: builtin?.verbs !== undefined ? ['create'] : crd ? objectVerbs : objectVerbs.toSorted(),
        shortNames: [...shortNames],
        categories: [...categories],
      },
      ...(crd && hasScale(crd, name)
        ? [
            {
              name: `${plural}/scale`,
              singularName: singular,
              namespaced,
              group: 'autoscaling',
              version: 'v1',
              kind: 'Scale',
              verbs: ['get', 'patch', 'update'],
            },
          ]
        : []),
      ...(hasStatus
        ? [{ name: `${plural}/status`, singularName: singular, namespaced, kind, verbs: ['get', 'patch', 'update'] }]
        : []),
    ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: name, resources: entries };
}

function hasScale(crd: JsonMap, groupVersion: string): boolean {
  const version = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === groupVersion.split('/')[1]);
  return mapAt(version, 'subresources').scale !== undefined;
}

const rootOf = (group: string) => (group === '' ? 'api' : 'apis');

const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
  name,
  in: 'query',
  schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
}));

/** As much of OpenAPI as clients need to know that the server validates fields and runs dry. */
export function openApi(name: string, resources: readonly Resource[]): JsonMap {
  const paths: JsonMap = {};
  for (const { group, version, kind, plural, namespaced } of resources.filter((one) => groupVersion(one) === name)) {
    const scope = namespaced ? '/namespaces/{namespace}' : '';
    const gvk = { group, kind, version };
    const patch = { parameters, 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': gvk };
    paths[`/${rootOf(group)}/${name}${scope}/${plural}/{name}`] = { patch };
  }
  return { openapi: '3.0.0', info: { title: 'kube-crd', version: 'v1' }, paths, components: { schemas: {} } };
}

export function openApiIndex(resources: readonly Resource[]): JsonMap {
  const names = [...new Set(resources.map(groupVersion))];
  const at = (name: string) => `${name.includes('/') ? 'apis' : 'api'}/${name}`;
  return {
    paths: Object.fromEntries(names.map((name) => [at(name), { serverRelativeURL: `/openapi/v3/${at(name)}` }])),
  };
}
