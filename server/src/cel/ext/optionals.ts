import { fn, type Library } from '../overload.ts';

/** Optional values; the newer functions came with cel-go 0.22. */
export const optionals: Library = [
  fn('optional.of', 'An optional that has this value.', [
    { id: 'optional_of', signature: 'optional.of(V): optional(V)', example: 'optional.of(1).hasValue()' },
  ]),
  fn('optional.ofNonZeroValue', 'An optional with this value, or none if it is zero, empty or null.', [
    {
      id: 'optional_ofNonZeroValue',
      signature: 'optional.ofNonZeroValue(V): optional(V)',
      example: '!optional.ofNonZeroValue("").hasValue()',
    },
  ]),
  fn('optional.none', 'The optional without a value.', [
    { id: 'optional_none', signature: 'optional.none(): optional(V)', example: '!optional.none().hasValue()' },
  ]),
  fn('value', 'The value of an optional; without one evaluation fails.', [
    { id: 'optional_value', signature: 'optional(V).value(): V', example: 'optional.of(1).value() == 1' },
  ]),
  fn('hasValue', 'Whether an optional has a value.', [
    { id: 'optional_hasValue', signature: 'optional(V).hasValue(): bool', example: 'optional.of(1).hasValue()' },
  ]),
  fn('or', 'This optional if it has a value, else the other one.', [
    {
      id: 'optional_or_optional',
      signature: 'optional(V).or(optional(V)): optional(V)',
      example: 'optional.none().or(optional.of(1)).value() == 1',
    },
  ]),
  fn('orValue', 'The value of an optional, or the argument where there is none.', [
    {
      id: 'optional_orValue_value',
      signature: 'optional(V).orValue(V): V',
      example: 'optional.none().orValue(1) == 1',
    },
  ]),
  fn('_?._', 'An optional with a field, or none where it is not set.', [
    { id: 'select_optional_field', signature: '_?._(dyn, string): optional(V)', example: '{"a": 1}.?a.value() == 1' },
  ]),
  fn('_[?_]', 'An optional with an item or value, or none where there is none.', [
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
  ]),
  fn('_[_]', 'An item or value of what an optional holds, as an optional.', [
    { id: 'optional_list_index_int', signature: '_[_](optional(list(V)), int): optional(V)' },
    { id: 'optional_map_index_value', signature: '_[_](optional(map(K, V)), K): optional(V)' },
  ]),
];

export const newerOptionals: Library = [
  fn('last', 'The last item of a list, or none if it is empty.', [
    { id: 'list_last', signature: 'list(V).last(): optional(V)', example: '[1, 2].last().value() == 2' },
  ]),
  fn('first', 'The first item of a list, or none if it is empty.', [
    { id: 'list_first', signature: 'list(V).first(): optional(V)', example: '[1, 2].first().value() == 1' },
  ]),
  fn('optional.unwrap', 'The values of those optionals of a list that have one.', [
    {
      id: 'optional_unwrap',
      signature: 'optional.unwrap(list(optional(V))): list(V)',
      example: 'optional.unwrap([optional.of(1)]) == [1]',
    },
  ]),
  fn('unwrapOpt', 'The values of those optionals of a list that have one.', [
    {
      id: 'optional_unwrapOpt',
      signature: 'list(optional(V)).unwrapOpt(): list(V)',
      example: '[optional.of(1)].unwrapOpt() == [1]',
    },
  ]),
];
