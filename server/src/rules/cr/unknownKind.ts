import type { Definitions } from '../../workspace/definitions.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { setValue } from '../../yaml/edit.ts';
import { fixOf } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type UnknownKindFacts = { 'cr/kind-misspelled': { readonly near: readonly string[] } };

/** A kind that no CRD defines, in a group of which CRDs are known, with the name of one of theirs nearly. */
export function misspelledKind(manifest: Manifest, definitions: Definitions): ProblemOf<UnknownKindFacts>[] {
  const { kind, apiVersion } = manifest;
  const { group } = splitApiVersion(apiVersion);
  const known = [...definitions.keys()]
    .filter((key) => key.startsWith(`${group}/`))
    .map((key) => key.slice(group.length + 1));
  const near = group === '' ? [] : nearestNames(kind, known);
  if (near.length === 0) return [];
  const meant = near.map((name) => `\`${name}\``).join(' or ');
  const message = `No known CRD defines ${kind} in ${group}; did you mean ${meant}?`;
  return [problemAt(manifest, { code: 'cr/kind-misspelled', facts: { near } }, message, ['kind'], 'value')];
}

export const unknownKindRules = family<UnknownKindFacts>()({
  'cr/kind-misspelled': {
    severity: 'warning',
    title: 'The kind looks misspelled',
    explanation: `CRDs of this group are known, but none defines this kind, and one of theirs has nearly the same name. Unless
the cluster has a CRD that is not known here, the API server answers \`no matches for kind\`.`,
    bad: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmos
metadata:
  name: a
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
    fixes: ({ document, path, facts: { near } }) =>
      near.flatMap((kind) => fixOf(`Change to \`${kind}\``, setValue(document, path, kind), near.length === 1)),
  },
});
