import { memo } from '../../base/memo.ts';
import type { SchemaProps, SchemaRule } from '../api/schema.ts';
import type {
  Extensions,
  NestedValueValidation,
  Structural,
  StructuralOrBool,
  ValidationRule,
  ValueValidation,
} from './structural.ts';

/** A structural schema, or, in the API server's words, why there is none. */
export type Lowered = { readonly structural: Structural } | { readonly error: string };

class NotStructural extends Error {}

/** The structural schema of an OpenAPI schema. Lowered once for each decoded schema. */
export const lowerSchema = memo(attempt);

function attempt(schema: SchemaProps): Lowered {
  try {
    return { structural: structuralOf(schema) };
  } catch (error) {
    if (error instanceof NotStructural) return { error: error.message };
    throw error;
  }
}

/** One that is being made: there are many schemas, and each is made in the fewest steps. */
type Made<T> = { -readonly [Key in keyof T]: T[Key] };

function refuse(name: string): never {
  throw new NotStructural(`OpenAPIV3Schema '${name}' is not supported`);
}

function refuseUnsupported(schema: SchemaProps): void {
  if (schema.id) refuse('id');
  if (schema.schema) refuse('schema');
  if (schema.ref) refuse('$ref');
  if (schema.patternProperties?.size) refuse('patternProperties');
  if (schema.dependencies?.size) refuse('dependencies');
  if (schema.additionalItems) refuse('additionalItems');
  if (schema.definitions?.size) refuse('definitions');
}

function ruleOf(rule: SchemaRule): ValidationRule {
  return {
    rule: rule.rule ?? '',
    message: rule.message ?? '',
    messageExpression: rule.messageExpression ?? '',
    fieldPath: rule.fieldPath ?? '',
    ...(rule.reason !== undefined && { reason: rule.reason }),
    ...(rule.optionalOldSelf !== undefined && { optionalOldSelf: rule.optionalOldSelf }),
  };
}

const noRules: readonly ValidationRule[] = [];
const noKeys: readonly string[] = [];

function extensionsOf(schema: SchemaProps): Extensions {
  if (schema.preserveUnknownFields === false) {
    throw new NotStructural("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
  }
  if (!hasExtension(schema)) return noExtensions;
  const made: Made<Extensions> = {
    preserveUnknownFields: schema.preserveUnknownFields ?? false,
    embeddedResource: schema.embeddedResource ?? false,
    intOrString: schema.intOrString ?? false,
    listMapKeys: schema.listMapKeys ?? noKeys,
    validations: schema.validations?.map(ruleOf) ?? noRules,
  };
  if (schema.listType !== undefined) made.listType = schema.listType;
  if (schema.mapType !== undefined) made.mapType = schema.mapType;
  return made;
}

/** Most schemas have none of them. */
const noExtensions: Extensions = {
  preserveUnknownFields: false,
  embeddedResource: false,
  intOrString: false,
  listMapKeys: noKeys,
  validations: noRules,
};

function hasExtension(schema: SchemaProps): boolean {
  return (
    schema.preserveUnknownFields !== undefined ||
    schema.embeddedResource !== undefined ||
    schema.intOrString !== undefined ||
    schema.listMapKeys !== undefined ||
    schema.validations !== undefined ||
    schema.listType !== undefined ||
    schema.mapType !== undefined
  );
}

type Generic = Pick<Structural, 'type' | 'title' | 'description' | 'default' | 'nullable'>;

function genericOf(schema: SchemaProps): Generic {
  const made: Made<Generic> = {
    type: schema.type ?? '',
    title: schema.title ?? '',
    description: schema.description ?? '',
    nullable: schema.nullable ?? false,
  };
  if (schema.default !== undefined) made.default = schema.default;
  return made;
}

const noBranches: readonly NestedValueValidation[] = [];

function branches(list: readonly SchemaProps[] | undefined): readonly NestedValueValidation[] {
  return list ? list.map(nestedOf) : noBranches;
}

function addLimits(schema: SchemaProps, to: Made<ValueValidation>): void {
  if (schema.maximum !== undefined) to.maximum = schema.maximum;
  if (schema.minimum !== undefined) to.minimum = schema.minimum;
  if (schema.maxLength !== undefined) to.maxLength = schema.maxLength;
  if (schema.minLength !== undefined) to.minLength = schema.minLength;
  if (schema.maxItems !== undefined) to.maxItems = schema.maxItems;
  if (schema.minItems !== undefined) to.minItems = schema.minItems;
  if (schema.multipleOf !== undefined) to.multipleOf = schema.multipleOf;
  if (schema.maxProperties !== undefined) to.maxProperties = schema.maxProperties;
  if (schema.minProperties !== undefined) to.minProperties = schema.minProperties;
}

/** Junctors come first and in this order, since the first thing that cannot be lowered is what is reported. */
function validationOf(schema: SchemaProps): ValueValidation {
  const not = schema.not && nestedOf(schema.not);
  const allOf = branches(schema.allOf);
  const anyOf = branches(schema.anyOf);
  const oneOf = branches(schema.oneOf);
  const made: Made<ValueValidation> = {
    format: schema.format ?? '',
    exclusiveMaximum: schema.exclusiveMaximum ?? false,
    exclusiveMinimum: schema.exclusiveMinimum ?? false,
    pattern: schema.pattern ?? '',
    uniqueItems: schema.uniqueItems ?? false,
    required: schema.required ?? noKeys,
    allOf,
    oneOf,
    anyOf,
  };
  addLimits(schema, made);
  if (schema.enum && schema.enum.length > 0) made.enum = schema.enum;
  if (not) made.not = not;
  return made;
}

function refuseTuple(schema: SchemaProps): void {
  if (schema.items?.schemas && schema.items.schemas.length > 0) {
    throw new NotStructural("OpenAPIV3Schema 'items' must be a schema, but is an array");
  }
}

function mapValues<T>(map: ReadonlyMap<string, SchemaProps>, of: (schema: SchemaProps) => T): Map<string, T> {
  const out = new Map<string, T>();
  map.forEach((schema, key) => {
    out.set(key, of(schema));
  });
  return out;
}

function additionalOf(schema: SchemaProps): StructuralOrBool | undefined {
  const additional = schema.additionalProperties;
  if (!additional) return undefined;
  return additional.schema
    ? { allowed: true, schema: structuralChild(additional.schema) }
    : { allowed: additional.allows };
}

/** A child's structural schema is the one that its own lowering gives, so that both are the same object. */
function structuralChild(schema: SchemaProps): Structural {
  const result = lowerSchema(schema);
  if ('error' in result) throw new NotStructural(result.error);
  return result.structural;
}

function structuralOf(schema: SchemaProps): Structural {
  refuseUnsupported(schema);
  const validation = validationOf(schema);
  const extensions = extensionsOf(schema);
  refuseTuple(schema);
  const items = schema.items?.schema && structuralChild(schema.items.schema);
  const properties = schema.properties?.size ? mapValues(schema.properties, structuralChild) : undefined;
  const additionalProperties = additionalOf(schema);
  const made: Made<Structural> = {
    type: schema.type ?? '',
    title: schema.title ?? '',
    description: schema.description ?? '',
    nullable: schema.nullable ?? false,
    extensions,
    validation,
  };
  if (schema.default !== undefined) made.default = schema.default;
  if (items) made.items = items;
  if (properties) made.properties = properties;
  if (additionalProperties) made.additionalProperties = additionalProperties;
  return made;
}

function nestedAdditional(schema: SchemaProps): NestedValueValidation | undefined {
  const additional = schema.additionalProperties;
  if (additional?.schema) return nestedOf(additional.schema);
  return additional?.allows ? nestedOf({}) : undefined;
}

function nestedOf(schema: SchemaProps): NestedValueValidation {
  refuseUnsupported(schema);
  const validation = validationOf(schema);
  const extensions = extensionsOf(schema);
  refuseTuple(schema);
  const items = schema.items?.schema && nestedOf(schema.items.schema);
  const properties = schema.properties && mapValues(schema.properties, nestedOf);
  const additionalProperties = nestedAdditional(schema);
  return {
    ...validation,
    ...(items && { items }),
    ...(properties && { properties }),
    ...(additionalProperties && { additionalProperties }),
    forbidden: { ...genericOf(schema), extensions },
  };
}
