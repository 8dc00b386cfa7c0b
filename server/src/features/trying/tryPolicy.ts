import { memo } from '../../base/memo.ts';
import type { Steps } from '../../base/steps.ts';
import { shortened } from '../../base/text.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { mapOfPairs, type Val } from '../../cel/eval/values.ts';
import { objectCostLimit } from '../../kubernetes/bounds.ts';
import { valText } from '../../kubernetes/cel/valText.ts';
import { plainVal } from '../../kubernetes/cel/values.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import { fieldOf } from '../../kubernetes/field.ts';
import {
  annotationOf,
  type Decision,
  type Evaluated,
  evaluator,
  namespaceValue,
  type PolicyVerdict,
  unknown,
  unknownIn,
} from '../../kubernetes/policy/evaluate.ts';
import { judgeExpression, policyExpressions, spotOf } from '../../kubernetes/policy/expressions.ts';
import { hostGroup } from '../../kubernetes/policy/hosts.ts';
import { labelsOf, type Match, type Matched, matchOf, selects } from '../../kubernetes/policy/matching.ts';
import { typedBuiltin } from '../../kubernetes/policy/objectTypes.ts';
import { guessedResources } from '../../kubernetes/policy/watchedKinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
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
const bindingKind = 'ValidatingAdmissionPolicyBinding';

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
  const words = [...kinds, 'Namespace', bindingKind, ...(isString(param) ? [param] : [])];
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
  const cluster = clusterOf(policy, all);
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
  const trying = { snapshot, uri, policy, cluster, kubernetes, evaluate: evaluator(policy.value, kubernetes) };
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

/** What of the workspace a policy is evaluated with. */
interface Cluster {
  readonly bindings: readonly Manifest[];
  readonly namespaces: ReadonlyMap<string, Manifest>;
  /** The objects of the kind that `paramKind` names; undefined where it names none. */
  readonly params: readonly Manifest[] | undefined;
}

function clusterOf(policy: Manifest, all: readonly Placed[]): Cluster {
  const manifests = all.map(({ manifest }) => manifest);
  const name = metadataText(policy, 'name');
  const bindings = manifests.filter(
    (one) => isOfKind(one, bindingKind) && valueAt(one.value, ['spec', 'policyName']) === name,
  );
  const namespaces = manifests.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace');
  const paramKind = valueAt(policy.value, ['spec', 'paramKind']);
  const params = isMap(paramKind)
    ? manifests.filter(
        ({ apiVersion, kind }) => apiVersion === paramKind.get('apiVersion') && kind === paramKind.get('kind'),
      )
    : undefined;
  return { bindings, namespaces: new Map(namespaces.map((one) => [metadataText(one, 'name'), one])), params };
}

function factsOf({ bindings }: Cluster): string[] {
  const names = bindings.map((one) => metadataText(one, 'name'));
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
  readonly cluster: Cluster;
  readonly kubernetes: KubernetesVersion;
  readonly evaluate: (brought: ReadonlyMap<string, Val>) => PolicyVerdict;
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
  const runs = runsOf(trying, one);
  const worst = [...runs].sort((a, b) => worstFirst.indexOf(a.outcome) - worstFirst.indexOf(b.outcome))[0]!;
  const values = runs.flatMap((run) =>
    run.values.map((value) => (runs.length > 1 ? { ...value, at: `${run.by} ${value.at}` } : value)),
  );
  const shown = values.slice(0, mostValues);
  return { ...about, outcome: worst.outcome, said: worst.said, values: shown, more: values.length - shown.length };
}

const mostValues = 50;
/** One object is not judged by more bindings and parameters. */
const mostRuns = 20;
const worstFirst: readonly Outcome[] = ['error', 'false', 'none', 'value', 'true'];

function whyNot(match: Match): string | undefined {
  if ('unknown' in match) return match.unknown;
  return match.matches ? undefined : `The policy is not for it: ${match.why}`;
}

/** An object as the policy gets it. */
interface Admitted {
  readonly manifest: Manifest;
  readonly request: Matched;
  /** With its defaults. */
  value(): Value;
  old(): Value;
  /** Names of fields that the API server may fill in. */
  readonly defaulted: ReadonlySet<string>;
}

function admitted(
  { snapshot, uri, cluster, kubernetes }: Trying,
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
    manifest,
    request,
    value: () => stored(manifest.value),
    old: () => (committed ? stored(committed) : null),
    defaulted: names,
  };
}

/** Every namespace is labelled with its own name. */
function namespaceLabels(known: Manifest | undefined, name: string | undefined): Matched['namespaceLabels'] {
  const own = new Map(name ? [['kubernetes.io/metadata.name', name]] : []);
  return { labels: new Map([...(known ? labelsOf(known.value) : []), ...own]), isWhole: known !== undefined };
}

/** The names of all fields in a schema. */
const fieldNames = memo((root: Structural): ReadonlySet<string> => {
  const found = new Set<string>();
  const collect = ({ properties, items, additionalProperties }: Structural) => {
    for (const [name, one] of properties ?? []) {
      found.add(name);
      collect(one);
    }
    if (items) collect(items);
    if (additionalProperties?.schema) collect(additionalProperties.schema);
  };
  collect(root);
  return found;
});

/** The policy, evaluated for one binding and one object of its parameters. */
interface Run {
  readonly by: string;
  readonly outcome: Outcome;
  readonly said: string;
  readonly values: readonly TriedValue[];
}

function runsOf(trying: Trying, one: Admitted): readonly Run[] {
  const { bindings, params } = trying.cluster;
  if (bindings.length === 0) {
    const param = params ? unknown('which parameters a binding names') : null;
    return [runOf(trying, one, param, { by: '', actions: ['Deny'] })];
  }
  const runs = bindings.flatMap((binding): (() => Run)[] => {
    const by = metadataText(binding, 'name');
    const match = matchOf(valueAt(binding.value, ['spec', 'matchResources']), one.request);
    if ('unknown' in match) return [() => ({ by, outcome: 'none', said: match.unknown, values: [] })];
    if (!match.matches) return [];
    const found = paramsFor(trying, binding, one);
    if ('said' in found) return [() => ({ by, ...found, values: [] })];
    const actions = textsAt(binding.value, ['spec', 'validationActions']);
    return found.params.map(
      ({ name, value }) =>
        () =>
          runOf(trying, one, value, { by: name === '' ? by : `${by}, ${name}`, actions }),
    );
  });
  return runs.length > 0
    ? runs.slice(0, mostRuns).map((run) => run())
    : [{ by: '', outcome: 'none', said: 'No binding of the workspace is for it', values: [] }];
}

function textsAt(value: Value, path: Path): readonly string[] {
  const list = valueAt(value, path);
  return isList(list) ? list.filter(isString) : [];
}

/** The parameters that a binding names, from the workspace. */
function paramsFor(
  { cluster: { params }, policy }: Trying,
  binding: Manifest,
  { request }: Admitted,
): { readonly params: readonly { readonly name: string; readonly value: Val }[] } | Pick<Run, 'outcome' | 'said'> {
  const ref = valueAt(binding.value, ['spec', 'paramRef']);
  if (!params || !isMap(ref)) return { params: [{ name: '', value: null }] };
  const [name, namespace] = [ref.get('name'), ref.get('namespace')];
  const wanted = isString(namespace) && namespace !== '' ? namespace : request.namespace;
  const found = params.filter((one) => {
    const own = metadataText(one, 'namespace');
    const isThere = own === '' || wanted === undefined || wanted === '' || own === wanted;
    const isNamed =
      isString(name) && name !== ''
        ? metadataText(one, 'name') === name
        : selects(ref.get('selector') ?? new Map(), labelsOf(one.value));
    return isThere && isNamed;
  });
  if (found.length > 0)
    return { params: found.map((one) => ({ name: metadataText(one, 'name'), value: plainVal(one.value) })) };
  const kind = String(valueAt(policy.value, ['spec', 'paramKind', 'kind']));
  const denies = ref.get('parameterNotFoundAction') === 'Deny';
  const said = `No ${kind} that the binding names is in the workspace; where there is none in the cluster either, the binding ${denies ? 'denies the request, unless failurePolicy is Ignore' : 'lets it in'}`;
  return { outcome: 'none', said };
}

interface Bound {
  readonly by: string;
  readonly actions: readonly string[];
}

function runOf(trying: Trying, one: Admitted, params: Val, { by, actions }: Bound): Run {
  const verdict = trying.evaluate(broughtBy(trying, one, params));
  const decisions = verdict.decisions.map((decision) => mayBeDefaulted(decision, one));
  const values = [
    ...decisions.map((decision) => decisionRow(decision)),
    ...verdict.variables.map((variable) => valueRow(trying.policy, variable)),
    ...verdict.annotations.map((annotation) => valueRow(trying.policy, annotation)),
  ];
  if (verdict.unmatched !== undefined) {
    const said =
      verdict.unmatched === ''
        ? 'A match condition fails, and failurePolicy is Ignore'
        : `The match condition ${verdict.unmatched} is false`;
    return { by, outcome: 'none', said, values };
  }
  return { by, ...saidBy(trying, decisions, { by, actions }, verdict.cost), values };
}

function saidBy(
  { policy }: Trying,
  decisions: readonly Decision[],
  { by, actions }: Bound,
  cost: number,
): Pick<Run, 'outcome' | 'said'> {
  const denied = decisions.find(({ action }) => action === 'deny');
  const open = decisions.find(({ action }) => action === 'unknown');
  if (!denied && open) return { outcome: 'none', said: `It depends on what is not known here: ${open.message}` };
  if (!denied) return { outcome: 'true', said: `cost ${costNumber(cost)} of ${costNumber(objectCostLimit)}` };
  const name = metadataText(policy, 'name');
  if (actions.includes('Deny')) {
    const binding = by === '' ? '' : ` with binding '${by.split(',')[0]}'`;
    const said = `ValidatingAdmissionPolicy '${name}'${binding} denied request: ${denied.message}`;
    return { outcome: denied.failed === undefined ? 'false' : 'error', said };
  }
  if (!actions.includes('Warn')) return { outcome: 'true', said: `only for the audit: ${denied.message}` };
  return {
    outcome: 'true',
    said: `with a warning: Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${by.split(',')[0]}': ${denied.message}`,
  };
}

/** A field that nobody wrote may be there when the API server has filled in its defaults. */
function mayBeDefaulted(decision: Decision, { defaulted }: Admitted): Decision {
  const key = decision.failed === undefined ? undefined : /no such key: (\w+)/.exec(decision.failed)?.[1];
  if (key === undefined || !defaulted.has(key)) return decision;
  const message = `\`${key}\` is not written, and the API server may fill in a default`;
  return { ...decision, action: 'unknown', message };
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

/** The variables of the policy, with what a workspace can know of them. */
function broughtBy(trying: Trying, { request, value, old, manifest }: Admitted, params: Val): ReadonlyMap<string, Val> {
  const authorizer = unknown('what the authorizer says');
  return new Map<string, Val>([
    ['object', plainVal(value())],
    ['oldObject', plainVal(old())],
    ['params', params],
    ['request', requestOf(request, manifest.kind)],
    ['namespaceObject', namespaceOf(trying.cluster, request)],
    ['authorizer', authorizer],
    ['authorizer.requestResource', authorizer],
  ]);
}

function namespaceOf({ namespaces }: Cluster, { namespace, group, resource }: Matched): Val {
  if (namespace === undefined || (group === '' && resource === 'namespaces')) return null;
  const known = namespaces.get(namespace);
  if (known) return plainVal(namespaceValue(known.value));
  return unknown(
    namespace === '' ? 'the namespace of the object' : `the namespace ${namespace}, which is not in the workspace`,
  );
}

function requestOf({ group, version, resource, operation, name, namespace }: Matched, kind: string): Val {
  const ofKind = mapOfPairs([
    ['group', group],
    ['version', version],
    ['kind', kind],
  ]);
  const ofResource = mapOfPairs([
    ['group', group],
    ['version', version],
    ['resource', resource],
  ]);
  const where = namespace === '' ? unknown('the namespace of the object') : (namespace ?? '');
  return mapOfPairs([
    ['kind', ofKind],
    ['resource', ofResource],
    ['subResource', ''],
    ['requestKind', ofKind],
    ['requestResource', ofResource],
    ['requestSubResource', ''],
    ['name', name],
    ['namespace', where],
    ['operation', operation],
    ['userInfo', unknown('who makes the request')],
    ['dryRun', false],
    ['options', unknown('the options of the request')],
  ]);
}
