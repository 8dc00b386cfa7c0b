import { isJsonList, isJsonObject, type Json, plainValue } from '../../go/json.ts';
import {
  bytes,
  type DecodeElement,
  type DecodeField,
  type Decoder,
  decodeStruct,
  flag,
  flagPointer,
  floatPointer,
  integer,
  integerPointer,
  list,
  map,
  ownDecoding,
  problemCount,
  raw,
  type StructType,
  stopDecoding,
  struct,
  structElement,
  structPointer,
  structType,
  text,
  textElement,
  textPointer,
  time,
} from '../decode.ts';
import { objectMetaType } from '../metadata/decode.ts';
import type {
  ExternalDocs,
  SchemaOrBool,
  SchemaOrList,
  SchemaOrStrings,
  SchemaProps,
  SchemaRule,
} from '../schema/props.ts';
import type {
  Conversion,
  Crd,
  CrdCondition,
  CrdNames,
  CrdSchema,
  CrdSpec,
  CrdStatus,
  CrdVersion,
  PrinterColumn,
  ScaleSubresource,
  SelectableField,
  ServiceReference,
  Subresources,
  WebhookClientConfig,
  WebhookConversion,
} from './types.ts';

const none = () => ({});

const decodeSchema: DecodeElement<SchemaProps> = structElement(() => schemaType, none);

/**
 * A part of a document that an edit leaves alone is the same object, and so is what it decodes to, if nothing was to be
 * said about it. What is strict and what is not are told apart.
 */
const decodedSchemas = { strict: new WeakMap<object, SchemaProps>(), own: new WeakMap<object, SchemaProps>() };

const schemaElement: DecodeElement<SchemaProps> = (json, decoder, before) => {
  // A list that stands twice is decoded over the first one.
  if (before !== undefined) return decodeSchema(json, decoder, structuredClone(before));
  if (!isJsonObject(json)) return decodeSchema(json, decoder, undefined);
  const known = decoder.strict ? decodedSchemas.strict : decodedSchemas.own;
  const found = known.get(json);
  if (found) return found;
  const problems = problemCount(decoder);
  const decoded = decodeSchema(json, decoder, undefined);
  if (problems !== undefined && problemCount(decoder) === problems) known.set(json, decoded);
  return decoded;
};
const schemaMap = 'map[string]v1.JSONSchemaProps';
const schemaList = '[]v1.JSONSchemaProps';

function freshSchema(json: Json, decoder: Decoder): SchemaProps {
  return schemaElement(json, decoder, undefined);
}

/** `items`: an object or a list; anything else, and an empty list, is silently nothing. */
const items: DecodeField<SchemaProps> = (target, json, decoder) => {
  target.items = json === null ? undefined : ownDecoding(decoder, (inner) => schemaOrList(json, inner));
};

function schemaOrList(json: Json, decoder: Decoder): SchemaOrList {
  if (isJsonObject(json)) return { schema: freshSchema(json, decoder) };
  if (!isJsonList(json)) return {};
  const holder: { schemas?: SchemaProps[] } = {};
  list('schemas', schemaList, schemaElement)(holder, json, decoder);
  return holder;
}

function schemaOrBool(json: Json, decoder: Decoder): SchemaOrBool {
  if (isJsonObject(json)) return { allows: true, schema: freshSchema(json, decoder) };
  if (typeof json === 'boolean') return { allows: json };
  return stopDecoding(decoder, 'boolean or JSON schema expected');
}

function orBool(key: 'additionalProperties' | 'additionalItems'): DecodeField<SchemaProps> {
  return (target, json, decoder) => {
    target[key] = json === null ? undefined : ownDecoding(decoder, (inner) => schemaOrBool(json, inner));
  };
}

function schemaOrStrings(json: Json, decoder: Decoder): SchemaOrStrings {
  if (isJsonObject(json)) return { schema: freshSchema(json, decoder) };
  if (!isJsonList(json)) return {};
  const holder: { strings?: string[] } = {};
  list('strings', '[]string', textElement)(holder, json, decoder);
  return holder;
}

const dependency: DecodeElement<SchemaOrStrings> = (json, decoder) =>
  ownDecoding(decoder, (inner) => schemaOrStrings(json, inner));

const externalDocsType = structType<ExternalDocs>('ExternalDocumentation', {
  description: text('description'),
  url: text('url'),
});

const ruleType = structType<SchemaRule>('ValidationRule', {
  rule: text('rule'),
  message: text('message'),
  messageExpression: text('messageExpression'),
  reason: textPointer('reason', 'v1.FieldValueErrorReason'),
  fieldPath: text('fieldPath'),
  optionalOldSelf: flagPointer('optionalOldSelf'),
});

const schemaType: StructType<SchemaProps> = structType<SchemaProps>('JSONSchemaProps', {
  id: text('id'),
  $schema: text('schema', 'v1.JSONSchemaURL'),
  $ref: textPointer('ref'),
  description: text('description'),
  type: text('type'),
  format: text('format'),
  title: text('title'),
  default: raw('default'),
  maximum: floatPointer('maximum'),
  exclusiveMaximum: flag('exclusiveMaximum'),
  minimum: floatPointer('minimum'),
  exclusiveMinimum: flag('exclusiveMinimum'),
  maxLength: integerPointer('maxLength', 64),
  minLength: integerPointer('minLength', 64),
  pattern: text('pattern'),
  maxItems: integerPointer('maxItems', 64),
  minItems: integerPointer('minItems', 64),
  uniqueItems: flag('uniqueItems'),
  multipleOf: floatPointer('multipleOf'),
  enum: list('enum', '[]v1.JSON', plainValue),
  maxProperties: integerPointer('maxProperties', 64),
  minProperties: integerPointer('minProperties', 64),
  required: list('required', '[]string', textElement),
  items,
  allOf: list('allOf', schemaList, schemaElement),
  oneOf: list('oneOf', schemaList, schemaElement),
  anyOf: list('anyOf', schemaList, schemaElement),
  not: structPointer('not', () => schemaType, none),
  properties: map('properties', schemaMap, schemaElement),
  additionalProperties: orBool('additionalProperties'),
  patternProperties: map('patternProperties', schemaMap, schemaElement),
  dependencies: map('dependencies', 'v1.JSONSchemaDependencies', dependency),
  additionalItems: orBool('additionalItems'),
  definitions: map('definitions', 'v1.JSONSchemaDefinitions', schemaElement),
  externalDocs: structPointer('externalDocs', () => externalDocsType, none),
  example: raw('example'),
  nullable: flag('nullable'),
  'x-kubernetes-preserve-unknown-fields': flagPointer('preserveUnknownFields'),
  'x-kubernetes-embedded-resource': flag('embeddedResource'),
  'x-kubernetes-int-or-string': flag('intOrString'),
  'x-kubernetes-list-map-keys': list('listMapKeys', '[]string', textElement),
  'x-kubernetes-list-type': textPointer('listType'),
  'x-kubernetes-map-type': textPointer('mapType'),
  'x-kubernetes-validations': list(
    'validations',
    'v1.ValidationRules',
    structElement(() => ruleType, none),
  ),
});

const crdSchemaType = structType<CrdSchema>('CustomResourceValidation', {
  openAPIV3Schema: structPointer('openAPIV3Schema', () => schemaType, none),
});

const statusSubresourceType = structType<object>('CustomResourceSubresourceStatus', {});

const scaleType = structType<ScaleSubresource>('CustomResourceSubresourceScale', {
  specReplicasPath: text('specReplicasPath'),
  statusReplicasPath: text('statusReplicasPath'),
  labelSelectorPath: textPointer('labelSelectorPath'),
});

const subresourcesType = structType<Subresources>('CustomResourceSubresources', {
  status: structPointer('status', () => statusSubresourceType, none),
  scale: structPointer('scale', () => scaleType, none),
});

const columnType = structType<PrinterColumn>('CustomResourceColumnDefinition', {
  name: text('name'),
  type: text('type'),
  format: text('format'),
  description: text('description'),
  priority: integer('priority', 32),
  jsonPath: text('jsonPath'),
});

const selectableFieldType = structType<SelectableField>('SelectableField', { jsonPath: text('jsonPath') });

const versionType = structType<CrdVersion>('CustomResourceDefinitionVersion', {
  name: text('name'),
  served: flag('served'),
  storage: flag('storage'),
  deprecated: flag('deprecated'),
  deprecationWarning: textPointer('deprecationWarning'),
  schema: structPointer('schema', () => crdSchemaType, none),
  subresources: structPointer('subresources', () => subresourcesType, none),
  additionalPrinterColumns: list(
    'additionalPrinterColumns',
    '[]v1.CustomResourceColumnDefinition',
    structElement(() => columnType, none),
  ),
  selectableFields: list(
    'selectableFields',
    '[]v1.SelectableField',
    structElement(() => selectableFieldType, none),
  ),
});

const namesType = structType<CrdNames>('CustomResourceDefinitionNames', {
  plural: text('plural'),
  singular: text('singular'),
  shortNames: list('shortNames', '[]string', textElement),
  kind: text('kind'),
  listKind: text('listKind'),
  categories: list('categories', '[]string', textElement),
});

const serviceType = structType<ServiceReference>('ServiceReference', {
  namespace: text('namespace'),
  name: text('name'),
  path: textPointer('path'),
  port: integerPointer('port', 32),
});

const clientConfigType = structType<WebhookClientConfig>('WebhookClientConfig', {
  url: textPointer('url'),
  service: structPointer('service', () => serviceType, none),
  caBundle: bytes('caBundle'),
});

const webhookType = structType<WebhookConversion>('WebhookConversion', {
  clientConfig: structPointer('clientConfig', () => clientConfigType, none),
  conversionReviewVersions: list('conversionReviewVersions', '[]string', textElement),
});

const conversionType = structType<Conversion>('CustomResourceConversion', {
  strategy: text('strategy', 'v1.ConversionStrategyType'),
  webhook: structPointer('webhook', () => webhookType, none),
});

const specType = structType<CrdSpec>('CustomResourceDefinitionSpec', {
  group: text('group'),
  names: struct('names', () => namesType),
  scope: text('scope', 'v1.ResourceScope'),
  versions: list(
    'versions',
    '[]v1.CustomResourceDefinitionVersion',
    structElement(() => versionType, none),
  ),
  conversion: structPointer('conversion', () => conversionType, none),
  preserveUnknownFields: flag('preserveUnknownFields'),
});

const conditionType = structType<CrdCondition>('CustomResourceDefinitionCondition', {
  type: text('type', 'v1.CustomResourceDefinitionConditionType'),
  status: text('status', 'v1.ConditionStatus'),
  lastTransitionTime: time('lastTransitionTime'),
  reason: text('reason'),
  message: text('message'),
});

const observingConditionType = structType<CrdCondition>('CustomResourceDefinitionCondition', {
  ...Object.fromEntries(conditionType.fields),
  observedGeneration: integer('observedGeneration', 64),
});

const conditionElement: DecodeElement<CrdCondition> = (json, decoder, before) => {
  const condition = before ?? {};
  const type = decoder.version.observedGeneration ? observingConditionType : conditionType;
  decodeStruct(type, condition, json, decoder);
  return condition;
};

const statusType = structType<CrdStatus>('CustomResourceDefinitionStatus', {
  conditions: list('conditions', '[]v1.CustomResourceDefinitionCondition', conditionElement),
  acceptedNames: struct('acceptedNames', () => namesType),
  storedVersions: list('storedVersions', '[]string', textElement),
});

const observingStatusType = structType<CrdStatus>('CustomResourceDefinitionStatus', {
  ...Object.fromEntries(statusType.fields),
  observedGeneration: integer('observedGeneration', 64),
});

export const crdType = structType<Crd>('CustomResourceDefinition', {
  apiVersion: text('apiVersion'),
  kind: text('kind'),
  metadata: struct('metadata', () => objectMetaType),
  spec: struct('spec', () => specType),
  status: (target, json, decoder) => {
    const type = decoder.version.observedGeneration ? observingStatusType : statusType;
    decodeStruct(type, target.status, json, decoder);
  },
});

export function emptyCrd(): Crd {
  return { metadata: {}, spec: { names: {} }, status: { acceptedNames: {} } };
}

export { schemaType };
