import type { DocumentPath } from '../base/value.ts';
import { compile } from '../cel/compile.ts';
import { stringType } from '../cel/types.ts';
import type { SchemaEnv } from '../kubernetes/cel/environment.ts';
import { expressionOf, type PolicyExpression, policyExpressions } from '../kubernetes/policy/expressions.ts';
import { hostsOf } from '../kubernetes/policy/hosts.ts';
import { typedExpression, typedObject, typedParams, typedWatched } from '../kubernetes/policy/typedExpression.ts';
import type { Declared } from '../kubernetes/policy/variables.ts';
import { watchedObject } from '../kubernetes/policy/worlds.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { scalarMap } from '../yaml/scalarMap.ts';
import { inManifest, type Manifest, splitApiVersion } from './manifest.ts';
import type { PolicyTypes } from './policyTypes.ts';
import type { RulePlace } from './rulePlace.ts';

/** The expressions of an object, if it is of a kind that holds them outside of schemas. */
export function expressionsIn(manifest: Manifest, kubernetes: KubernetesVersion): readonly PolicyExpression[] {
  if (!isHost(manifest)) return [];
  return policyExpressions(
    manifest.value,
    splitApiVersion(manifest.apiVersion).group,
    manifest.kind,
    kubernetes,
    undefined,
  );
}

/** Whether an object's kind has fields for expressions. */
export function isHost({ role, apiVersion, kind }: Manifest): boolean {
  return role === 'resource' && hostsOf(splitApiVersion(apiVersion).group, kind).length > 0;
}

/** The expression at a path of a policy's document. */
export function policyPlace(
  manifest: Manifest,
  path: DocumentPath,
  kubernetes: KubernetesVersion,
  types?: PolicyTypes,
): RulePlace | undefined {
  const { group } = splitApiVersion(manifest.apiVersion);
  const found = isHost(manifest)
    ? expressionOf(manifest.value, group, manifest.kind, inManifest(manifest, path), kubernetes, undefined)
    : undefined;
  const map = found && scalarMap(manifest.document, path);
  if (!found || !map) return undefined;
  const { host } = found;
  const { schemaEnv, declared } = typedPlace(manifest, found, kubernetes, types);
  const { structural, decl } = declared;
  return {
    keyword: host.types?.includes(stringType) ? 'messageExpression' : 'rule',
    compiled: compile(map.value, schemaEnv.env),
    schemaEnv,
    structural,
    decl,
    repeats: 1,
    node: [],
    written: undefined,
    map,
    kubernetes,
    isEstimated: host.world?.mostCost !== undefined,
    variables: new Map([...(structural.properties ?? [])].map(([name, { description }]) => [name, description])),
  };
}

function typedPlace(
  manifest: Manifest,
  found: PolicyExpression,
  kubernetes: KubernetesVersion,
  types: PolicyTypes | undefined,
): { readonly schemaEnv: SchemaEnv; readonly declared: Declared } {
  const { schemaEnv } = found;
  if (found.host.world === watchedObject) {
    const [kind] = types?.objects ?? [];
    return (kind && typedWatched(found, kind, kubernetes)) ?? { schemaEnv, declared: found.variables() };
  }
  const known = types && typedValues(types, kubernetes);
  if (!known?.object && !known?.params) return { schemaEnv, declared: found.variables() };
  const all = expressionsIn(manifest, kubernetes);
  const { env, declared } = typedExpression(found, manifest.value, all, known, kubernetes);
  return { schemaEnv: { ...schemaEnv, env }, declared };
}

/** What `object` and `params` are. */
export function typedValues({ objects, params }: PolicyTypes, kubernetes: KubernetesVersion) {
  const object = typedObject(objects, kubernetes);
  return { object, params: typedParams(params, object) };
}
