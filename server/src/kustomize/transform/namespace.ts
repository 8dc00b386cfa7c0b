/** namespace: of all that can be in one, of the subjects of bindings, and of other fields that name it. */
import type { FieldSpec } from '../config.ts';
import { Failure, fail, within } from '../failure.ts';
import { scalarSetter, visitField } from '../fieldSpec.ts';
import { idKey } from '../ids.ts';
import { type Computing, computed, type Place } from '../origin.ts';
import { gvkOf, helmGenerated, type Resource } from '../resource.ts';
import { placeOf } from '../resourceSet.ts';
import { elementsOf, expectKind, get, lookup } from '../tree/edit.ts';
import { resourceJson } from '../tree/json.ts';
import { isEmpty, isMissing, type Node, stringTag, textOf, valueIn } from '../tree/node.ts';
import type { Transformer } from './transformer.ts';

export const subjectModes = ['allServiceAccounts', 'defaultOnly', 'none'] as const;
export type SubjectMode = (typeof subjectModes)[number];

export interface NamespaceOptions {
  readonly namespace: string;
  readonly specs: readonly FieldSpec[];
  readonly place: Place;
  readonly what: Computing;
  readonly unsetOnly: boolean;
  readonly subjects: SubjectMode;
}

export function namespaceTransformer(options: NamespaceOptions): Transformer {
  return {
    plugin: 'NamespaceTransformer',
    place: options.place,
    isAlone: true,
    transform: ({ set }) => {
      if (options.namespace === '') return;
      const counts = new Map<string, number>();
      const count = (resource: Resource, by: number) => {
        const key = idKey(resource.id);
        const now = (counts.get(key) ?? 0) + by;
        counts.set(key, now);
        return now;
      };
      for (const resource of set.list) count(resource, 1);
      for (const resource of [...set.list]) {
        if (resource.isEmpty || resource.annotations.get(helmGenerated) === 'true') continue;
        resource.storePreviousId();
        count(resource, -1);
        setNamespaces(resource.node!, options);
        if (count(resource, 1) === 1) continue;
        const same = set.list.filter((one) => idKey(one.id) === idKey(resource.id));
        const texts = same.map((one) => resourceJson(one.node));
        fail(`namespace transformation produces ID conflict: [${texts.join(' ')}]`, placeOf(resource));
      }
    },
  };
}

export function setNamespaces(root: Node, options: NamespaceOptions): void {
  const set = setter(options);
  const kind = gvkOf(root);
  if (!kind.isCluster) {
    const spec = { path: 'metadata/namespace', group: '', version: '', kind: '', create: true };
    visitField(root, { spec, create: 'scalar', createTag: '', set });
  }
  const isBinding = kind.kind === 'RoleBinding' || kind.kind === 'ClusterRoleBinding';
  if (isBinding) setSubjects(root, options, set);
  const apiVersion = valueIn(root, 'apiVersion')?.value ?? '';
  for (const spec of options.specs) {
    if (spec.path === 'metadata/namespace' || (spec.path === 'metadata/name' && apiVersion !== 'v1')) continue;
    if (isBinding && spec.path === 'subjects/namespace' && /^(?:Cluster)?RoleBinding$/.test(spec.kind)) continue;
    setAt(root, spec, set);
  }
}

function setAt(root: Node, spec: FieldSpec, set: (node: Node) => void): void {
  try {
    visitField(root, { spec, create: 'scalar', createTag: stringTag, set });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const words =
      error.kind === 'wrong-kind'
        ? 'namespace field specs must target scalar nodes'
        : 'namespace transformation failed';
    fail(`${words}: ${error.message}`, error.place);
  }
}

function setter({ namespace, unsetOnly, place, what }: NamespaceOptions): (node: Node) => void {
  const set = scalarSetter(namespace, stringTag, (before) => computed(what, place, before));
  return (node) => {
    if (!unsetOnly || isEmpty(node) || node.kind !== 'scalar' || textOf(node) === '') set(node);
  };
}

function setSubjects(root: Node, { subjects }: NamespaceOptions, set: (node: Node) => void): void {
  if (subjects === 'none') return;
  const list = lookup(root, ['subjects']);
  if (isMissing(list)) return;
  const [field, value] = subjects === 'defaultOnly' ? ['name', 'default'] : ['kind', 'ServiceAccount'];
  within('setting namespace on (cluster)role binding subjects', () => {
    for (const subject of elementsOf(list)) {
      const found = within(`looking up ${field} on (cluster)role binding subject`, () =>
        matching(subject, field, value),
      );
      if (!found) continue;
      const words = 'setting namespace field on (cluster)role binding subject';
      const namespace = within(words, () => lookup(subject, ['namespace'], 'scalar'));
      if (namespace) set(namespace);
    }
  });
}

function matching(subject: Node, field: string, value: string): boolean {
  const found = get(subject, field);
  if (isMissing(found)) return false;
  expectKind(found, 'scalar');
  return found!.value === value;
}
