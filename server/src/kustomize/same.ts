/** Whether resources are the same to the last detail, places included: then the one that is known can be kept. */
import type { Origin, Place } from './origin.ts';
import { Resource } from './resource.ts';
import { Node } from './tree/node.ts';
import type { BuiltEntry, BuiltNode, BuiltResource, Touch } from './types.ts';

export function sameResource(a: Resource, b: Resource): boolean {
  if (a === b) return true;
  if (!a.node || !b.node) return a.node === b.node;
  return sameTouches(a.touched, b.touched) && sameAll(a.varNames, b.varNames, Object.is) && sameTree(a.node, b.node);
}

/** Those that are known in the place of new ones that are the same. */
export function settled<T>(list: readonly T[], known: readonly T[] | undefined, same: (a: T, b: T) => boolean): T[] {
  return list.map((one, i) => {
    const before = known?.[i];
    return before !== undefined && same(one, before) ? before : one;
  });
}

function sameTree(a: Node, b: Node): boolean {
  if (a === b) return true;
  return (
    a.kind === b.kind &&
    a.tag === b.tag &&
    a.value === b.value &&
    a.style === b.style &&
    a.tagged === b.tagged &&
    a.anchor === b.anchor &&
    a.alias === b.alias &&
    a.shared === b.shared &&
    a.keep === b.keep &&
    sameOrigin(a.origin, b.origin) &&
    sameAll(a.content, b.content, sameTree)
  );
}

function sameAll<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((one, i) => same(one, b[i]!));
}

function sameOrigin(a: Origin | undefined, b: Origin | undefined): boolean {
  let [one, other] = [a, b];
  while (one !== other) {
    if (!one || !other || one.how !== other.how) return false;
    if (one.how === 'written' && other.how === 'written') {
      if (one.in !== other.in || !samePlace(one.place, other.place)) return false;
      [one, other] = [one.over, other.over];
    } else if (one.how === 'computed' && other.how === 'computed') {
      if (one.what !== other.what || !samePlace(one.by, other.by)) return false;
      [one, other] = [one.original, other.original];
    }
  }
  return true;
}

function samePlace(a: Place | undefined, b: Place | undefined): boolean {
  if (a === b) return true;
  return (
    a !== undefined && b !== undefined && a.from === b.from && a.to === b.to && a.piece === b.piece && a.file === b.file
  );
}

function sameTouches(a: readonly Touch[], b: readonly Touch[]): boolean {
  return sameAll(a, b, (one, other) => one.what === other.what && samePlace(one.place, other.place));
}

const inHead: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** What others know of a resource, apart from it: its kind and its metadata. */
export function headOf({ node }: Resource): Resource {
  if (!node) return new Resource(undefined);
  const head = new Node(node.kind, node.tag, node.value, node.style, undefined);
  const known = new Map<Node, Node>();
  for (let i = 0; i + 1 < node.content.length; i += 2) {
    if (!inHead.has(node.content[i]!.value)) continue;
    head.content.push(node.content[i]!.copy(known), node.content[i + 1]!.copy(known));
  }
  return new Resource(head);
}

export function sameHead(a: Resource, b: Resource): boolean {
  const [one, other] = [headOf(a), headOf(b)];
  return one.node !== undefined && other.node !== undefined && sameTree(one.node, other.node);
}

export function sameBuilt(a: BuiltResource, b: BuiltResource): boolean {
  return a.isPartial === b.isPartial && sameTouches(a.touched, b.touched) && sameBuiltNode(a.root, b.root);
}

function sameBuiltNode(a: BuiltNode, b: BuiltNode): boolean {
  if (!sameOrigin(a.origin, b.origin)) return false;
  if (a.kind === 'map') return b.kind === 'map' && sameAll(a.entries, b.entries, sameEntry);
  if (a.kind === 'list') return b.kind === 'list' && sameAll(a.items, b.items, sameBuiltNode);
  return b.kind === 'scalar' && Object.is(a.value, b.value);
}

function sameEntry(a: BuiltEntry, b: BuiltEntry): boolean {
  return a.key === b.key && sameOrigin(a.keyOrigin, b.keyOrigin) && sameBuiltNode(a.value, b.value);
}
