import { isList, isMap, type Value } from '../../base/value.ts';
import { int64Of } from '../../gostd/digits.ts';
import { jsonFloat } from '../../gostd/float.ts';
import { entriesOf, isJsonList, isJsonNumber, isJsonObject, type Json } from '../../gostd/json.ts';

/** A float64 as it is once it was written as JSON and read again: without a fraction it is an integer. */
export function writtenNumber(number: number): bigint | number {
  const text = jsonFloat(number);
  const digits = /^(-?)(\d+)$/.exec(text);
  const value = digits ? int64Of(digits[2]!) : undefined;
  if (value === undefined) return number;
  return digits![1] ? -value : value;
}

/** A value as it is once it was written as JSON and read again. */
export function asWritten(value: Value): Value {
  if (typeof value === 'number') return writtenNumber(value);
  if (isList(value)) return value.map(asWritten);
  return isMap(value) ? new Map(Array.from(value, ([key, item]) => [key, asWritten(item)])) : value;
}

/** What encoding/json decodes into an untyped value, in which all numbers are float64, as it is written again. */
export function plainNumbers(json: Json): Value {
  if (isJsonNumber(json)) return writtenNumber(typeof json === 'object' ? json.value : Number(json));
  if (isJsonList(json)) return json.map(plainNumbers);
  if (isJsonObject(json)) return new Map(Array.from(entriesOf(json), ([key, item]) => [key, plainNumbers(item)]));
  return json;
}
