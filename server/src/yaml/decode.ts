/**
 * A tree's value, walked as the API server's decoder walks it: what it counts, what it refuses and in which order. The
 * stack is explicit, so that depth does not matter.
 */
import { formatFloat } from '../gostd/float.ts';
import { goSyntax, type Read, TypedMap } from './goSyntax.ts';
import { wordHint } from './hints.ts';
import type { AliasNode, ListNode, MapNode, Node, Pair, ScalarNode } from './node.ts';
import { isMergeKey, resolveScalar, type Typed } from './resolve.ts';

/** What the walk makes of what it finds. */
export interface Decoding<T> {
  scalar(value: Typed): T;
  list(items: T[]): T;
  map(entries: Map<string, T>): T;
  /** The same with keys that are no texts, where it makes a difference. */
  typedMap?(entries: readonly (readonly [Typed, T])[]): T;
  /** What large nodes are known to mean, so that versions of a document share it. */
  readonly known?: WeakMap<Node, T>;
  /** Large nodes in which every plain scalar reads as what it looks like. */
  readonly plain?: WeakSet<Node>;
}

/** Smaller nodes are read faster than found. */
const worthKeeping = 256;

/** A key that its map has already. `key` is printed as Go prints it. */
export interface Complaint {
  readonly map: MapNode;
  readonly pair: Pair;
  readonly key: string;
}

export interface Decoded<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
  readonly complaints: readonly Complaint[];
  /** What JSON cannot hold was seen: it ends the conversion unless a later duplicate took its place. */
  readonly suspect: boolean;
  /** Maps with a key that JSON cannot hold. */
  readonly badKeys: ReadonlyMap<T, BadKey<T>>;
}

export interface BadKey<T> {
  readonly key: Typed;
  readonly value: T;
}

/** The entries of a map being read: by the identity that Go's map gives a key, so that 1, 1.0 and "1" are three. */
interface Entries<T> {
  readonly byId: Map<string, T>;
  /** The typed keys that are not strings. */
  odd: Map<string, Typed> | undefined;
}

interface Task<T> {
  readonly node: MapNode | ListNode;
  readonly kind: 'map' | 'list' | 'merges';
  at: number;
  /** Of a map: the key whose value is being read. */
  key: Typed;
  /** Of a list. */
  readonly items: T[];
  readonly entries: Entries<T> | undefined;
  /** Its entries go into a map around it. */
  readonly merged: boolean;
  /** The alias that led here. */
  readonly alias: AliasNode | undefined;
  /** How many complaints there were before it, and how many scalars that read as something else. */
  readonly complaints: number;
  readonly surprises: number;
}

interface Walk<T> {
  readonly decoding: Decoding<T>;
  readonly hasAlias: boolean;
  readonly stack: Task<T>[];
  readonly complaints: Complaint[];
  readonly active: Set<AliasNode>;
  result: T | undefined;
  error: string | undefined;
  /** The map or list that is a key, which ends the reading. */
  badKey: Node | undefined;
  suspect: boolean;
  /** How many scalars, or large nodes read before, may read as something else than they look like. */
  surprises: number;
  readonly badKeys: Map<T, BadKey<T>>;
  decoded: number;
  aliased: number;
}

export function decode<T>(root: Node, hasAlias: boolean, decoding: Decoding<T>): Decoded<T> {
  const walk = walked(root, hasAlias, decoding, { active: new Set(), decoded: 1, aliased: 0 });
  const { result, complaints, suspect, badKeys } = walk;
  const error = walk.badKey ? invalidKey(walk.badKey, walk) : walk.error;
  return { value: error === undefined ? result : undefined, error, complaints, suspect, badKeys };
}

type Before = Pick<Walk<unknown>, 'active' | 'decoded' | 'aliased'>;

/** What is read of a node, as far as nothing is wrong, after what has led to it. */
function walked<T>(
  root: Node,
  hasAlias: boolean,
  decoding: Decoding<T>,
  { active, decoded, aliased }: Before,
): Walk<T> {
  const walk: Walk<T> = {
    decoding,
    hasAlias,
    stack: [],
    complaints: [],
    active,
    result: undefined,
    error: undefined,
    badKey: undefined,
    suspect: false,
    surprises: 0,
    badKeys: new Map(),
    decoded,
    aliased,
  };
  enter(walk, root, undefined);
  while (walk.stack.length > 0 && !isEnded(walk)) advance(walk, walk.stack[walk.stack.length - 1]!);
  return walk;
}

function isEnded<T>({ error, badKey }: Walk<T>): boolean {
  return error !== undefined || badKey !== undefined;
}

function refuse<T>(walk: Walk<T>, text: string): void {
  walk.error ??= text;
}

/** How much of the work may come from aliases: 99 % of little, 10 % of much. */
function allowedRatio(decoded: number): number {
  const low = 400_000;
  const high = 4_000_000;
  if (decoded <= low) return 0.99;
  return decoded >= high ? 0.1 : 0.99 - 0.89 * ((decoded - low) / (high - low));
}

function count<T>(walk: Walk<T>): void {
  walk.decoded++;
  if (walk.active.size > 0) walk.aliased++;
  if (walk.aliased <= 100 || walk.decoded <= 1000) return;
  if (walk.aliased / walk.decoded > allowedRatio(walk.decoded))
    refuse(walk, 'yaml: document contains excessive aliasing');
}

/** Steps from an alias to what it stands for. */
function follow<T>(walk: Walk<T>, alias: AliasNode): Node | undefined {
  count(walk);
  if (alias.target === undefined || walk.active.has(alias)) {
    refuse(walk, `yaml: anchor '${alias.name}' value contains itself`);
    return undefined;
  }
  walk.active.add(alias);
  return alias.target;
}

function enter<T>(walk: Walk<T>, node: Node, into: Entries<T> | undefined): void {
  let target: Node = node;
  let alias: AliasNode | undefined;
  if (node.kind === 'alias') {
    const found = follow(walk, node);
    if (!found) return;
    target = found;
    alias = node;
  }
  if (walk.hasAlias) count(walk);
  if (target.kind === 'scalar') {
    const value = scalar(walk, target);
    if (alias) walk.active.delete(alias);
    if (walk.error === undefined) give(walk, walk.decoding.scalar(value));
    return;
  }
  if (target.kind === 'alias') return;
  const kept = walk.decoding.known?.get(target);
  if (kept !== undefined && !into && !walk.hasAlias) {
    if (!walk.decoding.plain?.has(target)) walk.surprises++;
    give(walk, kept);
    return;
  }
  const kind = target.kind;
  const entries = kind === 'map' ? (into ?? { byId: new Map<string, T>(), odd: undefined }) : undefined;
  const complaints = walk.complaints.length;
  const items: T[] = kind === 'list' ? [] : noItems;
  walk.stack.push({
    node: target,
    kind,
    at: 0,
    key: null,
    items,
    entries,
    merged: into !== undefined,
    alias,
    complaints,
    surprises: walk.surprises,
  });
}

const noItems: never[] = [];

function scalar<T>(walk: Walk<T>, node: ScalarNode): Typed {
  if (node.style !== 'plain' && node.props === undefined) return node.value;
  const resolved = resolveScalar(node);
  if ('error' in resolved) {
    refuse(walk, resolved.error);
    return null;
  }
  const { value } = resolved;
  if (typeof value === 'number' && !Number.isFinite(value)) walk.suspect = true;
  if (typeof value !== 'string' && walk.decoding.plain && wordHint(node.value, value, false) !== undefined)
    walk.surprises++;
  return value;
}

function give<T>(walk: Walk<T>, value: T): void {
  const task = walk.stack[walk.stack.length - 1];
  if (!task) walk.result = value;
  else if (task.kind === 'list') task.items.push(value);
  else setEntry(walk, task, value);
}

function setEntry<T>(walk: Walk<T>, task: Task<T>, value: T): void {
  const map = task.node as MapNode;
  const pair = map.pairs[task.at - 1]!;
  const { key } = task;
  const id = idOf(key);
  const entries = task.entries!;
  if (entries.byId.has(id)) walk.complaints.push({ map, pair, key: goSyntax(key) });
  entries.byId.set(id, value);
  // A key that comes again brings its form along: 0 after -0.
  if (typeof key !== 'string' || id !== key) {
    entries.odd ??= new Map();
    entries.odd.set(id, key);
  }
}

let strangers = 0;

function idOf(key: Typed): string {
  if (typeof key === 'string') return key.startsWith('\0') ? `\0s${key}` : key;
  if (typeof key !== 'number') return `\0${typeof key}${String(key)}`;
  // NaN equals nothing, not even itself; -0 equals 0.
  return Number.isNaN(key) ? `\0nan${strangers++}` : `\0float${key === 0 ? 0 : key}`;
}

function advance<T>(walk: Walk<T>, task: Task<T>): void {
  const { node } = task;
  if (task.kind === 'merges') {
    advanceMerges(walk, task);
    return;
  }
  if (node.kind === 'list') {
    if (task.at < node.items.length) enter(walk, node.items[task.at++]!.node, undefined);
    else leave(walk, task, walk.decoding.list(task.items));
    return;
  }
  if (task.at >= node.pairs.length) {
    leave(walk, task, task.merged ? undefined : finishMap(walk, task.entries!));
    return;
  }
  const pair = node.pairs[task.at++]!;
  if (pair.key.kind === 'scalar' && isMergeKey(pair.key)) {
    merge(walk, task, pair.value);
    return;
  }
  if (!checkKey(walk, task, pair.key)) return;
  enter(walk, pair.value, undefined);
}

function leave<T>(walk: Walk<T>, task: Task<T>, value: T | undefined): void {
  walk.stack.pop();
  if (task.alias) walk.active.delete(task.alias);
  if (task.merged || value === undefined) return;
  keep(walk, task, value);
  give(walk, value);
}

/** What depends on nothing but the node, and has nothing to complain about, is kept. */
function keep<T>(walk: Walk<T>, { node, complaints, surprises }: Task<T>, value: T): void {
  if (node.length < worthKeeping || walk.hasAlias || walk.suspect || walk.complaints.length > complaints) return;
  walk.decoding.known?.set(node, value);
  if (walk.surprises === surprises) walk.decoding.plain?.add(node);
}

/** Keys are decoded, and counted, before their values. */
function checkKey<T>(walk: Walk<T>, task: Task<T>, key: Node): boolean {
  let target: Node | undefined = key;
  if (key.kind === 'alias') target = follow(walk, key);
  if (walk.hasAlias) count(walk);
  if (target && target.kind !== 'scalar') walk.badKey = target;
  if (isEnded(walk)) return false;
  if (key.kind === 'alias') walk.active.delete(key);
  if (target) task.key = scalar(walk, target as ScalarNode);
  return walk.error === undefined;
}

/**
 * What is said of a map or list that is a key, as of `{{ name }}` without quotes; the same of one inside it comes first, however deep
 * it is.
 */
function invalidKey<T>(key: Node, before: Walk<T>): string {
  const { hasAlias } = before;
  let walk = walked(key, hasAlias, asRead, before);
  while (walk.badKey) walk = walked(walk.badKey, hasAlias, asRead, walk);
  return walk.error ?? `yaml: invalid map key: ${goSyntax(walk.result ?? null)}`;
}

/** With what JSON has no room for. */
const asRead: Decoding<Read> = {
  scalar: (value) => value,
  list: (items) => items,
  map: (entries) => new TypedMap([...entries]),
  typedMap: (entries) => new TypedMap(entries),
};

function refuseMerge<T>(walk: Walk<T>): void {
  refuse(walk, 'yaml: map merge requires map or sequence of maps as the value');
}

function canMerge(node: Node): boolean {
  if (node.kind === 'alias') return node.cyclic || node.target?.kind === 'map';
  return node.kind === 'map';
}

/** A merge key's maps go into the map itself, over what it has already. */
function merge<T>(walk: Walk<T>, task: Task<T>, value: Node): void {
  if (value.kind === 'list') {
    const { entries } = task;
    walk.stack.push({
      node: value,
      kind: 'merges',
      at: value.items.length,
      key: null,
      items: noItems,
      entries,
      merged: true,
      alias: undefined,
      complaints: 0,
      surprises: walk.surprises,
    });
  } else if (canMerge(value)) enter(walk, value, task.entries);
  else refuseMerge(walk);
}

/** The maps of a list are merged from the last to the first, so that earlier ones win. */
function advanceMerges<T>(walk: Walk<T>, task: Task<T>): void {
  const { node } = task;
  if (node.kind !== 'list' || task.at === 0) {
    leave(walk, task, undefined);
    return;
  }
  const item = node.items[--task.at]!.node;
  if (canMerge(item)) enter(walk, item, task.entries);
  else refuseMerge(walk);
}

function finishMap<T>(walk: Walk<T>, { byId, odd }: Entries<T>): T {
  const { map, typedMap } = walk.decoding;
  if (!odd) return map(byId);
  const keyOf = (id: string) => (odd.has(id) ? (odd.get(id) as Typed) : id);
  if (typedMap) return typedMap(Array.from(byId, ([id, value]) => [keyOf(id), value]));
  const named = new Map<string, T>();
  let bad: BadKey<T> | undefined;
  for (const [id, value] of byId) {
    const key = keyOf(id);
    const name = nameOf(key);
    if (name === undefined) bad ??= { key, value };
    else named.set(name, value);
  }
  const made = map(named);
  if (bad !== undefined) {
    walk.suspect = true;
    walk.badKeys.set(made, bad);
  }
  return made;
}

/** A key's name in JSON; undefined where it cannot have one. Floats are printed as float32. */
function nameOf(key: Typed): string | undefined {
  if (typeof key === 'string') return key;
  if (key === null || (typeof key === 'bigint' && key > 2n ** 63n - 1n)) return undefined;
  if (typeof key !== 'number') return String(key);
  if (Number.isNaN(key)) return '.nan';
  const small = Math.fround(key);
  if (Object.is(small, -0)) return '-0';
  if (!Number.isFinite(small)) return small > 0 ? '.inf' : '-.inf';
  return formatFloat(shortest32(small));
}

/** The float64 whose shortest digits are the shortest digits of a float32. */
function shortest32(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

/** The name a key has in paths and values; what cannot be a key goes by its text. */
export function keyName(node: Node): string {
  const target = node.kind === 'alias' ? node.target : node;
  if (target?.kind !== 'scalar') return '';
  const resolved = resolveScalar(target);
  return ('error' in resolved ? undefined : nameOf(resolved.value)) ?? target.value;
}
