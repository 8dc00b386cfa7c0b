/** Whoever refers to a resource by its name gets the name that it has at the end. */

import type { Value } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import type { Accumulated } from '../accumulator.ts';
import type { BackReference, Config, FieldSpec } from '../config.ts';
import { fail, panic, within } from '../failure.ts';
import { visitField } from '../fieldSpec.ts';
import { typeName } from '../goTypes.ts';
import { effectiveNamespace, idText, isSelected, sameNamespace } from '../ids.ts';
import { computed, type Origin } from '../origin.ts';
import { placeOf, placeOfOrigin } from '../place.ts';
import { addToList, noted, type Resource } from '../resource.ts';
import { decodedOf, valueOfBuilt } from '../tree/built.ts';
import { get, lookup, setField, setScalar } from '../tree/edit.ts';
import { resourceYaml } from '../tree/json.ts';
import { isMissing, type Node, scalarNode, valueIn } from '../tree/node.ts';
import { writeNode } from '../tree/write.ts';

/** Resources by the names they once had. */
export type Named = ReadonlyMap<string, readonly Resource[]>;

export function byOldNames(list: readonly Resource[]): Named {
  const named = new Map<string, Resource[]>();
  for (const resource of list) {
    for (const name of new Set(resource.previousIds.map((id) => id.name))) {
      const known = named.get(name);
      if (known) known.push(resource);
      else named.set(name, [resource]);
    }
  }
  return named;
}

interface Update {
  readonly spec: FieldSpec;
  readonly target: BackReference;
}

/** Is told what refers to what. */
export type Noting = (referral: Resource, referrer: Resource) => void;

export function fixReferences({ set, config }: Accumulated, noting: Noting = record): void {
  fixReferencesOf(set.list, { list: set.list, named: byOldNames(set.list) }, config, noting);
}

/** The same for some of all. */
export function fixReferencesOf(
  referrers: readonly Resource[],
  { list, named }: { readonly list: readonly Resource[]; readonly named: Named },
  config: Config,
  noting: Noting,
): void {
  if (config.nameReference.length === 0) return;
  const updates = new Map<string, readonly Update[]>();
  // Which fields refer to something is asked of the resources as they are now.
  const plans = referrers.map((referrer) => {
    const id = referrer.originalId;
    const key = `${id.group}\0${id.version}\0${id.kind}`;
    let known = updates.get(key);
    if (!known) {
      known = config.nameReference.flatMap((target) =>
        target.referrers.filter((spec) => isSelected(id, spec)).map((spec) => ({ spec, target })),
      );
      updates.set(key, known);
    }
    return { referrer, updates: known };
  });
  for (const { referrer, updates: own } of plans) {
    if (own.length === 0 || !referrer.node) continue;
    const candidates = candidatesFor(referrer, named, list, noting);
    for (const update of own) apply(referrer, update, candidates);
  }
}

interface Candidates {
  readonly noting: Noting;
  named(oldName: string): readonly Resource[];
  /** Whether anything was in a namespace at first. */
  wasAnyIn(namespace: string): boolean;
}

/** What a resource can refer to: what is in its namespace, or in none. */
function candidatesFor(referrer: Resource, named: Named, list: readonly Resource[], noting: Noting): Candidates {
  const id = referrer.id;
  const namespaces = id.isCluster ? undefined : subjectNamespaces(referrer);
  const can = (one: Resource) =>
    !namespaces || one.id.isCluster || sameNamespace(one.id, id) || namespaces.has(one.namespace);
  let original: ReadonlySet<string> | undefined;
  return {
    noting,
    named: (name) => (named.get(name) ?? []).filter(can),
    wasAnyIn: (namespace) => {
      original ??= new Set(list.filter(can).map((one) => effectiveNamespace(one.originalId)));
      return original.has(namespace) && namespace !== '_non_namespaceable_';
    },
  };
}

/** The namespaces of the accounts that a RoleBinding is for. */
function subjectNamespaces(referrer: Resource): ReadonlySet<string> {
  const namespaces = new Set<string>();
  if (referrer.kind !== 'RoleBinding') return namespaces;
  const subjects = lookup(referrer.node, ['subjects']);
  if (subjects?.kind !== 'list') return namespaces;
  for (const subject of subjects.content) {
    const value = valueOfBuilt(decodedOf(subject));
    if (!(value instanceof Map)) panic(conversion(value, 'map[string]interface {}'), placeOf(subject));
    if (!value.has('namespace') || !value.has('kind')) continue;
    const kind = value.get('kind');
    if (typeof kind !== 'string') panic(conversion(kind, 'string'), placeOf(subject));
    if (kind !== 'ServiceAccount') continue;
    const namespace = value.get('namespace');
    if (typeof namespace !== 'string')
      fail(`Invalid Input: namespace is blank for resource ${quote(idText(referrer.id))}\n`, placeOf(subject));
    namespaces.add(namespace);
  }
  return namespaces;
}

function conversion(value: Value | undefined, type: string): string {
  const is = value === null ? 'nil' : typeName(value ?? null);
  return `interface conversion: interface {} is ${is}, not ${type}`;
}

function apply(referrer: Resource, update: Update, candidates: Candidates): void {
  const { path, create } = update.spec;
  const { group, version, kind } = referrer.gvk;
  const words = () => `updating name reference in '${path}' field of '${idText(referrer.id)}'`;
  const set = (node: Node) => setReference(node, referrer, update, candidates);
  within(words, () =>
    visitField(referrer.node!, { spec: { path, create, group, version, kind }, create: 'none', createTag: '', set }),
  );
}

function setReference(node: Node, referrer: Resource, update: Update, candidates: Candidates): void {
  if (isMissing(node)) return;
  if (node.kind === 'scalar') setName(node, referrer, update, candidates);
  else if (node.kind === 'map') setInMap(node, referrer, update, candidates);
  else if (node.kind === 'list') {
    for (const item of node.content) {
      if (isMissing(item)) continue;
      if (item.kind === 'scalar') setName(item, referrer, update, candidates);
      else if (item.kind === 'map') setInMap(item, referrer, update, candidates);
      else fail(`${writeNode(item)} is expected to be either a string or a map of string`, placeOf(item));
    }
  } else fail('node must be a scalar, sequence or map', placeOf(node));
}

function setName(node: Node, referrer: Resource, update: Update, candidates: Candidates): void {
  const referral = select(node.value, candidates.named(node.value), referrer, update, (a, b) => a.name === b.name);
  if (!referral) return;
  candidates.noting(referral, referrer);
  const { name } = referral;
  if (name !== node.value && name !== '') setScalar(node, scalarNode(name, originOf(referral, 'name', node.origin)));
}

function originOf(referral: Resource, field: string, before: Origin | undefined): Origin {
  const name = valueIn(valueIn(referral.node, 'metadata'), field);
  return computed('nameReference', placeOfOrigin(name?.origin), before);
}

function setInMap(node: Node, referrer: Resource, update: Update, candidates: Candidates): void {
  const name = get(node, 'name');
  if (!name) fail("path config error; no 'name' field in node", placeOf(node));
  const namespace = get(node, 'namespace');
  const old = name.value;
  const found = namespace ? inNamespace(candidates, old, namespace.value) : candidates.named(old);
  const same = (a: Resource, b: Resource) => a.name === b.name && a.namespace === b.namespace;
  const referral = select(old, found, referrer, update, same);
  if (!referral) return;
  candidates.noting(referral, referrer);
  if (referral.name === old && referral.namespace === '') return;
  setField(
    node,
    'name',
    scalarNode(referral.name, referral.name === old ? name.origin : originOf(referral, 'name', name.origin)),
  );
  if (referral.namespace === '') return;
  const isSame = namespace?.value === referral.namespace;
  const origin = isSame ? namespace.origin : originOf(referral, 'namespace', namespace?.origin);
  setField(node, 'namespace', scalarNode(referral.namespace, origin));
}

/** Those that were in a namespace; if nothing at all was, those that are in it now. */
function inNamespace(candidates: Candidates, name: string, namespace: string): readonly Resource[] {
  const wasAny = candidates.wasAnyIn(namespace);
  return candidates.named(name).filter((one) => effectiveNamespace(wasAny ? one.originalId : one.id) === namespace);
}

export function record(referral: Resource, referrer: Resource): void {
  addToList(referral.node, noted.refBy, idText(referrer.id));
}

type Same = (a: Resource, b: Resource) => boolean;

function select(
  oldName: string,
  candidates: readonly Resource[],
  referrer: Resource,
  { spec, target }: Update,
  same: Same,
): Resource | undefined {
  if (candidates.length === 0) return undefined;
  const own = referrer.id;
  const role = spec.path.endsWith('roleRef/name') ? roleOf(referrer) : undefined;
  let left = candidates.filter(
    (one) =>
      one.previousIds.some(({ name }) => name === oldName) &&
      one.previousIds.some((id) => isSelected(id, target)) &&
      (!role || one.previousIds.some((id) => isSelected(id, role))) &&
      (own.isCluster || one.id.isCluster || one.kind === 'ServiceAccount' || sameNamespace(own, one.id)),
  );
  if (left.length === 1) return left[0];
  left = left.filter((one) => sameAffixes(one, referrer, true));
  if (left.length > 1) left = left.filter((one) => sameAffixes(one, referrer, false));
  if (left.length === 0) return undefined;
  if (left.length === 1 || left.every((one) => same(left[0]!, one))) return left[0];
  const ids = left.map(({ id }) => idText(id)).join(', ');
  fail(`found multiple possible referrals: ${ids}\n${details(referrer, left)}`);
}

function details(referrer: Resource, referrals: readonly Resource[]): string {
  const all = referrals.map(({ node }, i) => `--- possible referral ${i}:\n${resourceYaml(node)}\n`).join('');
  return `\n**** Too many possible referral targets to referrer:\n${resourceYaml(referrer.node)}\n${all}`;
}

function roleOf(referrer: Resource): { group: string; version: string; kind: string } | undefined {
  const role = referrer.node?.kind === 'map' ? get(referrer.node, 'roleRef') : undefined;
  if (role?.kind !== 'map') return undefined;
  const [group, kind] = [get(role, 'apiGroup'), get(role, 'kind')];
  return group && kind ? { group: group.value, version: '', kind: kind.value } : undefined;
}

function sameAffixes(a: Resource, b: Resource, allowEmpty: boolean): boolean {
  return [noted.prefixes, noted.suffixes].every((key) => {
    const [one, other] = [a.list(key), b.list(key)];
    if (allowEmpty && (one.length === 0 || other.length === 0)) return true;
    return sameEnd(one, other);
  });
}

function sameEnd(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length > b.length ? [b, a] : [a, b];
  if (short.length === 0) return long.length === 0;
  const ahead = long.length - short.length;
  return short.every((text, i) => text === long[i + ahead]);
}
