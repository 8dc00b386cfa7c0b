/** Texts to resources. */

import { Failure, fail } from './failure.ts';
import { goTypeName } from './goTypes.ts';
import { placeOf } from './place.ts';
import { metadataText, Resource } from './resource.ts';
import { decodedOf } from './tree/built.ts';
import { field } from './tree/edit.ts';
import { fromJson } from './tree/fromJson.ts';
import { isEmpty, type Node, textOf } from './tree/node.ts';
import { readDocuments, type TextSource } from './tree/read.ts';
import type { BuiltNode } from './types.ts';

/** The resources of a text, those of lists one by one. */
export function parseResources(source: TextSource): Resource[] {
  return withoutLists(readDocuments(source).filter(checkNode)).map((node) => new Resource(node));
}

/** Refuses what cannot be a resource; what is empty is none. */
export function checkNode(node: Node): boolean {
  if (isEmpty(node)) return false;
  const text = (name: string) => {
    const found = field(node, name);
    return isEmpty(found) ? undefined : textOf(found);
  };
  const metadata = field(node, 'metadata');
  const [apiVersion, kind] = [text('apiVersion'), text('kind')];
  if (apiVersion === undefined && kind === undefined && !hasMetadata(metadata))
    fail('missing Resource metadata', placeOf(node));
  if ((kind ?? '') === '') fail(`missing kind in object ${metadataText(node)}`, placeOf(node));
  if (kind!.endsWith('List')) return true;
  const name = isEmpty(metadata) ? undefined : field(metadata, 'name');
  if (isEmpty(name) || textOf(name) === '')
    fail(`missing metadata.name in object ${metadataText(node)}`, placeOf(node));
  return true;
}

function hasMetadata(metadata: Node | undefined): boolean {
  if (isEmpty(metadata)) return false;
  return ['name', 'namespace', 'labels', 'annotations'].some((name) => !isEmpty(field(metadata, name)));
}

function withoutLists(nodes: readonly Node[]): Node[] {
  const queue = [...nodes];
  const result: Node[] = [];
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    const kind = textOf(field(node, 'kind'));
    if (!kind.endsWith('List')) result.push(node);
    else
      for (const item of itemsOf(node, kind) ?? [undefined])
        if (item) queue.push(item);
        else result.push(node);
  }
  return result;
}

/** The items of a list of resources; undefined where it has none at all, which makes it a resource itself. */
function itemsOf(node: Node, kind: string): Node[] | undefined {
  const whole = listValue(node, kind);
  const items = whole.kind === 'map' ? whole.entries.find(({ key }) => key === 'items')?.value : undefined;
  if (items === undefined) return undefined;
  if (items.kind === 'scalar' && items.value === null) return [];
  if (items.kind !== 'list') fail(`expected array in ${kind}/items, but found ${goTypeName(items)}`, placeOf(node));
  return items.items.flatMap((item) => {
    const one = fromJson(item, 'json');
    return checkNode(one) ? [one] : [];
  });
}

function listValue(node: Node, kind: string): BuiltNode {
  try {
    return decodedOf(node, true);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`trouble expanding list of ${kind}; ${error.message}`, error.place);
  }
}
