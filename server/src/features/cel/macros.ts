/** A macro as completion offers it. */
export interface MacroDoc {
  readonly name: string;
  /** What stands before its name, as in `cel.bind`. */
  readonly namespace?: string;
  readonly on: 'global' | 'collection' | 'optional';
  /** The number of its arguments. */
  readonly args: number;
  readonly snippet: string;
  readonly doc: string;
}

export const macros: readonly MacroDoc[] = [
  {
    name: 'has',
    on: 'global',
    args: 1,
    snippet: 'has(${1:self.field})',
    doc: 'Whether a field is set. Check optional fields with it: reading one that is not set is an error.',
  },
  {
    name: 'all',
    on: 'collection',
    args: 2,
    snippet: 'all(${1:x}, ${2:x})',
    doc: 'Whether the condition is true for every item of the list, or every key of the map.',
  },
  {
    name: 'exists',
    on: 'collection',
    args: 2,
    snippet: 'exists(${1:x}, ${2:x})',
    doc: 'Whether the condition is true for at least one item.',
  },
  {
    name: 'exists_one',
    on: 'collection',
    args: 2,
    snippet: 'exists_one(${1:x}, ${2:x})',
    doc: 'Whether the condition is true for exactly one item. Unlike `exists` it does not absorb errors.',
  },
  {
    name: 'map',
    on: 'collection',
    args: 2,
    snippet: 'map(${1:x}, ${2:x})',
    doc: 'A list of the results of the expression for each item.',
  },
  {
    name: 'filter',
    on: 'collection',
    args: 2,
    snippet: 'filter(${1:x}, ${2:x})',
    doc: 'A list of the items for which the condition is true.',
  },
  {
    name: 'transformList',
    on: 'collection',
    args: 3,
    snippet: 'transformList(${1:i}, ${2:x}, ${3:x})',
    doc: 'A list of the results of the expression for each index and item, or each key and value.',
  },
  {
    name: 'transformMap',
    on: 'collection',
    args: 3,
    snippet: 'transformMap(${1:k}, ${2:v}, ${3:v})',
    doc: 'A map with the same keys and the results of the expression for each key and value.',
  },
  {
    name: 'optMap',
    on: 'optional',
    args: 2,
    snippet: 'optMap(${1:x}, ${2:x})',
    doc: 'An optional with the result of the expression for the value, or none if there is no value.',
  },
  {
    name: 'optFlatMap',
    on: 'optional',
    args: 2,
    snippet: 'optFlatMap(${1:x}, ${2:x})',
    doc: 'The result of the expression, itself an optional, for the value, or none.',
  },
  {
    name: 'bind',
    namespace: 'cel',
    on: 'global',
    args: 3,
    snippet: 'cel.bind(${1:x}, ${2:value}, ${3:x})',
    doc: 'The result of the last expression, in which the name stands for the value.',
  },
];
