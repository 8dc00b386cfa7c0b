/** Goes to the fields that a path names, through all items of the lists on the way. */
import type { FieldSpec } from './config.ts';
import { checkLevels } from './context.ts';
import { fail, within } from './failure.ts';
import { idText, splitApiVersion } from './ids.ts';
import type { Origin } from './origin.ts';
import { placeOf } from './place.ts';
import { Resource } from './resource.ts';
import { lookup, setField, setScalar } from './tree/edit.ts';
import {
  isTaggedNull,
  mapTag,
  type Node,
  type NodeKind,
  noTag,
  scalarNode,
  stringTag,
  textOf,
  valueIn,
} from './tree/node.ts';

export interface Visit {
  readonly spec: FieldSpec;
  /** What is made where nothing is, and its tag; `none` makes nothing. */
  readonly create: NodeKind;
  readonly createTag: string;
  set(node: Node): void;
}

/** Splits at a delimiter that no backslash is in front of. */
export function splitPath(path: string, delimiter: string): string[] {
  const parts = path.split(delimiter);
  const rest = parts.length > 1 && parts[0] === '' ? parts.slice(1) : parts;
  const result = [rest[0]!];
  for (const part of rest.slice(1)) {
    const last = result[result.length - 1]!;
    if (last.endsWith('\\')) result[result.length - 1] = last.slice(0, -1) + delimiter + part;
    else result.push(part);
  }
  return result;
}

/** The same, but what is in brackets stays whole. */
export function splitFieldPath(path: string): string[] {
  const parts = splitPath(path, '.');
  const result: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    if (!parts[i]!.startsWith('[') || parts[i]!.endsWith(']')) {
      result.push(parts[i]!);
      continue;
    }
    const inside = [parts[i]!];
    while (i < parts.length - 1) {
      inside.push(parts[++i]!);
      if (parts[i]!.endsWith(']')) break;
    }
    const text = inside.join('.');
    result.push(text.includes('=') ? text : withoutBrackets(text));
  }
  return result;
}

function withoutBrackets(text: string): string {
  const isBracket = (char: string | undefined) => char === '[' || char === ']';
  let [start, end] = [0, text.length];
  while (start < end && isBracket(text[start])) start++;
  while (end > start && isBracket(text[end - 1])) end--;
  return text.slice(start, end);
}

function isOfKind({ kind, group, version }: FieldSpec, node: Node): boolean {
  if (kind !== '' && kind !== (valueIn(node, 'kind')?.value ?? '')) return false;
  if (group === '' && version === '') return true;
  const own = splitApiVersion(valueIn(node, 'apiVersion')?.value ?? '');
  return (group === '' || group === own.group) && (version === '' || version === own.version);
}

const paths = new Map<string, readonly string[]>();

/** Paths of tables come again and again; those of a repository are few as well, but nothing says so. */
function pathOf(path: string): readonly string[] {
  let parts = paths.get(path);
  if (!parts) {
    if (paths.size > 10_000) paths.clear();
    parts = splitPath(path, '/');
    checkLevels(parts.length);
    paths.set(path, parts);
  }
  return parts;
}

export function visitField(root: Node, visit: Visit): void {
  if (!isOfKind(visit.spec, root)) return;
  const words = () => {
    const { group, version } = splitApiVersion(new Resource(root).apiVersion);
    const { kind, name, namespace } = new Resource(root);
    const id = { group, version, kind, name, namespace, isCluster: false };
    return `considering field '${visit.spec.path}' of object ${idText(id)}`;
  };
  within(words, () => visitIn(root, pathOf(visit.spec.path), 0, visit), undefined);
}

function visitIn(node: Node, path: readonly string[], at: number, visit: Visit): void {
  if (at === path.length) {
    visit.set(node);
    return;
  }
  if (isTaggedNull(node)) return;
  if (node.kind === 'map') visitMap(node, path, at, visit);
  else if (node.kind === 'list') visitList(node, path, at, visit);
  else if (node.kind === 'alias') visitIn(node.alias!, path, at, visit);
  else fail('expected sequence or mapping node', placeOf(node));
}

function visitList(node: Node, path: readonly string[], at: number, visit: Visit): void {
  const words = `visit traversal on path: [${path.slice(at).join(' ')}]`;
  for (const item of node.content) within(words, () => visitIn(item, path, at, visit));
}

function visitMap(node: Node, path: readonly string[], at: number, visit: Visit): void {
  const part = path[at]!;
  const isList = part.endsWith('[]');
  const name = isList ? part.slice(0, -2) : part;
  if (name === '') fail('cannot set or create an empty field name');
  const { kind, tag, create } = madeAt(path, at, isList, visit);
  const found = within(`fieldName: ${name}`, () => lookup(node, [name], create));
  if (!found) return;
  if (isTaggedNull(found) && kind !== 'none') {
    found.kind = kind;
    found.tag = tag;
  }
  visitIn(found, path, at + 1, visit);
}

interface Made {
  readonly kind: NodeKind;
  readonly tag: string;
  readonly create: NodeKind;
}

function madeAt(path: readonly string[], at: number, isList: boolean, visit: Visit): Made {
  if (!visit.spec.create || visit.create === 'none' || isList)
    return { kind: isList ? 'list' : 'none', tag: noTag, create: 'none' };
  if (at === path.length - 1) return { kind: visit.create, tag: visit.createTag, create: visit.create };
  return { kind: 'map', tag: mapTag, create: 'map' };
}

/** Sets a scalar; what was there becomes what it was made of. */
export function scalarSetter(
  value: string,
  tag: string,
  origin: (before: Origin | undefined) => Origin,
): (node: Node) => void {
  return (node) => setScalar(node, scalarNode(value, origin(textOf(node) === '' ? undefined : node.origin), tag));
}

/** Sets an entry of a map: all maps that do not have it yet get the same node. */
export function entrySetter(
  name: string,
  value: string,
  origin: (before: Origin | undefined) => Origin,
  keyOrigin: Origin | undefined,
): (node: Node) => void {
  const entry = scalarNode(value, origin(undefined), stringTag);
  entry.shared = true;
  return (node) => {
    const before = node.kind === 'map' ? valueIn(node, name) : undefined;
    const written = before?.origin;
    setField(node, name, entry, { origin: keyOrigin });
    if (before && before !== entry) before.origin = origin(written);
  };
}
