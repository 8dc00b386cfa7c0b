import { minU64 } from '../../base/u64.ts';
import { type CostCall, type Estimator, knownSize } from '../estimate.ts';
import { add, divide, modulo, multiply, negate, subtract } from '../eval/arithmetic.ts';
import { smallerWalk } from '../eval/costs.ts';
import { compare, equal, isComparable } from '../eval/equal.ts';
import type { CallCost, Impl, IntOperator, Singleton } from '../eval/implementation.ts';
import { actualSize } from '../eval/size.ts';
import { addInPart, hasInPart, orderInPart } from '../eval/unknown.ts';
import { isKind, itemAt, noSuchOverload, orNoSuchOverload, sizeOfList, type Val } from '../eval/values.ts';
import { fn, type Library, type Price, type Row } from '../overload.ts';
import { stringFactor } from '../prices.ts';
import { oneUnit, add as plus, type Range, scale } from '../range.ts';
import { traverse } from './walks.ts';

export interface OperatorOptions {
  /** Comparing Kubernetes' own types has a cost of its own. */
  readonly pricesEquality: boolean;
}

function kinds(...names: readonly string[]): (value: Val) => boolean {
  const known = new Set(names);
  const [texts, ints, doubles, booleans] = ['string', 'bigint', 'number', 'boolean'].map((name) => known.has(name));
  return (value) => {
    switch (typeof value) {
      case 'string':
        return texts!;
      case 'bigint':
        return ints!;
      case 'number':
        return doubles!;
      case 'boolean':
        return booleans!;
      default:
        return value !== null && known.has(value.kind);
    }
  };
}

type BinaryRow = readonly [id: string, left: string, right: string, result: string, price?: Price | undefined];

/** `_+_` of plain types: id, operand types, result. */
function binary(name: string, rows: readonly BinaryRow[]): Row[] {
  return rows.map(([id, left, right, result, price]) => ({
    id,
    signature: `${name}(${left}, ${right}): ${result}`,
    price,
  }));
}

// Adding

function bothSizes({ args, model }: CostCall): Range {
  return plus(knownSize(args[0]!, model), knownSize(args[1]!, model));
}

const concatenate: Price = {
  estimate: (call) => {
    const size = bothSizes(call);
    return { cost: traverse(size), size, keepsItems: true };
  },
  cost: (a, b) => Math.ceil((actualSize(a) + actualSize(b)) * stringFactor),
  paidFirst: true,
};

const concatenateLists: Price = {
  estimate: (call) => ({ cost: oneUnit, size: bothSizes(call), keepsItems: true }),
  cost: 1,
};

// Comparing

/** As long as the shorter side, and equality of anything with a size at least 1. */
const shorterSide: Estimator = ({ args, model }) => {
  const shorter = minU64(knownSize(args[0]!, model).max, knownSize(args[1]!, model).max);
  return { cost: traverse({ min: shorter > 0 ? 1 : 0, max: shorter }) };
};

const comparing: Price = { estimate: shorterSide, cost: smallerWalk };

/** Kubernetes' own types compare for 1. */
const orOpaque: CallCost = (a, b, result, c) => (isKind(a, 'opaque') ? 1 : smallerWalk(a, b, result, c));

const equating = ({ pricesEquality }: OperatorOptions): Price => ({
  estimate: (call) => call.model.equality(call.args[0]!, call.args[1]!) ?? shorterSide(call),
  cost: pricesEquality ? orOpaque : smallerWalk,
});

const comparable: readonly (readonly [suffix: string, left: string, right: string, price?: Price])[] = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string', comparing],
  ['bytes', 'bytes', 'bytes', comparing],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
];

function comparison(ints: IntOperator, holds: (order: number) => boolean, id: string, doc: string) {
  const name = `_${ints}_`;
  const rows = comparable.map(([suffix, a, b, price]) => [`${id}_${suffix}`, a, b, 'bool', price] as const);
  const impl: Impl = (a, b) => {
    const order = compare(a, b);
    return typeof order === 'number' ? holds(order) : order;
  };
  return fn(name, doc, binary(name, rows), {
    does: { impl, ints, trait: isComparable },
    partly: orderInPart(ints, holds),
  });
}

// Looking for items

/** What `in` and the sets library look for items with. */
export const contains: Impl = (item, container) => {
  if (isKind(container, 'map')) {
    if (container.isLazy) return noSuchOverload;
    if (container.holds) return container.holds(item);
    const found = container.find(item);
    return isKind(found ?? null, 'error') ? found! : found !== undefined;
  }
  if (!isKind(container, 'list')) return orNoSuchOverload(container);
  if (container.habits) return container.habits.contains(container, item);
  const size = sizeOfList(container);
  for (let i = 0; i < size; i++) if (equal(item, itemAt(container, i)) === true) return true;
  return false;
};

const searchList: Price = {
  estimate: ({ args, model }) => ({ cost: scale(knownSize(args[1]!, model), 1) }),
  cost: (_a, b) => actualSize(b),
  paidFirst: true,
};

const not: Singleton = { impl: (a) => (typeof a === 'boolean' ? !a : noSuchOverload) };

/** The operators, under cel-go's names for them. */
export const operators = (options: OperatorOptions): Library => [
  fn(
    '_?_:_',
    'The second operand if the condition is true, otherwise the third; only that one is evaluated.',
    [{ id: 'conditional', signature: '_?_:_(bool, A, A): A', example: '(true ? 1 : 2) == 1' }],
    { does: 'planned' },
  ),
  fn(
    '_&&_',
    'Whether both are true. An error on one side does not matter if the other is false.',
    [{ id: 'logical_and', signature: '_&&_(bool, bool): bool', example: '(true && false) == false' }],
    { does: 'planned' },
  ),
  fn(
    '_||_',
    'Whether at least one is true. An error on one side does not matter if the other is true.',
    [{ id: 'logical_or', signature: '_||_(bool, bool): bool', example: 'true || false' }],
    { does: 'planned' },
  ),
  fn('!_', 'The opposite of a condition.', [{ id: 'logical_not', signature: '!_(bool): bool', example: '!false' }], {
    does: not,
  }),
  fn(
    '@not_strictly_false',
    'Whether a value is anything but false; used by macros.',
    [{ id: 'not_strictly_false', signature: '@not_strictly_false(bool): bool' }],
    { does: 'planned' },
  ),
  fn(
    '__not_strictly_false__',
    'An older name for the same function.',
    [{ id: '__not_strictly_false__', signature: '__not_strictly_false__(bool): bool' }],
    { does: 'planned' },
  ),
  fn(
    '_==_',
    'Whether two values are equal. Numbers are compared by value, whatever their types.',
    [{ id: 'equals', signature: '_==_(A, A): bool', example: '[1, 2] == [1, 2]' }],
    { does: 'planned', price: equating(options) },
  ),
  fn('_!=_', 'Whether two values differ.', [{ id: 'not_equals', signature: '_!=_(A, A): bool', example: '1 != 2' }], {
    does: 'planned',
    price: comparing,
  }),
  fn(
    '_+_',
    'The sum of numbers or times, or two strings, bytes or lists joined together.',
    [
      ...binary('_+_', [
        ['add_bytes', 'bytes', 'bytes', 'bytes', concatenate],
        ['add_double', 'double', 'double', 'double'],
        ['add_duration_duration', 'duration', 'duration', 'duration'],
        ['add_duration_timestamp', 'duration', 'timestamp', 'timestamp'],
        ['add_timestamp_duration', 'timestamp', 'duration', 'timestamp'],
        ['add_int64', 'int', 'int', 'int'],
      ]),
      {
        id: 'add_list',
        signature: '_+_(list(A), list(A)): list(A)',
        example: '[1] + [2] == [1, 2]',
        price: concatenateLists,
      },
      {
        id: 'add_string',
        signature: '_+_(string, string): string',
        example: '"a" + "b" == "ab"',
        price: concatenate,
      },
      { id: 'add_uint64', signature: '_+_(uint, uint): uint' },
    ],
    {
      does: {
        impl: add,
        trait: kinds('bigint', 'number', 'string', 'uint', 'bytes', 'duration', 'timestamp', 'list'),
      },
      partly: addInPart,
    },
  ),
  fn(
    '_/_',
    'The quotient; for ints and uints, without its fraction.',
    binary('_/_', [
      ['divide_double', 'double', 'double', 'double'],
      ['divide_int64', 'int', 'int', 'int'],
      ['divide_uint64', 'uint', 'uint', 'uint'],
    ]),
    { does: { impl: divide, trait: kinds('bigint', 'number', 'uint') } },
  ),
  fn(
    '_%_',
    'The remainder of a division.',
    binary('_%_', [
      ['modulo_int64', 'int', 'int', 'int'],
      ['modulo_uint64', 'uint', 'uint', 'uint'],
    ]),
    { does: { impl: modulo, trait: kinds('bigint', 'uint') } },
  ),
  fn(
    '_*_',
    'The product.',
    binary('_*_', [
      ['multiply_double', 'double', 'double', 'double'],
      ['multiply_int64', 'int', 'int', 'int'],
      ['multiply_uint64', 'uint', 'uint', 'uint'],
    ]),
    { does: { impl: multiply, trait: kinds('bigint', 'number', 'uint') } },
  ),
  fn(
    '-_',
    'The negative of a number.',
    [
      { id: 'negate_double', signature: '-_(double): double' },
      { id: 'negate_int64', signature: '-_(int): int' },
    ],
    { does: { impl: negate, trait: kinds('bigint', 'number', 'duration', 'boolean') } },
  ),
  fn(
    '_-_',
    'The difference of numbers or times.',
    binary('_-_', [
      ['subtract_double', 'double', 'double', 'double'],
      ['subtract_duration_duration', 'duration', 'duration', 'duration'],
      ['subtract_int64', 'int', 'int', 'int'],
      ['subtract_timestamp_duration', 'timestamp', 'duration', 'timestamp'],
      ['subtract_timestamp_timestamp', 'timestamp', 'timestamp', 'duration'],
      ['subtract_uint64', 'uint', 'uint', 'uint'],
    ]),
    { does: { impl: subtract, trait: kinds('bigint', 'number', 'uint', 'duration', 'timestamp') } },
  ),
  comparison(
    '<',
    (order) => order < 0,
    'less',
    'Whether the left side is less than the right one; strings, bytes and times are compared in their own order.',
  ),
  comparison(
    '<=',
    (order) => order <= 0,
    'less_equals',
    'Whether the left side is less than or equal to the right one.',
  ),
  comparison('>', (order) => order > 0, 'greater', 'Whether the left side is greater than the right one.'),
  comparison(
    '>=',
    (order) => order >= 0,
    'greater_equals',
    'Whether the left side is greater than or equal to the right one.',
  ),
  fn(
    '_[_]',
    'The item of a list at an index, starting at 0, or the value of a map for a key.',
    [
      { id: 'index_list', signature: '_[_](list(A), int): A', example: '[1, 2][0] == 1' },
      { id: 'index_map', signature: '_[_](map(A, B), A): B', example: '{"a": 1}["a"] == 1' },
    ],
    { does: 'planned' },
  ),
  ...['@in', '_in_', 'in'].map((name) =>
    fn(
      name,
      'Whether a list contains an item, or a map contains a key.',
      [
        { id: 'in_list', signature: `${name}(A, list(A)): bool`, example: '1 in [1, 2]', price: searchList },
        { id: 'in_map', signature: `${name}(A, map(A, B)): bool`, example: '"a" in {"a": 1}' },
      ],
      { does: { impl: contains }, partly: hasInPart },
    ),
  ),
];
