import { isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { listOf } from './fields.ts';

// Which requests a policy or a binding is for: `matchConstraints`, `matchResources`.

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A version of a resource, and its kind there. */
export interface ResourceAs {
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly kind: string;
}

/** A request, as far as it is matched. */
export interface Matched extends Omit<ResourceAs, 'kind'> {
  readonly operation: Operation;
  /** Empty where it is about the object itself. */
  readonly subresource?: string;
  /** The other versions that the resource is served in. */
  readonly equivalents?: readonly ResourceAs[];
  readonly name: string;
  /** Undefined for what is in none; empty where the object does not say which. */
  readonly namespace: string | undefined;
  /** Undefined where there is no object. */
  readonly labels: Labels | undefined;
  readonly oldLabels: Labels | undefined;
  /** Those of the namespace, as far as they are known. */
  readonly namespaceLabels: { readonly labels: Labels; readonly isWhole: boolean };
}

export type Labels = ReadonlyMap<string, string>;

/** Whether a request is matched; otherwise why not, or what would have to be known. */
export type Match =
  | {
      readonly matches: true;
      /** The version in which it is asked for, where that is another one. */
      readonly as?: ResourceAs;
    }
  | {
      readonly matches: false;
      readonly why: string;
      /** It is of no kind that is asked for. */
      readonly byRules?: true;
    }
  | { readonly unknown: string };

const yes: Match = { matches: true };

export function labelsOf(object: ValueMap): Labels {
  const labels = valueAt(object, ['metadata', 'labels']);
  return new Map([...(isMap(labels) ? labels : [])].filter((row): row is [string, string] => isString(row[1])));
}

/** What the criteria of a policy or a binding say of a request; none match everything. */
export function matchOf(criteria: Value | undefined, request: Matched): Match {
  if (!isMap(criteria)) return yes;
  const inNamespace = namespaceMatch(criteria.get('namespaceSelector'), request);
  if ('matches' in inNamespace && !inNamespace.matches) return inNamespace;
  if (!objectMatches(criteria.get('objectSelector'), request)) {
    return { matches: false, why: 'its labels do not match the objectSelector' };
  }
  const policy = criteria.get('matchPolicy');
  if (ruledAs(listOf(criteria, 'excludeResourceRules'), policy, request)) {
    return { matches: false, why: 'excludeResourceRules leave it out' };
  }
  const rules = listOf(criteria, 'resourceRules');
  const found = rules.length === 0 ? 'itself' : ruledAs(rules, policy, request);
  if (!found) return { matches: false, why: 'no resourceRule is for it', byRules: true };
  return 'unknown' in inNamespace || found === 'itself' ? inNamespace : { matches: true, as: found };
}

/** As what a request is meant by some rules: as it is, or, unless they are exact, in another version of its resource. */
function ruledAs(
  rules: readonly Value[],
  policy: Value | undefined,
  request: Matched,
): 'itself' | ResourceAs | undefined {
  if (rules.some((rule) => ruleMatches(rule, request))) return 'itself';
  if (policy === 'Exact') return undefined;
  for (const rule of rules) {
    const as = request.equivalents?.find(({ group, version, resource }) =>
      ruleMatches(rule, { ...request, group, version, resource }),
    );
    if (as) return as;
  }
  return undefined;
}

function ruleMatches(rule: Value, request: Matched): boolean {
  if (!isMap(rule)) return false;
  const names = listOf(rule, 'resourceNames');
  return (
    scopeMatches(rule.get('scope'), request) &&
    isNamedIn(rule, 'operations', request.operation) &&
    isNamedIn(rule, 'apiGroups', request.group) &&
    isNamedIn(rule, 'apiVersions', request.version) &&
    listOf(rule, 'resources').some((one) => isString(one) && resourceMatches(one, request)) &&
    (names.length === 0 || names.includes(request.name))
  );
}

function isNamedIn(rule: ValueMap, key: string, wanted: string): boolean {
  return listOf(rule, key).some((one) => one === '*' || one === wanted);
}

function resourceMatches(written: string, { resource, subresource = '' }: Matched): boolean {
  const slash = written.indexOf('/');
  const [name, below] = slash === -1 ? [written, ''] : [written.slice(0, slash), written.slice(slash + 1)];
  return (name === '*' || name === resource) && (below === '*' || below === subresource);
}

function scopeMatches(scope: Value | undefined, { namespace, group, resource }: Matched): boolean {
  if (scope === undefined || scope === null || scope === '*') return true;
  const isNamespace = group === '' && resource === 'namespaces';
  const isNamespaced = namespace !== undefined && !isNamespace;
  return scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' && !isNamespaced;
}

function objectMatches(selector: Value | undefined, { labels, oldLabels }: Matched): boolean {
  if (isEmpty(selector)) return true;
  return [labels, oldLabels].some((one) => one !== undefined && selects(selector, one));
}

function namespaceMatch(
  selector: Value | undefined,
  { namespace, namespaceLabels, group, resource, labels, oldLabels }: Matched,
): Match {
  if (isEmpty(selector)) return yes;
  const no: Match = { matches: false, why: 'the labels of its namespace do not match the namespaceSelector' };
  if (group === '' && resource === 'namespaces') return selects(selector, labels ?? oldLabels ?? new Map()) ? yes : no;
  if (namespace === undefined) return yes;
  const known = namespaceLabels.isWhole || keysOf(selector).every((key) => namespaceLabels.labels.has(key));
  if (known) return selects(selector, namespaceLabels.labels) ? yes : no;
  const which = namespace === '' ? 'its namespace' : `the namespace ${namespace}`;
  return { unknown: `the namespaceSelector asks for labels of ${which}, which is not in the workspace` };
}

function isEmpty(selector: Value | undefined): boolean {
  return !isMap(selector) || (keysOf(selector).length === 0 && listOf(selector, 'matchExpressions').length === 0);
}

function keysOf(selector: Value | undefined): readonly string[] {
  if (!isMap(selector)) return [];
  const labels = selector.get('matchLabels');
  const keys = listOf(selector, 'matchExpressions').map((one) => valueAt(one, ['key']));
  return [...(isMap(labels) ? labels.keys() : []), ...keys.filter(isString)];
}

/** Whether a label selector matches. */
export function selects(selector: Value | undefined, labels: Labels): boolean {
  if (!isMap(selector)) return false;
  const wanted = selector.get('matchLabels');
  const isEqual = [...(isMap(wanted) ? wanted : [])].every(([key, value]) => labels.get(key) === value);
  return isEqual && listOf(selector, 'matchExpressions').every((one) => isMap(one) && requirementHolds(one, labels));
}

function requirementHolds(one: ValueMap, labels: Labels): boolean {
  const label = labels.get(String(one.get('key')));
  const isIn = label !== undefined && listOf(one, 'values').includes(label);
  switch (one.get('operator')) {
    case 'In':
      return isIn;
    case 'NotIn':
      return !isIn;
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    default:
      return false;
  }
}
