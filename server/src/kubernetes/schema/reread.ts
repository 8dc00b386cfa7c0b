import { mappedValues } from '../../base/mapped.ts';
import { isList, isMap, type Value } from '../../base/value.ts';

/** A value as it is read back from storage: there a float64 without a fraction was written as an integer, and comes back as one. */
export function reread(value: Value): Value {
  if (typeof value === 'number') return integral(value) ?? value;
  if (isMap(value)) return mappedValues(value, reread);
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
