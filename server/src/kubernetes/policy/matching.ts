import { isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { listOf } from './fields.ts';

// Which requests a policy or a binding is for: `matchConstraints`, `matchResources`.

/** A request, as far as it is matched. */
export interface Matched {
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly name: string;
  /** Undefined for what is in none; empty where the object does not say which. */
  readonly namespace: string | undefined;
  readonly labels: Labels;
  readonly oldLabels: Labels | undefined;
  /** Those of the namespace, as far as they are known. */
  readonly namespaceLabels: { readonly labels: Labels; readonly isWhole: boolean };
}

export type Labels = ReadonlyMap<string, string>;

/** Whether a request is matched; otherwise why not, or what would have to be known. */
export type Match =
  | { readonly matches: true }
  | {
      readonly matches: false;
      readonly why: string /** It is of no kind that is asked for. */;
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
  const excluded = listOf(criteria, 'excludeResourceRules').some((rule) => ruleMatches(rule, request));
  if (excluded) return { matches: false, why: 'excludeResourceRules leave it out' };
  const rules = listOf(criteria, 'resourceRules');
  if (rules.length > 0 && !rules.some((rule) => ruleMatches(rule, request))) {
    return { matches: false, why: 'no resourceRule is for it', byRules: true };
  }
  return inNamespace;
}

function ruleMatches(rule: Value, request: Matched): boolean {
  if (!isMap(rule)) return false;
  const names = listOf(rule, 'resourceNames');
  return (
    scopeMatches(rule.get('scope'), request) &&
    isNamedIn(rule, 'operations', request.operation) &&
    isNamedIn(rule, 'apiGroups', request.group) &&
    isNamedIn(rule, 'apiVersions', request.version) &&
    listOf(rule, 'resources').some((one) => isString(one) && resourceMatches(one, request.resource)) &&
    (names.length === 0 || names.includes(request.name))
  );
}

function isNamedIn(rule: ValueMap, key: string, wanted: string): boolean {
  return listOf(rule, key).some((one) => one === '*' || one === wanted);
}

function resourceMatches(written: string, resource: string): boolean {
  const slash = written.indexOf('/');
  const [name, below] = slash === -1 ? [written, ''] : [written.slice(0, slash), written.slice(slash + 1)];
  return (name === '*' || name === resource) && (below === '' || below === '*');
}

function scopeMatches(scope: Value | undefined, { namespace, group, resource }: Matched): boolean {
  if (scope === undefined || scope === null || scope === '*') return true;
  const isNamespace = group === '' && resource === 'namespaces';
  const isNamespaced = namespace !== undefined && !isNamespace;
  return scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' && !isNamespaced;
}

function objectMatches(selector: Value | undefined, { labels, oldLabels }: Matched): boolean {
  if (isEmpty(selector)) return true;
  return selects(selector, labels) || (oldLabels !== undefined && selects(selector, oldLabels));
}

function namespaceMatch(
  selector: Value | undefined,
  { namespace, namespaceLabels, group, resource, labels }: Matched,
): Match {
  if (isEmpty(selector)) return yes;
  const no: Match = { matches: false, why: 'the labels of its namespace do not match the namespaceSelector' };
  if (group === '' && resource === 'namespaces') return selects(selector, labels) ? yes : no;
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
