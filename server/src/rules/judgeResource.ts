import type { Path } from '../base/value.ts';
import type { CrFinding } from '../kubernetes/cr/codes.ts';
import { createResource } from '../kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../kubernetes/cr/served.ts';
import type { LoweredVersion } from '../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Committed } from '../workspace/baseline/baseline.ts';
import type { Definition } from '../workspace/definitions.ts';
import { type Manifest, metadataOf, splitApiVersion } from '../workspace/manifest.ts';
import { compareVersions } from '../workspace/versionPriority.ts';
import { brokenRule } from './brokenRule.ts';
import { besideCommitted, resourceUpdate } from './committed.ts';
import { ignoredParts } from './cr/ignored.ts';
import { together } from './cr/missing.ts';
import { withoutPlaceholders } from './cr/placeholders.ts';
import { locateInFile } from './locate.ts';
import { nearestNames } from './nearest.ts';
import { problemAt, wordsOf } from './problemAt.ts';
import type { Problem } from './rule.ts';
import { weigh } from './weigh.ts';

/** What the API server would say about this custom resource: a new one, or one that a commit holds already. */
export function judgeResource(
  manifest: Manifest,
  definitions: readonly Definition[],
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  const definition = definitions[0];
  if (!definition) return [];
  const twice = definedTwice(manifest, definitions);
  const crd = serveCrd(definition.manifest.value, kubernetes);
  // A CRD that no server would serve says nothing about its resources.
  if ('error' in crd) return twice;
  const { version: name } = splitApiVersion(manifest.apiVersion);
  const version = crd.lowered.versions.find((one) => one.name === name);
  if (!version?.served) return [...twice, noSuchVersion(manifest, crd)];
  return [
    ...twice,
    ...aroundTheVerdict(manifest, crd, version),
    ...withoutPlaceholders(manifest, verdict(manifest, definition, crd, kubernetes, committed)),
  ];
}

function definedTwice(manifest: Manifest, definitions: readonly Definition[]): Problem[] {
  if (definitions.length < 2) return [];
  const related = definitions.map(({ file, manifest: crd }) => ({
    ...locateInFile(file, crd, ['spec', 'names', 'kind'], 'value'),
    message: 'defined here',
  }));
  const message = `${definitions.length} CRDs define this kind; the nearest one is used.`;
  return [problemAt(manifest, 'cr/kind-defined-twice', message, ['kind'], 'value', { related })];
}

function noSuchVersion(manifest: Manifest, { lowered }: ServedCrd): Problem {
  const served = lowered.versions
    .filter((version) => version.served)
    .map((version) => version.name)
    .sort(compareVersions)
    .map((name) => `${lowered.group}/${name}`);
  const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"; served: ${served.join(', ') || 'none'}`;
  return problemAt(manifest, 'cr/no-such-version', message, ['apiVersion'], 'value', { facts: { served } });
}

/** What is not the verdict of validation, but said or done all the same. */
function aroundTheVerdict(manifest: Manifest, { lowered }: ServedCrd, version: LoweredVersion): Problem[] {
  const problems: Problem[] = [];
  if (version.deprecated) {
    const message = version.deprecationWarning ?? deprecation(manifest, lowered.versions);
    problems.push(problemAt(manifest, 'cr/version-deprecated', message, ['apiVersion'], 'value'));
  }
  if (!lowered.namespaced && metadataOf(manifest)?.has('namespace')) {
    const message = `${manifest.kind} is cluster-scoped: the namespace is dropped.`;
    problems.push(
      problemAt(manifest, 'cr/namespace-dropped', message, ['metadata', 'namespace'], 'key', { unnecessary: true }),
    );
  }
  return [...problems, ...ignoredParts(manifest, version)];
}

/** The API server's own words for a deprecated version that brings none. */
function deprecation({ apiVersion, kind }: Manifest, versions: readonly LoweredVersion[]): string {
  const { group, version } = splitApiVersion(apiVersion);
  const better = versions
    .filter((one) => one.served && !one.deprecated)
    .map(({ name }) => name)
    .sort(compareVersions)
    .find((name) => compareVersions(name, version) < 0);
  return `${apiVersion} ${kind} is deprecated${better === undefined ? '' : `; use ${group}/${better} ${kind}`}`;
}

function verdict(
  manifest: Manifest,
  definition: Definition,
  crd: ServedCrd,
  kubernetes: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  const answer = createResource(manifest.value, crd, { kubernetes });
  const { decode, strict, errors, warnings } = answer;
  if (decode) return [problemAt(manifest, 'cr/decode', decode.message, decode.path, 'value')];
  const update = committed && resourceUpdate(manifest, committed, crd, definition.manifest, kubernetes);
  const old = update && committed?.manifest.value;
  const worded = (finding: CrFinding): Problem => {
    const { code, path, place, facts } = finding;
    // What is stored is asked for only where a rule is broken: it has the defaults that the rule saw.
    const seen = () => ({ self: answer.stored, old });
    const related = code === 'cr/rule' ? brokenRule(manifest, definition, facts, seen(), kubernetes) : [];
    return problemAt(manifest, code, wordsOf(finding), path, place, { facts, related });
  };
  return [
    ...strict.map((field) => unknown(manifest, field.path, field.message, field.known)),
    ...together(weigh(errors, update?.errors))
      .filter(({ finding, standing }) => standing !== 'forgiven' || finding.code !== 'cr/rules-not-checked')
      .map(({ finding, standing }) => besideCommitted(worded(finding), standing, committed)),
    ...warnings.map((finding) => ({ ...worded(finding), severity: 'warning' as const })),
  ];
}

function unknown(manifest: Manifest, path: Path, message: string, known: readonly string[]): Problem {
  const near = nearestNames(String(path.at(-1)), known).map((name) => `\`${name}\``);
  const hint = near.length === 0 ? '' : `, did you mean ${near.join(' or ')}?`;
  return problemAt(manifest, 'cr/unknown-field', message + hint, path, 'key', { facts: { known } });
}
