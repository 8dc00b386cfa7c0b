import type { Value } from '../../base/value.ts';
import { durationText, timestampText } from '../../cel/eval/convert.ts';
import { equalAsItem } from '../../cel/eval/equal.ts';
import {
  error,
  isError,
  isKind,
  itemsOfList,
  type Opaque,
  orNoSuchOverload,
  typeName,
  type Val,
} from '../../cel/eval/values.ts';
import { type CelType, structType } from '../../cel/types.ts';
import { encodeBase64 } from '../../gostd/base64.ts';
import { goTypeOf } from '../goValue.ts';

// What expressions of mutations come to: objects `Object{…}` and operations `JSONPatch{…}`, and the plain values in them.

export const objectType = structType('Object');
export const jsonPatchType = structType('JSONPatch');

type Fields = ReadonlyMap<string, Val>;

/** An object that an expression wrote down, whose parts are named by where they belong. */
export function madeObject(type: CelType, fields: Fields): Val {
  return made(type, '*dynamic.ObjectVal', fields, (other) => {
    if (!isObject(other) || other.type.name !== type.name) return false;
    const theirs = other.value;
    return (
      theirs.size === fields.size &&
      [...fields].every(([name, one]) => equalAsItem(one, theirs.get(name) ?? null) === true)
    );
  });
}

const operationTexts = ['op', 'path', 'from'] as const;

/** An operation of a JSON patch. */
export function madePatch(fields: Fields): Val {
  for (const name of operationTexts) {
    const value = fields.get(name);
    if (value === undefined || typeof value === 'string') continue;
    const plain = plainOf(value);
    const found = 'value' in plain ? goTypeOf(plain.value) : 'unknown';
    return error(`unexpected type ${found} for JSONPatchType '${name}' field`);
  }
  return made(jsonPatchType, '*mutation.JSONPatchVal', fields, () => false);
}

function made(type: CelType, goType: string, value: Fields, same: (other: Val) => boolean): Opaque {
  return {
    kind: 'opaque',
    type,
    value,
    size: undefined,
    goType,
    key: 'itself',
    native: undefined,
    equal: (other) => (isError(other) ? orNoSuchOverload(other) : same(other)),
  };
}

function isObject(value: Val): value is Opaque & { readonly value: Fields } {
  return (
    isKind(value, 'opaque') &&
    (value.type.name === objectType.name || value.type.name.startsWith(`${objectType.name}.`))
  );
}

/** The fields of an operation of a JSON patch; undefined for any other value. */
export function patchFieldsOf(value: Val): Fields | undefined {
  return isKind(value, 'opaque') && value.type === jsonPatchType ? (value.value as Fields) : undefined;
}

/** A value without its type, or why it is none that an object can hold. */
export type Plain = { readonly value: Value } | { readonly error: string };

export function plainOf(value: Val): Plain {
  const failures: string[] = [];
  const plain = asPlain(value, (failure) => failures.push(failure));
  return failures.length > 0 ? { error: failures[0]! } : { value: plain };
}

function asPlain(value: Val, fail: (why: string) => void): Value {
  if (value === null || typeof value !== 'object') return value;
  switch (value.kind) {
    case 'list':
      return itemsOfList(value).map((item) => asPlain(item, fail));
    case 'map':
      return new Map(value.keys().map((key) => [keyText(key, fail), asPlain(value.find(key) ?? null, fail)]));
    case 'uint':
      return value.value;
    case 'bytes':
      return encodeBase64(value.bytes);
    case 'timestamp':
      return timestampText(value);
    case 'duration':
      return durationText(value.nanos);
    case 'preserved':
      return value.raw;
    case 'optional':
      return value.value === undefined ? null : asPlain(value.value, fail);
    case 'opaque':
      if (isObject(value)) return new Map([...value.value].map(([name, one]) => [name, asPlain(one, fail)]));
  }
  fail(`a value of the type ${typeName(value)} cannot be part of an object`);
  return null;
}

function keyText(key: Val, fail: (why: string) => void): string {
  if (typeof key === 'string') return key;
  fail(`map key ${JSON.stringify(String(key))} is not a string`);
  return '';
}

/** What is wrong with the names of the types in an object: each has to be named by the fields that lead to it. */
export function misnamedIn(value: Val): string[] {
  return isObject(value) ? misnamed(value, value.type.name) : [];
}

function misnamed(value: Val, expected: string): string[] {
  if (isObject(value)) {
    const { name } = value.type;
    const wrong = `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`;
    const below = [...value.value].flatMap(([field, one]) => misnamed(one, `${expected}.${field}`));
    return name === expected ? below : [wrong, ...below];
  }
  if (isKind(value, 'list')) return itemsOfList(value).flatMap((item) => misnamed(item, expected));
  return isKind(value, 'map') ? value.keys().flatMap((key) => misnamed(value.find(key) ?? null, expected)) : [];
}
