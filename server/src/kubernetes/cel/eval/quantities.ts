import type { Impl } from '../../../cel/eval/implementation.ts';
import { error, noSuchOverload, type Opaque, type Val } from '../../../cel/eval/values.ts';
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
} from '../../../go/quantity.ts';
import { compareSemvers, parseSemver, type Semver, semverText } from '../../../go/semver.ts';
import { quantityType, semverType } from '../libraries/types.ts';
import { held, opaque } from './opaque.ts';

function quantityValue(quantity: Quantity, goType = 'cel.Quantity'): Opaque {
  const same = (other: unknown) => compareQuantities(quantity, other as Quantity) === 0;
  const native = () => `(*resource.Quantity)${quantityText(quantity)}`;
  return opaque({ type: quantityType, goType, recognized: 'cel.Quantity', value: quantity, same, native });
}

const toQuantity: Impl = (a) => {
  const parsed = parseQuantity(a as string);
  return 'error' in parsed ? error(parsed.error) : quantityValue(parsed.quantity);
};

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

function semverValue(version: Semver): Opaque {
  const same = (other: unknown) => compareSemvers(version, other as Semver) === 0;
  return opaque({
    type: semverType,
    goType: 'cel.Semver',
    value: version,
    same,
    key: undefined,
    native: () => `(semver.Version)${semverText(version)}`,
  });
}

function toSemver(text: string, lenient: boolean): Val {
  const parsed = parseSemver(text, lenient);
  return 'error' in parsed ? error(parsed.error) : semverValue(parsed.version);
}

const ofSemver =
  (apply: (version: Semver) => Val): Impl =>
  (a) => {
    const version = held<Semver>(a, semverType);
    return version ? apply(version) : noSuchOverload;
  };

const ofSemvers =
  (apply: (order: number) => Val): Impl =>
  (a, b) => {
    const [x, y] = [held<Semver>(a, semverType), held<Semver>(b, semverType)];
    return x && y ? apply(compareSemvers(x, y)) : noSuchOverload;
  };

const isSemver = (text: Val, lenient: boolean) => 'version' in parseSemver(text as string, lenient);

export const quantityImpls: readonly (readonly [string, Impl])[] = [
  ['string_to_quantity', toQuantity],
  ['is_quantity_string', (a) => 'quantity' in parseQuantity(a as string)],
  ['quantity_sign', ofQuantity((quantity) => BigInt(quantitySign(quantity)))],
  ['quantity_is_greater_than', ofQuantities((a, b) => compareQuantities(a, b) === 1)],
  ['quantity_is_less_than', ofQuantities((a, b) => compareQuantities(a, b) === -1)],
  ['quantity_compare_to', ofQuantities((a, b) => BigInt(compareQuantities(a, b)))],
  ['quantity_get_float', ofQuantity(quantityFloat)],
  ['quantity_get_int', ofQuantity((quantity) => quantityInteger(quantity) ?? error('cannot convert value to integer'))],
  ['quantity_is_integer', ofQuantity((quantity) => quantityInteger(quantity) !== undefined)],
  ['quantity_add', computed(addQuantities)],
  ['quantity_add_int', computedWithInt(addQuantities)],
  ['quantity_sub', computed(subtractQuantities)],
  ['quantity_sub_int', computedWithInt(subtractQuantities)],
];

export const semverImpls: readonly (readonly [string, Impl])[] = [
  ['string_to_semver', (a) => toSemver(a as string, false)],
  ['string_bool_to_semver', (a, b) => toSemver(a as string, b === true)],
  ['is_semver_string', (a) => isSemver(a, false)],
  ['is_semver_string_bool', (a, b) => isSemver(a, b === true)],
  ['semver_is_greater_than', ofSemvers((order) => order === 1)],
  ['semver_is_less_than', ofSemvers((order) => order === -1)],
  ['semver_compare_to', ofSemvers((order) => BigInt(order))],
  ['semver_major', ofSemver(({ major }) => BigInt.asIntN(64, major))],
  ['semver_minor', ofSemver(({ minor }) => BigInt.asIntN(64, minor))],
  ['semver_patch', ofSemver(({ patch }) => BigInt.asIntN(64, patch))],
];
