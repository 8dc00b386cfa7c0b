// The file server/data/builtinKinds.json.gz, which `npm run builtin-kinds` writes.

/** What something is from a release on, by the release's number; the later rows hold above the earlier ones. */
export type Since<T> = readonly (readonly [release: number, now: T])[];

export interface BuiltinFile {
  /** How the file came to be. */
  readonly generated: string;
  /** The names of the releases, oldest first. */
  readonly releases: readonly string[];
  /** Descriptions, by number. */
  readonly texts: readonly string[];
  /**
   * Go types, by number: `string`, `int32`, …; `v1.Name=string` where a type has a name of its own, `v1.Name(id)=string`
   * where its values are listed; `[]T` and `{}T` for lists and maps; `#id` for an object; `!time` for what decodes itself.
   */
  readonly types: readonly string[];
  readonly structs: readonly StructRow[];
  /** Objects by the id of their Go type: the number of their struct, or -1 where a release does not use them. */
  readonly objects: Readonly<Record<string, Since<number>>>;
  /** The values of types of strings. */
  readonly enums: Readonly<Record<string, Since<readonly string[] | null>>>;
  /** By `apps/v1/Deployment` or `v1/Pod`. */
  readonly kinds: Readonly<Record<string, Since<KindFacts | null>>>;
}

/**
 * `wire` has for each field, between commas, its number in protobuf, behind the numbers of the structs that hold it and have
 * no name in JSON, with dots between: nothing for one more than the one before, 0 for what protobuf does not have. Then `!`
 * where JSON always has the field, and `+` where it has it with its zero value if that is set.
 */
export type StructRow = readonly [name: string, text: number, fields: readonly FieldRow[], wire: string];

export type FieldRow = readonly [name: string, type: number, text: number, facts?: FieldFacts];

/** What the sources say of a field. The values of markers are as written there. */
export interface FieldFacts {
  readonly optional?: true;
  /** The Go field that holds it, where the struct that it belongs to has no name in JSON. */
  readonly in?: string;
  readonly default?: string;
  readonly listType?: string;
  readonly listMapKey?: string;
  /** What strategic merge patches do with it; items of lists that have a key are merged without saying so. */
  readonly patchMergeKey?: string;
  readonly patchStrategy?: string;
}

export interface KindFacts {
  readonly type: string;
  readonly namespaced?: true;
  /** There is an API for it. */
  readonly served?: true;
  /** What alone can be done with its objects, where that is not everything. */
  readonly verbs?: string;
  /** Of versions that do not last: the release that brought it, that warns of it, that has it no more, and what to use. */
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: string;
}
