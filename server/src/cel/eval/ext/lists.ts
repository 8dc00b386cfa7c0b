import { type CelType, runtimeText } from '../../types.ts';
import { compare, equal, isComparable } from '../equal.ts';
import { endWith } from '../frame.ts';
import type { Impl, Singleton } from '../implementation.ts';
import {
  error,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  list,
  noSuchOverload,
  sizeOfList,
  typeName,
  type Val,
} from '../values.ts';

function ofList(apply: (values: List, b: Val, c: Val) => Val): Impl {
  return (a, b, c) => (isKind(a, 'list') ? apply(a, b, c) : noSuchOverload);
}

function slice(values: List, start: bigint, end: bigint): Val {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return error(`${call}, negative indexes not supported`);
  if (start > end) return error(`${call}, start index must be less than or equal to end index`);
  const size = sizeOfList(values);
  if (BigInt(size) < end) return error(`${call}, list is length ${size}`);
  const items: Val[] = [];
  for (let i = Number(start); i < Number(end); i++) items.push(itemAt(values, i));
  return list(items);
}

function flatten(values: List, depth: bigint, into: Val[]): Val[] {
  for (const item of itemsOfList(values)) {
    if (isKind(item, 'list') && depth > 0n) flatten(item, depth - 1n, into);
    else into.push(item);
  }
  return into;
}

function flattened(values: List, depth: bigint): Val {
  return depth < 0n ? error('level must be non-negative') : list(flatten(values, depth, []));
}

/** Items in the order of their keys. */
function sorted(values: List, keys: List): Val {
  const size = sizeOfList(values);
  if (size !== sizeOfList(keys)) {
    return error(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${size} and ${sizeOfList(keys)} elements respectively`,
    );
  }
  if (size === 0) return values;
  const order = itemsOfList(keys).map((key, i) => ({ key, i }));
  const first = order[0]!.key;
  if (!isComparable(first)) return error('list elements must be comparable');
  if (size > 1 && order.some(({ key }) => typeName(key) !== typeName(first))) {
    return error('list elements must have the same type');
  }
  order.sort((a, b) => {
    const result = compare(a.key, b.key);
    return typeof result === 'number' ? result : 0;
  });
  return list(order.map(({ i }) => itemAt(values, i)));
}

function distinct(values: List): Val {
  if (sizeOfList(values) === 0) return values;
  const kept: Val[] = [];
  const seen = new Set<Val>();
  for (const item of itemsOfList(values)) {
    if (typeof item === 'string') {
      if (seen.has(item)) continue;
      seen.add(item);
    } else if (kept.some((other) => equal(item, other) === true)) continue;
    kept.push(item);
  }
  return list(kept);
}

const longestRange = 1_000_000n;
/** As many items as Go can make room for. */
const mostItems = 2n ** 44n;
/** More items than any budget pays for: a list of this size is only ever measured. */
const manyItems = 4_000_000n;

function range(count: bigint, limited: boolean): Val {
  if (count < 0n && limited) return error(`lists.range: size must be non-negative, got ${count}`);
  if (count > longestRange && limited) {
    return error(`lists.range: size ${count} exceeds maximum allowed (${longestRange})`);
  }
  if (count > mostItems) throw endWith(error('internal error: runtime error: makeslice: cap out of range'));
  const items: Val[] = [];
  if (count > manyItems) return { ...list(items), items: { ...items, length: Number(count) } };
  for (let i = 0n; i < count; i++) items.push(i);
  return list(items);
}

/** cel-go's lists library. `limitsRange`: lists.range() takes no negative and no huge number (since cel-go 0.29). */
export function listImpls(limitsRange: boolean): readonly (readonly [string, Impl])[] {
  return [
    ['list_slice', ofList((a, b, c) => slice(a, b as bigint, c as bigint))],
    ['lists_range', (a) => range(a as bigint, limitsRange)],
    ['list_reverse', ofList((a) => list([...itemsOfList(a)].reverse()))],
    ['list_distinct', ofList(distinct)],
  ];
}

/** Called without a look at types before: it has a text of its own for what it cannot flatten. */
const flattenAny = (typeOf: (value: Val) => CelType): Impl => {
  const text = (value: Val) => runtimeText(typeOf(value));
  return (a, b) => {
    if (isKind(a, 'list') && (b === null || typeof b === 'bigint')) return flattened(a, b ?? 1n);
    return error(`no such overload: ${text(a)}.flatten(${b === null ? '' : text(b)})`);
  };
};

const isList = (value: Val) => isKind(value, 'list');

/** Functions on lists that take their arguments as they come; `typeOf` gives the types that texts show. */
export function listSingletons(typeOf: (value: Val) => CelType): readonly (readonly [string, Singleton])[] {
  return [
    ['flatten', { impl: flattenAny(typeOf) }],
    ['sort', { impl: (a) => sorted(a as List, a as List), trait: isList }],
    [
      '@sortByAssociatedKeys',
      { impl: (a, b) => (isKind(b, 'list') ? sorted(a as List, b) : noSuchOverload), trait: isList },
    ],
  ];
}
