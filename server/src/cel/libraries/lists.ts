import { maxU64, subtractU64, toU64, type U64 } from '../../base/u64.ts';
import { type CallEstimate, type CostCall, type CostNode, nodeSize } from '../estimate.ts';
import { compare, equal, isComparable } from '../eval/equal.ts';
import { goType } from '../eval/goType.ts';
import type { CallCost, Impl } from '../eval/implementation.ts';
import { actualSize } from '../eval/size.ts';
import {
  endWith,
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
} from '../eval/values.ts';
import { type ValueTypes, valueTypeOf } from '../eval/valueTypes.ts';
import { spend } from '../eval/work.ts';
import { fn, type Library, type Price, type Row } from '../overload.ts';
import { newListCost } from '../prices.ts';
import { add, exactly, multiply, type Range, scale } from '../range.ts';
import { runtimeText } from '../types.ts';

/** What releases of cel-go do differently with lists. */
export interface ListOptions {
  /** lists.range() takes no negative and no huge number (since 0.29). */
  readonly limitsRange: boolean;
  /** flatten() with a depth below zero costs less than nothing, which wraps (up to 0.28). */
  readonly wrapsNegativeDepth: boolean;
  readonly valueTypes: ValueTypes;
}

// Prices: a call, a new list, and work per item

function buildingEstimate(size: Range, factor = 1): CallEstimate {
  return { cost: add(scale(size, factor), exactly(1 + newListCost)), size };
}

function buildingCost(size: number, factor = 1): number | bigint {
  const items = Math.trunc(size * factor);
  if (Math.abs(items) <= Number.MAX_SAFE_INTEGER) return items + 1 + newListCost;
  // What Go makes of a float that is too large for an integer.
  return (items < 2 ** 64 && items > -(2 ** 63) ? BigInt(items) : 2n ** 63n) + BigInt(1 + newListCost);
}

/** An int that stands in the text, negative ones as 0; otherwise the default. */
function writtenInt({ written }: CostNode, otherwise: U64): U64 {
  if (written === undefined) return otherwise;
  return written < 0n ? 0 : toU64(written);
}

const copying: Price = {
  estimate: ({ target, model }) => buildingEstimate(nodeSize(target!, model)),
  cost: (_a, _b, result) => buildingCost(actualSize(result)),
};

const slicing: Price = {
  estimate: ({ target, args, model }) => {
    const size = nodeSize(target!, model);
    return buildingEstimate(exactly(subtractU64(writtenInt(args[1]!, size.max), writtenInt(args[0]!, 0))));
  },
  cost: copying.cost,
};

const counting: Price = {
  estimate: ({ args }) => buildingEstimate(exactly(writtenInt(args[0]!, maxU64))),
  cost: copying.cost,
};

const flattening: Price = {
  estimate: ({ target, model }) => buildingEstimate(nodeSize(target!, model)),
  cost: (a) => buildingCost(actualSize(a)),
  paidFirst: true,
};

const flatteningDeep = ({ wrapsNegativeDepth }: ListOptions): Price => ({
  estimate: ({ target, args, model }) =>
    buildingEstimate(nodeSize(target!, model), Number(writtenInt(args[0]!, maxU64))),
  cost: (a, b) => {
    if (typeof b !== 'bigint') {
      throw endWith(error(`internal error: interface conversion: ref.Val is ${goType(b)}, not types.Int`));
    }
    return buildingCost(actualSize(a), b < 0n && !wrapsNegativeDepth ? 1 : Number(b));
  },
  paidFirst: true,
});

/** Each item held against each other one; texts are dearer. */
function comparing(of: (call: CostCall) => CostNode, by: (a: Val, b: Val) => Val, written: number): Price {
  const cost: CallCost = (a, b) => {
    const values = asList(by(a, b));
    const size = sizeOfList(values);
    if (size === 0) return buildingCost(0);
    return buildingCost(size * size, pairFactor(typeName(itemAt(values, 0))));
  };
  const estimate = (call: CostCall) => {
    const size = nodeSize(of(call), call.model);
    return buildingEstimate(multiply(size, size), written);
  };
  return { estimate, cost, paidFirst: true };
}

const pairFactor = (type: string) => (type === 'string' || type === 'bytes' ? 2.1 : 2);

const sorting = (type: string) =>
  comparing(
    (call) => call.target!,
    (a) => a,
    pairFactor(type),
  );
const sortingBy = (type: string) =>
  comparing(
    (call) => call.args[0]!,
    (_a, b) => b,
    pairFactor(type),
  );

/** distinct() is estimated as if no item were a text. */
const comparingItems = sorting('int');

const adds = new Set([
  'types.Int',
  'types.Uint',
  'types.Double',
  'types.String',
  'types.Bytes',
  'types.Duration',
  'types.Timestamp',
]);

/** cel-go takes the argument for a list, and panics where it is none. */
function asList(value: Val): List {
  if (isKind(value, 'list')) return value;
  const type = goType(value);
  const missing = adds.has(type) ? 'Contains' : 'Add';
  throw endWith(error(`internal error: interface conversion: ${type} is not traits.Lister: missing method ${missing}`));
}

// What they do

function ofList(apply: (values: List, b: Val, c: Val) => Val): Impl {
  return (a, b, c) => (isKind(a, 'list') ? apply(a, b, c) : noSuchOverload);
}

function sliced(values: List, start: bigint, end: bigint): Val {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return error(`${call}, negative indexes not supported`);
  if (start > end) return error(`${call}, start index must be less than or equal to end index`);
  const size = sizeOfList(values);
  if (BigInt(size) < end) return error(`${call}, list is length ${size}`);
  const items: Val[] = [];
  for (let i = Number(start); i < Number(end); i++) items.push(itemAt(values, i));
  return list(items);
}

/** Counts what flattening gives, before anything of it is made. */
function spendFlattened(values: List, depth: bigint): void {
  spend(sizeOfList(values));
  if (depth === 0n) return;
  for (const item of itemsOfList(values)) if (isKind(item, 'list')) spendFlattened(item, depth - 1n);
}

function flattenInto(values: List, depth: bigint, into: Val[]): Val[] {
  for (const item of itemsOfList(values)) {
    if (isKind(item, 'list') && depth > 0n) flattenInto(item, depth - 1n, into);
    else into.push(item);
  }
  return into;
}

function flattened(values: List, depth: bigint): Val {
  if (depth < 0n) return error('level must be non-negative');
  spendFlattened(values, depth);
  return list(flattenInto(values, depth, []));
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

function distinctItems(values: List): Val {
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
const manyItems = longestRange;

function rangeTo(count: bigint, limited: boolean): Val {
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

/** Called without a look at types before: it has a text of its own for what it cannot flatten. */
const flattenAny = (types: ValueTypes): Impl => {
  const typeOf = valueTypeOf(types);
  const text = (value: Val) => runtimeText(typeOf(value));
  return (a, b) => {
    if (isKind(a, 'list') && (b === null || typeof b === 'bigint')) return flattened(a, b ?? 1n);
    return error(`no such overload: ${text(a)}.flatten(${b === null ? '' : text(b)})`);
  };
};

const isList = (value: Val) => isKind(value, 'list');

const comparable: readonly (readonly [type: string, name: string])[] = [
  ['int', 'int'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['string', 'string'],
  ['bytes', 'bytes'],
];

const sortRows: Row[] = comparable.map(([type, name]) => ({
  id: `list_${name}_sort`,
  signature: `list(${type}).sort(): list(${type})`,
  example: type === 'int' ? '[2, 1].sort() == [1, 2]' : '',
  price: sorting(type),
}));

const sortByRows: Row[] = comparable.map(([type, name]) => ({
  id: `list_${name}_sortByAssociatedKeys`,
  signature: `list(T).@sortByAssociatedKeys(list(${type})): list(T)`,
  price: sortingBy(type),
}));

/** cel-go's lists library, version 3. */
export const lists = (options: ListOptions): Library => [
  fn('slice', 'The items of a list from one index up to, but not including, another. Indices start at 0.', [
    {
      id: 'list_slice',
      signature: 'list(T).slice(int, int): list(T)',
      example: '[1, 2, 3].slice(1, 3) == [2, 3]',
      price: slicing,
      impl: ofList((a, b, c) => sliced(a, b as bigint, c as bigint)),
    },
  ]),
  fn(
    'flatten',
    'A list of lists as one flat list; the argument says how many levels to flatten.',
    [
      {
        id: 'list_flatten',
        signature: 'list(list(T)).flatten(): list(T)',
        example: '[[1], [2]].flatten() == [1, 2]',
        price: flattening,
      },
      {
        id: 'list_flatten_int',
        signature: 'list(dyn).flatten(int): list(dyn)',
        example: '[[1], [2]].flatten(1) == [1, 2]',
        price: flatteningDeep(options),
      },
    ],
    { does: { impl: flattenAny(options.valueTypes) } },
  ),
  fn('sort', 'The list in ascending order.', sortRows, {
    does: { impl: (a) => sorted(a as List, a as List), trait: isList },
  }),
  fn('@sortByAssociatedKeys', 'The list sorted by keys; used by sortBy().', sortByRows, {
    does: { impl: (a, b) => (isKind(b, 'list') ? sorted(a as List, b) : noSuchOverload), trait: isList },
  }),
  fn('lists.range', 'The ints from 0 up to, but not including, the argument.', [
    {
      id: 'lists_range',
      signature: 'lists.range(int): list(int)',
      example: 'lists.range(3) == [0, 1, 2]',
      price: counting,
      impl: (a) => rangeTo(a as bigint, options.limitsRange),
    },
  ]),
  fn('reverse', 'The list in reverse order.', [
    {
      id: 'list_reverse',
      signature: 'list(T).reverse(): list(T)',
      example: '[1, 2].reverse() == [2, 1]',
      price: copying,
      impl: ofList((a) => list([...itemsOfList(a)].reverse())),
    },
  ]),
  fn('distinct', 'The list without duplicates.', [
    {
      id: 'list_distinct',
      signature: 'list(T).distinct(): list(T)',
      example: '[1, 1, 2].distinct() == [1, 2]',
      price: comparingItems,
      impl: ofList(distinctItems),
    },
  ]),
];
