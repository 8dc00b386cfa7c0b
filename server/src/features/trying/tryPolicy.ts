import type { Steps } from '../../base/steps.ts';
import { shortened } from '../../base/text.ts';
import { isList, isMap, isString, type ValueMap, valueAt } from '../../base/value.ts';
import { objectCostLimit } from '../../kubernetes/bounds.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import { fieldOf } from '../../kubernetes/field.ts';
import {
  type Admitted,
  bindingKinds,
  clusterOf,
  type Evaluating,
  fieldNames,
  nameOf,
  namespaceLabels,
  type PolicyCluster,
  type PolicyRun,
  runsOf,
  textsAt,
} from '../../kubernetes/policy/admit.ts';
import { annotationOf, type Decision, type Evaluated, evaluator, unknownIn } from '../../kubernetes/policy/evaluate.ts';
import { judgeExpression, policyExpressions, spotOf } from '../../kubernetes/policy/expressions.ts';
import { hostGroup } from '../../kubernetes/policy/hosts.ts';
import { labelsOf, type Match, type Matched, matchOf } from '../../kubernetes/policy/matching.ts';
import { typedBuiltin } from '../../kubernetes/policy/objectTypes.ts';
import { guessedResources } from '../../kubernetes/policy/watchedKinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import { builtinKindsFor } from '../../workspace/builtin.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { inDocument, type Manifest, metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import { policyTypesFor } from '../../workspace/policyTypes.ts';
import { committedObject, kubernetesFor, type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { rangeOf } from '../../yaml/place.ts';
import { inFile, type Lens } from '../lenses/lens.ts';
import { cursorAt } from '../place/cursor.ts';
import { manifestsIn } from '../place/rulePaths.ts';
import type { Placed } from '../views/crdChanges.ts';
import { costNumber } from '../words/costs.ts';
import type { Outcome, Tried, TriedObject, TriedValue } from './tried.ts';

const policyKind = 'ValidatingAdmissionPolicy';

/** The policy that the cursor is in. */
export function policyAtCursor(snapshot: Snapshot, uri: string, offset: number): Manifest | undefined {
  const manifest = cursorAt(snapshot, uri, offset)?.manifest;
  return manifest && isOfKind(manifest, policyKind) ? manifest : undefined;
}

/** Over each policy of a file the way to the view that tries it. */
export function policyLenses(snapshot: Snapshot, uri: string): Lens[] {
  if (settingsFor(snapshot, uri).codeLens.has('policies')) return [];
  return manifestsIn(snapshot, uri).flatMap(({ manifest, placed }) => {
    const key = isOfKind(manifest, policyKind)
      ? rangeOf(placed.document, inDocument(manifest, ['kind']), 'key')
      : undefined;
    return key ? [inFile(placed, key)({ title: 'Try this policy', does: { page: 'try' } })] : [];
  });
}

function isOfKind(manifest: Manifest, kind: string): boolean {
  return manifest.kind === kind && splitApiVersion(manifest.apiVersion).group === hostGroup;
}

/** Whether a file may hold something that a policy is evaluated with, by its text. */
export function mayConcern(snapshot: Snapshot, uri: string, policy: Manifest): (text: string) => boolean {
  const { value } = policy;
  const kinds = policyTypesFor(snapshot, uri, policy, [])?.objects.map(({ kind }) => kind) ?? [];
  const rules = valueAt(value, ['spec', 'matchConstraints', 'resourceRules']);
  const names = (isList(rules) ? rules : []).flatMap((rule) =>
    ['apiGroups', 'apiVersions', 'resources'].flatMap((key) => textsAt(rule, [key])),
  );
  if (kinds.length === 0 || names.some((name) => name.includes('*'))) return () => true;
  const param = valueAt(value, ['spec', 'paramKind', 'kind']);
  const words = [...kinds, 'Namespace', bindingKinds.get(policy.kind)!, ...(isString(param) ? [param] : [])];
  return (text) => words.some((word) => text.includes(word));
}

/** More objects than these are not looked at: the view is drawn again after every pause in typing. */
const mostObjects = 200;

/** Which objects of some files a policy would let in. */
export function* tryPolicy(
  snapshot: Snapshot,
  uri: string,
  policy: Manifest,
  files: readonly SourceFile[],
): Steps<Tried> {
  const kubernetes = kubernetesFor(snapshot, uri);
  const all = files.flatMap((file) => file.manifests.map((manifest): Placed => ({ file, manifest })));
  const cluster = clusterOf(
    policy.value,
    all.map(({ manifest }) => manifest.value),
  );
  const about = {
    title: `${policyKind} ${metadataText(policy, 'name')}`,
    expression: expressionsText(policy.value),
    kubernetes: kubernetes.name,
    facts: factsOf(cluster),
    isPolicy: true as const,
  };
  const expressions = policyExpressions(policy.value, hostGroup, policyKind, kubernetes, undefined);
  const [wrong] = expressions.flatMap((one) => judgeExpression(one, kubernetes));
  if (wrong) return { ...about, problem: `${wrong.field}: ${wrong.message}`, objects: [], more: 0 };
  if (!isMap(valueAt(policy.value, ['spec', 'matchConstraints']))) {
    return { ...about, problem: 'matchConstraints do not say yet what the policy is for.', objects: [], more: 0 };
  }
  const evaluating = { policy: policy.value, cluster, evaluate: evaluator(policy.value, kubernetes) };
  const trying = { snapshot, uri, policy, kubernetes, evaluating };
  const objects: TriedObject[] = [];
  let more = 0;
  for (const one of all) {
    const found = triedObject(trying, one);
    if (found && objects.length < mostObjects) objects.push(found);
    else if (found) more++;
    yield;
  }
  return { ...about, problem: undefined, objects, more };
}

function factsOf({ bindings }: PolicyCluster): string[] {
  const names = bindings.map(nameOf);
  const bound =
    names.length === 0
      ? 'no binding in the workspace: shown as if one denied'
      : `bound by ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
  return [bound, 'defaults of built-in kinds are not filled in'];
}

function expressionsText(policy: ValueMap): string {
  const validations = valueAt(policy, ['spec', 'validations']);
  const texts = (isList(validations) ? validations : []).map((one) => valueAt(one, ['expression']));
  return texts.filter(isString).join('\n');
}

interface Trying {
  readonly snapshot: Snapshot;
  readonly uri: string;
  readonly policy: Manifest;
  readonly kubernetes: KubernetesVersion;
  readonly evaluating: Evaluating;
}

/** What the policy says of an object, or why it does not; undefined where it is not for such objects at all. */
function triedObject(trying: Trying, { file, manifest }: Placed): TriedObject | undefined {
  const one = admitted(trying, file, manifest);
  if (!one) return undefined;
  const constraints = valueAt(trying.policy.value, ['spec', 'matchConstraints']);
  const match = matchOf(constraints, one.request);
  if ('matches' in match && !match.matches && match.byRules) return undefined;
  const name = [metadataText(manifest, 'namespace'), metadataText(manifest, 'name')].filter(Boolean).join('/');
  const about = { name: `${manifest.kind} ${name}`, place: locateInFile(file, manifest, ['kind'], 'value') };
  const said = whyNot(match);
  if (said !== undefined) return { ...about, outcome: 'none', said, values: [], more: 0 };
  const runs = shownRuns(trying, one);
  const worst = [...runs].sort((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome))[0]!;
  const values = runs.flatMap((run) =>
    run.values.map((value) => (runs.length > 1 ? { ...value, at: `${run.by} ${value.at}` } : value)),
  );
  const shown = values.slice(0, mostValues);
  return { ...about, outcome: worst.outcome, said: worst.said, values: shown, more: values.length - shown.length };
}

const mostValues = 50;
const worstFirst: readonly Outcome[] = ['error', 'false', 'none', 'value', 'true'];

function whyNot(match: Match): string | undefined {
  if ('unknown' in match) return match.unknown;
  return match.matches ? undefined : `The policy is not for it: ${match.why}`;
}

/** An object as the policy gets it; undefined where policies are not for it. */
function admitted(
  { snapshot, uri, kubernetes, evaluating: { cluster } }: Trying,
  file: SourceFile,
  manifest: Manifest,
): Admitted | undefined {
  const { group, version } = splitApiVersion(manifest.apiVersion);
  // Policies are not for policies.
  if (manifest.role !== 'resource' || file.template || group === hostGroup) return undefined;
  const [definition] = definitionsFor(snapshot.definitions, manifest, file.uri);
  const kinds = builtinKindsFor(snapshot, uri);
  const builtin = definition ? undefined : kinds?.kinds.get(`${manifest.apiVersion}/${manifest.kind}`);
  if (!definition && !builtin) return undefined;
  const resource = definition ? definition.resources[0] : guessedResources(manifest.kind)[0];
  const isNamespaced = definition
    ? valueAt(definition.manifest.value, ['spec', 'scope']) === 'Namespaced'
    : builtin!.namespaced === true;
  if (resource === undefined) return undefined;
  const committed = committedObject(snapshot, file.uri, manifest)?.manifest.value;
  const written = metadataText(manifest, 'namespace');
  const isNamespace = group === '' && resource === 'namespaces';
  const namespace = isNamespace ? metadataText(manifest, 'name') : isNamespaced ? written : undefined;
  const request: Matched = {
    ...{ group, version, resource, namespace },
    operation: committed ? 'UPDATE' : 'CREATE',
    name: metadataText(manifest, 'name'),
    labels: labelsOf(manifest.value),
    oldLabels: committed ? labelsOf(committed) : undefined,
    namespaceLabels: namespaceLabels(cluster.namespaces.get(namespace ?? ''), namespace),
  };
  const stored = (value: ValueMap) => {
    const served = definition && serveCrd(definition.manifest.value, kubernetes);
    return (served && !('error' in served) && createResource(value, served, { kubernetes }).stored) || value;
  };
  const names = builtin && kinds ? fieldNames(typedBuiltin(kinds, builtin, kubernetes).structural) : new Set<string>();
  return {
    kind: manifest.kind,
    request,
    value: () => stored(manifest.value),
    old: () => (committed ? stored(committed) : null),
    defaulted: names,
  };
}

/** The policy, evaluated for one binding and one object of its parameters. */
interface Run {
  readonly by: string;
  readonly outcome: Outcome;
  readonly said: string;
  readonly values: readonly TriedValue[];
}

function shownRuns(trying: Trying, one: Admitted): readonly Run[] {
  const runs = runsOf(trying.evaluating, one).map((run) => shownRun(trying, run));
  return runs.length > 0
    ? runs
    : [{ by: '', outcome: 'none', said: 'No binding of the workspace is for it', values: [] }];
}

function shownRun(trying: Trying, { binding, param, actions, came }: PolicyRun): Run {
  const by = param === '' ? binding : `${binding}, ${param}`;
  if ('unknown' in came) return { by, outcome: 'none', said: came.unknown, values: [] };
  if ('missing' in came) {
    const said = `No ${came.missing} that the binding names is in the workspace; where there is none in the cluster either, the binding ${came.denies ? 'denies the request, unless failurePolicy is Ignore' : 'lets it in'}`;
    return { by, outcome: 'none', said, values: [] };
  }
  const { decisions, variables, annotations, unmatched, cost } = came.verdict;
  const values = [
    ...decisions.map((decision) => decisionRow(decision)),
    ...[...variables, ...annotations].map((one) => valueRow(trying.policy, one)),
  ];
  if (unmatched === undefined) return { by, ...saidBy(trying, decisions, { binding, actions }, cost), values };
  const said =
    unmatched === ''
      ? 'A match condition fails, and failurePolicy is Ignore'
      : `The match condition ${unmatched} is false`;
  return { by, outcome: 'none', said, values };
}

function saidBy(
  { policy }: Trying,
  decisions: readonly Decision[],
  { binding, actions }: Pick<PolicyRun, 'binding' | 'actions'>,
  cost: number,
): Pick<Run, 'outcome' | 'said'> {
  const denied = decisions.find(({ action }) => action === 'deny');
  const open = decisions.find(({ action }) => action === 'unknown');
  if (!denied && open) return { outcome: 'none', said: `It depends on what is not known here: ${open.message}` };
  if (!denied) return { outcome: 'true', said: `cost ${costNumber(cost)} of ${costNumber(objectCostLimit)}` };
  const name = metadataText(policy, 'name');
  if (actions.includes('Deny')) {
    const by = binding === '' ? '' : ` with binding '${binding}'`;
    const said = `ValidatingAdmissionPolicy '${name}'${by} denied request: ${denied.message}`;
    return { outcome: denied.failed === undefined ? 'false' : 'error', said };
  }
  if (!actions.includes('Warn')) return { outcome: 'true', said: `only for the audit: ${denied.message}` };
  return {
    outcome: 'true',
    said: `with a warning: Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding}': ${denied.message}`,
  };
}

const outcomes: Readonly<Record<Decision['action'], Outcome>> = { admit: 'true', deny: 'false', unknown: 'none' };

function decisionRow({ path, action, message, failed, lines }: Decision): TriedValue {
  const outcome = action === 'deny' && failed !== undefined ? 'error' : outcomes[action];
  return { at: fieldOf(spotOf(path.slice(1, -1))), outcome, said: message, parts: [], lines };
}

/** What a variable or an annotation came to. */
function valueRow(policy: Manifest, one: Evaluated): TriedValue {
  const isVariable = one.path[1] === 'variables';
  const name = valueAt(policy.value, [...one.path.slice(0, -1), isVariable ? 'name' : 'key']);
  const at = `${isVariable ? 'variables.' : 'auditAnnotations '}${String(name)}`;
  if (one.failed !== undefined) {
    const what = unknownIn(one.failed);
    return {
      at,
      outcome: what === undefined ? 'error' : 'none',
      said: what ?? one.failed,
      parts: [],
      lines: one.lines,
    };
  }
  const text = isVariable ? valText(one.value) : (annotationOf(one) ?? 'not written');
  return {
    at,
    outcome: 'value',
    said: shortened(text, 200),
    parts: [],
    lines: one.lines,
  };
}
