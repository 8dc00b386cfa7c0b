import { append } from '../../base/append.ts';
import type { ValueMap } from '../../base/value.ts';
import { child, duplicate, type FieldPath, index, invalid, notSupported, required } from '../field.ts';
import { type GoValue, goString, goStrings } from '../goValue.ts';
import { pathSegment } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { mapOf, mapsOf, pointedText, repeatsOf, textsOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validateLabelSelector } from './labelSelector.ts';

// Which requests a policy, a binding or a webhook is for.

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
export const matchPolicies = ['Equivalent', 'Exact'];

/** A text behind a pointer that has to be one of some words; what is absent gets a default. */
export function oneOf(
  map: ValueMap,
  key: string,
  supported: readonly string[],
  spot: FieldPath,
  version: KubernetesVersion,
): PolicyFinding[] {
  const text = pointedText(map, key);
  if (text === undefined || supported.includes(text)) return [];
  return [unsupported(child(spot, key), text, supported, version)];
}

export function unsupported(
  spot: FieldPath,
  text: string,
  supported: readonly string[],
  version: KubernetesVersion,
): PolicyFinding {
  const about = { code: 'policy/unsupported' as const, facts: { supported } };
  return notSupported(spot, goString(text), supported, version, about);
}

export function missing(
  spot: FieldPath,
  detail: string,
  choices: readonly string[] = [],
  isList = false,
): PolicyFinding {
  return required(spot, detail, { code: 'policy/required', facts: { choices, isList } });
}

/** The requests that a policy or a binding is for, with exceptions. */
export function validateMatchResources(match: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const selectors = ['namespaceSelector', 'objectSelector'].flatMap((key) => {
    const selector = mapOf(match, key);
    return selector ? validateLabelSelector(selector, child(spot, key), version) : [];
  });
  const rules = ['resourceRules', 'excludeResourceRules'].flatMap((key) =>
    mapsOf(match, key).flatMap((rule, i) => namedRule(rule, index(child(spot, key), i), version)),
  );
  return [...oneOf(match, 'matchPolicy', matchPolicies, spot, version), ...selectors, ...rules];
}

/** What is deleted cannot be mutated. The server names the list of rules, without the number of the rule. */
export function validateMutatingOperations(
  match: ValueMap,
  spot: FieldPath,
  version: KubernetesVersion,
): PolicyFinding[] {
  const rules = child(spot, 'resourceRules');
  return mapsOf(match, 'resourceRules').flatMap((rule, i) =>
    textsOf(rule, 'operations').flatMap((operation, j) =>
      mutatingOperations.includes(operation)
        ? []
        : [unsupported(child(rules, 'operations', [i, 'operations', j]), operation, mutatingOperations, version)],
    ),
  );
}

function namedRule(rule: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const names = textsOf(rule, 'resourceNames');
  const at = child(spot, 'resourceNames');
  const repeats = repeatsOf(names);
  const found = names.flatMap((name, i): PolicyFinding[] => {
    const about = { code: 'policy/name' as const, facts: { name } };
    const wrong = pathSegment(name, false).map((why) => invalid(index(at, i), name, why, version, about));
    return repeats.has(i) ? [...wrong, twice(index(at, i), name, version)] : wrong;
  });
  return [...found, ...validateRule(rule, spot, version)];
}

/** The same name a second time; `isTyped` where Go has a type of its own for it. */
export function twice(spot: FieldPath, name: string, version: KubernetesVersion, isTyped = false): PolicyFinding {
  const about = { code: 'policy/duplicate' as const, facts: { name } };
  return duplicate(spot, isTyped ? goString(name) : name, version, about);
}

/** Operations on resources. */
export function validateRule(rule: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  return [
    ...ruleOperations(textsOf(rule, 'operations'), child(spot, 'operations'), version),
    ...groups(textsOf(rule, 'apiGroups'), child(spot, 'apiGroups'), version),
    ...versions(textsOf(rule, 'apiVersions'), child(spot, 'apiVersions'), version),
    ...resources(textsOf(rule, 'resources'), child(spot, 'resources'), version),
    ...oneOf(rule, 'scope', scopes, spot, version),
  ];
}

function alone(
  names: readonly string[],
  wildcard: string,
  shown: GoValue,
  others: string,
  spot: FieldPath,
  version: KubernetesVersion,
): PolicyFinding[] {
  if (names.length < 2 || !names.includes(wildcard)) return [];
  const detail = `if '${wildcard}' is present, must not specify other ${others}`;
  return [invalid(spot, shown, detail, version, { code: 'policy/wildcard', facts: { wildcard } })];
}

function ruleOperations(names: readonly string[], spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (names.length === 0) return [missing(spot, '', ['CREATE', 'UPDATE'], true)];
  const shown: GoValue = {
    go: 'slice',
    type: '[]admissionregistration.OperationType',
    items: names.map(goString),
  };
  return [
    ...alone(names, '*', shown, 'operations', spot, version),
    ...names.flatMap((name, i) =>
      operations.includes(name) ? [] : [unsupported(index(spot, i), name, operations, version)],
    ),
  ];
}

function groups(names: readonly string[], spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (names.length === 0) return [missing(spot, '', ['*'], true)];
  return alone(names, '*', goStrings(names), 'API groups', spot, version);
}

function versions(names: readonly string[], spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (names.length === 0) return [missing(spot, '', ['*'], true)];
  return [
    ...alone(names, '*', goStrings(names), 'API versions', spot, version),
    ...names.flatMap((name, i) => (name === '' ? [emptyName(index(spot, i))] : [])),
  ];
}

function emptyName(spot: FieldPath): PolicyFinding {
  return required(spot, '', { code: 'policy/name', facts: { name: '' }, anchor: 'value' });
}

/** What earlier resources of a rule say of those below. */
interface Wildcards {
  /** The resources that are named with all of their subresources. */
  readonly ofSubresources: Set<string>;
  /** The subresources that are named for all resources. */
  readonly ofResources: Set<string>;
}

function resources(names: readonly string[], spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (names.length === 0) return [missing(spot, '', ['*'], true)];
  const wildcards: Wildcards = { ofSubresources: new Set(), ofResources: new Set() };
  const found = names.flatMap((name, i) => resource(name, index(spot, i), wildcards, version));
  // Upstream lets the last resource without a subresource decide.
  const last = names.findLast((name) => name !== '' && !name.includes('/'));
  const shown = goStrings(names);
  append(found, alone(names, '*/*', shown, 'resources', spot, version));
  if (names.includes('*') && last !== '*') {
    const detail = "if '*' is present, must not specify other resources without subresources";
    found.push(invalid(spot, shown, detail, version, { code: 'policy/wildcard', facts: { wildcard: '*' } }));
  }
  return found;
}

function resource(name: string, spot: FieldPath, seen: Wildcards, version: KubernetesVersion): PolicyFinding[] {
  if (name === '') return [emptyName(spot)];
  const slash = name.indexOf('/');
  if (slash === -1) return [];
  const [whole, sub] = [name.slice(0, slash), name.slice(slash + 1)];
  const covering = [
    ...(seen.ofSubresources.has(whole) ? [`${whole}/*`] : []),
    ...(seen.ofResources.has(sub) ? [`*/${sub}`] : []),
  ];
  if (sub === '*') seen.ofSubresources.add(whole);
  if (whole === '*') seen.ofResources.add(sub);
  return covering.map((wildcard) => {
    const detail = `if '${wildcard}' is present, must not specify ${name}`;
    return invalid(spot, name, detail, version, { code: 'policy/wildcard', facts: { wildcard } });
  });
}
