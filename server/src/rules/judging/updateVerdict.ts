import { shortened } from '../../base/text.ts';
import { equalValues, isList, isMap, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { countingWork } from '../../cel/eval/work.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { ValidationFinding } from '../../kubernetes/builtin/findings.ts';
import { judgeBuiltin } from '../../kubernetes/builtin/judge.ts';
import type { BuiltinKind, BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import { validateBuiltinUpdate } from '../../kubernetes/builtin/validation/update.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import { updateResource } from '../../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../../kubernetes/cr/verdict.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import { updateCrd } from '../../kubernetes/crd/update.ts';
import type { Verdict } from '../../kubernetes/crd/verdict.ts';
import { type AdmissionVerdict, judgeAdmission } from '../../kubernetes/policy/admission.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { asFarAsKnown } from '../cr/placeholders.ts';
import type { Problem } from '../model/rule.ts';
import type { Standing } from './compareVerdicts.ts';

// What changes for an object that a commit holds already: an update may leave mistakes as they are, and may not touch
// what cannot change. It holds only if the committed object could have been stored: else there is nothing to update.

/** Whether a committed object passes create, and the CRD that this was asked of; a CRD is asked of nothing. */
interface Storable {
  readonly crd: ValueMap | undefined;
  readonly passes: boolean;
}

/** By version. Not a memo: of each only what was last asked for is kept. */
const storable = new WeakMap<Committed, Map<string, Storable>>();

function couldBeStored(
  committed: Committed,
  crd: ValueMap | undefined,
  { name }: KubernetesVersion,
  passes: () => boolean,
): boolean {
  const known = storable.get(committed) ?? new Map<string, Storable>();
  storable.set(committed, known);
  const before = known.get(name);
  if (before && before.crd === crd) return before.passes;
  // It is asked once for as long as the commit stays the same, so it belongs to no judging of the file.
  const now = { crd, passes: countingWork(0, passes).result };
  known.set(name, now);
  return now.passes;
}

/** The server's answer to the update of a committed CRD; undefined where that was never stored. */
export function crdUpdate(
  manifest: Manifest,
  committed: Committed,
  kubernetes: KubernetesVersion,
  specPassesCreate: boolean,
): Verdict | undefined {
  return wasStorable(committed, kubernetes)
    ? updateCrd(committed.manifest.value, manifest.value, { kubernetes, specPassesCreate })
    : undefined;
}

/** Whether a committed CRD could have been stored: what never was has no objects either. */
export function wasStorable(committed: Committed, kubernetes: KubernetesVersion): boolean {
  return couldBeStored(committed, undefined, kubernetes, () => {
    const { decode, panic, errors } = createCrd(committed.manifest.value, { kubernetes });
    return !decode && !panic && errors.length === 0;
  });
}

/** The server's answer to the update of a committed policy or webhook; undefined where that was never stored. */
export function admissionUpdate(
  manifest: Manifest,
  committed: Committed,
  kubernetes: KubernetesVersion,
): AdmissionVerdict | undefined {
  const old = committed.manifest;
  const passes = () => judgeAdmission(old.value, undefined, kubernetes).errors.length === 0;
  if (old.apiVersion !== manifest.apiVersion || !couldBeStored(committed, undefined, kubernetes, passes))
    return undefined;
  return judgeAdmission(manifest.value, old.value, kubernetes);
}

/** What replaces an object instead of updating it: it is deleted first. */
const replacing = ['helm.sh/hook', 'argocd.argoproj.io/hook', 'kustomize.toolkit.fluxcd.io/force'];

function isReplaced(manifest: Manifest): boolean {
  const annotations = valueAt(manifest.value, ['metadata', 'annotations']);
  if (!isMap(annotations)) return false;
  const options = annotations.get('argocd.argoproj.io/sync-options');
  return replacing.some((name) => annotations.has(name)) || /Replace|Force/.test(String(options));
}

/** The server's answer to the update of a committed object of a built-in kind; undefined where that was never stored. */
export function builtinUpdate(
  manifest: Manifest,
  committed: Committed,
  { kinds, kind }: { readonly kinds: BuiltinKinds; readonly kind: BuiltinKind },
  kubernetes: KubernetesVersion,
): readonly ValidationFinding[] | undefined {
  const old = committed.manifest;
  if (old.apiVersion !== manifest.apiVersion || isReplaced(manifest)) return undefined;
  const passes = () => {
    const { decode, validation } = judgeBuiltin(asFarAsKnown(old), kind, kinds, kubernetes);
    return decode.length === 0 && validation.length === 0;
  };
  if (!couldBeStored(committed, undefined, kubernetes, passes)) return undefined;
  return validateBuiltinUpdate(asFarAsKnown(manifest), asFarAsKnown(old), kind, kubernetes);
}

/** The server's answer to the update of a committed resource; undefined where that was never stored. */
export function resourceUpdate(
  manifest: Manifest,
  committed: Committed,
  crd: ServedCrd,
  definition: Manifest,
  kubernetes: KubernetesVersion,
): ResourceVerdict | undefined {
  const served = committed.crd ?? definition.value;
  const passes = () => {
    const then = serveCrd(served, kubernetes);
    if ('error' in then || !serves(then, committed.manifest)) return false;
    const { decode, errors } = createResource(asFarAsKnown(committed.manifest), then, { kubernetes });
    return !decode && errors.length === 0;
  };
  const old = inVersion(committed.manifest, manifest, crd, definition);
  if (!old || !couldBeStored(committed, served, kubernetes, passes)) return undefined;
  return updateResource(old, asFarAsKnown(manifest), crd, { kubernetes });
}

function serves({ lowered }: ServedCrd, { apiVersion }: Manifest): boolean {
  const { version } = splitApiVersion(apiVersion);
  return lowered.versions.some(({ name, served }) => served && name === version);
}

/** The stored object in the version of the new one. What a conversion webhook makes of it nobody can tell from here. */
function inVersion(
  old: Manifest,
  { apiVersion }: Manifest,
  { versions }: ServedCrd,
  definition: Manifest,
): ValueMap | undefined {
  const strategy = valueAt(definition.value, ['spec', 'conversion', 'strategy']);
  if (old.apiVersion !== apiVersion && strategy === 'Webhook') return undefined;
  const value = new Map(asFarAsKnown(old)).set('apiVersion', apiVersion);
  // A new object's status is dropped where it has an endpoint of its own.
  if (versions.get(splitApiVersion(apiVersion).version)?.hasStatus) value.delete('status');
  return value;
}

const longest = 60;

/** Says of a problem what the committed object has to do with it. */
export function annotateWithCommitted<P extends Problem>(
  problem: P,
  standing: Standing,
  committed: Committed | undefined,
): P {
  if (!committed || standing === 'refused') return problem;
  const { message } = problem;
  if (standing === 'forgiven') {
    const why = `unchanged since ${committed.ref}: the API server would let this update pass`;
    return { ...problem, message: `${message} (${why})`, severity: 'warning' };
  }
  const before = valueAt(committed.manifest.value, problem.path.slice(problem.manifest?.at.length ?? 0));
  const now = problem.manifest && valueAt(problem.manifest.value, problem.path.slice(problem.manifest.at.length));
  if (equalValues(before, now)) return problem;
  if (isMap(before) || isList(before)) return { ...problem, message: `${message} (changed since ${committed.ref})` };
  if (before === undefined) return { ...problem, message: `${message} (not set in ${committed.ref})` };
  const restores = { ref: committed.ref, value: before };
  return { ...problem, message: `${message} (${committed.ref} has ${short(before)})`, restores };
}

function short(value: Value): string {
  const text = printJson(value);
  return shortened(text, longest);
}
