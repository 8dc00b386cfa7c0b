import type { ValueMap } from '../../base/value.ts';
import type { LoweredVersion } from '../../kubernetes/crd/lower.ts';
import { type Manifest, metadataOf } from '../../workspace/manifest.ts';
import { removeAt } from '../../yaml/edit.ts';
import { fixOf, removal, removeKeys } from '../fixing/fixes.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

// What a manifest holds that is not its author's to say: what the server sets, and what it drops here.

type IgnoredFacts = {
  'cr/dumped': { readonly dropsStatus: boolean };
  'cr/status-dropped': undefined;
};

/** Fields of the metadata that only the server sets. */
const serverSet = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** Whether an object was copied from a cluster. */
function isDumped(metadata: ValueMap): boolean {
  return metadata.has('managedFields') || (metadata.has('uid') && metadata.has('resourceVersion'));
}

/** A hint at what the API server does not take from this object: one for all of it where it comes from a cluster. */
export function ignoredParts(manifest: Manifest, { status }: LoweredVersion): ProblemOf<IgnoredFacts>[] {
  const metadata = metadataOf(manifest);
  const dropsStatus = status && manifest.value.has('status');
  if (metadata && isDumped(metadata)) {
    const message =
      'This object was copied from a cluster: the fields that the server sets are useless here, and resourceVersion may make it reject the object.';
    return [problemAt(manifest, { code: 'cr/dumped', facts: { dropsStatus } }, message, ['metadata'], 'key')];
  }
  if (!dropsStatus) return [];
  const message = `The status is dropped here: ${manifest.kind} has the status subresource, and only requests to it change the status.`;
  return [problemAt(manifest, { code: 'cr/status-dropped' }, message, ['status'], 'key', { unnecessary: true })];
}

const gizmo = (rest: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
${rest}`;

export const ignoredRules = family<IgnoredFacts>()({
  'cr/dumped': {
    severity: 'hint',
    title: 'An object copied from a cluster',
    explanation: `\`kubectl get -o yaml\` also prints what the server has added to an object: its uid, its resource version, who manages
which field, the status. Leave these out of a manifest: the server sets all of them itself, and with a
\`resourceVersion\` it refuses to create the object, or to update it once somebody else has changed it.`,
    bad: gizmo('metadata:\n  name: a\n  uid: 0b6d3c7e-7d35-4a41-9c1f-0d6f7c1e2a3b\n  resourceVersion: "7"\n'),
    good: gizmo('metadata:\n  name: a\n'),
    fixes: (problem) => {
      const { document, facts, path } = problem;
      const status = facts.dropsStatus ? removeAt(document, [...path.slice(0, -1), 'status']) : [];
      return fixOf(
        'Remove the fields that the server sets',
        [...removeKeys(problem, path, serverSet), ...status],
        status.length === 0,
      );
    },
  },
  'cr/status-dropped': {
    severity: 'hint',
    title: 'A status that is dropped',
    explanation: `The kind has the status subresource: a request for the object itself leaves the stored status
unchanged, and only a request for \`/status\` changes it. In a manifest the status has no effect.`,
    bad: gizmo('metadata:\n  name: a\nstatus:\n  replicas: 1\n'),
    good: gizmo('metadata:\n  name: a\n'),
    fixes: removal(false),
  },
});
