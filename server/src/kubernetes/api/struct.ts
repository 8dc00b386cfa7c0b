import { memo } from '../../base/memo.ts';
import type { Value } from '../../base/value.ts';
import type { DecodeElement, DecodeField, Keyed, StructType } from '../decode.ts';
import type { GoValue } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';

// A Go struct of the API is a table with a row for each field. Whatever has to know the fields walks the table:
// decoding (here), what is stored (store.ts), how Go prints it (print.ts), and what the editor offers and explains
// (editor.ts). TypeScript's types of the decoded objects are derived from it.

/** A node of a schema of the same form as a CRD's own, so that the editor reads both alike. */
export type SchemaNode = Map<string, Value>;

/** What the editor says of a value, beside its type. */
export interface Words {
  readonly text?: string;
  /** The same of each item of a list, or each value of a map; a struct speaks for itself. */
  readonly one?: string;
  /** The values to choose from; of a list, those of its items. */
  readonly choices?: readonly Value[];
  /** What the API server puts in where there is none. */
  readonly standard?: Value;
}

export interface StoreOptions {
  /** Whether an unset creationTimestamp is stored as null. */
  readonly zeroTimestamp: boolean;
}

/** What items of lists, values of maps and the targets of pointers have in common. */
export interface ElementType<T> {
  /** Go's name; `v1` is the package of the CRD types, `metav1` that of the metadata, as in Go's own sources. */
  readonly name: string;
  readonly decode: DecodeElement<T>;
  /** The value as stored JSON. */
  store(value: T, options: StoreOptions): Value;
  print(value: T): GoValue;
  /** What the editor's schema says of it; `schema` stands for every schema inside. */
  node(words: Words, schema: SchemaNode): SchemaNode;
}

/** A type that a field can have. Ours is absent for Go's nil and, of what Go holds by value, for Go's zero value. */
export interface FieldType<T> {
  decode<K extends string>(key: K): DecodeField<Keyed<K, T>>;
  /** What is stored of an absent one, where it is not left out. */
  readonly zero: Value;
  store(value: T, options: StoreOptions): Value;
  /** Of a value that is there: whether Go's `omitempty` leaves it out all the same. */
  isEmpty(value: T): boolean;
  print(value: T | undefined): GoValue;
  node(words: Words, schema: SchemaNode): SchemaNode;
  /** A pointer to JSON of any kind. */
  readonly isRaw?: true;
}

/** What is said of a field, beside its type. */
export interface FieldFacts extends Words {
  /** The name in JSON, where it is not the property's own. */
  readonly json?: string;
  /** Go's name, where it is not the JSON name with a capital letter. */
  readonly go?: string;
  /** Go's field that comes before it in prints, where that is not the one before it in the table. */
  readonly printedAfter?: string;
  /** The releases that know the field, if not all do. */
  readonly knownIn?: (release: KubernetesVersion) => boolean;
  /** Demanded by validation, though a pointer in Go. */
  readonly demanded?: true;

  /** What the API server demands of the value. */
  readonly demands?: string;
  /** YAML: the field where it belongs, with what it needs beside it. */
  readonly example?: string;
  /** The Kubernetes version that first had it in apiextensions.k8s.io/v1, where that is not 1.16 as for the API. */
  readonly since?: string;

  /** A keyword that judges a value, allowed inside junctors too. */
  readonly judges?: true;
  /** What is said inside junctors of a keyword that says something else there. */
  readonly inJunctor?: { readonly text: string; readonly demands: string; readonly example: string };
}

export interface Field<T> extends FieldFacts {
  readonly type: FieldType<T>;
  /** Left out of JSON where it is empty; `omitzero`: only by releases that do not store zero timestamps. */
  readonly optional: boolean | 'omitzero';
}

/** A struct held by value is always there. */
export interface EmbeddedField<T> extends Field<T> {
  readonly byValue: true;
}

export function optional<T>(type: FieldType<T>, facts: FieldFacts = {}): Field<T> {
  return { ...facts, type, optional: true };
}

/** Without Go's `omitempty`: stored even where it is empty. */
export function required<T>(type: FieldType<T>, facts: FieldFacts = {}): Field<T> {
  return { ...facts, type, optional: false };
}

export function omitZero<T>(type: FieldType<T>, facts: FieldFacts = {}): Field<T> {
  return { ...facts, type, optional: 'omitzero' };
}

export function byValue<T>(type: FieldType<T>, facts: FieldFacts = {}): EmbeddedField<T> {
  return { ...facts, type, optional: false, byValue: true };
}

type TypeOf<F> = F extends Field<infer T> ? T : never;
type KeysByValue<F> = { [K in keyof F]: F[K] extends { readonly byValue: true } ? K : never }[keyof F];

/** The objects that a table decodes to. */
export type ObjectOf<F> = { [K in KeysByValue<F>]: TypeOf<F[K]> } & {
  [K in Exclude<keyof F, KeysByValue<F>>]?: TypeOf<F[K]> | undefined;
};

/** The table of a type of objects. The order is that of the JSON. */
export type Fields<O> = { readonly [K in keyof O]-?: Field<Exclude<O[K], undefined>> };

export type KeyOf<O> = keyof O & string;

export interface Struct<O extends object> {
  readonly name: string;
  readonly fields: Fields<O>;
  readonly keys: readonly KeyOf<O>[];
  readonly zero: () => O;
  readonly decoding: StructType<O>;
  /** What it is, where it is one of several. */
  readonly text: string;
  /** The fields that the editor shows before the others. */
  readonly shownFirst: readonly KeyOf<O>[];
}

export interface StructFacts<O> {
  readonly text?: string;
  readonly shownFirst?: readonly KeyOf<O>[];
}

/** A struct by Go's name, a maker of its zero value, and its fields. */
export function struct<O extends object>(
  name: string,
  zero: () => O,
  fields: Fields<O>,
  { text = '', shownFirst = [] }: StructFacts<O> = {},
): Struct<O> {
  const keys = keysOf(fields);
  return { name, fields, keys, zero, decoding: decodingOf(name, fields, keys), text, shownFirst };
}

function keysOf<O>(fields: Fields<O>): KeyOf<O>[] {
  return Object.keys(fields) as KeyOf<O>[];
}

export function jsonName<O>(fields: Fields<O>, key: KeyOf<O>): string {
  return fields[key].json ?? key;
}

export function isThere<T>(value: T): value is Exclude<T, undefined> & T {
  return value !== undefined;
}

/** The name of a type as v1 decoders say it. */
export function decodedName(name: string): string {
  return name.replace('metav1.', 'v1.');
}

function decodingOf<O extends object>(name: string, fields: Fields<O>, keys: readonly KeyOf<O>[]): StructType<O> {
  const decoders = keys.map((key) => ({ key, name: jsonName(fields, key), decode: decoder(fields, key) }));
  const forAll = new Map(decoders.map((one) => [one.name, one.decode]));
  const qualified = decodedName(name);
  const type: StructType<O> = { name: qualified.slice(qualified.indexOf('.') + 1), qualified, fields: forAll };
  if (keys.every((key) => fields[key].knownIn === undefined)) return type;
  const fieldsIn = memo((release: KubernetesVersion) => {
    const those = decoders.filter(({ key }) => fields[key].knownIn?.(release) ?? true);
    return new Map(those.map((one) => [one.name, one.decode]));
  });
  return { ...type, fieldsIn };
}

/** The table's type says that the object has such a property; TypeScript does not follow it through a type parameter. */
function decoder<O extends object, K extends KeyOf<O>>(fields: Fields<O>, key: K): DecodeField<O> {
  return fields[key].type.decode(key) as DecodeField<object> as DecodeField<O>;
}
