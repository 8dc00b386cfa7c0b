/** A resource while it is built: its tree, and what kustomize notes of it in annotations that nobody sees. */

import { compareStrings } from '../gostd/jsonPrint.ts';
import { panic } from './failure.ts';
import { type Gvk, gvkOfKind, type ResId, splitApiVersion } from './ids.ts';
import type { Origin } from './origin.ts';
import { clear, field, get, lookup, setField } from './tree/edit.ts';
import { isEmpty, isMissing, Node, scalarNode, stringNode, stringTag, textOf, valueIn } from './tree/node.ts';
import type { Touch } from './types.ts';

const domain = 'internal.config.kubernetes.io';
export const noted = {
  previousKinds: `${domain}/previousKinds`,
  previousNames: `${domain}/previousNames`,
  prefixes: `${domain}/prefixes`,
  suffixes: `${domain}/suffixes`,
  previousNamespaces: `${domain}/previousNamespaces`,
  allowNameChange: `${domain}/allowNameChange`,
  allowKindChange: `${domain}/allowKindChange`,
  refBy: `${domain}/refBy`,
  behavior: `${domain}/generatorBehavior`,
  needsHash: `${domain}/needsHashSuffix`,
} as const;

/** All that is taken out of annotations at the end. */
export const buildAnnotations: readonly string[] = [
  ...Object.values(noted),
  `${domain}/path`,
  `${domain}/index`,
  `${domain}/seqindent`,
  `${domain}/id`,
  `${domain}/annotations-migration-resource-id`,
  'config.kubernetes.io/path',
  'config.kubernetes.io/index',
  'config.k8s.io/id',
  `${domain}/helm-generated`,
];
export const helmGenerated = `${domain}/helm-generated`;
export const originKey = 'config.kubernetes.io/origin';
export const transformationsKey = 'alpha.config.kubernetes.io/transformations';

export class Resource {
  /** Undefined once a patch has deleted it. */
  node: Node | undefined;
  /** Variables that take their value from it. */
  varNames: readonly string[] = [];
  touched: Touch[] = [];
  /** The one that is kept, of which this one was copied to be changed. */
  from: Resource | undefined;

  constructor(node: Node | undefined) {
    this.node = node;
  }

  /** What is in several places of it, is so in the copy as well. */
  clone(): Resource {
    return this.copy(new Map());
  }

  copy(known?: Map<Node, Node>): Resource {
    const copy = new Resource(this.node?.copy(known));
    copy.varNames = this.varNames;
    copy.touched = this.touched.slice();
    return copy;
  }

  get isEmpty(): boolean {
    return isEmpty(this.node);
  }

  get kind(): string {
    return valueIn(this.node, 'kind')?.value ?? '';
  }

  get apiVersion(): string {
    return valueIn(this.node, 'apiVersion')?.value ?? '';
  }

  get gvk(): Gvk {
    return gvkOf(this.node);
  }

  get name(): string {
    return metaText(this.node, 'name');
  }

  get namespace(): string {
    return metaText(this.node, 'namespace');
  }

  get id(): ResId {
    const { group, version, kind, isCluster } = this.gvk;
    const metadata = metadataOf(this.node);
    return {
      group,
      version,
      kind,
      isCluster,
      name: textIn(metadata, 'name'),
      namespace: textIn(metadata, 'namespace'),
    };
  }

  get previousIds(): ResId[] {
    return previousIdsOf(this.node);
  }

  get originalId(): ResId {
    return firstIdOf(this.node) ?? this.id;
  }

  get annotations(): Map<string, string> {
    return annotationsOf(this.node);
  }

  setKind(kind: string): void {
    setTop(this.node, 'kind', kind);
  }

  setApiVersion(apiVersion: string): void {
    setTop(this.node, 'apiVersion', apiVersion);
  }

  setName(name: string, origin?: Origin): void {
    setMeta(this.node, 'name', name, origin);
  }

  setNamespace(namespace: string): void {
    if (namespace === '') clear(lookup(this.node, ['metadata']), 'namespace');
    else setMeta(this.node, 'namespace', namespace, undefined);
  }

  isEnabled(key: string): boolean {
    return this.annotations.get(key) === 'enabled';
  }

  enable(key: string): void {
    this.note(key, 'enabled');
  }

  /** Sets an annotation, and with it writes all of them anew. */
  note(key: string, value: string): void {
    const all = this.annotations;
    all.set(key, value);
    setAnnotations(this.node, all);
  }

  /** Names as they were are kept for those that refer to them. */
  storePreviousId(): void {
    const { namespace, name, kind, isCluster } = this.id;
    addToList(this.node, noted.previousNames, name);
    addToList(this.node, noted.previousNamespaces, isCluster ? '_non_namespaceable_' : namespace || 'default');
    addToList(this.node, noted.previousKinds, kind);
  }

  list(key: string): string[] {
    return this.annotations.get(key)?.split(',') ?? [];
  }

  touch(touch: Touch): void {
    const last = this.touched.at(-1);
    if (last?.what !== touch.what || last.place !== touch.place) this.touched.push(touch);
  }
}

export function gvkOf(node: Node | undefined): Gvk {
  return gvkOfKind(valueIn(node, 'apiVersion')?.value ?? '', valueIn(node, 'kind')?.value ?? '');
}

function metadataOf(node: Node | undefined): Node | undefined {
  if (isMissing(node)) return undefined;
  const found = valueIn(node, 'metadata');
  return isEmpty(found) ? undefined : found;
}

function outOfRange(length: number): string {
  return `runtime error: index out of range [${length}] with length ${length}`;
}

function metaText(node: Node | undefined, name: string): string {
  return textIn(metadataOf(node), name);
}

function textIn(metadata: Node | undefined, name: string): string {
  const found = valueIn(metadata, name);
  return isEmpty(found) ? '' : found!.value;
}

function mapOf(node: Node | undefined, name: string, only?: readonly string[]): Map<string, string> {
  const found = valueIn(metadataOf(node), name);
  const map = new Map<string, string>();
  if (!found) return map;
  for (let i = 0; i < found.content.length; i += 2) {
    if (i + 1 === found.content.length) panic(outOfRange(i + 1));
    const key = found.content[i]!.value;
    if (!only) map.set(key, found.content[i + 1]!.value);
    else if (only.includes(key) && !map.has(key)) map.set(key, found.content[i + 1]!.value);
  }
  return map;
}

export function annotationsOf(node: Node | undefined): Map<string, string> {
  return mapOf(node, 'annotations');
}

export function labelsOf(node: Node | undefined): Map<string, string> {
  return mapOf(node, 'labels');
}

const idNotes = [noted.previousNames, noted.previousNamespaces, noted.previousKinds];

/** The first of them, without reading all. */
function firstIdOf(node: Node | undefined): ResId | undefined {
  const annotations = valueIn(metadataOf(node), 'annotations');
  const [names, namespaces, kinds] = idNotes.map((key) => valueIn(annotations, key)?.value);
  if (names === undefined) return undefined;
  const count = commas(names);
  if (count !== commas(namespaces ?? '') || count !== commas(kinds ?? '')) panic(uneven);
  const { group, version } = splitApiVersion(valueIn(node, 'apiVersion')?.value ?? '');
  const [name, namespace, kind] = [names, namespaces, kinds].map((text) => firstPart(text ?? ''));
  return { group, version, kind: kind!, isCluster: false, name: name!, namespace: namespace! };
}

function firstPart(text: string): string {
  const at = text.indexOf(',');
  return at === -1 ? text : text.slice(0, at);
}

function commas(text: string): number {
  let count = 0;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count++;
  return count;
}

const uneven = 'number of previous names, number of previous namespaces, number of previous kinds not equal';

export function previousIdsOf(node: Node | undefined): ResId[] {
  const found = mapOf(node, 'annotations', idNotes);
  if (!found.has(noted.previousNames)) return [];
  const [names, namespaces, kinds] = idNotes.map((key) => (found.get(key) ?? '').split(','));
  if (names!.length !== namespaces!.length || names!.length !== kinds!.length) panic(uneven);
  const { group, version } = splitApiVersion(valueIn(node, 'apiVersion')?.value ?? '');
  return names!.map((name, i) => ({
    group,
    version,
    kind: kinds![i]!,
    isCluster: false,
    name,
    namespace: namespaces![i]!,
  }));
}

function setTop(node: Node | undefined, name: string, value: string): void {
  const old = field(node, name);
  if (node?.kind !== 'map') return;
  setField(node, name, scalarNode(value, old?.origin));
}

function setMeta(node: Node | undefined, name: string, value: string, origin: Origin | undefined): void {
  const metadata = lookup(node, ['metadata'], 'map');
  if (!metadata) return;
  const old = get(metadata, name);
  setField(metadata, name, scalarNode(value, origin ?? old?.origin));
}

export function setAnnotations(node: Node | undefined, all: ReadonlyMap<string, string>): void {
  setMetaMap(node, 'annotations', all);
}

export function setLabels(node: Node | undefined, all: ReadonlyMap<string, string>): void {
  setMetaMap(node, 'labels', all);
}

/** Writes all entries anew, as texts; what is as it was keeps its place. */
function setMetaMap(node: Node | undefined, name: string, all: ReadonlyMap<string, string>): void {
  const metadata = lookup(node, ['metadata'], 'map');
  if (!metadata) return;
  const old = get(metadata, name);
  const key = keyNode(metadata, name);
  clear(metadata, name);
  if (all.size === 0) return;
  const map = new Node('map', '', '', '', old?.origin ?? metadata.origin);
  for (const [entry, value] of [...all].sort(([a], [b]) => compareStrings(a, b))) {
    const before = old && valueIn(old, entry);
    const made = stringNode(value, before?.value === value ? before.origin : undefined);
    const oldKey = keyNode(old, entry);
    setField(map, entry, made, { origin: oldKey?.origin });
  }
  setField(metadata, name, map, { origin: key?.origin });
}

function keyNode(map: Node | undefined, name: string): Node | undefined {
  if (!map) return undefined;
  for (let i = 0; i < map.content.length; i += 2) if (map.content[i]!.value === name) return map.content[i];
  return undefined;
}

/** Adds to an annotation that holds several values. */
export function addToList(node: Node | undefined, key: string, value: string): void {
  if (value === '' || node === undefined) return;
  const current = valueIn(valueIn(metadataOf(node), 'annotations'), key)?.value;
  const text = current === undefined ? value : `${current},${value}`;
  setAnnotation(node, key, text, undefined);
}

function setAnnotation(node: Node, key: string, value: string, origin: Origin | undefined): void {
  const annotations = field(field(node, 'metadata'), 'annotations');
  if (annotations?.kind === 'map' && annotations.content.length > 0) {
    setField(annotations, key, scalarNode(value, origin, stringTag, 'single'));
    return;
  }
  clear(lookup(node, ['metadata']), 'annotations', true);
  clear(node, 'metadata', true);
  setMetaEntry(node, 'annotations', key, value, origin);
}

export function setMetaEntry(node: Node, name: string, key: string, value: string, origin: Origin | undefined): void {
  const map = lookup(node, ['metadata', name], 'map');
  const made = stringNode(value, origin);
  made.style = 'single';
  if (map) setField(map, key, made);
}

/** What `%v` prints of the metadata of an object. */
export function metadataText(node: Node): string {
  const metadata = field(node, 'metadata');
  const text = (from: Node | undefined, name: string) => {
    const found = field(from, name);
    return isEmpty(found) ? '' : textOf(found);
  };
  const entries = (name: string) => {
    const found = isEmpty(metadata) ? undefined : field(metadata, name);
    const pairs = found?.kind === 'map' ? [...mapEntries(found)] : [];
    return `map[${pairs
      .sort(([a], [b]) => compareStrings(a, b))
      .map(([key, value]) => `${key}:${value}`)
      .join(' ')}]`;
  };
  const meta = isEmpty(metadata) ? undefined : metadata;
  const names = `{${text(meta, 'name')} ${text(meta, 'namespace')}}`;
  return `{{${text(node, 'apiVersion')} ${text(node, 'kind')}} {${names} ${entries('labels')} ${entries('annotations')}}}`;
}

function mapEntries(map: Node): Map<string, string> {
  const entries = new Map<string, string>();
  for (let i = 0; i + 1 < map.content.length; i += 2) {
    const key = textOf(map.content[i]);
    if (!entries.has(key)) entries.set(key, textOf(map.content[i + 1]));
  }
  return entries;
}
