import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Path, textAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { list, mapOfPairs, type Val } from '../../cel/eval/values.ts';
import {
  type AccessUser,
  type Authorizer,
  authorizerValue,
  requestResourceValue,
} from '../cel/libraries/authorization.ts';
import { plainVal } from '../cel/values.ts';
import type { Structural } from '../schema/structural.ts';
import { type Decision, namespaceValue, type PolicyVerdict, unknown } from './evaluate.ts';
import { hostGroup } from './hosts.ts';
import { labelsOf, type Matched, matchOf, type ResourceAs, selects } from './matching.ts';

// What an admission policy says of an object that comes to be admitted, by each binding and its parameters, as far as that
// can be told from the objects at hand.

/** The objects beside the policy that it is evaluated with. */
export interface PolicyCluster {
  readonly bindings: readonly ValueMap[];
  readonly namespaces: ReadonlyMap<string, ValueMap>;
  /** The objects of the kind that `paramKind` names; undefined where it names none. */
  readonly params: readonly ValueMap[] | undefined;
}

/** The kind of the bindings of a policy, by the policy's own. */
export const bindingKinds: ReadonlyMap<string, string> = new Map(
  ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].map((kind) => [kind, `${kind}Binding`]),
);

export function clusterOf(policy: ValueMap, all: readonly ValueMap[]): PolicyCluster {
  const bindingKind = bindingKinds.get(textAt(policy, ['kind']));
  const isOf = (one: ValueMap, apiVersion: Value | undefined, kind: Value | undefined) =>
    one.get('apiVersion') === apiVersion && one.get('kind') === kind;
  const bindings = all.filter(
    (one) =>
      one.get('kind') === bindingKind && isAdmission(one) && valueAt(one, ['spec', 'policyName']) === nameOf(policy),
  );
  const namespaces = all.filter((one) => isOf(one, 'v1', 'Namespace'));
  const paramKind = valueAt(policy, ['spec', 'paramKind']);
  const params = isMap(paramKind)
    ? all.filter((one) => isOf(one, paramKind.get('apiVersion'), paramKind.get('kind')))
    : undefined;
  return { bindings, namespaces: new Map(namespaces.map((one) => [nameOf(one), one])), params };
}

/** Whether it is a policy, a binding or a configuration of webhooks. */
export const isAdmission = (object: ValueMap) => textAt(object, ['apiVersion']).startsWith(`${hostGroup}/`);

export const nameOf = (object: ValueMap) => textAt(object, ['metadata', 'name']);

export function textsAt(value: Value, path: Path): readonly string[] {
  const list = valueAt(value, path);
  return isList(list) ? list.filter(isString) : [];
}

/** An object as the policy gets it. */
export interface Admitted {
  readonly kind: string;
  /** `as` is the version in which a policy asks for the resource, where that is another one. */
  readonly request: Matched & { readonly as?: ResourceAs };
  /** With its defaults. */
  value(): Value;
  old(): Value;
  /** Names of fields that the API server may fill in. */
  readonly defaulted: ReadonlySet<string>;
  /** The object in another version; left out where that is not known. */
  readonly converted?: ((object: Value, as: ResourceAs) => Value) | undefined;
  /** The object with its defaults again, in the version of the request or in another one. */
  readonly filledIn?: (object: Value, as: ResourceAs | undefined) => Value;
  /** The rest of the request; undefined where nobody says how it is made. */
  readonly asked?: Asked;
}

/** Who makes a request, and how. */
export interface Asked {
  /** Undefined where nobody says who it is. */
  readonly user:
    | (AccessUser & { readonly uid: string; readonly extra: ReadonlyMap<string, readonly string[]> })
    | undefined;
  readonly dryRun: boolean;
  readonly options: Value;
  /** Undefined where nobody says what users may do. */
  readonly authorizer: Authorizer | undefined;
}

/** Every namespace is labelled with its own name. */
export function namespaceLabels(known: ValueMap | undefined, name: string | undefined): Matched['namespaceLabels'] {
  const own = new Map(name ? [['kubernetes.io/metadata.name', name]] : []);
  return { labels: new Map([...(known ? labelsOf(known) : []), ...own]), isWhole: known !== undefined };
}

/** The names of all fields in a schema. */
export const fieldNames = memo((root: Structural): ReadonlySet<string> => {
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

/** A policy, for one binding and one object of its parameters. */
export interface PolicyRun {
  /** The names of both; empty where there is none. */
  readonly binding: string;
  readonly param: string;
  readonly actions: readonly string[];
  readonly came: Came;
}

/** What came of it: what the policy says, or why nobody can tell. */
export type Came =
  | { readonly verdict: PolicyVerdict }
  | { readonly unknown: string }
  /** The binding names parameters of this kind that are not among the objects. */
  | { readonly missing: string; readonly denies: boolean };

/** The policy, and how it is evaluated. */
export interface Evaluating {
  readonly policy: ValueMap;
  readonly cluster: PolicyCluster;
  readonly evaluate: (brought: ReadonlyMap<string, Val>) => PolicyVerdict;
}

/** One object is not judged by more bindings and parameters. */
const mostRuns = 20;

/** What a policy says of an object, by every binding; none where no binding is for it. Without bindings, as if one denied. */
export function runsOf(evaluating: Evaluating, one: Admitted): readonly PolicyRun[] {
  const { bindings, params } = evaluating.cluster;
  if (bindings.length === 0) {
    const param = params ? unknown('which parameters a binding names') : null;
    return [{ binding: '', param: '', actions: ['Deny'], came: { verdict: verdictOf(evaluating, one, param) } }];
  }
  const runs = bindings.flatMap((binding): (() => PolicyRun)[] => {
    const about = { binding: nameOf(binding), param: '', actions: textsAt(binding, ['spec', 'validationActions']) };
    const match = matchOf(valueAt(binding, ['spec', 'matchResources']), one.request);
    if ('unknown' in match) return [() => ({ ...about, came: match })];
    if (!match.matches) return [];
    const found = paramsFor(evaluating, binding, one);
    if ('missing' in found) return [() => ({ ...about, came: found })];
    return found.params.map(({ name, value }) => {
      return () => ({ ...about, param: name, came: { verdict: verdictOf(evaluating, one, value) } });
    });
  });
  return runs.slice(0, mostRuns).map((run) => run());
}

/** The parameters that a binding names, from the workspace. */
export function paramsFor(
  { cluster: { params }, policy }: Pick<Evaluating, 'cluster' | 'policy'>,
  binding: ValueMap,
  { request }: Admitted,
): { readonly params: readonly { readonly name: string; readonly value: Val }[] } | Extract<Came, { missing: string }> {
  const ref = valueAt(binding, ['spec', 'paramRef']);
  if (!params || !isMap(ref)) return { params: [{ name: '', value: null }] };
  const [name, namespace] = [ref.get('name'), ref.get('namespace')];
  const wanted = isString(namespace) && namespace !== '' ? namespace : request.namespace;
  const found = params.filter((one) => {
    const own = textAt(one, ['metadata', 'namespace']);
    const isThere = own === '' || wanted === undefined || wanted === '' || own === wanted;
    const isNamed =
      isString(name) && name !== '' ? nameOf(one) === name : selects(ref.get('selector') ?? new Map(), labelsOf(one));
    return isThere && isNamed;
  });
  if (found.length > 0) return { params: found.map((one) => ({ name: nameOf(one), value: plainVal(one) })) };
  const kind = String(valueAt(policy, ['spec', 'paramKind', 'kind']));
  return { missing: kind, denies: ref.get('parameterNotFoundAction') === 'Deny' };
}

function verdictOf(evaluating: Evaluating, one: Admitted, params: Val): PolicyVerdict {
  const verdict = evaluating.evaluate(broughtBy(evaluating, one, params));
  return { ...verdict, decisions: verdict.decisions.map((decision) => mayBeDefaulted(decision, one)) };
}

/** A field that nobody wrote may be there when the API server has filled in its defaults. */
function mayBeDefaulted(decision: Decision, { defaulted }: Admitted): Decision {
  const key = fieldToDefault(decision, defaulted);
  if (key === undefined) return decision;
  const message = `\`${key}\` is not written, and the API server may fill in a default`;
  return { ...decision, action: 'unknown', message };
}

/** The field for want of which a decision failed, where the API server may fill it in. */
export function fieldToDefault({ failed }: Decision, defaulted: ReadonlySet<string>): string | undefined {
  const key = failed === undefined ? undefined : /no such key: (\w+)/.exec(failed)?.[1];
  return key !== undefined && defaulted.has(key) ? key : undefined;
}

/** The variables of the policy, with what the objects at hand tell of them. */
export function broughtBy(
  { cluster }: Pick<Evaluating, 'cluster'>,
  one: Admitted,
  params: Val,
): ReadonlyMap<string, Val> {
  const { request, value, old } = one;
  return new Map<string, Val>([
    ['object', plainVal(value())],
    ['oldObject', plainVal(old())],
    ['params', params],
    ['request', requestOf(one)],
    ['namespaceObject', namespaceOf(cluster, request)],
    ...authorizers(one),
  ]);
}

function authorizers({ request, asked }: Admitted): (readonly [string, Val])[] {
  const [plain, ofRequest] = ['authorizer', 'authorizer.requestResource'] as const;
  if (!asked?.authorizer) return [plain, ofRequest].map((name) => [name, unknown('what the authorizer says')]);
  const { authorizer, user = { name: '', groups: [] } } = asked;
  const { group, resource, subresource = '', namespace = '', name } = request;
  return [
    [plain, authorizerValue(authorizer, user)],
    [ofRequest, requestResourceValue(authorizer, user, { group, resource, subresource, namespace, name })],
  ];
}

/** Every namespace is labelled with its own name, whatever else it says. */
function withOwnLabel(namespace: ValueMap, name: string): ValueMap {
  const metadata = namespace.get('metadata');
  const labels = isMap(metadata) ? metadata.get('labels') : undefined;
  const all = new Map(isMap(labels) ? labels : []).set('kubernetes.io/metadata.name', name);
  return new Map(namespace).set('metadata', new Map(isMap(metadata) ? metadata : []).set('labels', all));
}

function namespaceOf({ namespaces }: PolicyCluster, { namespace, group, resource }: Matched): Val {
  if (namespace === undefined || (group === '' && resource === 'namespaces')) return null;
  const known = namespaces.get(namespace);
  if (known) return plainVal(namespaceValue(withOwnLabel(known, namespace)));
  return unknown(
    namespace === '' ? 'the namespace of the object' : `the namespace ${namespace}, which is not in the workspace`,
  );
}

/** What is empty is not there, as the server leaves it out. */
function requestOf({ request, kind, asked }: Admitted): Val {
  const { group, version, resource, operation, name, namespace, subresource = '' } = request;
  const as = request.as ?? { group, version, resource, kind };
  const where = namespace === '' ? unknown('the namespace of the object') : (namespace ?? '');
  const rows: (readonly [string, Val])[] = [
    ['kind', groupVersion(as, 'kind')],
    ['resource', groupVersion(as, 'resource')],
    ['subResource', subresource],
    ['requestKind', groupVersion({ group, version, resource, kind }, 'kind')],
    ['requestResource', groupVersion({ group, version, resource, kind }, 'resource')],
    ['requestSubResource', subresource],
    ['name', name],
    ['namespace', where],
    ['operation', operation],
    ['userInfo', asked?.user ? userInfo(asked.user) : unknown('who makes the request')],
    ['dryRun', asked?.dryRun ?? false],
    ['options', asked ? plainVal(asked.options) : unknown('the options of the request')],
  ];
  return mapOfPairs(rows.filter(([, value]) => value !== ''));
}

function groupVersion(as: ResourceAs, last: 'kind' | 'resource'): Val {
  return mapOfPairs([
    ['group', as.group],
    ['version', as.version],
    [last, as[last]],
  ]);
}

function userInfo({ name, uid, groups, extra }: NonNullable<Asked['user']>): Val {
  const rows: (readonly [string, Val])[] = [];
  if (name !== '') rows.push(['username', name]);
  if (uid !== '') rows.push(['uid', uid]);
  if (groups.length > 0) rows.push(['groups', list([...groups])]);
  if (extra.size > 0) rows.push(['extra', mapOfPairs([...extra].map(([key, values]) => [key, list([...values])]))]);
  return mapOfPairs(rows);
}
