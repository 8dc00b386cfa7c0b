import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';

// Which kinds the type checking of policies goes through: those that are named in full, no more than ten.

/** A resource as a rule names it. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const mostKinds = 10;

/**
 * The kinds that the objects of a policy's rules are of, sorted. A rule that has a wildcard for groups or versions is
 * left out; so are resources with one, and subresources.
 */
export function watchedKinds<K extends KindName>(policy: ValueMap, kindsOf: (resource: Resource) => readonly K[]): K[] {
  const found = new Map<string, K>();
  const rules = valueAt(policy, ['spec', 'matchConstraints', 'resourceRules']);
  for (const rule of isList(rules) ? rules : []) {
    let count = 0;
    for (const resource of resourcesOf(rule)) {
      for (const kind of kindsOf(resource)) {
        found.set(`${kind.group}/${kind.version}/${kind.kind}`, kind);
        // So many in one rule end it all.
        if (++count === mostKinds) return sorted([...found.values()]);
      }
    }
  }
  return sorted([...found.values()]);
}

function* resourcesOf(rule: Value): Generator<Resource> {
  const [groups, versions] = [textsIn(rule, 'apiGroups'), textsIn(rule, 'apiVersions')];
  if ([...groups, ...versions].some((one) => one.includes('*'))) return;
  const resources = textsIn(rule, 'resources').filter((one) => !/[*/]/.test(one));
  for (const group of groups) {
    for (const version of versions) for (const resource of resources) yield { group, version, resource };
  }
}

function textsIn(rule: Value, key: string): readonly string[] {
  const list = isMap(rule) ? rule.get(key) : undefined;
  return (isList(list) ? list.filter(isString) : []).sort(compareStrings);
}

function sorted<K extends KindName>(kinds: readonly K[]): K[] {
  return [...kinds].sort(
    (a, b) =>
      compareStrings(a.group, b.group) || compareStrings(a.version, b.version) || compareStrings(a.kind, b.kind),
  );
}

/** Whether a resource may be of a group and version. The core group has no name, and so it matches any. */
export function isNamed(resource: Resource, group: string, version: string): boolean {
  return (resource.group === '' || resource.group === group) && resource.version === version;
}

/** The resource of a kind, and its singular, as they are made from its name. */
export function guessedResources(kind: string): readonly string[] {
  const singular = kind.toLowerCase();
  if (singular.endsWith('endpoints')) return [singular];
  const plural = /s$/.test(singular) ? `${singular}es` : singular.replace(/y$/, 'ie').concat('s');
  return [plural, singular];
}
