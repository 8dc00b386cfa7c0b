import { type Estimator, nodeSize } from '../../../cel/cost.ts';
import { itemsOf } from '../../../cel/ext/items.ts';
import { search } from '../../../cel/ext/strings.ts';
import { fn, type Library, type Row } from '../../../cel/overload.ts';

const summable = ['int', 'uint', 'double', 'duration'];
const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function rows(
  types: readonly string[],
  name: string,
  id: (type: string) => string,
  result: string,
  example: string,
): Row[] {
  return types.map((type) => ({
    id: id(type),
    signature: `list(${type}).${name}(): ${result === 'item' ? type : result}`,
    example: type === 'int' ? example : '',
  }));
}

const options = { estimate: search };

/** Kubernetes' own functions of lists. */
export const lists: Library = [
  fn(
    'isSorted',
    'Whether no item is greater than the next one.',
    rows(comparable, 'isSorted', (t) => `list_${t}_is_sorted_bool`, 'bool', '[1, 2].isSorted()'),
    options,
  ),
  fn(
    'sum',
    'The sum of all items; 0 for an empty list.',
    rows(summable, 'sum', (t) => `list_${t}_sum_${t}`, 'item', '[1, 2].sum() == 3'),
    options,
  ),
  fn(
    'max',
    'The greatest item; evaluation fails on an empty list.',
    rows(comparable, 'max', (t) => `list_${t}_max_${t}`, 'item', '[1, 2].max() == 2'),
    options,
  ),
  fn(
    'min',
    'The least item; evaluation fails on an empty list.',
    rows(comparable, 'min', (t) => `list_${t}_min_${t}`, 'item', '[1, 2].min() == 1'),
    options,
  ),
  fn(
    'indexOf',
    'The first place of an item, or −1.',
    [{ id: 'list_a_index_of_int', signature: 'list(A).indexOf(A): int', example: '[1, 2, 1].indexOf(1) == 0' }],
    options,
  ),
  fn(
    'lastIndexOf',
    'The last place of an item, or −1.',
    [
      {
        id: 'list_a_last_index_of_int',
        signature: 'list(A).lastIndexOf(A): int',
        example: '[1, 2, 1].lastIndexOf(1) == 2',
      },
    ],
    options,
  ),
];

/** On anything but a typed list each item counts 1. */
const includesCost: Estimator = (call) => {
  if (!call.target || itemsOf(call.target)) return search(call);
  return { cost: nodeSize(call.target, call.model) };
};

/** What version 1 added. */
export const includes: Library = [
  fn(
    'includes',
    'Whether a list has an item; anything but a list is compared itself.',
    [{ id: 'list_includes_dyn_dyn', signature: 'dyn.includes(dyn): bool', example: '[1, 2].includes(2)' }],
    { estimate: includesCost },
  ),
];
