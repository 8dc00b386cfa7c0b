import type { Definitions } from '../../workspace/definitions.ts';
import { isAddress } from '../../workspace/files.ts';
import { type Absent, keyOfWanted, namesKind, readerOf, type WantedKind, wantedKind } from '../../workspace/kinds.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import type { Settings } from '../../workspace/settings.ts';
import { type FetchSource, sourceText } from '../../workspace/sources/lock.ts';
import { decode, testDataFolder } from '../../workspace/uri.ts';
import { setValue } from '../../yaml/edit.ts';
import { fixOf } from '../fixing/fixes.ts';
import { nearestKinds } from '../fixing/nearest.ts';
import { problemAt } from '../judging/problemAt.ts';
import type { Ask } from '../model/diagnostic.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type UnknownKindFacts = {
  'cr/kind-misspelled': { readonly near: readonly string[] };
  'cr/unknown-kind': WantedKind & { readonly absent: readonly Absent[]; readonly catalogues: readonly string[] };
};

type UnknownKindProblem = ProblemOf<UnknownKindFacts>;

/**
 * What is said of an object that no CRD judges: what it was probably meant to be, or that nothing was judged. `isOfOther`
 * says that the only CRDs of its kind belong to another installation.
 */
export function unknownKind(
  manifest: Manifest,
  definitions: Definitions,
  missing: ReadonlyMap<string, readonly Absent[]>,
  { knownKinds, crds }: Pick<Settings, 'knownKinds' | 'crds'>,
  isOfOther: boolean,
): UnknownKindProblem[] {
  if (readerOf(manifest) === 'program') return [];
  const misspelled = misspelledKind(manifest, definitions);
  if (misspelled.length > 0) return misspelled;
  const wanted = wantedKind(manifest);
  const [unused] = (wanted && definitions.get(`${wanted.group}/${wanted.kind}`)) ?? [];
  const absent = wanted && (missing.get(keyOfWanted(wanted)) ?? (isOfOther && unused ? [] : undefined));
  if (!absent || namesKind(knownKinds, wanted.group, wanted.kind)) return [];
  const { kind, apiVersion } = manifest;
  const sentences = [
    `No CRD for ${kind} (${apiVersion}) is known, so it is not judged.`,
    ...absent.map(({ what }) => what),
  ];
  const whose = isOfOther ? 'of another installation' : 'for tests only';
  if (unused) sentences.splice(1, 0, `The CRD in ${endOf(unused.file.uri)} is ${whose}.`);
  const facts = { ...wanted, absent, catalogues: crds.filter(isAddress) };
  return [problemAt(manifest, { code: 'cr/unknown-kind', facts }, sentences.join(' '), ['kind'], 'value')];
}

/** The end of a path, by which a person finds the file. */
const endOf = (uri: string) => decode(uri).split('/').slice(-3).join('/');

/** A kind that no CRD defines, in a group of which CRDs are known, with the name of one of theirs nearly. */
function misspelledKind(manifest: Manifest, definitions: Definitions): UnknownKindProblem[] {
  const { kind, apiVersion } = manifest;
  const { group } = splitApiVersion(apiVersion);
  // What a test defines for itself is no name that others may have meant.
  const known = [...definitions]
    .filter(
      ([key, all]) => key.startsWith(`${group}/`) && !all.every(({ file }) => testDataFolder(file.uri) !== undefined),
    )
    .map(([key]) => key.slice(group.length + 1));
  // Only one of its versions may be unknown.
  const near = group === '' || known.includes(kind) ? [] : nearestKinds(group, kind, known);
  if (near.length === 0) return [];
  const meant = near.map((name) => `\`${name}\``).join(' or ');
  const message = `No known CRD defines ${kind} in ${group}; did you mean ${meant}?`;
  return [problemAt(manifest, { code: 'cr/kind-misspelled', facts: { near } }, message, ['kind'], 'value')];
}

function fetchAsk(source: FetchSource): Ask {
  return { title: `Fetch ${sourceText(source)}`, ask: 'fetch', source };
}

export const unknownKindRules = family<UnknownKindFacts>()({
  'cr/kind-misspelled': {
    hides: true,
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
      near.flatMap((kind) => fixOf(`Change to \`${kind}\``, setValue(document, path, kind), false)),
  },
  'cr/unknown-kind': {
    onceInFile: true,
    inLogs: 'warning',
    severity: 'information',
    title: 'No CRD of this kind is known',
    atEnd: 'kube-crd crds fetch --missing lists where the missing CRDs can be had, and fetches them',
    listTitle: 'No CRD is known of these kinds, so that their objects are not judged',
    explanation: `An object whose CRD is not known is not checked: it may be right or wrong. CRDs are looked for in the workspace,
in what \`kubeCrd.crds\` names, and in the local sources that \`docs/crds.md\` lists. Add a file or folder with the CRD to
\`kubeCrd.crds\`, fetch the CRD from a cluster, a chart or the network with "Fetch CRDs…" or \`kube-crd crds fetch\`, or add
the kind to \`kubeCrd.knownKinds\` if it is not meant to be checked. It is reported once for each kind and file (by
\`kube-crd check\` as a warning, once for each kind), but not for kinds that Kubernetes or another API server, such as OpenShift's, serves without a CRD, or that only a program on
your machine reads, such as kustomize.`,
    bad: `apiVersion: unknown.example.org/v1
kind: Certificate
metadata:
  name: a
`,
    good: `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
`,
    listed: ({ facts: { group, version, kind } }) => `${kind} (${group}/${version})`,
    asks: ({ facts: { group, kind, absent, catalogues } }) => [
      ...absent.flatMap(({ fetch }) => (fetch ? [fetchAsk(fetch)] : [])),
      ...catalogues.map((url) => fetchAsk({ from: 'catalogue', url })),
      { title: 'Fetch from a cluster…', ask: 'fetch', source: { from: 'cluster' } },
      ...absent.flatMap(({ command }) => {
        return command === undefined ? [] : [{ title: `Copy \`${command}\``, ask: 'copy' as const, about: command }];
      }),
      { title: 'Name a file or folder with its CRD…', ask: 'name-crds' },
      { title: `Do not report \`${kind}\` of ${group}`, ask: 'known-kind', about: `${group}/${kind}` },
      { title: `Do not report any kind of ${group}`, ask: 'known-kind', about: `${group}/*` },
    ],
  },
});
