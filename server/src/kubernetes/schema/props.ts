import type { Value } from '../../base/value.ts';

// Decoded as Go decodes it: what Go holds by value is absent when it is Go's zero value, an empty list is not absent.

/** JSONSchemaProps: an OpenAPI v3 schema as a CRD may write it. */
export interface SchemaProps {
  id?: string | undefined;
  schema?: string | undefined;
  ref?: string | undefined;
  description?: string | undefined;
  type?: string | undefined;
  nullable?: boolean | undefined;
  format?: string | undefined;
  title?: string | undefined;
  default?: Value | undefined;
  maximum?: number | undefined;
  exclusiveMaximum?: boolean | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: boolean | undefined;
  maxLength?: bigint | undefined;
  minLength?: bigint | undefined;
  pattern?: string | undefined;
  maxItems?: bigint | undefined;
  minItems?: bigint | undefined;
  uniqueItems?: boolean | undefined;
  multipleOf?: number | undefined;
  enum?: Value[] | undefined;
  maxProperties?: bigint | undefined;
  minProperties?: bigint | undefined;
  required?: string[] | undefined;
  items?: SchemaOrList | undefined;
  allOf?: SchemaProps[] | undefined;
  oneOf?: SchemaProps[] | undefined;
  anyOf?: SchemaProps[] | undefined;
  not?: SchemaProps | undefined;
  properties?: Map<string, SchemaProps> | undefined;
  additionalProperties?: SchemaOrBool | undefined;
  patternProperties?: Map<string, SchemaProps> | undefined;
  dependencies?: Map<string, SchemaOrStrings> | undefined;
  additionalItems?: SchemaOrBool | undefined;
  definitions?: Map<string, SchemaProps> | undefined;
  externalDocs?: ExternalDocs | undefined;
  example?: Value | undefined;
  preserveUnknownFields?: boolean | undefined;
  embeddedResource?: boolean | undefined;
  intOrString?: boolean | undefined;
  listMapKeys?: string[] | undefined;
  listType?: string | undefined;
  mapType?: string | undefined;
  validations?: SchemaRule[] | undefined;
}

/** `items`: neither of both where it was neither an object nor a list. */
export interface SchemaOrList {
  readonly schema?: SchemaProps;
  readonly schemas?: readonly SchemaProps[];
}

export interface SchemaOrBool {
  readonly allows: boolean;
  readonly schema?: SchemaProps;
}

export interface SchemaOrStrings {
  readonly schema?: SchemaProps;
  readonly strings?: readonly string[];
}

export interface ExternalDocs {
  description?: string | undefined;
  url?: string | undefined;
}

export interface SchemaRule {
  rule?: string | undefined;
  message?: string | undefined;
  messageExpression?: string | undefined;
  reason?: string | undefined;
  fieldPath?: string | undefined;
  optionalOldSelf?: boolean | undefined;
}
