import { memo } from '../base/memo.ts';
import { isList, isMap, isString, type ManifestPath, type ValueMap, valueAt } from '../base/value.ts';
import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { hostsOf } from '../kubernetes/policy/hosts.ts';
import { builtinsNamed, type TypedKind, typedBuiltin, typedCustom } from '../kubernetes/policy/objectTypes.ts';
import { isNamed, type KindName, type Resource, watchedKinds } from '../kubernetes/policy/watchedKinds.ts';
import { watchedObject } from '../kubernetes/policy/worlds.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { builtinKindsFor } from './builtin.ts';
import { type Definition, type Definitions, definitionsFor } from './definitions.ts';
import { type Manifest, splitApiVersion } from './manifest.ts';
import { lowered } from './rulePlace.ts';
import { kubernetesFor, type Snapshot } from './snapshot.ts';

// What the objects are that a policy looks at, as far as Kubernetes and the CRDs of the workspace tell.

/** A kind with the CRD that defines it; built-in kinds have none. */
export interface WatchedKind extends TypedKind {
  readonly definition: Definition | undefined;
  /** Where the CRD has the schema. */
  readonly path: ManifestPath;
}

export interface PolicyTypes {
  /** The kinds that type checking goes through. */
  readonly objects: readonly WatchedKind[];
  /** That of `paramKind`, where it is known. */
  readonly params: WatchedKind | undefined;
}

const policies: ReadonlySet<string> = new Set(['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy']);

/** What the types of the expression at a path are made of; undefined where built-in kinds are not looked after. */
export function policyTypesFor(
  snapshot: Snapshot,
  uri: string,
  manifest: Manifest,
  path: ManifestPath,
): PolicyTypes | undefined {
  const isNamed = watchesNamedKind(manifest, path);
  const kinds = isNamed || policies.has(manifest.kind) ? builtinKindsFor(snapshot, uri) : undefined;
  if (!kinds) return undefined;
  const about = isNamed ? valueAt(manifest.value, path.slice(0, -1)) : manifest.value;
  if (!isMap(about)) return undefined;
  const types = isNamed ? besideTypes : typesOf;
  return types(about, kinds, snapshot.definitions, uri, kubernetesFor(snapshot, uri));
}

/** Whether the expression at a path is about objects of the kind that is named beside it. */
function watchesNamedKind(manifest: Manifest, path: ManifestPath): boolean {
  if (manifest.role !== 'resource') return false;
  return hostsOf(splitApiVersion(manifest.apiVersion).group, manifest.kind).some(
    ({ world, path: [, list, , field] }) => world === watchedObject && path[1] === list && path[3] === field,
  );
}

/** The types of an expression beside which its kind stands. */
const besideTypes = memo(
  (
    beside: ValueMap,
    kinds: BuiltinKinds,
    definitions: Definitions,
    uri: string,
    kubernetes: KubernetesVersion,
  ): PolicyTypes => {
    const object = kindNamed(beside, kinds, definitions, uri, kubernetes);
    return { objects: object ? [object] : [], params: undefined };
  },
);

const typesOf = memo(
  (
    policy: ValueMap,
    kinds: BuiltinKinds,
    definitions: Definitions,
    uri: string,
    kubernetes: KubernetesVersion,
  ): PolicyTypes => {
    const custom = (name: KindName) => customKind(name, kinds, definitions, uri, kubernetes);
    const objects = watchedKinds(policy, (resource) => [
      ...builtinsNamed(kinds, resource).map((kind) => watchedBuiltin(typedBuiltin(kinds, kind, kubernetes))),
      ...definedAs(definitions, resource).flatMap((name) => custom(name) ?? []),
    ]);
    const paramKind = valueAt(policy, ['spec', 'paramKind']);
    const params = isMap(paramKind) ? kindNamed(paramKind, kinds, definitions, uri, kubernetes) : undefined;
    return { objects, params };
  },
);

/** The kind that an object's `apiVersion` and `kind` name. */
function kindNamed(
  named: ValueMap,
  kinds: BuiltinKinds,
  definitions: Definitions,
  uri: string,
  kubernetes: KubernetesVersion,
): WatchedKind | undefined {
  const [apiVersion, kind] = [named.get('apiVersion'), named.get('kind')];
  if (!isString(apiVersion) || !isString(kind)) return undefined;
  const builtin = kinds.kinds.get(`${apiVersion}/${kind}`);
  if (builtin && !builtin.isGone) return watchedBuiltin(typedBuiltin(kinds, builtin, kubernetes));
  return customKind({ ...splitApiVersion(apiVersion), kind }, kinds, definitions, uri, kubernetes);
}

function customKind(
  { group, version, kind }: KindName,
  kinds: BuiltinKinds,
  definitions: Definitions,
  uri: string,
  kubernetes: KubernetesVersion,
): WatchedKind | undefined {
  const [definition] = definitionsFor(definitions, { apiVersion: `${group}/${version}`, kind }, uri);
  return definition && watchedOf(definition, version, kinds, kubernetes);
}

const watchedBuiltin = memo((typed: TypedKind): WatchedKind => ({ ...typed, definition: undefined, path: [] }));

/** The kinds of CRDs that a resource names. */
function definedAs(definitions: Definitions, resource: Resource): readonly KindName[] {
  const { version } = resource;
  const found = (byResource(definitions).get(resource.resource.toLowerCase()) ?? []).filter(
    ({ group, versions }) => isNamed(resource, group, version) && versions.includes(version),
  );
  return [...new Map(found.map(({ group, kind }) => [`${group}/${kind}`, { group, version, kind }])).values()];
}

const byResource = memo((definitions: Definitions): ReadonlyMap<string, readonly Definition[]> => {
  const found = new Map<string, Definition[]>();
  for (const one of [...definitions.values()].flat()) {
    for (const name of new Set(one.resources)) {
      const same = found.get(name);
      if (same) same.push(one);
      else found.set(name, [one]);
    }
  }
  return found;
});

function watchedOf(
  definition: Definition,
  version: string,
  kinds: BuiltinKinds,
  kubernetes: KubernetesVersion,
): WatchedKind | undefined {
  const typed = typedVersion(definition.manifest.value, version, kinds, kubernetes);
  return typed && { ...typed, definition };
}

/** The type of the objects of a version of a CRD; undefined where it is not served, or has no schema that is one. */
const typedVersion = memo(
  (
    crd: ValueMap,
    version: string,
    kinds: BuiltinKinds,
    kubernetes: KubernetesVersion,
  ): Omit<WatchedKind, 'definition'> | undefined => {
    const versions = valueAt(crd, ['spec', 'versions']);
    const at = isList(versions) ? versions.findIndex((one) => isMap(one) && one.get('name') === version) : -1;
    const path = ['spec', 'versions', at, 'schema', 'openAPIV3Schema'];
    const written = valueAt(crd, path);
    const [group, kind] = [valueAt(crd, ['spec', 'group']), valueAt(crd, ['spec', 'names', 'kind'])];
    if (valueAt(crd, ['spec', 'versions', at, 'served']) !== true || !isMap(written)) return undefined;
    const structural = lowered(written, kubernetes);
    const resource = valueAt(crd, ['spec', 'names', 'plural']);
    if (!structural || !isString(group) || !isString(kind)) return undefined;
    const name = { group, version, kind, resource: isString(resource) ? resource : undefined };
    return { ...typedCustom(name, structural, kinds, kubernetes), path };
  },
);
