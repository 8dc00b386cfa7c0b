/** What is wrong with values, in the words of the library that Helm judges them with. */
import { escapedStep } from '../../base/jsonPointer.ts';
import { grouped } from '../../base/text.ts';
import { isList, isMap, isString, type Value } from '../../base/value.ts';
import { formatFloat64 } from '../../gostd/floatFormat.ts';
import { quote } from '../../gostd/quote.ts';
import { GoList, GoMap, type GoValue, Int } from '../../template/value.ts';

/** Keys from the top. */
export type Keys = readonly (string | number)[];

/** A value and where it is. */
export interface Instance {
  readonly value: GoValue;
  readonly at: readonly string[];
}

export interface SchemaError {
  /** Where in the values. */
  readonly at: readonly string[];
  readonly message: string;
  /** The keyword in the schema. */
  readonly keyword: Keys;
  /** What the parts of it say. */
  readonly causes: readonly SchemaError[];
  /** It says no more than its causes do: several of one schema, of one that is referred to, or of all of some. */
  readonly group?: 'one' | 'ref' | 'all';
  /** Names that are not there, or must not be. */
  readonly names?: readonly string[];
}

/** Several errors at one place, as one. */
export function together(
  errors: readonly SchemaError[],
  { at }: Instance,
  keyword: Keys,
  group: 'one' | 'ref' = 'one',
): readonly SchemaError[] {
  return errors.length < 2 ? errors : [{ at, message: 'validation failed', keyword, causes: errors, group }];
}

/** Errors as Helm prints them, one a line, with what they consist of below. */
export function errorLines(errors: readonly SchemaError[], level = 0): string[] {
  return errors.flatMap(({ at, message, causes }) => [
    `${'  '.repeat(level)}- at ${quoted(pointer(at))}: ${message}`,
    ...errorLines(causes, level + 1),
  ]);
}

function pointer(at: readonly string[]): string {
  return at.map((key) => `/${escapedStep(key)}`).join('');
}

export function quoted(text: string): string {
  const inner = quote(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

export function allQuoted(texts: readonly string[]): string {
  return texts.map(quoted).join(', ');
}

/** A number as Go's package for languages prints it: with commas between thousands, and powers of ten for large ones. */
export function decimal(value: number): string {
  const [digits = '', power] = formatFloat64(value, 'g', -1).split('e');
  const [whole, fraction] = digits.split('.');
  const shown = `${grouped(BigInt(whole!))}${fraction === undefined ? '' : `.${fraction}`}`;
  const signed = value > -1 && value < 0 ? `-${shown.replace('-', '')}` : shown;
  return power === undefined ? signed : `${signed}×10${[...power].map((one) => raised.get(one) ?? '').join('')}`;
}

const raised: ReadonlyMap<string, string> = new Map([
  ['-', '⁻'],
  ...[...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((one, i) => [String(i), one] as const),
]);

/** Whether a number is so many times another one, by what both are written as. */
export function isMultiple(value: number, of: number): boolean {
  const [a, b] = [fixed(value), fixed(of)];
  const places = Math.max(a.places, b.places);
  const scaled = ({ digits, places: own }: Fixed) => digits * 10n ** BigInt(places - own);
  return scaled(a) % scaled(b) === 0n;
}

interface Fixed {
  readonly digits: bigint;
  readonly places: number;
}

function fixed(value: number): Fixed {
  const [digits = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(power);
  const all = BigInt(whole + fraction);
  return places < 0 ? { digits: all * 10n ** BigInt(-places), places: 0 } : { digits: all, places };
}

function shown(value: Value): string {
  if (isString(value)) return quoted(value);
  return value === null ? '<nil>' : String(value);
}

export function constWords(constant: Value): string {
  return isMap(constant) || isList(constant) ? "'const' failed" : `value must be ${shown(constant)}`;
}

export function enumWords(listed: readonly Value[]): string {
  if (listed.some((one) => isMap(one) || isList(one))) return "'enum' failed";
  const all = listed.map(shown).join(', ');
  return listed.length === 1 ? `value must be ${all}` : `value must be one of ${all}`;
}

const typeOrder = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

export function typeWords(value: GoValue, wanted: readonly Value[]): string {
  return `got ${typeOf(value)}, want ${typeOrder.filter((name) => wanted.includes(name)).join(' or ')}`;
}

export function isOfType(value: GoValue, name: Value): boolean {
  const type = typeOf(value);
  return type === name || (name === 'integer' && type === 'number' && Number.isInteger(numberOf(value)));
}

function typeOf(value: GoValue): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof GoMap) return 'object';
  if (value instanceof GoList) return 'array';
  return numberOf(value) === undefined ? typeof value : 'number';
}

export function numberOf(value: GoValue): number | undefined {
  if (value instanceof Int) return Number(value.value);
  return typeof value === 'number' ? value : undefined;
}
