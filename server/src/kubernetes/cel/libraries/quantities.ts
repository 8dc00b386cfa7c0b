import type { Impl } from '../../../cel/eval/implementation.ts';
import { error, noSuchOverload, type Opaque, type Val } from '../../../cel/eval/values.ts';
import { walks } from '../../../cel/libraries/walks.ts';
import { fn, type Library } from '../../../cel/overload.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityFloat,
  quantityInteger,
  quantitySign,
  quantityText,
  subtractQuantities,
} from '../../../gostd/quantity.ts';
import { held, opaque } from './opaque.ts';
import { ordered } from './ordered.ts';
import { quantityType, kubernetesTypes as types } from './types.ts';

function quantityValue(quantity: Quantity, goType = 'cel.Quantity'): Opaque {
  const same = (other: unknown) => compareQuantities(quantity, other as Quantity) === 0;
  const native = () => `(*resource.Quantity)${quantityText(quantity)}`;
  return opaque({ type: quantityType, goType, recognized: 'cel.Quantity', value: quantity, same, native });
}

/** The quantity that a text is, or an error. */
export function quantityOf(text: string): Val {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? error(parsed.error) : quantityValue(parsed.quantity);
}

const toQuantity: Impl = (a) => quantityOf(a as string);

const ofQuantity =
  (apply: (quantity: Quantity) => Val): Impl =>
  (a) => {
    const quantity = held<Quantity>(a, quantityType);
    return quantity ? apply(quantity) : noSuchOverload;
  };

const ofQuantities =
  (apply: (a: Quantity, b: Quantity) => Val): Impl =>
  (a, b) => {
    const [x, y] = [held<Quantity>(a, quantityType), held<Quantity>(b, quantityType)];
    return x && y ? apply(x, y) : noSuchOverload;
  };

/** Sums and differences are held by pointer in Go, which equality notices. */
function computed(apply: (a: Quantity, b: Quantity) => Quantity): Impl {
  return ofQuantities((a, b) => quantityValue(apply(a, b), '*cel.Quantity'));
}

function computedWithInt(apply: (a: Quantity, b: Quantity) => Quantity): Impl {
  return (a, b) => {
    const quantity = held<Quantity>(a, quantityType);
    if (!quantity || typeof b !== 'bigint') return noSuchOverload;
    return quantityValue(apply(quantity, { unscaled: b, scale: 0, big: false, format: 'exponent' }), '*cel.Quantity');
  };
}

const ofOrder = (apply: (order: number) => Val) => ofQuantities((a, b) => apply(compareQuantities(a, b)));

const q = 'kubernetes.Quantity';

export const quantities: Library = [
  fn(
    'quantity',
    'A quantity such as "500m" or "2Gi" from a string.',
    [
      {
        id: 'string_to_quantity',
        signature: `quantity(string): ${q}`,
        example: 'quantity("1k").asInteger() == 1000',
        impl: toQuantity,
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'isQuantity',
    'Whether a string is a quantity.',
    [
      {
        id: 'is_quantity_string',
        signature: 'isQuantity(string): bool',
        example: 'isQuantity("2Gi")',
        impl: (a) => 'quantity' in parseQuantity(a as string),
      },
    ],
    { types, price: walks(1) },
  ),
  fn(
    'sign',
    '−1, 0 or 1 if a quantity is negative, zero or positive. It is not a member function: `sign(q)`, not `q.sign()`.',
    [
      {
        id: 'quantity_sign',
        signature: `sign(${q}): int`,
        example: 'sign(quantity("-1")) == -1',
        impl: ofQuantity((quantity) => BigInt(quantitySign(quantity))),
      },
    ],
    { types },
  ),
  ...ordered(q, 'quantity', 'quantity("1")', 'quantity("2")', ofOrder),
  fn(
    'asApproximateFloat',
    'The quantity as a double, which may round it.',
    [
      {
        id: 'quantity_get_float',
        signature: `${q}.asApproximateFloat(): double`,
        example: 'quantity("500m").asApproximateFloat() == 0.5',
        impl: ofQuantity(quantityFloat),
      },
    ],
    { types },
  ),
  fn(
    'asInteger',
    'The quantity as an int; evaluation fails if it is not a whole number in range.',
    [
      {
        id: 'quantity_get_int',
        signature: `${q}.asInteger(): int`,
        example: 'quantity("2k").asInteger() == 2000',
        impl: ofQuantity((quantity) => quantityInteger(quantity) ?? error('cannot convert value to integer')),
      },
    ],
    { types },
  ),
  fn(
    'isInteger',
    'Whether asInteger() would succeed.',
    [
      {
        id: 'quantity_is_integer',
        signature: `${q}.isInteger(): bool`,
        example: 'quantity("2k").isInteger()',
        impl: ofQuantity((quantity) => quantityInteger(quantity) !== undefined),
      },
    ],
    { types },
  ),
  fn(
    'add',
    'The sum of this and another quantity or an int.',
    [
      {
        id: 'quantity_add',
        signature: `${q}.add(${q}): ${q}`,
        example: 'quantity("1").add(quantity("2")) == quantity("3")',
        impl: computed(addQuantities),
      },
      {
        id: 'quantity_add_int',
        signature: `${q}.add(int): ${q}`,
        example: 'quantity("1").add(2) == quantity("3")',
        impl: computedWithInt(addQuantities),
      },
    ],
    { types },
  ),
  fn(
    'sub',
    'This minus another quantity or an int.',
    [
      {
        id: 'quantity_sub',
        signature: `${q}.sub(${q}): ${q}`,
        example: 'quantity("3").sub(quantity("2")) == quantity("1")',
        impl: computed(subtractQuantities),
      },
      {
        id: 'quantity_sub_int',
        signature: `${q}.sub(int): ${q}`,
        example: 'quantity("3").sub(2) == quantity("1")',
        impl: computedWithInt(subtractQuantities),
      },
    ],
    { types },
  ),
];
