import type { GoField, GoValue } from '../goValue.ts';
import { type Field, isThere, jsonName, type KeyOf, type Struct } from './struct.ts';

// The API server validates its internal types, so these show in errors: the CRD types have twins of the same names in
// package apiextensions, without names for JSON. Metadata has no twin.

export function printedName(name: string): string {
  return name.replace(/\bv1\./, 'apiextensions.').replace('metav1.', 'v1.');
}

/** An object as Go prints it, with every field there is. */
export function printStruct<O extends object>(struct: Struct<O>, object: O): GoValue {
  const hasTwin = !struct.name.startsWith('metav1.');
  const print = <K extends KeyOf<O>>(key: K): GoField => {
    const field: Field<Exclude<O[K], undefined>> = struct.fields[key];
    const { type } = field;
    const name = goName(struct, key);
    const held = object[key];
    const value = type.print(isThere(held) ? held : undefined);
    if (hasTwin) return { name, value };
    return { name, value, json: jsonName(struct.fields, key), omitEmpty: field.optional !== false };
  };
  return { go: 'struct', type: printedName(struct.name), fields: printedKeys(struct).map(print) };
}

export function goName<O extends object>({ fields }: Struct<O>, key: KeyOf<O>): string {
  const json = jsonName(fields, key);
  return fields[key].go ?? json.charAt(0).toUpperCase() + json.slice(1);
}

/** The keys in the order of Go's fields. */
export function printedKeys<O extends object>(struct: Struct<O>): readonly KeyOf<O>[] {
  const { fields, keys } = struct;
  const moved = keys.filter((key) => fields[key].printedAfter !== undefined);
  if (moved.length === 0) return keys;
  return keys
    .filter((key) => !moved.includes(key))
    .flatMap((key) => [key, ...moved.filter((other) => fields[other].printedAfter === goName(struct, key))]);
}
