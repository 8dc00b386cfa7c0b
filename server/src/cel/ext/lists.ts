import { maxU64, subtractU64, toU64, type U64 } from '../../base/u64.ts';
import { type CallEstimate, type CostNode, type Estimator, nodeSize } from '../cost.ts';
import { fn, type Library, type Row } from '../overload.ts';
import { add, exactly, multiply, type Range, scale } from '../range.ts';

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

/** A call, a new list, and work per item. */
function building(size: Range, factor: number): CallEstimate {
  return { cost: add(scale(size, factor), exactly(11)), size };
}

/** An int that stands in the text, negative ones as 0; otherwise the default. */
function writtenInt(node: CostNode, otherwise: U64): U64 {
  if (node.expr?.kind !== 'literal' || node.expr.literal.of !== 'int') return otherwise;
  const { value } = node.expr.literal;
  return value < 0n ? 0 : toU64(value);
}

const slice: Estimator = ({ target, args, model }) => {
  const size = nodeSize(target!, model);
  const length = subtractU64(writtenInt(args[1]!, size.max), writtenInt(args[0]!, 0));
  return building(exactly(length), 1);
};

const flatten: Estimator = ({ target, args, model }) => {
  const depth = args.length === 1 ? writtenInt(args[0]!, maxU64) : 1;
  return building(nodeSize(target!, model), Number(depth));
};

const distinct: Estimator = ({ target, model }) => {
  const size = nodeSize(target!, model);
  return building(multiply(size, size), 2);
};

function sorting(type: string, by: (call: Parameters<Estimator>[0]) => CostNode): Estimator {
  const factor = type === 'string' || type === 'bytes' ? 2.1 : 2;
  return (call) => {
    const size = nodeSize(by(call), call.model);
    return building(multiply(size, size), factor);
  };
}

const sortRows: Row[] = comparable.map(([type, name]) => ({
  id: `list_${name}_sort`,
  signature: `list(${type}).sort(): list(${type})`,
  example: type === 'int' ? '[2, 1].sort() == [1, 2]' : '',
  estimate: sorting(type, (call) => call.target!),
}));

const sortByRows: Row[] = comparable.map(([type, name]) => ({
  id: `list_${name}_sortByAssociatedKeys`,
  signature: `list(T).@sortByAssociatedKeys(list(${type})): list(T)`,
  estimate: sorting(type, (call) => call.args[0]!),
}));

/** cel-go's lists library, version 3. */
export const lists: Library = [
  fn('slice', 'The items of a list from one place up to another, counted from 0; the second is not included.', [
    {
      id: 'list_slice',
      signature: 'list(T).slice(int, int): list(T)',
      example: '[1, 2, 3].slice(1, 3) == [2, 3]',
      estimate: slice,
    },
  ]),
  fn('flatten', 'The items of lists inside a list in one list; with an argument so many levels deep.', [
    {
      id: 'list_flatten',
      signature: 'list(list(T)).flatten(): list(T)',
      example: '[[1], [2]].flatten() == [1, 2]',
      estimate: flatten,
    },
    {
      id: 'list_flatten_int',
      signature: 'list(dyn).flatten(int): list(dyn)',
      example: '[[1], [2]].flatten(1) == [1, 2]',
      estimate: flatten,
    },
  ]),
  fn('sort', 'The list in ascending order.', sortRows),
  fn('@sortByAssociatedKeys', 'The list in the order of keys; used by sortBy().', sortByRows),
  fn('lists.range', 'The ints from 0 up to, but not including, the argument.', [
    {
      id: 'lists_range',
      signature: 'lists.range(int): list(int)',
      example: 'lists.range(3) == [0, 1, 2]',
      estimate: ({ args }) => building(exactly(writtenInt(args[0]!, maxU64)), 1),
    },
  ]),
  fn('reverse', 'The list from its end to its start.', [
    {
      id: 'list_reverse',
      signature: 'list(T).reverse(): list(T)',
      example: '[1, 2].reverse() == [2, 1]',
      estimate: ({ target, model }) => building(nodeSize(target!, model), 1),
    },
  ]),
  fn('distinct', 'The list without repeated items.', [
    {
      id: 'list_distinct',
      signature: 'list(T).distinct(): list(T)',
      example: '[1, 1, 2].distinct() == [1, 2]',
      estimate: distinct,
    },
  ]),
];
