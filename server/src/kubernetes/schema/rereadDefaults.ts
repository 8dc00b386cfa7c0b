import { isList, isMap, type Value } from '../../base/value.ts';
import type { Structural, StructuralOrBool } from './structural.ts';

/**
 * A schema as it is read back from storage: there a float64 without a fraction was written as an integer, and comes back
 * as one. Unchanged parts stay the same objects.
 */
export function rereadDefaults(schema: Structural): Structural {
  let out = schema;
  const { additionalProperties: values, items, properties } = schema;
  if (schema.default !== undefined) {
    const value = reread(schema.default);
    if (value !== schema.default) out = { ...out, default: value };
  }
  if (values?.schema) {
    const next: StructuralOrBool = { ...values, schema: rereadDefaults(values.schema) };
    if (next.schema !== values.schema) out = { ...out, additionalProperties: next };
  }
  if (items) {
    const next = rereadDefaults(items);
    if (next !== items) out = { ...out, items: next };
  }
  if (properties) {
    const next = mapped(properties, rereadDefaults);
    if (next !== properties) out = { ...out, properties: next };
  }
  return out;
}

function reread(value: Value): Value {
  if (typeof value === 'number') return integral(value) ?? value;
  if (isMap(value)) return mapped(value, reread);
  if (!isList(value)) return value;
  const next = value.map(reread);
  return next.some((item, i) => item !== value[i]) ? next : value;
}

/** The integer that a float64 is read back as; undefined where it is written with a fraction or an exponent, or is too large. */
function integral(value: number): bigint | undefined {
  if (!Number.isInteger(value)) return undefined;
  const whole = BigInt(value);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

function mapped<V>(map: ReadonlyMap<string, V>, of: (value: V) => V): ReadonlyMap<string, V> {
  const next = new Map([...map].map(([key, value]) => [key, of(value)]));
  return [...next].some(([key, value]) => value !== map.get(key)) ? next : map;
}
