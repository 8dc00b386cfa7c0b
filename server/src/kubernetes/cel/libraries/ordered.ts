import type { Impl } from '../../../cel/eval/implementation.ts';
import type { Val } from '../../../cel/eval/values.ts';
import { fn, type Library } from '../../../cel/overload.ts';
import { kubernetesTypes as types } from './types.ts';

/** Comparisons that quantities and semantic versions have in common. */
export function ordered(
  type: string,
  prefix: string,
  one: string,
  two: string,
  ofOrder: (apply: (order: number) => Val) => Impl,
): Library {
  return [
    fn(
      'isGreaterThan',
      'Whether this is greater than the argument.',
      [
        {
          id: `${prefix}_is_greater_than`,
          signature: `${type}.isGreaterThan(${type}): bool`,
          example: `${two}.isGreaterThan(${one})`,
          impl: ofOrder((order) => order === 1),
        },
      ],
      { types },
    ),
    fn(
      'isLessThan',
      'Whether this is less than the argument.',
      [
        {
          id: `${prefix}_is_less_than`,
          signature: `${type}.isLessThan(${type}): bool`,
          example: `${one}.isLessThan(${two})`,
          impl: ofOrder((order) => order === -1),
        },
      ],
      { types },
    ),
    fn(
      'compareTo',
      '−1, 0 or 1 if this is less than, equal to or greater than the argument.',
      [
        {
          id: `${prefix}_compare_to`,
          signature: `${type}.compareTo(${type}): int`,
          example: `${one}.compareTo(${two}) == -1`,
          impl: ofOrder((order) => BigInt(order)),
        },
      ],
      { types },
    ),
  ];
}
