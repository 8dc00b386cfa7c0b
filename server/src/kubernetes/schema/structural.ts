import type { Value } from '../../base/value.ts';

/**
 * A structural schema: what the API server keeps of an OpenAPI v3 schema to prune, default, validate and type by.
 * Absent numbers and lists are left out; absent strings are '' and absent flags false, as in Go.
 */
export interface Structural {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly default?: Value;
  readonly nullable: boolean;
  readonly items?: Structural;
  readonly properties?: ReadonlyMap<string, Structural>;
  readonly additionalProperties?: StructuralOrBool;
  readonly extensions: Extensions;
  readonly validation?: ValueValidation;
}

/** `additionalProperties`: a schema, or whether any key goes. */
export interface StructuralOrBool {
  readonly allowed: boolean;
  readonly schema?: Structural;
}

/** The `x-kubernetes-*` keywords. */
export interface Extensions {
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listMapKeys: readonly string[];
  readonly listType?: string;
  readonly mapType?: string;
  readonly validations: readonly ValidationRule[];
}

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason?: string;
  readonly fieldPath: string;
  readonly optionalOldSelf?: boolean;
}

/** The keywords that judge a value without shaping it. */
export interface ValueValidation {
  readonly format: string;
  readonly maximum?: number;
  readonly exclusiveMaximum: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum: boolean;
  readonly maxLength?: bigint;
  readonly minLength?: bigint;
  readonly pattern: string;
  readonly maxItems?: bigint;
  readonly minItems?: bigint;
  readonly uniqueItems: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly Value[];
  readonly maxProperties?: bigint;
  readonly minProperties?: bigint;
  readonly required: readonly string[];
  readonly allOf: readonly NestedValueValidation[];
  readonly oneOf: readonly NestedValueValidation[];
  readonly anyOf: readonly NestedValueValidation[];
  readonly not?: NestedValueValidation;
}

/** What a schema validates that says nothing of it. */
export const noValidation: ValueValidation = {
  format: '',
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  pattern: '',
  uniqueItems: false,
  required: [],
  allOf: [],
  oneOf: [],
  anyOf: [],
};

/** A schema inside a junctor (`allOf`, `anyOf`, `oneOf`, `not`): it may judge values, not shape them. */
export interface NestedValueValidation extends ValueValidation {
  readonly items?: NestedValueValidation;
  readonly properties?: ReadonlyMap<string, NestedValueValidation>;
  readonly additionalProperties?: NestedValueValidation;
  /** What a junctor must not carry, kept only to say so. */
  readonly forbidden: Pick<Structural, 'type' | 'title' | 'description' | 'default' | 'nullable' | 'extensions'>;
}
