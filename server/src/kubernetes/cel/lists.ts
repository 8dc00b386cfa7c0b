import { isList, isMap, isUnknown, type Value } from '../../base/value.ts';
import { equalAsItem } from '../../cel/eval/equal.ts';
import { metUnknown } from '../../cel/eval/unknown.ts';
import {
  type CelError,
  error,
  isError,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  type ListHabits,
  list,
  orNoSuchOverload,
  sizeOfList,
  type Timestamp,
  unhashable,
  type Val,
} from '../../cel/eval/values.ts';
import { spend, spendText } from '../../cel/eval/work.ts';
import { quote } from '../../gostd/quote.ts';
import { goAny, goSyntax, plainText } from '../goValue.ts';
import { escapeName } from './escape.ts';

/** How the lists of schemas compare and add. */

function contains(container: List, item: Val): Val {
  let failed: Val | undefined;
  const size = sizeOfList(container);
  for (let i = 0; i < size; i++) {
    const same = equalAsItem(itemAt(container, i), item);
    if (same === true) return true;
    if (typeof same !== 'boolean') failed ??= orNoSuchOverload(same);
  }
  return failed ?? false;
}

function wrongIndex(index: Val): CelError {
  return error(`unsupported index: ${isKind(index, 'uint') ? index.value : String(index)}`);
}

function inOrder(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  const size = sizeOfList(a);
  if (size !== sizeOfList(b)) return false;
  spend(size);
  for (let i = 0; i < size; i++) {
    const same = equalAsItem(itemAt(a, i), itemAt(b, i));
    if (same !== true) return same;
  }
  return true;
}

export const atomicHabits: ListHabits = {
  inOrder: true,
  equal: inOrder,
  add: (a, b) => (isKind(b, 'list') ? list([...itemsOfList(a), ...itemsOfList(b)]) : orNoSuchOverload(b)),
  contains,
  wrongIndex,
  goType: '*common.unstructuredList',
};

/** Up to 1.36 a joined list is one of the schema, through which what is added goes once more. */
export const rawAtomicHabits: ListHabits = {
  ...atomicHabits,
  add: (a, b) => {
    if (!isKind(b, 'list')) return orNoSuchOverload(b);
    return { ...list([...itemsOfList(a), ...itemsOfList(b).map(readAgain)]), habits: rawAtomicHabits };
  },
};

// Sets

const onlyScalars = error('listSet operations are only supported on lists of scalar values');

/** A symbol is like no other key, not even like that of the same item. */
type ItemKey = string | symbol;

/**
 * Go compares moments with their zones, by address: zones of whole hours are shared, others are made anew each time, and
 * such a moment is like no other. UTC is another zone than one of no hours.
 */
function momentKey({ seconds, nanos, zone }: Timestamp): ItemKey {
  const hours = (zone ?? 0) / 3600;
  const isShared = Number.isInteger(hours) && hours >= -12 && hours <= 14;
  return isShared ? `timestamp ${seconds} ${nanos} ${zone}` : Symbol();
}

/** What tells a set's item from others; lists and maps cannot be told apart, and what cannot be read is like no other. */
function itemKey(item: Val): ItemKey | CelError {
  spend(1);
  if (typeof item === 'string') spendText(item.length);
  if (item === null || typeof item !== 'object') return `${typeof item} ${item}`;
  switch (item.kind) {
    case 'list':
    case 'map':
      return onlyScalars;
    case 'bytes':
      return `bytes ${item.bytes.join(' ')}`;
    case 'duration':
      return `duration ${item.nanos}`;
    case 'timestamp':
      return momentKey(item);
    case 'uint':
      return `uint ${item.value}`;
    case 'error':
      return Symbol();
    default:
      return item.kind;
  }
}

function keysOf(set: List): Set<ItemKey> | CelError {
  const keys = new Set<ItemKey>();
  for (const item of itemsOfList(set)) {
    const key = itemKey(item);
    if (typeof key === 'object') return key;
    keys.add(key);
  }
  return keys;
}

function equalSets(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  if (sizeOfList(a) !== sizeOfList(b)) return false;
  const mine = keysOf(a);
  if (!(mine instanceof Set)) return mine;
  const seen = new Set<ItemKey>();
  for (const item of itemsOfList(b)) {
    const key = itemKey(item);
    if (typeof key === 'object') return key;
    if (!mine.has(key)) return false;
    seen.add(key);
  }
  return seen.size === mine.size;
}

function union(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  const keys = keysOf(a);
  if (!(keys instanceof Set)) return keys;
  const items = [...itemsOfList(a)];
  for (const item of itemsOfList(b)) {
    const key = itemKey(item);
    if (typeof key === 'object') return key;
    if (keys.has(key)) continue;
    keys.add(key);
    items.push(item);
  }
  return { ...list(items), habits: addedSetHabits };
}

export const setHabits: ListHabits = {
  equal: equalSets,
  add: union,
  contains,
  wrongIndex,
  goType: '*common.unstructuredSetList',
};

const addedSetHabits: ListHabits = { ...setHabits, goType: '*common.refValSetList' };

/** Not a memo: what a joined set's items are told apart by is known where it is joined. They are not read anew as its items are. */
const keysOfJoined = new WeakMap<List, readonly ItemKey[]>();

/** Up to 1.36 a set's own items are told apart as they stand in the document, the other side's as values. */
function rawKeys(set: List): readonly ItemKey[] {
  spend(sizeOfList(set));
  return keysOfJoined.get(set) ?? (set.items ? set.items.map(valueKey) : set.raw.map(hashed));
}

/** What Go makes of a value, which may be no key of its maps. */
function valueKey(item: Val): ItemKey {
  if (isKind(item, 'list')) throw unhashable('[]interface {}');
  if (isKind(item, 'map')) throw unhashable('map[string]interface {}');
  if (isKind(item, 'bytes')) throw unhashable('[]uint8');
  if (typeof item === 'string') return hashed(item);
  // A null of CEL is another one than that of a document.
  if (item === null) return 'structpb.NullValue';
  const key = itemKey(item);
  return typeof key === 'object' ? Symbol() : key;
}

function equalRawSets(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  if (sizeOfList(a) !== sizeOfList(b)) return false;
  const mine = new Set(rawKeys(a));
  return itemsOfList(b).every((item) => mine.has(valueKey(item)));
}

function unionOfRaw(a: List, b: Val): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  const keys = [...rawKeys(a)];
  const known = new Set(keys);
  const items = [...itemsOfList(a)];
  for (const item of itemsOfList(b)) {
    const key = valueKey(item);
    if (known.has(key)) continue;
    known.add(key);
    keys.push(key);
    items.push(readAgain(item));
  }
  const joined: List = { ...list(items), habits: rawSetHabits };
  keysOfJoined.set(joined, keys);
  return joined;
}

const goTypes: Readonly<Record<string, string>> = {
  timestamp: 'time.Time',
  duration: 'time.Duration',
  bytes: '[]uint8',
};

/** What is added goes through the schema once more, which wants texts for moments and bytes. */
function readAgain(item: Val): Val {
  const goType = typeof item === 'object' && item !== null ? goTypes[item.kind] : undefined;
  return goType === undefined ? item : error(`invalid data, expected string, got ${goType}`);
}

export const rawSetHabits: ListHabits = { ...setHabits, equal: equalRawSets, add: unionOfRaw };

// Maps

const habitsByKeys = new Map<string, ListHabits>();

/** Lists whose items are told apart by some of their fields; `comparesRaw` up to 1.36. */
export function mapHabits(keys: readonly string[], comparesRaw: boolean): ListHabits {
  const escaped = keys.map((key) => escapeName(key) ?? key);
  const id = [comparesRaw, ...escaped].join('\n');
  let known = habitsByKeys.get(id);
  if (!known) {
    known = comparesRaw ? rawHabitsOf(escaped) : habitsOf(escaped);
    habitsByKeys.set(id, known);
  }
  return known;
}

function habitsOf(keys: readonly string[]): ListHabits {
  const key = (item: Val) => entryKey(item, keys);
  const rawKey = (item: Val) => rawEntryKey(item, keys, printed);
  const merge = (a: List, b: Val): Val => joined(mergedItems(a, b, key), added);
  const shared = { add: merge, contains, wrongIndex };
  const added: ListHabits = {
    ...shared,
    equal: (a, b) => equalMapLists(a, b, key, true),
    goType: '*common.refValMapList',
  };
  return { ...shared, equal: (a, b) => equalMapLists(a, b, rawKey, true), goType: '*common.unstructuredMapList' };
}

/** Such lists are the same kind of list when they were added; whether all of one are in the other is not counted. */
function rawHabitsOf(keys: readonly string[]): ListHabits {
  const key = (item: Val) => rawEntryKey(item, keys, plainText);
  const habits: ListHabits = {
    equal: (a, b) => equalMapLists(a, b, key, false),
    add: (a, b) => joined(mergedItems(a, b, key), habits),
    contains,
    wrongIndex,
    goType: '*common.unstructuredMapList',
  };
  return habits;
}

function joined(items: Val[] | CelError, habits: ListHabits): Val {
  return Array.isArray(items) ? { ...list(items), habits } : items;
}

const printed = (value: Value) => goSyntax(goAny(value));

/** Go takes up to three values of keys as they are; more are printed first. */
const keysAsTheyAre = 3;

/**
 * Items of a document are told apart by what the document has under the escaped names of the keys, whatever the schema
 * makes of it. One that is not a map is like no other, not even like itself.
 */
function rawEntryKey(item: Val, keys: readonly string[], print: (value: Value) => string): ItemKey {
  if (!isKind(item, 'map')) return Symbol();
  const { raw } = item;
  if (!isMap(raw)) return entryKey(item, keys);
  spend(1);
  const values = keys.map((name) => raw.get(name) ?? null);
  if (keys.some((name) => isUnknown(raw.get(name)))) metUnknown();
  if (keys.length > keysAsTheyAre) return values.map(print).join(' ');
  return values.map(hashed).join();
}

/** What is a list or a map cannot be a key of Go's maps. */
function hashed(value: Value): string {
  if (isMap(value)) throw unhashable('map[string]interface {}');
  if (isList(value)) throw unhashable('[]interface {}');
  return typeof value === 'string' ? quote(value) : `${typeof value} ${value}`;
}

function entryKey(item: Val, keys: readonly string[]): string {
  spend(1);
  return JSON.stringify(
    keys.map((name) => {
      const value = isKind(item, 'map') ? item.find(name) : undefined;
      if (value === undefined || isError(value)) return null;
      const key = itemKey(value);
      return typeof key === 'string' ? key : null;
    }),
  );
}

function equalMapLists(a: List, b: Val, keyOf: (item: Val) => ItemKey, countsBoth: boolean): Val {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  if (sizeOfList(a) !== sizeOfList(b)) return false;
  const mine = new Map(itemsOfList(a).map((item) => [keyOf(item), item]));
  const seen = new Set<ItemKey>();
  for (const item of itemsOfList(b)) {
    const key = keyOf(item);
    const found = mine.get(key);
    if (found === undefined) return false;
    const same = equalAsItem(found, item);
    if (same !== true) return same;
    seen.add(key);
  }
  return !countsBoth || seen.size === mine.size;
}

/** Items keep their places; those with the keys of a later one are replaced by it. */
function mergedItems(a: List, b: Val, key: (item: Val) => ItemKey): Val[] | CelError {
  if (!isKind(b, 'list')) return orNoSuchOverload(b);
  const items = [...itemsOfList(a)];
  const places = new Map(items.map((item, i) => [key(item), i]));
  for (const item of itemsOfList(b)) {
    const place = places.get(key(item));
    if (place === undefined) items.push(item);
    else items[place] = item;
  }
  return items;
}
