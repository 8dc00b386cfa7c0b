import { isJsonList, isJsonObject, type Json } from '../../gostd/json.ts';
import {
  type DecodeElement,
  type Decoder,
  list as decodeList,
  structPointer as decodePointer,
  ownDecoding,
  problemCount,
  stopDecoding,
  structElement,
  textElement,
} from '../decode.ts';
import { goAny, goStrings, goStruct } from '../goValue.ts';
import { equalTo } from './equalJson.ts';
import {
  flag,
  flagPointer,
  floatPointer,
  integerPointer,
  list,
  map,
  pointerTo,
  raw,
  rawItem,
  structItem,
  structPointer,
  text,
  textItem,
  textPointer,
} from './goTypes.ts';
import { printStruct } from './print.ts';
import { storeStruct } from './store.ts';
import { type ElementType, type FieldType, type ObjectOf, optional, required, type Struct, struct } from './struct.ts';

// JSONSchemaProps: an OpenAPI v3 schema as a CRD may write it.

const none = () => ({});

const externalDocsFields = {
  description: optional(text(), {
    text: 'A description.',
    demands: 'Any text.',
    example: 'description: The handbook.',
  }),
  url: optional(text(), {
    go: 'URL',
    text: 'A URL.',
    demands: 'Any text.',
    example: 'url: https://example.com/docs',
  }),
};

export type ExternalDocs = ObjectOf<typeof externalDocsFields>;
export const externalDocsStruct = struct<ExternalDocs>('v1.ExternalDocumentation', none, externalDocsFields, {
  shownFirst: ['url'],
});

const ruleFields = {
  rule: required(text(), {
    since: '1.25',
    text: 'The expression, which must return a boolean. `self` is the value, `oldSelf` the value before an update. The estimated cost may be at most 10,000,000.',
    demands:
      'An expression that compiles, returns a boolean and stays within the cost budget. A multi-line rule needs a message.',
    example: 'rule: self.size <= self.max',
  }),
  message: optional(text(), {
    since: '1.25',
    text: 'What users see when the rule is broken. Required if the rule has line breaks.',
    demands: 'Must not be empty or contain line breaks.',
    example: 'rule: self.size <= self.max\nmessage: size must not be above max',
  }),
  messageExpression: optional(text(), {
    since: '1.27',
    text: 'An expression that returns the message as a string. `message` is used if it fails.',
    demands: 'An expression that compiles and returns a string. It counts towards the cost budget.',
    example:
      "rule: self.size <= self.max\nmessageExpression: \"self.max < 0 ? 'max is below 0' : 'size is above max'\"",
  }),
  reason: optional(textPointer('v1.FieldValueErrorReason'), {
    since: '1.28',
    text: 'The reason in the error that clients get.',
    choices: ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'],
    standard: 'FieldValueInvalid',
    demands: 'One of the four reasons.',
    example: 'rule: self.size <= self.max\nreason: FieldValueForbidden',
  }),
  fieldPath: optional(text(), {
    since: '1.28',
    text: "The field below this node that the error names, such as `.spec.size` or `['a-b']`. It must exist in the schema and must not contain list indices.",
    demands: 'A path in the schema, relative to the node, without list indices.',
    example: 'rule: self.size <= self.max\nfieldPath: .size',
  }),
  optionalOldSelf: optional(flagPointer, {
    since: '1.30',
    text: 'Makes `oldSelf` an optional, so that a transition rule also runs on creation. Only for rules that use `oldSelf`.',
    demands: 'Only for rules that use `oldSelf`.',
    example: "rule: '!oldSelf.hasValue() || self.max >= oldSelf.value().max'\noptionalOldSelf: true",
  }),
};

export type SchemaRule = ObjectOf<typeof ruleFields>;
export const ruleStruct = struct<SchemaRule>('v1.ValidationRule', none, ruleFields, {
  text: 'A CEL rule that values must satisfy.',
});

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

const decodeSchema: DecodeElement<SchemaProps> = structElement(() => schemaStruct.decoding, none);

/**
 * What is equal, such as a part of a document that an edit leaves alone, decodes to the same object, if nothing was to be
 * said about it. What is strict and what is not are told apart.
 */
function decodeOnce(json: Json, decoder: Decoder, before: SchemaProps | undefined): SchemaProps {
  // A list that is given twice is decoded over the first one.
  if (before !== undefined) return decodeSchema(json, decoder, structuredClone(before));
  if (!isJsonObject(json)) return decodeSchema(json, decoder, undefined);
  const equal = equalTo(json);
  const how = decoder.strict ? 'strict' : 'own';
  const found = equal.kept?.[how];
  // Nothing else keeps anything there.
  if (found) return found as SchemaProps;
  const problems = problemCount(decoder);
  const decoded = decodeSchema(equal.whole as Json, decoder, undefined);
  if (problems !== undefined && problemCount(decoder) === problems) {
    equal.kept ??= {};
    equal.kept[how] = decoded;
  }
  return decoded;
}

const schemaItem: ElementType<SchemaProps> = {
  name: 'v1.JSONSchemaProps',
  decode: decodeOnce,
  store: (schema, options) => storeStruct(schemaStruct, schema, options),
  print: (schema) => printStruct(schemaStruct, schema),
  node: (_, schema) => schema,
};

export const schemaPointer: FieldType<SchemaProps> = {
  ...pointerTo(schemaItem),
  decode: (key) => decodePointer(key, () => schemaStruct.decoding, none),
};

const schemas = list(schemaItem);

/** An object or a list; anything else, and an empty list, is silently nothing. */
const schemaOrList: ElementType<SchemaOrList> = {
  name: 'v1.JSONSchemaPropsOrArray',
  decode: (json, decoder) => {
    if (isJsonObject(json)) return { schema: decodeOnce(json, decoder, undefined) };
    if (!isJsonList(json)) return {};
    const holder: { schemas?: SchemaProps[] } = {};
    decodeList('schemas', '[]v1.JSONSchemaProps', decodeOnce)(holder, json, decoder);
    return holder;
  },
  store: ({ schema, schemas }, options) => {
    if (schemas?.length) return schemas.map((one) => schemaItem.store(one, options));
    return schema ? schemaItem.store(schema, options) : null;
  },
  print: ({ schema, schemas: list }) =>
    goStruct('apiextensions.JSONSchemaPropsOrArray', {
      Schema: schemaPointer.print(schema),
      JSONSchemas: schemas.print(list && [...list]),
    }),
  node: (_, schema) => schema,
};

const schemaOrBool: ElementType<SchemaOrBool> = {
  name: 'v1.JSONSchemaPropsOrBool',
  decode: (json, decoder) => {
    if (isJsonObject(json)) return { allows: true, schema: decodeOnce(json, decoder, undefined) };
    if (typeof json === 'boolean') return { allows: json };
    return stopDecoding(decoder, 'boolean or JSON schema expected');
  },
  store: ({ allows, schema }, options) => (schema ? schemaItem.store(schema, options) : allows),
  print: ({ allows, schema }) =>
    goStruct('apiextensions.JSONSchemaPropsOrBool', { Allows: goAny(allows), Schema: schemaPointer.print(schema) }),
  node: (_, schema) => schema,
};

function schemaOrStrings(json: Json, decoder: Decoder): SchemaOrStrings {
  if (isJsonObject(json)) return { schema: decodeOnce(json, decoder, undefined) };
  if (!isJsonList(json)) return {};
  const holder: { strings?: string[] } = {};
  decodeList('strings', '[]string', textElement)(holder, json, decoder);
  return holder;
}

const dependency: ElementType<SchemaOrStrings> = {
  name: 'v1.JSONSchemaPropsOrStringArray',
  decode: (json, decoder) => ownDecoding(decoder, (inner) => schemaOrStrings(json, inner)),
  store: ({ schema, strings }, options) => {
    if (strings?.length) return strings;
    return schema ? schemaItem.store(schema, options) : null;
  },
  print: ({ schema, strings }) =>
    goStruct('apiextensions.JSONSchemaPropsOrStringArray', {
      Schema: schemaPointer.print(schema),
      Property: goStrings(strings),
    }),
  node: (_, schema) => schema,
};

const count = 'A whole number. Negative numbers are accepted but useless.';
const junctorOnly =
  'Must not contain `type`, `default`, `description`, `nullable` or other keywords that shape the value. Every property used inside must also be declared outside.';

const schemaFields = {
  id: optional(text(), { go: 'ID' }),
  schema: optional(text('v1.JSONSchemaURL'), { json: '$schema', go: 'Schema' }),
  ref: optional(textPointer(), { json: '$ref', go: 'Ref' }),
  description: optional(text(), {
    text: 'What the field is for: `kubectl explain` and this editor show it.',
    demands: 'Any text; it counts towards the size of the CRD.',
    example: 'type: string\ndescription: The address to listen on.',
  }),
  type: optional(text(), {
    text: 'The type of the value. Every property, list item and map value needs one, except with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`.',
    choices: ['array', 'boolean', 'integer', 'number', 'object', 'string'],
    demands:
      'One of `array`, `boolean`, `integer`, `number`, `object`, `string`, on every node outside of `allOf`, `anyOf`, `oneOf` and `not`. At the root it is `object`.',
    example: 'type: string',
  }),
  format: optional(text(), {
    judges: true,
    text: 'A form that strings or numbers must have, such as `date-time`, `duration`, `ipv4`, `uuid` or `int32`. A format that the API server does not know is accepted with a warning and checks nothing. `date`, `date-time` and `duration` also give CEL rules a timestamp or duration.',
    choices: [
      'byte',
      'cidr',
      'date',
      'date-time',
      'datetime',
      'double',
      'duration',
      'email',
      'float',
      'hostname',
      'int32',
      'int64',
      'ipv4',
      'ipv6',
      'k8s-long-name',
      'k8s-short-name',
      'mac',
      'password',
      'uri',
      'uuid',
    ],
    demands: 'An unknown format is accepted; since 1.34 with a warning.',
    example: 'type: string\nformat: date-time',
  }),
  title: optional(text(), { text: 'A short title.', demands: 'Any text.', example: 'type: string\ntitle: Address' }),
  default: optional(raw, {
    text: 'The value that is used if none is given. It must match the schema, and is filled in when objects are written and read. Not allowed at the root or under `metadata`.',
    demands:
      'A value that matches the schema around it and satisfies its rules. Fields that are not in the schema are rejected.',
    example: 'type: integer\ndefault: 3',
  }),
  maximum: optional(floatPointer, {
    judges: true,
    text: 'The largest number allowed.',
    demands: 'A number.',
    example: 'type: integer\nmaximum: 100',
  }),
  exclusiveMaximum: optional(flag, {
    judges: true,
    text: 'Whether the maximum itself is excluded.',
    demands: 'A boolean, as in OpenAPI 3.0, rather than the bound itself.',
    example: 'type: integer\nmaximum: 100\nexclusiveMaximum: true',
  }),
  minimum: optional(floatPointer, {
    judges: true,
    text: 'The smallest number allowed.',
    demands: 'A number.',
    example: 'type: integer\nminimum: 0',
  }),
  exclusiveMinimum: optional(flag, {
    judges: true,
    text: 'Whether the minimum itself is excluded.',
    demands: 'A boolean, as in OpenAPI 3.0, rather than the bound itself.',
    example: 'type: number\nminimum: 0\nexclusiveMinimum: true',
  }),
  maxLength: optional(integerPointer(64), {
    judges: true,
    text: 'The maximum number of characters in a string. Set it for every string that CEL rules read: otherwise the cost estimate assumes strings as large as a request.',
    demands: `${count} The length is counted in characters, not bytes.`,
    example: 'type: string\nmaxLength: 63',
  }),
  minLength: optional(integerPointer(64), {
    judges: true,
    text: 'The minimum number of characters in a string.',
    demands: count,
    example: 'type: string\nminLength: 1',
  }),
  pattern: optional(text(), {
    judges: true,
    text: 'A regular expression (RE2, as in Go: no look-around, no back-references) that must match some part of the string. Use `^` and `$` to match the whole string.',
    demands: 'A valid Go regular expression.',
    example: "type: string\npattern: '^[a-z]+$'",
  }),
  maxItems: optional(integerPointer(64), {
    judges: true,
    text: 'The maximum number of items in a list. Set it for every list that CEL rules read or that has rules below it.',
    demands: count,
    example: 'type: array\nmaxItems: 10\nitems:\n  type: string',
  }),
  minItems: optional(integerPointer(64), {
    judges: true,
    text: 'The minimum number of items in a list.',
    demands: count,
    example: 'type: array\nminItems: 1\nitems:\n  type: string',
  }),
  uniqueItems: optional(flag),
  multipleOf: optional(floatPointer, {
    judges: true,
    text: 'Numbers must be a multiple of this.',
    demands: 'A number. Zero and negative numbers are accepted but useless.',
    example: 'type: integer\nmultipleOf: 512',
  }),
  enum: optional(list(rawItem), {
    judges: true,
    text: 'The allowed values. Null is never one of them, even if it is listed.',
    one: 'A value.',
    demands: 'A list of values. They are not checked against the type.',
    example: 'type: string\nenum: [Always, Never]',
  }),
  maxProperties: optional(integerPointer(64), {
    judges: true,
    text: 'The maximum number of keys in a map or object.',
    demands: count,
    example: 'type: object\nmaxProperties: 10\nadditionalProperties:\n  type: string',
  }),
  minProperties: optional(integerPointer(64), {
    judges: true,
    text: 'The minimum number of keys in a map or object.',
    demands: count,
    example: 'type: object\nminProperties: 1\nadditionalProperties:\n  type: string',
  }),
  required: optional(list(textItem), {
    judges: true,
    text: 'The properties that must be present.',
    one: 'The name of a property.',
    demands:
      'Names of properties. The API server does not check that they are declared, but with an undeclared one no object can be created.',
    example: 'type: object\nrequired: [name]\nproperties:\n  name:\n    type: string',
  }),
  items: optional(pointerTo(schemaOrList), {
    inJunctor: {
      text: 'The schema that items must match.',
      demands: '`items` must also be declared outside of `allOf`, `anyOf`, `oneOf` and `not`.',
      example: 'type: array\nitems:\n  type: string\nanyOf:\n  - items:\n      maxLength: 9',
    },
    text: 'The schema of each item of a list.',
    demands: 'A single schema, not a list of schemas. Required for a node of type `array`.',
    example: 'type: array\nitems:\n  type: string',
  }),
  allOf: optional(list(schemaItem), {
    judges: true,
    text: 'Schemas that must all match. They may only validate the value: its form belongs on the node itself.',
    demands: junctorOnly,
    example: 'type: integer\nallOf:\n  - minimum: 1\n  - multipleOf: 2',
  }),
  oneOf: optional(list(schemaItem), {
    judges: true,
    text: 'Schemas of which exactly one must match. They may only validate the value.',
    demands: junctorOnly,
    example:
      'type: object\nproperties:\n  url:\n    type: string\n  service:\n    type: string\noneOf:\n  - required: [url]\n  - required: [service]',
  }),
  anyOf: optional(list(schemaItem), {
    judges: true,
    text: 'Schemas of which at least one must match. They may only validate the value.',
    demands: junctorOnly,
    example: "type: string\nanyOf:\n  - pattern: '^a'\n  - maxLength: 3",
  }),
  not: optional(schemaPointer, {
    judges: true,
    text: 'A schema that must not match. It may only validate the value.',
    demands: junctorOnly,
    example: 'type: string\nnot:\n  enum: [default]',
  }),
  properties: optional(map(schemaItem), {
    inJunctor: {
      text: 'Schemas for properties. Each property must also be declared outside.',
      demands: 'Each property must also be declared outside of `allOf`, `anyOf`, `oneOf` and `not`.',
      example:
        'type: object\nproperties:\n  size:\n    type: integer\nanyOf:\n  - properties:\n      size:\n        minimum: 1',
    },
    text: 'The fields of an object, by name. Cannot be combined with `additionalProperties`.',
    demands: 'Cannot be combined with `additionalProperties`. Each property needs a schema with a type.',
    example: 'type: object\nproperties:\n  size:\n    type: integer',
  }),
  additionalProperties: optional(pointerTo(schemaOrBool), {
    text: 'The schema of the values of a map with arbitrary keys.',
    demands: 'A schema or a boolean. Cannot be combined with `properties`, and is not allowed at the root.',
    example: 'type: object\nadditionalProperties:\n  type: string',
  }),
  patternProperties: optional(map(schemaItem)),
  dependencies: optional(map(dependency, 'v1.JSONSchemaDependencies')),
  additionalItems: optional(pointerTo(schemaOrBool)),
  definitions: optional(map(schemaItem, 'v1.JSONSchemaDefinitions')),
  externalDocs: optional(structPointer(externalDocsStruct), {
    text: 'A link to more documentation.',
    demands: 'No requirements: it is ignored.',
    example: 'type: string\nexternalDocs:\n  url: https://example.com/docs',
  }),
  example: optional(raw, {
    text: 'An example. It checks nothing.',
    demands: 'Any value; it is not checked against the schema.',
    example: 'type: string\nexample: blue',
  }),
  nullable: optional(flag, {
    printedAfter: 'Type',
    text: 'Whether the value may be null. Without it, null is dropped, or replaced with the default. Not allowed at the root.',
    demands: 'A boolean. Not allowed on the items of a list of type `set` or `map`, or on the keys of such a list.',
    example: 'type: string\nnullable: true',
  }),
  preserveUnknownFields: optional(flagPointer, {
    json: 'x-kubernetes-preserve-unknown-fields',
    go: 'XPreserveUnknownFields',
    text: 'Keeps fields that are not in the schema. Only `true` is allowed.',
    choices: [true],
    demands: 'Must be `true`; false is rejected.',
    example: 'type: object\nx-kubernetes-preserve-unknown-fields: true',
  }),
  embeddedResource: optional(flag, {
    json: 'x-kubernetes-embedded-resource',
    go: 'XEmbeddedResource',
    text: 'The value is a whole Kubernetes object: it has `apiVersion`, `kind` and `metadata`, which are checked as usual.',
    choices: [true],
    demands: 'Together with `type: object`, and with `properties` or `x-kubernetes-preserve-unknown-fields: true`.',
    example: 'type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true',
  }),
  intOrString: optional(flag, {
    json: 'x-kubernetes-int-or-string',
    go: 'XIntOrString',
    text: 'The value is an integer or a string, and `type` is left out. Only `true` makes sense.',
    choices: [true],
    demands:
      'A boolean. It replaces `type`, and `anyOf` with the types integer and string may be added: this is the only place where types are allowed in `anyOf`.',
    example: 'x-kubernetes-int-or-string: true',
  }),
  listMapKeys: optional(list(textItem), {
    json: 'x-kubernetes-list-map-keys',
    go: 'XListMapKeys',
    text: 'The properties that identify the items of a list of type `map`. Each must be a scalar, and be required or have a default.',
    one: "The name of an item's property.",
    demands: 'At least one name and no duplicates, only together with `x-kubernetes-list-type: map`.',
    example:
      'type: array\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name]\nitems:\n  type: object\n  required: [name]\n  properties:\n    name:\n      type: string',
  }),
  listType: optional(textPointer(), {
    json: 'x-kubernetes-list-type',
    go: 'XListType',
    text: 'How server-side apply merges lists, and what counts as a duplicate: `atomic` replaces the whole list, `set` holds each scalar once, `map` holds objects by their keys. Only `map` lets rules compare items with their old selves.',
    choices: ['atomic', 'set', 'map'],
    demands:
      'Only together with `type: array`. The items of a `set` are scalars or atomic; the items of a `map` are objects.',
    example: 'type: array\nx-kubernetes-list-type: set\nitems:\n  type: string',
  }),
  mapType: optional(textPointer(), {
    json: 'x-kubernetes-map-type',
    go: 'XMapType',
    since: '1.17',
    text: 'How server-side apply merges objects: field by field, or as a whole.',
    choices: ['granular', 'atomic'],
    demands: 'Only together with `type: object`.',
    example: 'type: object\nx-kubernetes-map-type: atomic\nproperties:\n  name:\n    type: string',
  }),
  validations: optional(list(structItem(ruleStruct), 'v1.ValidationRules'), {
    json: 'x-kubernetes-validations',
    go: 'XValidations',
    since: '1.25',
    text: 'CEL rules that are checked on every write.',
    demands:
      'Not allowed inside `allOf`, `anyOf`, `oneOf` or `not`, and only on nodes that rules can see: with a type, and not below a list without `items`. The estimated cost of all rules of a version together may be at most 100,000,000.',
    example: 'type: integer\nx-kubernetes-validations:\n  - rule: self % 2 == 0\n    message: must be even',
  }),
};

/** Decoded as Go decodes it: what Go holds by value is absent when it is Go's zero value, an empty list is not absent. */
export interface SchemaProps extends ObjectOf<typeof schemaFields> {}
export const schemaStruct: Struct<SchemaProps> = struct<SchemaProps>('v1.JSONSchemaProps', none, schemaFields, {
  shownFirst: [
    'type',
    'description',
    'title',
    'default',
    'nullable',
    'example',
    'properties',
    'items',
    'additionalProperties',
    'externalDocs',
    'validations',
    'listType',
    'listMapKeys',
    'mapType',
    'preserveUnknownFields',
    'intOrString',
    'embeddedResource',
    'enum',
    'format',
    'pattern',
    'maxLength',
    'minLength',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'multipleOf',
    'maxItems',
    'minItems',
    'maxProperties',
    'minProperties',
    'required',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
  ],
});
