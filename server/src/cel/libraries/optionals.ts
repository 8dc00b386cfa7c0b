import type { Impl } from '../eval/implementation.ts';
import { sizeOf } from '../eval/size.ts';
import {
  error,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  list,
  none,
  noSuchOverload,
  optional,
  sizeOfList,
  type Val,
} from '../eval/values.ts';
import { spend } from '../eval/work.ts';
import { fn, type Library } from '../overload.ts';

const dereferenced = error('optional.none() dereference');

/** Whether a value is the zero of its type: what ofNonZeroValue takes for absent. */
function isZero(value: Val): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (typeof value !== 'object') return false;
  if (value.kind === 'uint') return value.value === 0n;
  if (value.kind === 'duration') return value.nanos === 0n;
  if (value.kind === 'timestamp') return value.seconds === -62135596800n && value.nanos === 0;
  if (value.kind === 'list' && value.habits) return false;
  if (value.kind === 'map' && value.raw !== undefined) return false;
  if (value.kind === 'list' || value.kind === 'map' || value.kind === 'bytes') return sizeOf(value) === 0;
  return false;
}

function unwrapped(values: Val): Val {
  if (!isKind(values, 'list')) return noSuchOverload;
  const found: Val[] = [];
  spend(sizeOfList(values));
  for (const [i, value] of itemsOfList(values).entries()) {
    if (!isKind(value, 'optional')) return error(`value not an optional at index ${i}`);
    if (value.value !== undefined) found.push(value.value);
  }
  return list(found);
}

function end(at: (values: List) => number): Impl {
  return (a) => {
    if (!isKind(a, 'list')) return noSuchOverload;
    return sizeOfList(a) === 0 ? none : optional(itemAt(a, at(a)));
  };
}

/** An optional can hold null. */
function valueOf(a: Val): Val {
  if (!isKind(a, 'optional')) return noSuchOverload;
  return a.value === undefined ? dereferenced : a.value;
}

/** Optional values; the newer functions came with cel-go 0.22. What looks into them is known to the planner. */
export const optionals: Library = [
  fn('optional.of', 'An optional with this value.', [
    {
      id: 'optional_of',
      signature: 'optional.of(V): optional(V)',
      example: 'optional.of(1).hasValue()',
      impl: (a) => optional(a),
    },
  ]),
  fn('optional.ofNonZeroValue', 'An optional with this value, or none if it is zero, empty or null.', [
    {
      id: 'optional_ofNonZeroValue',
      signature: 'optional.ofNonZeroValue(V): optional(V)',
      example: '!optional.ofNonZeroValue("").hasValue()',
      impl: (a) => (isZero(a) ? none : optional(a)),
    },
  ]),
  fn('optional.none', 'The optional without a value.', [
    {
      id: 'optional_none',
      signature: 'optional.none(): optional(V)',
      example: '!optional.none().hasValue()',
      impl: () => none,
    },
  ]),
  fn('value', 'The value of an optional; evaluation fails if it has none.', [
    {
      id: 'optional_value',
      signature: 'optional(V).value(): V',
      example: 'optional.of(1).value() == 1',
      impl: valueOf,
    },
  ]),
  fn('hasValue', 'Whether an optional has a value.', [
    {
      id: 'optional_hasValue',
      signature: 'optional(V).hasValue(): bool',
      example: 'optional.of(1).hasValue()',
      impl: (a) => (isKind(a, 'optional') ? a.value !== undefined : noSuchOverload),
    },
  ]),
  fn(
    'or',
    'This optional if it has a value, otherwise the other one.',
    [
      {
        id: 'optional_or_optional',
        signature: 'optional(V).or(optional(V)): optional(V)',
        example: 'optional.none().or(optional.of(1)).value() == 1',
      },
    ],
    { does: 'planned' },
  ),
  fn(
    'orValue',
    'The value of an optional, or the argument if it has none.',
    [
      {
        id: 'optional_orValue_value',
        signature: 'optional(V).orValue(V): V',
        example: 'optional.none().orValue(1) == 1',
      },
    ],
    { does: 'planned' },
  ),
  fn(
    '_?._',
    'An optional with the value of a field, or none if it is not set.',
    [{ id: 'select_optional_field', signature: '_?._(dyn, string): optional(V)', example: '{"a": 1}.?a.value() == 1' }],
    { does: 'planned' },
  ),
  fn(
    '_[?_]',
    'An optional with an item of a list or a value of a map, or none if it does not exist.',
    [
      {
        id: 'list_optindex_optional_int',
        signature: '_[?_](list(V), int): optional(V)',
        example: '[1][?0].value() == 1',
      },
      { id: 'optional_list_optindex_optional_int', signature: '_[?_](optional(list(V)), int): optional(V)' },
      {
        id: 'map_optindex_optional_value',
        signature: '_[?_](map(K, V), K): optional(V)',
        example: '!{"a": 1}[?"b"].hasValue()',
      },
      { id: 'optional_map_optindex_optional_value', signature: '_[?_](optional(map(K, V)), K): optional(V)' },
    ],
    { does: 'planned' },
  ),
  fn(
    '_[_]',
    'An item or value of the list or map in an optional, as an optional.',
    [
      { id: 'optional_list_index_int', signature: '_[_](optional(list(V)), int): optional(V)' },
      { id: 'optional_map_index_value', signature: '_[_](optional(map(K, V)), K): optional(V)' },
    ],
    { does: 'planned' },
  ),
];

export const newerOptionals: Library = [
  fn('last', 'The last item of a list, or none if it is empty.', [
    {
      id: 'list_last',
      signature: 'list(V).last(): optional(V)',
      example: '[1, 2].last().value() == 2',
      impl: end((values) => sizeOfList(values) - 1),
    },
  ]),
  fn('first', 'The first item of a list, or none if it is empty.', [
    {
      id: 'list_first',
      signature: 'list(V).first(): optional(V)',
      example: '[1, 2].first().value() == 1',
      impl: end(() => 0),
    },
  ]),
  fn('optional.unwrap', 'The values of the optionals in a list, leaving out those without one.', [
    {
      id: 'optional_unwrap',
      signature: 'optional.unwrap(list(optional(V))): list(V)',
      example: 'optional.unwrap([optional.of(1)]) == [1]',
      impl: unwrapped,
    },
  ]),
  fn('unwrapOpt', 'The values of the optionals in a list, leaving out those without one.', [
    {
      id: 'optional_unwrapOpt',
      signature: 'list(optional(V)).unwrapOpt(): list(V)',
      example: '[optional.of(1)].unwrapOpt() == [1]',
      impl: unwrapped,
    },
  ]),
];
