import { append } from '../../base/append.ts';
import { isList, isMap, type Path, valueAt } from '../../base/value.ts';
import { decodeMessage } from '../../kubernetes/builtin/decode.ts';
import { type BuiltinVerdict, judgeBuiltin } from '../../kubernetes/builtin/judge.ts';
import type { BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import { saidOnce } from '../../kubernetes/builtin/validation/validate.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import { judgeAdmission } from '../../kubernetes/policy/admission.ts';
import type { PolicyFacts, PolicyFinding } from '../../kubernetes/policy/findings.ts';
import { hostGroup } from '../../kubernetes/policy/hosts.ts';
import { validateInWorlds } from '../../kubernetes/policy/inWorlds.ts';
import { reaches } from '../../kubernetes/releases/environments.ts';
import { goneKinds } from '../../kubernetes/releases/goneKinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import type { BuiltinAt } from '../../workspace/builtin.ts';
import { isShortened, isShortFor } from '../../workspace/kinds.ts';
import { type Manifest, metadataOf, splitApiVersion } from '../../workspace/manifest.ts';
import { propertyNames, schemaAt } from '../../workspace/schemaNode.ts';
import type { BuiltinFacts } from '../builtin/builtin.ts';
import type { ToldFacts } from '../builtin/validation.ts';
import { asFarAsKnown, withoutPlaceholders } from '../cr/placeholders.ts';
import { nearestFree, nearestKinds } from '../fixing/nearest.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { celProblems } from './celProblems.ts';
import { compareVerdicts } from './compareVerdicts.ts';
import { few } from './few.ts';
import { problemAt, problemOf } from './problemAt.ts';
import { saidLater } from './saidLater.ts';
import { saysOfDecoding, saysOfStrict, saysOfVersion, versionsIn } from './says.ts';
import { admissionUpdate, annotateWithCommitted, builtinUpdate } from './updateVerdict.ts';

/** What a field of another name leads to. */
const misses: ReadonlySet<string> = new Set<keyof ToldFacts>([
  ...(['builtin/required', 'builtin/choose', 'builtin/selector', 'builtin/one-of', 'builtin/no-such-name'] as const),
]);

type BuiltinProblem = ProblemOf<BuiltinFacts & ToldFacts & MetadataFacts & PolicyFacts>;

/** What the API server is sure to say about an object of a built-in kind. What is stored had its metadata judged. */
export function judgeBuiltinObject(
  manifest: Manifest,
  { kinds, kind, node }: BuiltinAt,
  version: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  const verdict = judgeBuiltin(asFarAsKnown(manifest), kind, kinds, version);
  const { decode, strict, metadata, warnings } = verdict;
  const undecoded = decode.map((error) => {
    const rest = { says: saysOfDecoding(error) };
    return problemAt(
      manifest,
      { code: 'builtin/decode' },
      decodeMessage(kind, error.message),
      error.path,
      'value',
      rest,
    );
  });
  const [first, ...more] = undecoded;
  const behind: Problem[] = [
    ...few(strict).flatMap(({ kind: what, message, path }): BuiltinProblem[] => {
      const name = String(path.at(-1));
      // Directives of patches: an object that has them is none yet.
      if (name.startsWith('$')) return [];
      const around = node && schemaAt(node, path.slice(0, -1));
      const known = around ? propertyNames(around, path.length === 1) : [];
      const near = nearestFree(name, known, valueAt(manifest.value, path.slice(0, -1))).map((one) => `\`${one}\``);
      const hint = near.length === 0 ? '' : `, did you mean ${near.join(' or ')}?`;
      const rest = { says: saysOfStrict(message, near.length > 0) };
      return [
        problemAt(manifest, { code: `builtin/${what}-field`, facts: { known } }, message + hint, path, 'key', rest),
      ];
    }),
    ...[...(committed ? [] : few(metadata)), ...warnings].map((finding) => problemOf(manifest, finding)),
  ];
  const validated = validationProblems(manifest, { kinds, kind }, verdict, version, committed);
  // A field that is missing may be the one that is misspelled.
  append(behind, strict.length > 0 ? validated.filter(({ code }) => !misses.has(code)).map(saidLater) : validated);
  if (!first && kind.group === hostGroup) append(behind, admissionProblems(manifest, version, committed));
  if (!first) append(behind, judgeInWorlds(manifest, version));
  const deprecated = deprecation(manifest, kind, version);
  const all = first ? [first, ...[...more, ...behind].map(saidLater), ...deprecated] : [...behind, ...deprecated];
  return withoutPlaceholders(manifest, all);
}

/** What is validated after decoding. What only repeats another error is left out. */
function validationProblems(
  manifest: Manifest,
  { kinds, kind }: Pick<BuiltinAt, 'kinds' | 'kind'>,
  { validation }: BuiltinVerdict,
  version: KubernetesVersion,
  committed: Committed | undefined,
): BuiltinProblem[] {
  const update = committed && builtinUpdate(manifest, committed, { kinds, kind }, version);
  const found = saidOnce(update ?? validation);
  const lacksSelector = found.some(({ code, field }) => code === 'builtin/required' && field.endsWith('spec.selector'));
  return few(found).flatMap((finding): BuiltinProblem[] => {
    // An object without a spec is a part of one, or only names it.
    if (!manifest.value.has('spec') && finding.field.startsWith('spec.') && misses.has(finding.code)) return [];
    if (finding.code === 'builtin/follows' || (finding.code === 'builtin/selector' && lacksSelector)) return [];
    if (finding.code === 'builtin/no-such-name' && isOfRefusedVolume(manifest, finding.path)) return [];
    const problem = problemOf(manifest, finding);
    return [annotateWithCommitted(problem, finding.code === 'builtin/immutable' ? 'changes' : 'refused', committed)];
  });
}

/** A volume that is refused is none to the server that what mounts it could name. */
function isOfRefusedVolume({ value }: Manifest, path: Path): boolean {
  const mounts = path.findLastIndex((step) => step === 'volumeMounts' || step === 'volumeDevices');
  // Behind the pod's own fields come the list of containers, the container and its mounts.
  const volumes = mounts < 2 ? undefined : valueAt(value, [...path.slice(0, mounts - 2), 'volumes']);
  const name = valueAt(value, path);
  return isList(volumes) && volumes.some((one) => isMap(one) && one.get('name') === name);
}

function admissionProblems(
  manifest: Manifest,
  version: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  const { errors, warnings } = judgeAdmission(manifest.value, undefined, version);
  const update = committed && admissionUpdate(manifest, committed, version);
  return withoutPlaceholders(manifest, [
    ...compareVerdicts(few(errors), update && few(update.errors)).flatMap(({ finding, standing }) =>
      inExpressions(manifest, [finding], version).map((problem) => annotateWithCommitted(problem, standing, committed)),
    ),
    ...inExpressions(manifest, few(update?.warnings ?? warnings), version),
  ]);
}

/** What is said about expressions that are none of admission: in kinds of Kubernetes, in files, in custom resources. */
export function judgeInWorlds(manifest: Manifest, version: KubernetesVersion): BuiltinProblem[] {
  const { group } = splitApiVersion(manifest.apiVersion);
  return inExpressions(manifest, few(validateInWorlds(manifest.value, group, manifest.kind, version)), version);
}

function inExpressions(
  manifest: Manifest,
  findings: readonly PolicyFinding[],
  version: KubernetesVersion,
): BuiltinProblem[] {
  return findings.flatMap((finding): BuiltinProblem[] => {
    const problem = problemOf(manifest, finding);
    if (problem.code !== 'policy/expression' && problem.code !== 'policy/health-check') return [problem];
    return celProblems(problem, version);
  });
}

/** The warning that the server sends along with its answer. */
function deprecation(manifest: Manifest, kind: BuiltinAt['kind'], { name }: KubernetesVersion): BuiltinProblem[] {
  const { deprecated, removed, replacement } = kind;
  if (deprecated === undefined || !reaches(name, deprecated)) return [];
  const [, group, other] = /^(.*)\/([^/]+)$/.exec(replacement ?? '') ?? [];
  const message = [
    `${kind.apiVersion} ${kind.kind} is deprecated in v${deprecated}+`,
    removed === undefined ? '' : `, unavailable in v${removed}+`,
    other === undefined ? '' : `; use ${group} ${other}`,
  ].join('');
  const facts = { instead: other === kind.kind && group !== undefined ? [group] : [] };
  const says = { versions: versionsIn(message) };
  return [problemAt(manifest, { code: 'builtin/deprecated', facts }, message, ['apiVersion'], 'value', { says })];
}

/** Kinds that are sent to a part of another object. */
const ofSubresources: ReadonlySet<string> = new Set(['Scale', 'DeploymentRollback', 'Eviction', 'TokenRequest']);

/** What is said of an object in a group of Kubernetes' own that has no such kind. */
export function noBuiltinKind(manifest: Manifest, kinds: BuiltinKinds, { name }: KubernetesVersion): BuiltinProblem[] {
  const { group, version } = splitApiVersion(manifest.apiVersion);
  const metadata = metadataOf(manifest);
  const isShort = isShortened(group);
  if (isShort && !metadata?.has('name')) return [];
  const ofGroup = [...kinds.kinds.values()].filter((one) =>
    isShort ? isShortFor(group, one.group) : one.group === group,
  );
  const key = `${manifest.apiVersion}/${manifest.kind}`;
  const served = ofGroup
    .filter((one) => one.kind === manifest.kind && !one.isGone)
    .sort((a, b) => compareVersions(a.version, b.version))
    .map(({ apiVersion }) => apiVersion);
  const gone = kinds.kinds.get(key) ?? goneKinds.get(key);
  const from = kinds.kindFrom(key);
  if (gone || from !== undefined || served.length > 0) {
    const elsewhere = gone?.replacement?.replace(/\/[^/]+$/, '');
    const instead = served.length > 0 || elsewhere === undefined ? served : [elsewhere];
    const why = [
      gone?.removed === undefined ? '' : `, not served since Kubernetes ${gone.removed}`,
      from === undefined ? '' : `, which comes with Kubernetes ${from}`,
      instead.length === 0 ? '' : `; Kubernetes ${name} has ${instead.join(', ')}`,
    ].join('');
    const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"${why}`;
    const facts = { instead };
    const says = saysOfVersion(manifest, message, undefined, instead.length === 0 && from === undefined);
    return [problemAt(manifest, { code: 'builtin/not-served', facts }, message, ['apiVersion'], 'value', { says })];
  }
  // Without metadata it is a file of some program, such as kubectl's own.
  if (!metadata || isShort) return [];
  const inVersion = ofGroup.filter((one) => one.version === version && !one.isGone).map(({ kind }) => kind);
  const near = nearestKinds(group, manifest.kind, inVersion);
  if (near.length === 0) {
    // OpenShift once had kinds of its own in v1.
    if (group === '' || ofGroup.length === 0 || ofSubresources.has(manifest.kind) || !metadata.has('name')) return [];
    const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"`;
    const says = saysOfVersion(manifest, message);
    const facts = { instead: [] };
    return [problemAt(manifest, { code: 'builtin/not-served', facts }, message, ['kind'], 'value', { says })];
  }
  const meant = near.map((one) => `\`${one}\``).join(' or ');
  const message = `Kubernetes has no kind ${manifest.kind} in ${manifest.apiVersion}; did you mean ${meant}?`;
  return [problemAt(manifest, { code: 'builtin/kind-misspelled', facts: { near } }, message, ['kind'], 'value')];
}
