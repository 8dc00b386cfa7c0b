import { fn, type Library } from '../../../cel/overload.ts';
import { walkArgument } from './cost.ts';
import { kubernetesTypes as types } from './types.ts';

const options = { types };
const parsing = { types, estimate: walkArgument(1) };

/** Comparisons that quantities and semantic versions have in common. */
function ordered(type: string, prefix: string, one: string, two: string): Library {
  return [
    fn(
      'isGreaterThan',
      'Whether this is greater than the argument.',
      [
        {
          id: `${prefix}_is_greater_than`,
          signature: `${type}.isGreaterThan(${type}): bool`,
          example: `${two}.isGreaterThan(${one})`,
        },
      ],
      options,
    ),
    fn(
      'isLessThan',
      'Whether this is less than the argument.',
      [
        {
          id: `${prefix}_is_less_than`,
          signature: `${type}.isLessThan(${type}): bool`,
          example: `${one}.isLessThan(${two})`,
        },
      ],
      options,
    ),
    fn(
      'compareTo',
      '−1, 0 or 1 as this is less than, equal to or greater than the argument.',
      [
        {
          id: `${prefix}_compare_to`,
          signature: `${type}.compareTo(${type}): int`,
          example: `${one}.compareTo(${two}) == -1`,
        },
      ],
      options,
    ),
  ];
}

const q = 'kubernetes.Quantity';

export const quantities: Library = [
  fn(
    'quantity',
    'A quantity such as "500m" or "2Gi" from a string.',
    [{ id: 'string_to_quantity', signature: `quantity(string): ${q}`, example: 'quantity("1k").asInteger() == 1000' }],
    parsing,
  ),
  fn(
    'isQuantity',
    'Whether a string is a quantity.',
    [{ id: 'is_quantity_string', signature: 'isQuantity(string): bool', example: 'isQuantity("2Gi")' }],
    parsing,
  ),
  fn(
    'sign',
    '−1, 0 or 1 as a quantity is negative, zero or positive. It is no member: `sign(q)`, not `q.sign()`.',
    [{ id: 'quantity_sign', signature: `sign(${q}): int`, example: 'sign(quantity("-1")) == -1' }],
    options,
  ),
  ...ordered(q, 'quantity', 'quantity("1")', 'quantity("2")'),
  fn(
    'asApproximateFloat',
    'The quantity as a double, which may round it.',
    [
      {
        id: 'quantity_get_float',
        signature: `${q}.asApproximateFloat(): double`,
        example: 'quantity("500m").asApproximateFloat() == 0.5',
      },
    ],
    options,
  ),
  fn(
    'asInteger',
    'The quantity as an int; evaluation fails where it is none.',
    [{ id: 'quantity_get_int', signature: `${q}.asInteger(): int`, example: 'quantity("2k").asInteger() == 2000' }],
    options,
  ),
  fn(
    'isInteger',
    'Whether asInteger() would succeed.',
    [{ id: 'quantity_is_integer', signature: `${q}.isInteger(): bool`, example: 'quantity("2k").isInteger()' }],
    options,
  ),
  fn(
    'add',
    'The sum with another quantity or an int.',
    [
      {
        id: 'quantity_add',
        signature: `${q}.add(${q}): ${q}`,
        example: 'quantity("1").add(quantity("2")) == quantity("3")',
      },
      { id: 'quantity_add_int', signature: `${q}.add(int): ${q}`, example: 'quantity("1").add(2) == quantity("3")' },
    ],
    options,
  ),
  fn(
    'sub',
    'The difference to another quantity or an int.',
    [
      {
        id: 'quantity_sub',
        signature: `${q}.sub(${q}): ${q}`,
        example: 'quantity("3").sub(quantity("2")) == quantity("1")',
      },
      { id: 'quantity_sub_int', signature: `${q}.sub(int): ${q}`, example: 'quantity("3").sub(2) == quantity("1")' },
    ],
    options,
  ),
];

const v = 'kubernetes.Semver';

export const semver: Library = [
  fn(
    'semver',
    'A semantic version from a string; with true as second argument a leading "v" and missing parts are forgiven.',
    [
      { id: 'string_to_semver', signature: `semver(string): ${v}`, example: 'semver("1.2.3").minor() == 2' },
      {
        id: 'string_bool_to_semver',
        signature: `semver(string, bool): ${v}`,
        example: 'semver("v1.2", true) == semver("1.2.0")',
      },
    ],
    parsing,
  ),
  fn(
    'isSemver',
    'Whether a string is a semantic version.',
    [
      { id: 'is_semver_string', signature: 'isSemver(string): bool', example: 'isSemver("1.2.3")' },
      { id: 'is_semver_string_bool', signature: 'isSemver(string, bool): bool', example: 'isSemver("v1.2", true)' },
    ],
    parsing,
  ),
  ...ordered(v, 'semver', 'semver("1.2.3")', 'semver("1.10.0")'),
  ...(['major', 'minor', 'patch'] as const).map((part, i) =>
    fn(
      part,
      `The ${part} number of a semantic version.`,
      [{ id: `semver_${part}`, signature: `${v}.${part}(): int`, example: `semver("1.2.3").${part}() == ${i + 1}` }],
      options,
    ),
  ),
];
