import type { Value } from '../../base/value.ts';
import { type Field, isThere, jsonName, type KeyOf, type StoreOptions, type Struct } from './struct.ts';

/** An object as the JSON that is stored of it. */
export function storeStruct<O extends object>(
  { fields, keys }: Struct<O>,
  object: O,
  options: StoreOptions,
): Map<string, Value> {
  const out = new Map<string, Value>();
  const store = <K extends KeyOf<O>>(key: K) => {
    const stored = storeField<O[K]>(fields[key], object[key], options);
    if (stored !== undefined) out.set(jsonName(fields, key), stored);
  };
  for (const key of keys) store(key);
  return out;
}

function storeField<T>(field: Field<Exclude<T, undefined>>, value: T, options: StoreOptions): Value | undefined {
  const { type } = field;
  if (isThere(value)) return field.optional && type.isEmpty(value) ? undefined : type.store(value, options);
  const isOmitted = field.optional === 'omitzero' ? !options.zeroTimestamp : field.optional;
  return isOmitted ? undefined : type.zero;
}
