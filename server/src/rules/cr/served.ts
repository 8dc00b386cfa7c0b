import type { ServedCrd } from '../../kubernetes/cr/served.ts';
import { deprecationWarning } from '../../kubernetes/crd/deprecation.ts';
import type { LoweredVersion } from '../../kubernetes/crd/lower.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { type Manifest, metadataOf } from '../../workspace/manifest.ts';
import { setValue } from '../../yaml/edit.ts';
import { fixOf, removal } from '../fixing/fixes.ts';
import { problemAt } from '../judging/problemAt.ts';
import { saysOfVersion, versionsIn } from '../judging/says.ts';
import { family, type ProblemOf } from '../model/rule.ts';

/** What is said of the version and the scope that a kind is served in. */
type ServedFacts = {
  'cr/no-such-version': { readonly served: readonly string[] };
  'cr/version-deprecated': undefined;
  'cr/namespace-dropped': undefined;
};

type ServedProblem = ProblemOf<ServedFacts>;

/** The version that an object asks for is not there. */
export function noSuchVersion(manifest: Manifest, { lowered }: ServedCrd): ServedProblem {
  const served = lowered.versions
    .filter((version) => version.served)
    .map((version) => version.name)
    .sort(compareVersions)
    .map((name) => `${lowered.group}/${name}`);
  const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"; served: ${served.join(', ') || 'none'}`;
  const says = saysOfVersion(manifest, message, served.length === 0 ? ['none'] : served);
  return problemAt(manifest, { code: 'cr/no-such-version', facts: { served } }, message, ['apiVersion'], 'value', {
    says,
  });
}

/** Whether the CRD is where generators write those of a project's own types: who deprecates a whole kind there knows of it. */
const isMadeHere = ({ file }: Definition) => file.origin === undefined && file.uri.includes('/config/crd/');

/** What is not the verdict of validation, but said or done all the same. */
export function aroundTheVerdict(
  manifest: Manifest,
  { lowered }: ServedCrd,
  version: LoweredVersion,
  definition: Definition,
): ServedProblem[] {
  const problems: ServedProblem[] = [];
  const deprecated = deprecationWarning(lowered, version.name);
  if (deprecated !== undefined) {
    const isDecided = isMadeHere(definition) && lowered.versions.every((one) => one.deprecated || !one.served);
    const severity = isDecided ? { severity: 'information' as const } : {};
    problems.push(
      problemAt(manifest, { code: 'cr/version-deprecated' }, deprecated, ['apiVersion'], 'value', {
        ...severity,
        says: { versions: versionsIn(deprecated) },
      }),
    );
  }
  if (!lowered.namespaced && metadataOf(manifest)?.has('namespace')) {
    const message = `${manifest.kind} is cluster-scoped: the namespace is dropped.`;
    problems.push(
      problemAt(manifest, { code: 'cr/namespace-dropped' }, message, ['metadata', 'namespace'], 'key', {
        unnecessary: true,
      }),
    );
  }
  return problems;
}

const gizmo = (rest: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
${rest}`;

export const servedRules = family<ServedFacts>()({
  'cr/no-such-version': {
    meantInTests: true,
    ofKind: true,
    ofVersion: true,
    hides: true,
    title: 'A version that is not served',
    explanation: `The CRD of this kind does not have the version or does not serve it, so the API server answers that
there are no matches for the kind. The fixes offer the versions that are served.`,
    bad: `#- use: gizmos
apiVersion: example.com/v2
kind: Gizmo
metadata:
  name: a
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
    fixes: ({ document, path, facts: { served } }) =>
      served.flatMap((version) => fixOf(`Change to \`${version}\``, setValue(document, path, version), false)),
  },
  'cr/version-deprecated': {
    ofVersion: true,
    ofServed: true,
    meantInTests: true,
    ofKind: true,
    severity: 'warning',
    title: 'A deprecated version',
    explanation:
      'Clients get this warning with every request for this version. Move to the version that it recommends.',
    bad: `#- use: gizmos
apiVersion: example.com/v1alpha1
kind: Gizmo
metadata:
  name: a
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
  },
  'cr/namespace-dropped': {
    severity: 'hint',
    title: 'A namespace on a cluster-scoped object',
    explanation: 'The kind is cluster-scoped, so the namespace is silently dropped.',
    bad: gizmo('metadata:\n  name: a\n  namespace: shop\n'),
    good: gizmo('metadata:\n  name: a\n'),
    fixes: removal(true),
  },
});
