import type { Range } from '../../base/text.ts';
import type { Path, Value } from '../../base/value.ts';

export type MarkerTarget = 'package' | 'type' | 'field';

/** What reads a marker: the generators of controller-gen, and other programs whose markers stand in the same comments. */
export type MarkerReader = 'crd' | 'object' | 'rbac' | 'webhook' | 'applyconfiguration' | 'other';

/** What a schema has to be for a marker to make sense on it; where none is said, anything. */
export type Fit = 'number' | 'string' | 'list' | 'object' | 'map' | 'struct';

/** One marker of controller-gen on some of its targets: everything that is known about it. */
export interface MarkerDefinition {
  /** `kubebuilder:validation:MaxItems` */
  readonly name: string;
  readonly targets: readonly MarkerTarget[];
  readonly reader: MarkerReader;
  readonly doc: string;
  /** The release of controller-gen that came with it, such as `0.16`; undefined where it was always there. */
  readonly since?: string;
  /** What it becomes in the CRD, in one line: `maxItems` of the schema. */
  readonly becomes: string;
  readonly arguments: readonly MarkerArgument[];
  /** How its argument is read where that is not as those of others. */
  readonly reads?: 'float' | 'int' | 'json';
  /** The marker to write instead, where it is only kept for old code. */
  readonly instead?: string;
  readonly fits?: readonly Fit[];
  /** It is only known so that it can be refused. */
  readonly isRefused?: true;
  /** What it sets is written with another marker: that does the same, or this one makes up the value by itself. */
  readonly isAlias?: true;
  /** May be written more than once for the same thing. */
  readonly repeats?: true;
  /** Where its part is in the schema, or in the CRD's version, or in the CRD. */
  readonly sets?: { readonly of: 'schema' | 'version' | 'crd'; readonly path: Path };
  /** Those with lower numbers are applied first; undefined is 10. */
  readonly priority?: number;
  /** What it does to a schema, or the error it is refused with. */
  readonly apply?: ApplyToSchema;
  /** What it does to a CRD, or the error it is refused with. */
  readonly applyToCrd?: ApplyToCrd;
}

/** A schema, or CRD, that is being made. Its own maps are drafts as well. */
export type Draft = Map<string, Value>;

export type ApplyToSchema = (schema: Draft, value: Value, around: AroundSchema) => string | undefined;

/** The CRD with its `metadata` and `spec`, whose versions are drafts; `version` is the one of the marker's package. */
export type ApplyToCrd = (crd: Draft, value: Value, version: string) => string | undefined;

/** What markers may ask about the type that their schema is made for. */
export interface AroundSchema {
  /** The string constants of the type, in any order, or why it cannot be an enum. */
  enumValues(): { readonly values: readonly string[] } | { readonly refused: string };
}

export interface MarkerArgument {
  /** Empty for the one argument behind `=`. */
  readonly name: string;
  readonly type: ArgumentType;
  readonly optional: boolean;
  readonly doc: string;
  /** The key that it sets in its marker's part, where that is called otherwise. */
  readonly sets?: string;
  /** The key that it sets beside its marker's part. */
  readonly beside?: string;
  /** All values that make sense, or the usual ones. */
  readonly values?: readonly string[];
  /** What to offer beyond that: paths into the object, keys of the list's items, fields of the type, CEL. */
  readonly offers?: 'path' | 'itemKey' | 'field' | 'cel';
}

export type ArgumentType =
  | { readonly kind: 'string' | 'int' | 'number' | 'bool' | 'any' | 'raw' }
  | { readonly kind: 'list' | 'map'; readonly of: ArgumentType };

/** A comment line `// +…` read as a marker. */
export interface Marker {
  /** From `+` to the end of the line's text. */
  readonly range: Range;
  /** As written, up to `=`: with the first argument's name where no definition is known. */
  readonly name: string;
  readonly nameRange: Range;
  /** What it is read as. */
  readonly target: MarkerTarget;
  /** Undefined for one that controller-gen does not know there, and so ignores. */
  readonly definition: MarkerDefinition | undefined;
  readonly arguments: readonly WrittenArgument[];
  /** The one argument, or a map of the named ones, or null. Means something only if there are no mistakes. */
  readonly value: Value;
  readonly mistakes: readonly MarkerMistake[];
}

/** A value with where it is written. */
export interface WrittenValue {
  readonly value: Value;
  /** With its quotes. */
  readonly valueRange: Range;
  /** Between the decoded string and the file. */
  readonly map?: TextMap;
  /** Of a list. */
  readonly items?: readonly WrittenValue[];
}

export interface WrittenArgument extends WrittenValue {
  readonly name: string;
  readonly nameRange: Range | undefined;
}

/** Between the offsets of a decoded string and those of the file. */
export interface TextMap {
  readonly value: string;
  /** Where a character of the value is written; the value's length gives the end of the last one. */
  toText(valueOffset: number): number;
  /** Where the text of a character ends. */
  toTextEnd(valueOffset: number): number;
  /** The character that an offset of the file belongs to; undefined outside of the string. */
  toValue(textOffset: number): number | undefined;
}

export interface MarkerMistake {
  /** As controller-gen says it. */
  readonly message: string;
  readonly range: Range;
}
