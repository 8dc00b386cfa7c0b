import type { Estimator } from '../cost.ts';
import { fn, type Library, type Row } from '../overload.ts';
import { compare, concatenate, concatenateLists, searchList } from './estimates.ts';

type BinaryRow = readonly [id: string, left: string, right: string, result: string, estimate?: Estimator | undefined];

/** `_+_` of plain types: id, operand types, result. */
function binary(name: string, rows: readonly BinaryRow[]): Row[] {
  return rows.map(([id, left, right, result, estimate]) => ({
    id,
    signature: `${name}(${left}, ${right}): ${result}`,
    ...(estimate && { estimate }),
  }));
}

const comparable: readonly (readonly [suffix: string, left: string, right: string, estimate?: Estimator])[] = [
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
  ['string', 'string', 'string', compare],
  ['bytes', 'bytes', 'bytes', compare],
  ['timestamp', 'timestamp', 'timestamp'],
  ['duration', 'duration', 'duration'],
];

function comparison(name: string, id: string, doc: string) {
  return fn(
    name,
    doc,
    binary(
      name,
      comparable.map(([suffix, a, b, estimate]) => [`${id}_${suffix}`, a, b, 'bool', estimate] as const),
    ),
  );
}

/** The operators, under cel-go's names for them. */
export const operators: Library = [
  fn('_?_:_', 'The second operand if the condition holds, else the third; only that one is evaluated.', [
    { id: 'conditional', signature: '_?_:_(bool, A, A): A', example: '(true ? 1 : 2) == 1' },
  ]),
  fn('_&&_', 'Whether both hold. An error on one side does not matter if the other is false.', [
    { id: 'logical_and', signature: '_&&_(bool, bool): bool', example: '(true && false) == false' },
  ]),
  fn('_||_', 'Whether one of the two holds. An error on one side does not matter if the other is true.', [
    { id: 'logical_or', signature: '_||_(bool, bool): bool', example: 'true || false' },
  ]),
  fn('!_', 'The opposite of a condition.', [{ id: 'logical_not', signature: '!_(bool): bool', example: '!false' }]),
  fn('@not_strictly_false', 'Whether a value is anything but false; used by macros.', [
    { id: 'not_strictly_false', signature: '@not_strictly_false(bool): bool' },
  ]),
  fn('__not_strictly_false__', 'An older name of the same.', [
    { id: '__not_strictly_false__', signature: '__not_strictly_false__(bool): bool' },
  ]),
  fn('_==_', 'Whether two values are equal. Numbers are equal by value, whatever their types.', [
    { id: 'equals', signature: '_==_(A, A): bool', example: '[1, 2] == [1, 2]', estimate: compare },
  ]),
  fn('_!=_', 'Whether two values differ.', [
    { id: 'not_equals', signature: '_!=_(A, A): bool', example: '1 != 2', estimate: compare },
  ]),
  fn('_+_', 'The sum of numbers or times; strings, bytes and lists one behind the other.', [
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
      estimate: concatenateLists,
    },
    {
      id: 'add_string',
      signature: '_+_(string, string): string',
      example: '"a" + "b" == "ab"',
      estimate: concatenate,
    },
    { id: 'add_uint64', signature: '_+_(uint, uint): uint' },
  ]),
  fn('_/_', 'The quotient; of ints and uints without its fraction.', [
    ...binary('_/_', [
      ['divide_double', 'double', 'double', 'double'],
      ['divide_int64', 'int', 'int', 'int'],
      ['divide_uint64', 'uint', 'uint', 'uint'],
    ]),
  ]),
  fn('_%_', 'The remainder of a division.', [
    ...binary('_%_', [
      ['modulo_int64', 'int', 'int', 'int'],
      ['modulo_uint64', 'uint', 'uint', 'uint'],
    ]),
  ]),
  fn('_*_', 'The product.', [
    ...binary('_*_', [
      ['multiply_double', 'double', 'double', 'double'],
      ['multiply_int64', 'int', 'int', 'int'],
      ['multiply_uint64', 'uint', 'uint', 'uint'],
    ]),
  ]),
  fn('-_', 'The negative of a number.', [
    { id: 'negate_double', signature: '-_(double): double' },
    { id: 'negate_int64', signature: '-_(int): int' },
  ]),
  fn('_-_', 'The difference of numbers or times.', [
    ...binary('_-_', [
      ['subtract_double', 'double', 'double', 'double'],
      ['subtract_duration_duration', 'duration', 'duration', 'duration'],
      ['subtract_int64', 'int', 'int', 'int'],
      ['subtract_timestamp_duration', 'timestamp', 'duration', 'timestamp'],
      ['subtract_timestamp_timestamp', 'timestamp', 'timestamp', 'duration'],
      ['subtract_uint64', 'uint', 'uint', 'uint'],
    ]),
  ]),
  comparison('_<_', 'less', 'Whether the left side is smaller, or earlier in the order of strings, bytes or times.'),
  comparison('_<=_', 'less_equals', 'Whether the left side is not greater than the right one.'),
  comparison('_>_', 'greater', 'Whether the left side is greater than the right one.'),
  comparison('_>=_', 'greater_equals', 'Whether the left side is not smaller than the right one.'),
  fn('_[_]', 'The item of a list at a place counted from 0, or the value of a map under a key.', [
    { id: 'index_list', signature: '_[_](list(A), int): A', example: '[1, 2][0] == 1' },
    { id: 'index_map', signature: '_[_](map(A, B), A): B', example: '{"a": 1}["a"] == 1' },
  ]),
  ...['@in', '_in_', 'in'].map((name) =>
    fn(name, 'Whether a list has an item, or a map a key.', [
      { id: 'in_list', signature: `${name}(A, list(A)): bool`, example: '1 in [1, 2]', estimate: searchList },
      { id: 'in_map', signature: `${name}(A, map(A, B)): bool`, example: '"a" in {"a": 1}' },
    ]),
  ),
];
