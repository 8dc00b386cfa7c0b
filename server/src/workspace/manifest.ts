import { memo } from '../base/memo.ts';
import { grouped, ownText } from '../base/text.ts';
import {
  type DocumentPath,
  isList,
  isMap,
  isString,
  type ManifestPath,
  type Value,
  type ValueMap,
  valueAt,
} from '../base/value.ts';
import type { DerivedRole } from '../crossplane/derive.ts';
import type { ListNode, MapNode, Node } from '../yaml/node.ts';
import { isDormant, type YamlDocument } from '../yaml/parse.ts';
import { tolerantValueOf } from '../yaml/tolerantValue.ts';
import { defaultLimits } from './limits.ts';
import type { Projection } from './projections/projection.ts';
import type { Variables } from './variables.ts';

export type Role = 'crd' | 'crd-v1beta1' | 'resource';

/** One Kubernetes object in a document: the document itself, or an item of a `kind: List`. */
export interface Manifest {
  readonly role: Role;
  readonly document: YamlDocument;
  /** Where the object is in its document: empty, or `items` and an index. */
  readonly at: DocumentPath;
  readonly value: ValueMap;
  readonly apiVersion: string;
  readonly kind: string;
  /** Of a CRD that something makes of another object: that one, which is in the document in its place. */
  readonly madeOf?: MadeOf;
  /** What a kustomization fills in before anybody reads it. */
  readonly variables?: Variables;
  /** Where its parts are in the document, unless all of it is written at its place. */
  readonly projection?: Projection<ManifestPath, DocumentPath>;
}

export interface MadeOf {
  readonly manifest: Manifest;
  readonly role: MadeRole;
}

/** Which of its CRDs it is: of what Crossplane makes of its definitions, or that of the instances of kro's. */
export type MadeRole = DerivedRole | 'instance';

/** The Kubernetes objects of a document; none where it is something else. */
export const manifestsOf = memo((document: YamlDocument): readonly Manifest[] => {
  return isTooDeep(document) || tooMuchIn(document) ? [] : collect(document, tolerantValueOf(document), []);
});

/** What a document has so much of that it is not judged, for the sentence "It has …". */
export const tooMuchIn = memo((document: YamlDocument): string | undefined => {
  if (!/x-kubernetes-validations|pattern/.test(document.text)) return undefined;
  const { rules, pattern } = countsOf(tolerantValueOf(document) ?? null);
  if (rules > defaultLimits.rules) return `${grouped(rules)} rules`;
  return pattern > defaultLimits.pattern ? `a pattern of ${grouped(pattern)} characters` : undefined;
});

interface Counts {
  /** How many rules there are, those behind aliases as often as they are named. */
  readonly rules: number;
  /** The length of the longest pattern. */
  readonly pattern: number;
}

const nothingCounted: Counts = { rules: 0, pattern: 0 };

/**
 * Values that hold others keep their counts: most of them stay what they are at a keystroke. Not a memo: what holds
 * scalars alone is not worth it.
 */
const countsKept = new WeakMap<Value & object, Counts>();

function countsOf(value: Value): Counts {
  if (!isList(value) && !isMap(value)) return nothingCounted;
  const known = countsKept.get(value);
  if (known) return known;
  const counts = { rules: 0, pattern: 0 };
  if (isMap(value)) {
    const rules = value.get('x-kubernetes-validations');
    const pattern = value.get('pattern');
    if (isList(rules)) counts.rules = rules.length;
    if (isString(pattern)) counts.pattern = pattern.length;
  }
  let isWorthKeeping = false;
  for (const below of value.values()) {
    if (!isList(below) && !isMap(below)) continue;
    isWorthKeeping = true;
    const { rules, pattern } = countsOf(below);
    counts.rules += rules;
    counts.pattern = Math.max(counts.pattern, pattern);
  }
  if (isWorthKeeping) countsKept.set(value, counts);
  return counts;
}

/** Whether a document is nested deeper than everything that walks through its objects can go. */
export const isTooDeep = memo((document: YamlDocument): boolean => {
  // What is nested too deep is never dormant, and its tree would be made for this alone.
  if (isDormant(document) || !document.root) return false;
  const { levels } = defaultLimits;
  const isDeepAsWritten = heightWithin(document.root, levels) === undefined;
  return isDeepAsWritten || (document.hasAlias && depthOf(document.root, new Map()) > levels);
});

/** How deep a node's value is, which is no deeper nested itself. What an alias stands for was met before it. */
function depthOf(node: Node, anchored: Map<Node, number>): number {
  if (node.kind === 'alias') return (node.target && anchored.get(node.target)) ?? 0;
  let depth = 0;
  if (node.kind === 'map') {
    for (const { key, value } of node.pairs) {
      depth = Math.max(depth, 1 + depthOf(key, anchored), 1 + depthOf(value, anchored));
    }
  } else if (node.kind === 'list') {
    for (const item of node.items) depth = Math.max(depth, 1 + depthOf(item.node, anchored));
  }
  if (node.props?.anchor !== undefined) anchored.set(node, depth);
  return depth;
}

/**
 * The heights of large nodes: later versions of a document that share them need not look again. Not a memo: small nodes
 * are not worth it.
 */
const heights = new WeakMap<Node, number>();
const worthKnowing = 256;

/** How many levels of collections a node has; undefined where those are more, and then it goes down no further. */
function heightWithin(node: Node, levels: number): number | undefined {
  if (node.kind !== 'map' && node.kind !== 'list') return 0;
  if (levels === 0) return undefined;
  const known = heights.get(node);
  if (known !== undefined) return known <= levels ? known : undefined;
  const below = node.kind === 'list' ? heightOfItems(node, levels - 1) : heightOfPairs(node, levels - 1);
  if (below === undefined) return undefined;
  const height = below + 1;
  if (node.length >= worthKnowing) heights.set(node, height);
  return height;
}

function heightOfItems({ items }: ListNode, levels: number): number | undefined {
  let height = 0;
  for (const { node } of items) {
    if (node.kind === 'scalar') continue;
    const inside = heightWithin(node, levels);
    if (inside === undefined) return undefined;
    height = Math.max(height, inside);
  }
  return height;
}

function heightOfPairs({ pairs }: MapNode, levels: number): number | undefined {
  let height = 0;
  for (const { key, value } of pairs) {
    if (key.kind === 'scalar' && value.kind === 'scalar') continue;
    const inKey = heightWithin(key, levels);
    const inValue = inKey === undefined ? undefined : heightWithin(value, levels);
    if (inValue === undefined) return undefined;
    height = Math.max(height, inKey!, inValue);
  }
  return height;
}

function collect(document: YamlDocument, value: Value | undefined, at: DocumentPath): readonly Manifest[] {
  if (!isMap(value)) return [];
  const apiVersion = value.get('apiVersion');
  const kind = value.get('kind');
  if (!isString(apiVersion) || !isString(kind)) return [];
  const items = value.get('items');
  if (isListKind(apiVersion, kind) && isList(items) && at.length === 0) {
    return items.flatMap((item, i) => collect(document, item, ['items', i]));
  }
  const role = roleOf(apiVersion, kind);
  if (!isDormant(document)) return [{ role, document, at, value, apiVersion, kind }];
  // Its value is not held by it, and found again in the document's.
  return [
    {
      ...{ role, document, at, apiVersion: ownText(apiVersion), kind: ownText(kind) },
      get value() {
        return valueAt(tolerantValueOf(document) ?? null, at) as ValueMap;
      },
    },
  ];
}

function isListKind(apiVersion: string, kind: string): boolean {
  return (apiVersion === 'v1' && kind === 'List') || kind === 'CustomResourceDefinitionList';
}

function roleOf(apiVersion: string, kind: string): Role {
  if (kind !== 'CustomResourceDefinition') return 'resource';
  if (apiVersion === 'apiextensions.k8s.io/v1') return 'crd';
  return apiVersion === 'apiextensions.k8s.io/v1beta1' ? 'crd-v1beta1' : 'resource';
}

/** The path in a document for a path in one of its objects. */
export function inDocument({ at, projection }: Manifest, path: ManifestPath): DocumentPath {
  return projection?.written(path)[0]?.place ?? [...at, ...path];
}

/** The path in an object for a path in its document. */
export function inManifest({ at, projection }: Manifest, path: DocumentPath): ManifestPath {
  return projection?.made(path)[0] ?? path.slice(at.length);
}

export function metadataOf({ value }: Manifest): ValueMap | undefined {
  const metadata = value.get('metadata');
  return isMap(metadata) ? metadata : undefined;
}

/** A text of the metadata; '' where there is none. */
export function metadataText(manifest: Manifest, key: 'name' | 'namespace'): string {
  const text = metadataOf(manifest)?.get(key);
  return isString(text) ? text : '';
}

/** `group/version` taken apart; the core group is ''. */
export function splitApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** What SOPS adds to what it has encrypted: to an object, or to a list, beside its items. */
export function addedBySops({ value, document, at }: Manifest): Value | undefined {
  return value.get('sops') ?? (at.length === 0 ? undefined : valueAt(tolerantValueOf(document) ?? null, ['sops']));
}

/**
 * Whether a manifest is a part of an object rather than one: a patch, or the bare beginning of a CRD. To say what is
 * missing in it would be wrong.
 */
export function isPartial({ role, value }: Manifest): boolean {
  if (value.has('$patch')) return true;
  return role === 'crd' && !hasAny(value.get('spec'), ['group', 'names', 'versions']);
}

function hasAny(spec: Value | undefined, keys: readonly string[]): boolean {
  return isMap(spec) && keys.some((key) => spec.has(key));
}
