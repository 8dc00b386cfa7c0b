import { encodeBase64 } from '../../go/base64.ts';
import { type GoField, type GoValue, goAny, goNil, goString } from '../goValue.ts';
import type {
  ExternalDocs,
  SchemaOrBool,
  SchemaOrList,
  SchemaOrStrings,
  SchemaProps,
  SchemaRule,
} from '../schema/props.ts';
import type { InternalSpec } from './internal.ts';
import type { CrdSchema, CrdVersion, PrinterColumn, ScaleSubresource, SelectableField, Subresources } from './types.ts';

// The API server's internal types as they show in errors: with Go's field names, and every field there is.

const packageName = 'apiextensions';

function structValue(type: string, fields: Readonly<Record<string, GoValue>>): GoValue {
  const list: GoField[] = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return { go: 'struct', type: `${packageName}.${type}`, fields: list };
}

function pointer(type: string, to: GoValue | undefined): GoValue {
  return to ? { go: 'pointer', type: `*${type}`, to } : goNil(`*${type}`);
}

function slice<T>(type: string, items: readonly T[] | undefined, item: (value: T) => GoValue): GoValue {
  return items ? { go: 'slice', type: `[]${type}`, items: items.map(item) } : goNil(`[]${type}`);
}

function mapValue<T>(type: string, map: ReadonlyMap<string, T> | undefined, item: (value: T) => GoValue): GoValue {
  return map ? { go: 'map', type, entries: [...map].map(([key, value]) => [key, item(value)]) } : goNil(type);
}

const text = (value: string | undefined): GoValue => goString(value ?? '');
const flag = (value: boolean | undefined): GoValue => goAny(value ?? false);
const textPointer = (value: string | undefined, type = 'string'): GoValue =>
  pointer(type, value === undefined ? undefined : goString(value));
const anyPointer = (value: bigint | number | boolean | undefined, type: string): GoValue =>
  pointer(type, value === undefined ? undefined : goAny(value));

const propsType = `${packageName}.JSONSchemaProps`;

function schemaPointer(schema: SchemaProps | undefined): GoValue {
  return pointer(propsType, schema && schemaValue(schema));
}

function schemas(list: readonly SchemaProps[] | undefined): GoValue {
  return slice(propsType, list, schemaValue);
}

function schemaMap(map: ReadonlyMap<string, SchemaProps> | undefined, type = `map[string]${propsType}`): GoValue {
  return mapValue(type, map, schemaValue);
}

function orBool(value: SchemaOrBool | undefined): GoValue {
  const to =
    value && structValue('JSONSchemaPropsOrBool', { Allows: goAny(value.allows), Schema: schemaPointer(value.schema) });
  return pointer(`${packageName}.JSONSchemaPropsOrBool`, to);
}

export function schemaOrListValue(value: SchemaOrList | undefined): GoValue {
  const to =
    value &&
    structValue('JSONSchemaPropsOrArray', { Schema: schemaPointer(value.schema), JSONSchemas: schemas(value.schemas) });
  return pointer(`${packageName}.JSONSchemaPropsOrArray`, to);
}

function orStrings(value: SchemaOrStrings): GoValue {
  return structValue('JSONSchemaPropsOrStringArray', {
    Schema: schemaPointer(value.schema),
    Property: slice('string', value.strings, goString),
  });
}

function docs(value: ExternalDocs | undefined): GoValue {
  const to =
    value && structValue('ExternalDocumentation', { Description: text(value.description), URL: text(value.url) });
  return pointer(`${packageName}.ExternalDocumentation`, to);
}

export function ruleValue(rule: SchemaRule): GoValue {
  return structValue('ValidationRule', {
    Rule: text(rule.rule),
    Message: text(rule.message),
    MessageExpression: text(rule.messageExpression),
    Reason: textPointer(rule.reason, `${packageName}.FieldValueErrorReason`),
    FieldPath: text(rule.fieldPath),
    OptionalOldSelf: anyPointer(rule.optionalOldSelf, 'bool'),
  });
}

/** The fields of JSONSchemaProps in Go's order, as functions of a schema. */
export const schemaFields: Readonly<Record<string, (schema: SchemaProps) => GoValue>> = {
  ID: (s) => text(s.id),
  Schema: (s) => text(s.schema),
  Ref: (s) => textPointer(s.ref),
  Description: (s) => text(s.description),
  Type: (s) => text(s.type),
  Nullable: (s) => flag(s.nullable),
  Format: (s) => text(s.format),
  Title: (s) => text(s.title),
  Default: (s) => pointer(`${packageName}.JSON`, s.default === undefined ? undefined : goAny(s.default)),
  Maximum: (s) => anyPointer(s.maximum, 'float64'),
  ExclusiveMaximum: (s) => flag(s.exclusiveMaximum),
  Minimum: (s) => anyPointer(s.minimum, 'float64'),
  ExclusiveMinimum: (s) => flag(s.exclusiveMinimum),
  MaxLength: (s) => anyPointer(s.maxLength, 'int64'),
  MinLength: (s) => anyPointer(s.minLength, 'int64'),
  Pattern: (s) => text(s.pattern),
  MaxItems: (s) => anyPointer(s.maxItems, 'int64'),
  MinItems: (s) => anyPointer(s.minItems, 'int64'),
  UniqueItems: (s) => flag(s.uniqueItems),
  MultipleOf: (s) => anyPointer(s.multipleOf, 'float64'),
  Enum: (s) => slice(`${packageName}.JSON`, s.enum, goAny),
  MaxProperties: (s) => anyPointer(s.maxProperties, 'int64'),
  MinProperties: (s) => anyPointer(s.minProperties, 'int64'),
  Required: (s) => slice('string', s.required, goString),
  Items: (s) => schemaOrListValue(s.items),
  AllOf: (s) => schemas(s.allOf),
  OneOf: (s) => schemas(s.oneOf),
  AnyOf: (s) => schemas(s.anyOf),
  Not: (s) => schemaPointer(s.not),
  Properties: (s) => schemaMap(s.properties),
  AdditionalProperties: (s) => orBool(s.additionalProperties),
  PatternProperties: (s) => schemaMap(s.patternProperties),
  Dependencies: (s) => mapValue(`${packageName}.JSONSchemaDependencies`, s.dependencies, orStrings),
  AdditionalItems: (s) => orBool(s.additionalItems),
  Definitions: (s) => schemaMap(s.definitions, `${packageName}.JSONSchemaDefinitions`),
  ExternalDocs: (s) => docs(s.externalDocs),
  Example: (s) => pointer(`${packageName}.JSON`, s.example === undefined ? undefined : goAny(s.example)),
  XPreserveUnknownFields: (s) => anyPointer(s.preserveUnknownFields, 'bool'),
  XEmbeddedResource: (s) => flag(s.embeddedResource),
  XIntOrString: (s) => flag(s.intOrString),
  XListMapKeys: (s) => slice('string', s.listMapKeys, goString),
  XListType: (s) => textPointer(s.listType),
  XMapType: (s) => textPointer(s.mapType),
  XValidations: (s) => rules(s.validations),
};

function rules(list: readonly SchemaRule[] | undefined): GoValue {
  const type = `${packageName}.ValidationRules`;
  return list ? { go: 'slice', type, items: list.map(ruleValue) } : goNil(type);
}

export function schemaValue(schema: SchemaProps): GoValue {
  const fields = Object.entries(schemaFields).map(([name, of]) => ({ name, value: of(schema) }));
  return { go: 'struct', type: propsType, fields };
}

function validation(schema: CrdSchema | undefined): GoValue {
  const to =
    schema && structValue('CustomResourceValidation', { OpenAPIV3Schema: schemaPointer(schema.openAPIV3Schema) });
  return pointer(`${packageName}.CustomResourceValidation`, to);
}

function scaleValue(scale: ScaleSubresource): GoValue {
  return structValue('CustomResourceSubresourceScale', {
    SpecReplicasPath: text(scale.specReplicasPath),
    StatusReplicasPath: text(scale.statusReplicasPath),
    LabelSelectorPath: textPointer(scale.labelSelectorPath),
  });
}

function subresources(value: Subresources | undefined): GoValue {
  const status = `${packageName}.CustomResourceSubresourceStatus`;
  const scale = `${packageName}.CustomResourceSubresourceScale`;
  const to =
    value &&
    structValue('CustomResourceSubresources', {
      Status: pointer(status, value.status && structValue('CustomResourceSubresourceStatus', {})),
      Scale: pointer(scale, value.scale && scaleValue(value.scale)),
    });
  return pointer(`${packageName}.CustomResourceSubresources`, to);
}

function column(value: PrinterColumn): GoValue {
  return structValue('CustomResourceColumnDefinition', {
    Name: text(value.name),
    Type: text(value.type),
    Format: text(value.format),
    Description: text(value.description),
    Priority: goAny(value.priority ?? 0n),
    JSONPath: text(value.jsonPath),
  });
}

function selectable(value: SelectableField): GoValue {
  return structValue('SelectableField', { JSONPath: text(value.jsonPath) });
}

function version(value: CrdVersion): GoValue {
  return structValue('CustomResourceDefinitionVersion', {
    Name: text(value.name),
    Served: flag(value.served),
    Storage: flag(value.storage),
    Deprecated: flag(value.deprecated),
    DeprecationWarning: textPointer(value.deprecationWarning),
    Schema: validation(value.schema),
    Subresources: subresources(value.subresources),
    AdditionalPrinterColumns: slice(
      `${packageName}.CustomResourceColumnDefinition`,
      value.additionalPrinterColumns,
      column,
    ),
    SelectableFields: slice(`${packageName}.SelectableField`, value.selectableFields, selectable),
  });
}

/** `spec.versions` of the internal object; `absent` is Go's nil. */
export function versionsValue(spec: InternalSpec, absent: boolean): GoValue {
  return slice(`${packageName}.CustomResourceDefinitionVersion`, absent ? undefined : spec.versions, version);
}

export function stringsValue(items: readonly string[] | undefined): GoValue {
  return slice('string', items, goString);
}

export function bytesValue(bytes: Uint8Array): GoValue {
  return { go: 'bytes', base64: encodeBase64(bytes), bytes };
}

export { textPointer as stringPointerValue };
