import type { DocumentPath } from '../base/value.ts';
import { compile } from '../cel/compile.ts';
import { stringType } from '../cel/types.ts';
import { expressionOf, type PolicyExpression, policyExpressions } from '../kubernetes/policy/expressions.ts';
import { hostGroup } from '../kubernetes/policy/hosts.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { scalarMap } from '../yaml/scalarMap.ts';
import { inManifest, type Manifest, splitApiVersion } from './manifest.ts';
import type { RulePlace } from './rulePlace.ts';

/** The expressions of an object, if it is of a kind that holds them outside of schemas. */
export function expressionsIn(manifest: Manifest, kubernetes: KubernetesVersion): readonly PolicyExpression[] {
  return isHost(manifest) ? policyExpressions(manifest.value, manifest.kind, kubernetes) : [];
}

function isHost({ role, apiVersion }: Manifest): boolean {
  return role === 'resource' && splitApiVersion(apiVersion).group === hostGroup;
}

/** The expression at a path of a policy's document. */
export function policyPlace(
  manifest: Manifest,
  path: DocumentPath,
  kubernetes: KubernetesVersion,
): RulePlace | undefined {
  const found = isHost(manifest)
    ? expressionOf(manifest.value, manifest.kind, inManifest(manifest, path), kubernetes)
    : undefined;
  const map = found && scalarMap(manifest.document, path);
  if (!found || !map) return undefined;
  const { host, schemaEnv } = found;
  const { structural, decl } = found.variables();
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
    isEstimated: false,
    variables: new Map([...(structural.properties ?? [])].map(([name, { description }]) => [name, description])),
  };
}
