import type { Value } from '../../../base/value.ts';
import { parseQuantity, type Quantity, quantityText } from '../../../gostd/quantity.ts';
import { type GoField, type GoValue, goAny, goNil, goString, goStrings } from '../../goValue.ts';
import type { Fields } from './check.ts';

// Values of the Go types of built-in kinds, as errors show them.

/** A number or a text: a port, or how many of something, or a percentage of it. */
export type IntOrString = bigint | string;

/** Go's zero of it is the number 0. */
export function intOrString(fields: Fields, key: string): IntOrString | undefined {
  const value = fields.value(key);
  return typeof value === 'bigint' || typeof value === 'string' ? value : undefined;
}

export function goIntOrString(value: IntOrString): GoValue {
  const isText = typeof value === 'string';
  const raw = `intstr.IntOrString{Type:${isText ? 1 : 0}, IntVal:${isText ? 0 : value}, StrVal:${isText ? JSON.stringify(value) : '""'}}`;
  return { go: 'own', json: goAny(value), syntax: raw };
}

/** Quantities as they are read: null is none, and a number as good as its text. */
export function quantityOf(value: Value | undefined): Quantity | undefined {
  if (value === undefined || value === null) return undefined;
  const parsed = parseQuantity(typeof value === 'string' ? value.trim() : String(value));
  return 'error' in parsed ? undefined : parsed.quantity;
}

export function quantityIn(fields: Fields, key: string): Quantity | undefined {
  return quantityOf(fields.value(key));
}

/** In lists of resources the server rounds up what is finer than a thousandth. */
export function roundedUp(quantity: Quantity): Quantity {
  if (quantity.scale >= -3) return quantity;
  const by = 10n ** BigInt(-3 - quantity.scale);
  const rest = quantity.unscaled % by;
  const away = rest === 0n ? 0n : quantity.unscaled < 0n ? -1n : 1n;
  return { ...quantity, unscaled: quantity.unscaled / by + away, scale: -3 };
}

/** Go's Value: a whole number, rounded up; as much of it as an int64 holds. */
export function wholeValue({ unscaled, scale }: Quantity): bigint {
  const most = 2n ** 63n - 1n;
  if (scale >= 0) {
    const value = scale > 20 ? (unscaled === 0n ? 0n : unscaled > 0n ? most : -most) : unscaled * 10n ** BigInt(scale);
    return value > most ? most : value < -most ? -most : value;
  }
  const by = 10n ** BigInt(-scale);
  const rest = unscaled % by;
  return unscaled / by + (rest === 0n ? 0n : unscaled < 0n ? -1n : 1n);
}

export function goQuantity(quantity: Quantity): GoValue {
  return { go: 'own', json: goString(quantityText(quantity)), syntax: 'resource.Quantity{…}' };
}

/** A map of texts; one that is not there is Go's nil. */
export function goTextMap(map: ReadonlyMap<string, string> | undefined): GoValue {
  if (!map) return goNil('map[string]string');
  return { go: 'map', type: 'map[string]string', entries: [...map].map(([key, text]) => [key, goString(text)]) };
}

/** A label selector behind a pointer. */
export function goLabelSelector(selector: Fields | undefined): GoValue {
  if (!selector) return goNil('*v1.LabelSelector');
  const requirements = selector.items('matchExpressions').map((one): GoValue => {
    const values = one.has('values') ? one.texts('values') : undefined;
    const fields: GoField[] = [
      { name: 'Key', json: 'key', value: goString(one.text('key')) },
      { name: 'Operator', json: 'operator', value: goString(one.text('operator')) },
      { name: 'Values', json: 'values', omitEmpty: true, value: goStrings(values) },
    ];
    return { go: 'struct', type: 'v1.LabelSelectorRequirement', fields };
  });
  const type = '[]v1.LabelSelectorRequirement';
  const fields: GoField[] = [
    { name: 'MatchLabels', json: 'matchLabels', omitEmpty: true, value: goTextMap(selector.textMap('matchLabels')) },
    {
      name: 'MatchExpressions',
      json: 'matchExpressions',
      omitEmpty: true,
      value: !selector.has('matchExpressions') ? goNil(type) : { go: 'slice', type, items: requirements },
    },
  ];
  return { go: 'pointer', type: '*v1.LabelSelector', to: { go: 'struct', type: 'v1.LabelSelector', fields } };
}

/** A struct of the server's own, which it prints with all its fields: too many to be read. */
export const wholeStruct: GoValue = { go: 'own', json: undefined, syntax: '{…}' };

/** A struct of the server's own, whose fields have the same names in JSON. */
export function goStructOf(type: string, fields: Readonly<Record<string, GoValue>>): GoValue {
  return { go: 'struct', type, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) };
}

export function pointedText(text: string | undefined): GoValue {
  return text === undefined ? goNil('*string') : { go: 'pointer', type: '*string', to: goString(text) };
}

export function goIntegers(type: string, items: readonly bigint[] | undefined): GoValue {
  return items === undefined ? goNil(type) : { go: 'slice', type, items: items.map(goAny) };
}

/** The name of a resource, whose type prints itself. */
export function goResourceName(name: string): GoValue {
  return { go: 'own', json: goString(name), syntax: name };
}

/** Texts of a type of their own. */
export function goList(type: string, items: readonly string[]): GoValue {
  return { go: 'slice', type, items: items.map(goString) };
}
