import type { ValueMap } from '../base/value.ts';
import { crdNodes } from './crdSchema.ts';

/** What the documentation of a CRD's field says beside its description. */
export interface KeywordDoc {
  /** The Kubernetes version that first had it in apiextensions.k8s.io/v1. */
  readonly since: string;
  /** What the API server demands of the value. */
  readonly demands: string;
  /** YAML: the keyword where it belongs, with what it needs beside it. */
  readonly example: string;
  /** In place of the description, for keywords that hold a whole schema. */
  readonly text?: string;
}

type Row = readonly [since: string, demands: string, example: string, text?: string];
type Rows = Readonly<Record<string, Row>>;

const count = 'A whole number. A negative one is accepted, and useless.';
const junctorOnly =
  'Inside, no `type`, `default`, `description`, `nullable` or other keyword of shape; every property named inside must be declared outside.';

const judging: Rows = {
  enum: ['1.16', 'A list of values. They are not compared with the type.', 'type: string\nenum: [Always, Never]'],
  format: ['1.16', 'An unknown format is accepted; since 1.34 with a warning.', 'type: string\nformat: date-time'],
  pattern: ['1.16', 'A regular expression that Go can read.', "type: string\npattern: '^[a-z]+$'"],
  maxLength: ['1.16', `${count} Characters are counted, not bytes.`, 'type: string\nmaxLength: 63'],
  minLength: ['1.16', count, 'type: string\nminLength: 1'],
  maximum: ['1.16', 'A number.', 'type: integer\nmaximum: 100'],
  exclusiveMaximum: [
    '1.16',
    'A boolean, as in OpenAPI 3.0: not the bound itself.',
    'type: integer\nmaximum: 100\nexclusiveMaximum: true',
  ],
  minimum: ['1.16', 'A number.', 'type: integer\nminimum: 0'],
  exclusiveMinimum: [
    '1.16',
    'A boolean, as in OpenAPI 3.0: not the bound itself.',
    'type: number\nminimum: 0\nexclusiveMinimum: true',
  ],
  multipleOf: [
    '1.16',
    'A number. Zero and negative ones are accepted here, and of no use.',
    'type: integer\nmultipleOf: 512',
  ],
  maxItems: ['1.16', count, 'type: array\nmaxItems: 10\nitems:\n  type: string'],
  minItems: ['1.16', count, 'type: array\nminItems: 1\nitems:\n  type: string'],
  maxProperties: ['1.16', count, 'type: object\nmaxProperties: 10\nadditionalProperties:\n  type: string'],
  minProperties: ['1.16', count, 'type: object\nminProperties: 1\nadditionalProperties:\n  type: string'],
  required: [
    '1.16',
    'Names. That they are declared is not checked: a name that is not makes the object impossible to create.',
    'type: object\nrequired: [name]\nproperties:\n  name:\n    type: string',
  ],
  allOf: ['1.16', junctorOnly, 'type: integer\nallOf:\n  - minimum: 1\n  - multipleOf: 2'],
  anyOf: ['1.16', junctorOnly, "type: string\nanyOf:\n  - pattern: '^a'\n  - maxLength: 3"],
  oneOf: [
    '1.16',
    junctorOnly,
    'type: object\nproperties:\n  url:\n    type: string\n  service:\n    type: string\noneOf:\n  - required: [url]\n  - required: [service]',
  ],
  not: [
    '1.16',
    junctorOnly,
    'type: string\nnot:\n  enum: [default]',
    'A schema that must not hold. It may only judge the value.',
  ],
};

const inJunctor: Rows = {
  ...judging,
  properties: [
    '1.16',
    'Each property must also be declared outside of the junctor.',
    'type: object\nproperties:\n  size:\n    type: integer\nanyOf:\n  - properties:\n      size:\n        minimum: 1',
  ],
  items: [
    '1.16',
    '`items` must also be declared outside of the junctor.',
    'type: array\nitems:\n  type: string\nanyOf:\n  - items:\n      maxLength: 9',
    'What items must be like.',
  ],
};

const schema: Rows = {
  ...judging,
  type: [
    '1.16',
    'One of `array`, `boolean`, `integer`, `number`, `object`, `string`, on every node that is no part of a junctor. At the root `object`.',
    'type: string',
  ],
  description: [
    '1.16',
    'Any text; it counts towards the size of the CRD.',
    'type: string\ndescription: The address to listen on.',
  ],
  title: ['1.16', 'Any text.', 'type: string\ntitle: Address'],
  default: [
    '1.16',
    'A value that fits the schema around it, with every rule below it. Fields that the schema does not name are refused.',
    'type: integer\ndefault: 3',
  ],
  nullable: [
    '1.16',
    'A boolean. Not on items of a list of type `set` or `map`, and not on the keys of such a list.',
    'type: string\nnullable: true',
  ],
  example: ['1.16', 'Any value; it is not compared with the schema.', 'type: string\nexample: blue'],
  properties: [
    '1.16',
    'Not beside `additionalProperties`. Each property has a schema with a type.',
    'type: object\nproperties:\n  size:\n    type: integer',
  ],
  items: [
    '1.16',
    'One schema, not a list of them. A node of type `array` must have it.',
    'type: array\nitems:\n  type: string',
    'The schema of each item of a list.',
  ],
  additionalProperties: [
    '1.16',
    'A schema or a boolean. Not beside `properties`, and not at the root.',
    'type: object\nadditionalProperties:\n  type: string',
    'The schema of the values of a map whose keys are free.',
  ],
  externalDocs: ['1.16', 'Nothing: no one reads it.', 'type: string\nexternalDocs:\n  url: https://example.com/docs'],
  'x-kubernetes-validations': [
    '1.25',
    'Not inside junctors, and only on nodes that rules can see: with a type, not below a list without `items`. All rules of a CRD share a budget of 100,000,000 in estimated cost.',
    'type: integer\nx-kubernetes-validations:\n  - rule: self % 2 == 0\n    message: must be even',
  ],
  'x-kubernetes-list-type': [
    '1.16',
    'Only beside `type: array`. Items of a `set` are scalars, or atomic; items of a `map` are objects.',
    'type: array\nx-kubernetes-list-type: set\nitems:\n  type: string',
  ],
  'x-kubernetes-list-map-keys': [
    '1.16',
    'At least one name, none twice, beside `x-kubernetes-list-type: map` only.',
    'type: array\nx-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [name]\nitems:\n  type: object\n  required: [name]\n  properties:\n    name:\n      type: string',
  ],
  'x-kubernetes-map-type': [
    '1.17',
    'Only beside `type: object`.',
    'type: object\nx-kubernetes-map-type: atomic\nproperties:\n  name:\n    type: string',
  ],
  'x-kubernetes-preserve-unknown-fields': [
    '1.16',
    'Only `true`: false is refused.',
    'type: object\nx-kubernetes-preserve-unknown-fields: true',
  ],
  'x-kubernetes-int-or-string': [
    '1.16',
    'A boolean. `type` is not needed beside it, and `anyOf` with the types integer and string may be: types in junctors are allowed only here.',
    'x-kubernetes-int-or-string: true',
  ],
  'x-kubernetes-embedded-resource': [
    '1.16',
    'Beside `type: object`, with `properties` or `x-kubernetes-preserve-unknown-fields: true`.',
    'type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true',
  ],
};

const externalDocs: Rows = {
  url: ['1.16', 'Any text.', 'url: https://example.com/docs'],
  description: ['1.16', 'Any text.', 'description: The handbook.'],
};

const rule: Rows = {
  rule: [
    '1.25',
    'An expression that compiles and gives a boolean, within the budget. A rule over several lines needs a message.',
    'rule: self.size <= self.max',
  ],
  message: [
    '1.25',
    'Not empty, and without line breaks.',
    'rule: self.size <= self.max\nmessage: size must not be above max',
  ],
  messageExpression: [
    '1.27',
    'An expression that compiles and gives a string. It has a share in the budget.',
    `rule: self.size <= self.max
messageExpression: "self.max < 0 ? 'max is below 0' : 'size is above max'"`,
  ],
  reason: ['1.28', 'One of the four.', 'rule: self.size <= self.max\nreason: FieldValueForbidden'],
  fieldPath: [
    '1.28',
    'A path that the schema has, relative to the node, without list indices.',
    'rule: self.size <= self.max\nfieldPath: .size',
  ],
  optionalOldSelf: [
    '1.30',
    'Only in rules that use `oldSelf`.',
    "rule: '!oldSelf.hasValue() || self.max >= oldSelf.value().max'\noptionalOldSelf: true",
  ],
};

const column: Rows = {
  name: ['1.16', 'Not empty.', 'name: Size\ntype: integer\njsonPath: .spec.size'],
  type: ['1.16', 'One of the five.', 'name: Age\ntype: date\njsonPath: .metadata.creationTimestamp'],
  jsonPath: ['1.16', 'Not empty; starts with a dot.', 'name: Size\ntype: integer\njsonPath: .spec.size'],
  format: ['1.16', 'One of the eight.', 'name: Size\ntype: integer\nformat: int32\njsonPath: .spec.size'],
  priority: ['1.16', 'A whole number.', 'name: Size\ntype: integer\npriority: 1\njsonPath: .spec.size'],
  description: ['1.16', 'Any text.', 'name: Size\ntype: integer\ndescription: How large it is.\njsonPath: .spec.size'],
};

const scaleExample = 'specReplicasPath: .spec.size\nstatusReplicasPath: .status.size';
const scale: Rows = {
  specReplicasPath: ['1.16', 'A simple path under `.spec`. That the schema has it is not checked.', scaleExample],
  statusReplicasPath: ['1.16', 'A simple path under `.status`. That the schema has it is not checked.', scaleExample],
  labelSelectorPath: [
    '1.16',
    'A simple path under `.spec` or `.status`.',
    `${scaleExample}\nlabelSelectorPath: .status.selector`,
  ],
};

const version: Rows = {
  name: [
    '1.16',
    'Lower case letters, digits and `-`, starting with a letter; every version another one.',
    'name: v1beta1',
  ],
  served: ['1.16', 'A boolean. It may be false in all versions.', 'served: true'],
  storage: ['1.16', 'True in exactly one version. A version in which objects were stored must stay.', 'storage: true'],
  deprecated: ['1.19', 'A boolean.', 'deprecated: true'],
  deprecationWarning: [
    '1.19',
    'Only in deprecated versions. At most 256 bytes, printable, not empty.',
    'deprecated: true\ndeprecationWarning: example.com/v1beta1 Sample is old; use v1',
  ],
  schema: ['1.16', 'Every version must have one.', 'schema:\n  openAPIV3Schema:\n    type: object'],
  subresources: ['1.16', '`status` and `scale`, nothing else.', 'subresources:\n  status: {}'],
  additionalPrinterColumns: [
    '1.16',
    'Each column has a name, a type and a path.',
    'additionalPrinterColumns:\n  - name: Size\n    type: integer\n    jsonPath: .spec.size',
  ],
  selectableFields: [
    '1.31',
    'At most 8, each to a field that the schema has, none twice.',
    'selectableFields:\n  - jsonPath: .spec.size',
  ],
};

const subresources: Rows = {
  status: [
    '1.16',
    'Empty. At the root of the schema then only a few keywords may stand, and `type: object` must.',
    'status: {}',
  ],
  scale: ['1.16', 'With the paths of both numbers.', `scale:\n  ${scaleExample.replace('\n', '\n  ')}`],
};

const names: Rows = {
  plural: [
    '1.16',
    'Lower case letters, digits and `-`; `metadata.name` is this, a dot and the group.',
    'plural: samples',
  ],
  singular: ['1.16', 'As the plural.', 'singular: sample'],
  kind: ['1.16', 'Letters, digits and `-`, starting with a letter; not the same as `listKind`.', 'kind: Sample'],
  listKind: ['1.16', 'As the kind.', 'listKind: SampleList'],
  shortNames: ['1.16', 'As the plural, each.', 'shortNames: [sm]'],
  categories: ['1.16', 'As the plural, each.', 'categories: [all]'],
};

const webhookExample = `strategy: Webhook
webhook:
  conversionReviewVersions: [v1]
  clientConfig:
    service:
      namespace: default
      name: converter`;

const conversion: Rows = {
  strategy: ['1.16', '`None` or `Webhook`.', 'strategy: None'],
  webhook: ['1.16', 'With `strategy: Webhook`, and only with it.', webhookExample],
};

const webhook: Rows = {
  clientConfig: ['1.16', 'Either `url` or `service`.', 'clientConfig:\n  url: https://converter.example.com/convert'],
  conversionReviewVersions: [
    '1.16',
    'At least one that the API server knows: `v1` or `v1beta1`.',
    'conversionReviewVersions: [v1]',
  ],
};

const clientConfig: Rows = {
  url: [
    '1.16',
    'With `https`, a host, and no user, query or fragment; not beside `service`.',
    'url: https://converter.example.com/convert',
  ],
  service: ['1.16', 'With namespace and name; not beside `url`.', 'service:\n  namespace: default\n  name: converter'],
  caBundle: [
    '1.16',
    "Base64 of certificates in PEM. Without it the system's own certificates are trusted.",
    'url: https://converter.example.com\ncaBundle: LS0tLS1CRUdJTi4uLg==',
  ],
};

const service: Rows = {
  namespace: ['1.16', 'Not empty.', 'namespace: default\nname: converter'],
  name: ['1.16', 'Not empty.', 'namespace: default\nname: converter'],
  path: ['1.16', 'Starts with `/`; every part is a name.', 'namespace: default\nname: converter\npath: /convert'],
  port: ['1.16', 'From 1 to 65535.', 'namespace: default\nname: converter\nport: 8443'],
};

const spec: Rows = {
  group: [
    '1.16',
    'A domain with a dot. Below `k8s.io` and `kubernetes.io` only with an annotation that says who approved it.',
    'group: example.com',
  ],
  names: ['1.16', 'With `plural` and `kind`.', 'names:\n  plural: samples\n  kind: Sample'],
  scope: ['1.16', '`Namespaced` or `Cluster`. It cannot be changed later.', 'scope: Namespaced'],
  versions: [
    '1.16',
    'At least one; every name once; exactly one with `storage: true`.',
    'versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object',
  ],
  conversion: ['1.16', '`strategy: None` where it is left out.', 'conversion:\n  strategy: None'],
  preserveUnknownFields: ['1.16', 'Only false.', 'preserveUnknownFields: false'],
};

/** The rows of a part of a CRD, and where in one their examples belong. */
interface Part {
  readonly node: ValueMap;
  readonly rows: Rows;
  readonly path: readonly (string | number)[];
}

const schemaPath = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'spec', 'properties', 'sample'];
const versionPath = ['spec', 'versions', 0];
const webhookPath = ['spec', 'conversion', 'webhook'];

export const documentedParts: readonly Part[] = [
  { node: crdNodes.schema, rows: schema, path: schemaPath },
  { node: crdNodes.junctor, rows: inJunctor, path: schemaPath },
  { node: crdNodes.externalDocs, rows: externalDocs, path: [...schemaPath, 'externalDocs'] },
  { node: crdNodes.rule, rows: rule, path: [...schemaPath, 'x-kubernetes-validations', 0] },
  { node: crdNodes.version, rows: version, path: versionPath },
  { node: crdNodes.column, rows: column, path: [...versionPath, 'additionalPrinterColumns', 0] },
  { node: crdNodes.subresources, rows: subresources, path: [...versionPath, 'subresources'] },
  { node: crdNodes.scale, rows: scale, path: [...versionPath, 'subresources', 'scale'] },
  { node: crdNodes.conversion, rows: conversion, path: ['spec', 'conversion'] },
  { node: crdNodes.webhook, rows: webhook, path: webhookPath },
  { node: crdNodes.clientConfig, rows: clientConfig, path: [...webhookPath, 'clientConfig'] },
  { node: crdNodes.service, rows: service, path: [...webhookPath, 'clientConfig', 'service'] },
  { node: crdNodes.names, rows: names, path: ['spec', 'names'] },
  { node: crdNodes.spec, rows: spec, path: ['spec'] },
];

const docs = new Map(documentedParts.map(({ node, rows }) => [node, rows]));

/** The documentation of a field of a CRD, by the schema of what it stands in. */
export function keywordDoc(parent: ValueMap, keyword: string): KeywordDoc | undefined {
  const row = Object.hasOwn(docs.get(parent) ?? {}, keyword) ? docs.get(parent)![keyword] : undefined;
  if (!row) return undefined;
  const [since, demands, example, text] = row;
  return { since, demands, example, ...(text === undefined ? {} : { text }) };
}
