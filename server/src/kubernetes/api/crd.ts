import {
  bytes,
  embedded,
  flag,
  integer,
  integerPointer,
  list,
  structItem,
  structPointer,
  text,
  textItem,
  textPointer,
  time,
} from './goTypes.ts';
import { objectMetaStruct } from './objectMeta.ts';
import { schemaPointer } from './schema.ts';
import { byValue, type ObjectOf, optional, required, struct } from './struct.ts';

// A v1 CustomResourceDefinition and its parts.

const none = () => ({});

const schemaFields = {
  openAPIV3Schema: optional(schemaPointer, { go: 'OpenAPIV3Schema', text: 'The schema of a value.', demanded: true }),
};

export type CrdSchema = ObjectOf<typeof schemaFields>;
const schemaHolderStruct = struct<CrdSchema>('v1.CustomResourceValidation', none, schemaFields);

const statusSubresourceStruct = struct<object>('v1.CustomResourceSubresourceStatus', none, {});

const scaleFields = {
  specReplicasPath: required(text(), {
    text: 'Where the desired number is: a simple path under `.spec`.',
    demands: 'A simple path under `.spec`. The API server does not check that the schema has it.',
    example: 'specReplicasPath: .spec.size\nstatusReplicasPath: .status.size',
  }),
  statusReplicasPath: required(text(), {
    text: 'Where the actual number is: a simple path under `.status`.',
    demands: 'A simple path under `.status`. The API server does not check that the schema has it.',
    example: 'specReplicasPath: .spec.size\nstatusReplicasPath: .status.size',
  }),
  labelSelectorPath: optional(textPointer(), {
    text: 'Where the pod selector is, as a string, under `.spec` or `.status`. A HorizontalPodAutoscaler needs it.',
    demands: 'A simple path under `.spec` or `.status`.',
    example: 'specReplicasPath: .spec.size\nstatusReplicasPath: .status.size\nlabelSelectorPath: .status.selector',
  }),
};

export type ScaleSubresource = ObjectOf<typeof scaleFields>;
export const scaleStruct = struct<ScaleSubresource>('v1.CustomResourceSubresourceScale', none, scaleFields);

const subresourcesFields = {
  status: optional(structPointer(statusSubresourceStruct), {
    text: 'Makes `status` an endpoint of its own: writes to the object leave it alone, and writes to it change nothing else.',
    demands:
      'Must be empty. Only a few keywords are then allowed at the root of the schema, and `type: object` is required there.',
    example: 'status: {}',
  }),
  scale: optional(structPointer(scaleStruct), {
    text: 'Lets `kubectl scale` and autoscalers change the number of replicas.',
    demands: 'The paths of both numbers are required.',
    example: 'scale:\n  specReplicasPath: .spec.size\n  statusReplicasPath: .status.size',
  }),
};

export type Subresources = ObjectOf<typeof subresourcesFields>;
const subresourcesStruct = struct<Subresources>('v1.CustomResourceSubresources', none, subresourcesFields);

const columnFields = {
  name: required(text(), {
    text: 'The heading.',
    demands: 'Must not be empty.',
    example: 'name: Size\ntype: integer\njsonPath: .spec.size',
  }),
  type: required(text(), {
    text: 'The type of the value.',
    choices: ['boolean', 'date', 'integer', 'number', 'string'],
    demands: 'One of the five types.',
    example: 'name: Age\ntype: date\njsonPath: .metadata.creationTimestamp',
  }),
  format: optional(text(), {
    text: 'How the value is shown.',
    choices: ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'],
    demands: 'One of the eight formats.',
    example: 'name: Size\ntype: integer\nformat: int32\njsonPath: .spec.size',
  }),
  description: optional(text(), {
    text: 'What the column shows.',
    demands: 'Any text.',
    example: 'name: Size\ntype: integer\ndescription: How large it is.\njsonPath: .spec.size',
  }),
  priority: optional(integer(32), {
    text: 'Columns with a priority above 0 are shown only with `-o wide`.',
    demands: 'A whole number.',
    example: 'name: Size\ntype: integer\npriority: 1\njsonPath: .spec.size',
  }),
  jsonPath: required(text(), {
    go: 'JSONPath',
    text: 'Where the value is, as a simple path starting from the object: `.spec.size`.',
    demands: 'Must not be empty, and must start with a dot.',
    example: 'name: Size\ntype: integer\njsonPath: .spec.size',
  }),
};

export type PrinterColumn = ObjectOf<typeof columnFields>;
const columnStruct = struct<PrinterColumn>('v1.CustomResourceColumnDefinition', none, columnFields, {
  text: 'A column that `kubectl get` prints.',
  shownFirst: ['name', 'type', 'jsonPath', 'format', 'priority'],
});

const selectableFields = {
  jsonPath: required(text(), {
    go: 'JSONPath',
    text: 'A simple path to a string, boolean or integer, such as `.spec.color`. It must not lead into lists or metadata.',
  }),
};

export type SelectableField = ObjectOf<typeof selectableFields>;
const selectableStruct = struct<SelectableField>('v1.SelectableField', none, selectableFields, {
  text: 'A field.',
});

const versionFields = {
  name: required(text(), {
    text: 'The name, such as `v1` or `v1alpha1`: lower case, at most 63 characters.',
    demands: 'Lower-case letters, digits and `-`, starting with a letter; unique among the versions.',
    example: 'name: v1beta1',
  }),
  served: required(flag, {
    text: 'Whether clients can use this version.',
    demands: 'A boolean. It may be false for all versions.',
    example: 'served: true',
  }),
  storage: required(flag, {
    text: 'Whether objects are stored in this version. Exactly one version is.',
    demands: 'True for exactly one version. A version in which objects were stored must not be removed.',
    example: 'storage: true',
  }),
  deprecated: optional(flag, {
    since: '1.19',
    text: 'Whether clients are warned that they should move to another version.',
    standard: false,
    demands: 'A boolean.',
    example: 'deprecated: true',
  }),
  deprecationWarning: optional(textPointer(), {
    since: '1.19',
    text: 'The warning that replaces the standard one. At most 256 bytes; only for deprecated versions.',
    demands: 'Only for deprecated versions. 1 to 256 bytes of printable text.',
    example: 'deprecated: true\ndeprecationWarning: example.com/v1beta1 Sample is old; use v1',
  }),
  schema: optional(structPointer(schemaHolderStruct), {
    demanded: true,
    text: 'The schema of this version.',
    demands: 'Every version must have one.',
    example: 'schema:\n  openAPIV3Schema:\n    type: object',
  }),
  subresources: optional(structPointer(subresourcesStruct), {
    text: 'The parts of the object that can be read and written separately.',
    demands: 'Only `status` and `scale` are allowed.',
    example: 'subresources:\n  status: {}',
  }),
  additionalPrinterColumns: optional(list(structItem(columnStruct)), {
    text: 'The columns that `kubectl get` prints next to the name.',
    demands: 'Each column has a name, a type and a path.',
    example: 'additionalPrinterColumns:\n  - name: Size\n    type: integer\n    jsonPath: .spec.size',
  }),
  selectableFields: optional(list(structItem(selectableStruct)), {
    since: '1.31',
    text: 'Fields that can be used with `kubectl get --field-selector`, at most 8. Since Kubernetes 1.31.',
    demands: 'At most 8, each pointing to a different field in the schema.',
    example: 'selectableFields:\n  - jsonPath: .spec.size',
  }),
};

export type CrdVersion = ObjectOf<typeof versionFields>;
export const versionStruct = struct<CrdVersion>('v1.CustomResourceDefinitionVersion', none, versionFields, {
  text: 'One version of the kind.',
});

const serviceFields = {
  namespace: required(text(), {
    text: 'Its namespace.',
    demands: 'Must not be empty.',
    example: 'namespace: default\nname: converter',
  }),
  name: required(text(), {
    text: 'Its name.',
    demands: 'Must not be empty.',
    example: 'namespace: default\nname: converter',
  }),
  path: optional(textPointer(), {
    text: 'The path of the request, starting with `/`.',
    demands: 'Must start with `/`; every segment must be a valid name.',
    example: 'namespace: default\nname: converter\npath: /convert',
  }),
  port: optional(integerPointer(32), {
    text: 'Its port.',
    standard: 443n,
    demands: 'From 1 to 65535.',
    example: 'namespace: default\nname: converter\nport: 8443',
  }),
};

export type ServiceReference = ObjectOf<typeof serviceFields>;
const serviceStruct = struct<ServiceReference>('v1.ServiceReference', none, serviceFields);

const clientConfigFields = {
  url: optional(textPointer(), {
    go: 'URL',
    text: 'A URL that starts with `https://`, without user, query or fragment.',
    demands: '`https` with a host, and no user, query or fragment. Not together with `service`.',
    example: 'url: https://converter.example.com/convert',
  }),
  service: optional(structPointer(serviceStruct), {
    text: 'A service in the cluster.',
    demands: 'The namespace and name are required. Not together with `url`.',
    example: 'service:\n  namespace: default\n  name: converter',
  }),
  caBundle: optional(bytes, {
    go: 'CABundle',
    text: "PEM certificates in base64 that the webhook's certificate is checked against.",
    demands: "PEM certificates in base64. Without them, the system's own certificates are trusted.",
    example: 'url: https://converter.example.com\ncaBundle: LS0tLS1CRUdJTi4uLg==',
  }),
};

export type WebhookClientConfig = ObjectOf<typeof clientConfigFields>;
const clientConfigStruct = struct<WebhookClientConfig>('v1.WebhookClientConfig', none, clientConfigFields);

const webhookFields = {
  clientConfig: optional(structPointer(clientConfigStruct), {
    demanded: true,
    text: 'How the API server reaches the webhook: by `service` or by `url`.',
    demands: 'Either `url` or `service`.',
    example: 'clientConfig:\n  url: https://converter.example.com/convert',
  }),
  conversionReviewVersions: required(list(textItem), {
    text: 'The versions of `ConversionReview` that the webhook understands, including `v1` or `v1beta1`.',
    one: 'A version.',
    choices: ['v1', 'v1beta1'],
    demands: 'At least one must be known to the API server: `v1` or `v1beta1`.',
    example: 'conversionReviewVersions: [v1]',
  }),
};

export type WebhookConversion = ObjectOf<typeof webhookFields>;
const webhookStruct = struct<WebhookConversion>('v1.WebhookConversion', none, webhookFields);

const conversionFields = {
  strategy: required(text('v1.ConversionStrategyType'), {
    text: '`None` only changes `apiVersion`: fields that the other version does not have are lost. `Webhook` calls your own server.',
    choices: ['None', 'Webhook'],
    standard: 'None',
    demands: '`None` or `Webhook`.',
    example: 'strategy: None',
  }),
  webhook: optional(structPointer(webhookStruct), {
    text: 'The webhook that converts.',
    demands: 'With `strategy: Webhook`, and only with it.',
    example:
      'strategy: Webhook\nwebhook:\n  conversionReviewVersions: [v1]\n  clientConfig:\n    service:\n      namespace: default\n      name: converter',
  }),
};

export type Conversion = ObjectOf<typeof conversionFields>;
const conversionStruct = struct<Conversion>('v1.CustomResourceConversion', none, conversionFields);

const namesFields = {
  plural: required(text(), {
    text: 'The name in API URLs, in lower case: `widgets`. It cannot be changed later.',
    demands: 'Lower-case letters, digits and `-`; `metadata.name` is this, a dot and the group.',
    example: 'plural: samples',
  }),
  singular: optional(text(), {
    text: 'Another name that kubectl accepts. The default is the kind in lower case.',
    demands: 'Same form as the plural.',
    example: 'singular: sample',
  }),
  shortNames: optional(list(textItem), {
    text: 'Short names for kubectl.',
    one: 'A short name.',
    demands: 'Each has the same form as the plural.',
    example: 'shortNames: [sm]',
  }),
  kind: required(text(), {
    text: 'The kind in manifests, in CamelCase: `Widget`.',
    demands: 'Letters, digits and `-`, starting with a letter; not the same as `listKind`.',
    example: 'kind: Sample',
  }),
  listKind: optional(text(), {
    text: 'The kind of lists of these objects. The default is the kind followed by `List`.',
    demands: 'Same form as the kind.',
    example: 'listKind: SampleList',
  }),
  categories: optional(list(textItem), {
    text: 'Categories that include the kind in `kubectl get`, such as `all`.',
    one: 'A category.',
    demands: 'Each has the same form as the plural.',
    example: 'categories: [all]',
  }),
};

export type CrdNames = ObjectOf<typeof namesFields>;
const namesStruct = struct<CrdNames>('v1.CustomResourceDefinitionNames', none, namesFields, {
  shownFirst: ['plural', 'singular', 'kind', 'listKind'],
});

const specFields = {
  group: required(text(), {
    text: 'The API group, a domain with at least one dot: `example.com`. It cannot be changed later.',
    demands:
      'A domain with a dot. Groups under `k8s.io` and `kubernetes.io` need an annotation that links to their approval.',
    example: 'group: example.com',
  }),
  names: byValue(embedded(namesStruct), {
    text: 'The names of the kind.',
    demands: '`plural` and `kind` are required.',
    example: 'names:\n  plural: samples\n  kind: Sample',
  }),
  scope: required(text('v1.ResourceScope'), {
    text: 'Whether objects live in namespaces.',
    choices: ['Namespaced', 'Cluster'],
    demands: '`Namespaced` or `Cluster`. It cannot be changed later.',
    example: 'scope: Namespaced',
  }),
  versions: required(list(structItem(versionStruct)), {
    text: 'The versions of the kind. Exactly one has `storage: true`.',
    demands: 'At least one version, with unique names, and exactly one with `storage: true`.',
    example:
      'versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object',
  }),
  conversion: optional(structPointer(conversionStruct), {
    text: 'How objects are converted between versions.',
    demands: 'The default is `strategy: None`.',
    example: 'conversion:\n  strategy: None',
  }),
  preserveUnknownFields: optional(flag, {
    text: 'An obsolete setting that must be false: use `x-kubernetes-preserve-unknown-fields` in the schema instead.',
    demands: 'Must be false.',
    choices: [false],
    example: 'preserveUnknownFields: false',
  }),
};

export type CrdSpec = ObjectOf<typeof specFields>;
export const specStruct = struct<CrdSpec>('v1.CustomResourceDefinitionSpec', () => ({ names: {} }), specFields);

const conditionFields = {
  type: required(text('v1.CustomResourceDefinitionConditionType')),
  status: required(text('v1.ConditionStatus')),
  lastTransitionTime: required(time),
  reason: optional(text()),
  message: optional(text()),
  observedGeneration: optional(integer(64), { knownIn: (release) => release.observedGeneration }),
};

export type CrdCondition = ObjectOf<typeof conditionFields>;
const conditionStruct = struct<CrdCondition>('v1.CustomResourceDefinitionCondition', none, conditionFields);

const statusFields = {
  conditions: required(list(structItem(conditionStruct))),
  acceptedNames: byValue(embedded(namesStruct)),
  storedVersions: required(list(textItem)),
  observedGeneration: optional(integer(64), { knownIn: (release) => release.observedGeneration }),
};

export type CrdStatus = ObjectOf<typeof statusFields>;
const statusStruct = struct<CrdStatus>(
  'v1.CustomResourceDefinitionStatus',
  () => ({ acceptedNames: {} }),
  statusFields,
);

const crdFields = {
  kind: optional(text()),
  apiVersion: optional(text(), { go: 'APIVersion' }),
  metadata: byValue(embedded(objectMetaStruct), { demanded: true }),
  spec: byValue(embedded(specStruct), { text: 'The definition of the kind.' }),
  status: byValue(embedded(statusStruct)),
};

/**
 * What Go holds by value is absent when it is Go's zero value; an empty list or map stays apart from an absent one,
 * since Go's comparisons sometimes tell them apart.
 */
export type Crd = ObjectOf<typeof crdFields>;
export const crdStruct = struct<Crd>('v1.CustomResourceDefinition', emptyCrd, crdFields);

export function emptyCrd(): Crd {
  return { metadata: {}, spec: { names: {} }, status: { acceptedNames: {} } };
}
