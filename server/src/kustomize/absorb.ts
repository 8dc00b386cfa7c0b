/** What is generated comes to the resources as a new one, or to one that is there. */
import { compareStrings } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import type { Accumulated } from './accumulator.ts';
import { fail } from './failure.ts';
import { behaviorOf } from './generators.ts';
import { idText, type ResId, sameId } from './ids.ts';
import { noted, originKey, type Resource } from './resource.ts';
import { takeMetadata } from './transform/mergePatch.ts';
import { clear, lookup, setField } from './tree/edit.ts';
import { resourceJson } from './tree/json.ts';
import { type Node, stringNode, textOf } from './tree/node.ts';

function idSyntax({ group, version, kind, isCluster, name, namespace }: ResId): string {
  const gvk = `resid.Gvk{Group:${quote(group)}, Version:${quote(version)}, Kind:${quote(kind)}, isClusterScoped:${isCluster}}`;
  return `resid.ResId{Gvk:${gvk}, Name:${quote(name)}, Namespace:${quote(namespace)}}`;
}

export function absorb(made: Accumulated, resource: Resource): void {
  const { set } = made;
  const { id } = resource;
  const behavior = behaviorOf(resource.annotations.get(noted.behavior));
  const found = set.withAnyId(id);
  const place = resource.touched[0]?.place;
  if (found.length === 0) {
    if (behavior === 'merge' || behavior === 'replace') {
      if (made.isPartial) return;
      fail(`id ${idSyntax(id)} does not exist; cannot merge or replace`, place);
    }
    set.append(resource);
    return;
  }
  if (found.length > 1) {
    const all = found.map(({ node }) => resourceJson(node)).join(' ');
    fail(`found multiple objects [${all}] that could accept merge of ${idText(id)}`, place);
  }
  if (behavior !== 'merge' && behavior !== 'replace')
    fail(`id ${idSyntax(id)} exists; can not use behavior: '${behavior}', behavior must be merge or replace`, place);
  const [old] = found as readonly [Resource];
  takeMetadata(resource, old);
  if (behavior === 'merge') mergeData(resource, old);
  putInPlace(made, resource);
  set.changed();
}

function mergeData(resource: Resource, old: Resource): void {
  const origin = old.annotations.get(originKey);
  mergeMap(resource, old, 'data');
  mergeMap(resource, old, 'binaryData');
  if (origin !== undefined) resource.note(originKey, origin);
  resource.touched = [...old.touched, ...resource.touched];
}

interface Entry {
  readonly key: Node;
  readonly value: Node;
}

function entriesOf(node: Node | undefined, name: string): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const map = lookup(node, [name]);
  if (map?.kind !== 'map') return entries;
  for (let i = 0; i + 1 < map.content.length; i += 2) {
    const key = textOf(map.content[i]);
    if (!entries.has(key)) entries.set(key, { key: map.content[i]!, value: map.content[i + 1]! });
  }
  return entries;
}

function mergeMap({ node }: Resource, old: Resource, name: string): void {
  const origin = lookup(node, [name])?.origin ?? lookup(old.node, [name])?.origin;
  const merged = new Map([...entriesOf(old.node, name), ...entriesOf(node, name)]);
  clear(node, name);
  for (const [key, entry] of [...merged].sort(([a], [b]) => compareStrings(a, b))) {
    const map = lookup(node, [name], 'map')!;
    map.origin = origin;
    setField(map, key, stringNode(textOf(entry.value), entry.value.origin), { origin: entry.key.origin });
  }
}

function putInPlace({ set }: Accumulated, resource: Resource): void {
  const { id } = resource;
  const at = set.list.flatMap((one, i) => (sameId(id, one.id) ? [i] : []));
  if (at.length > 1) fail(`in Replace: id matched ${at.length} resources`);
  if (at.length === 0) fail(`cannot find resource with id ${idText(id)} to replace`);
  set.list[at[0]!] = resource;
}
