import type { Value } from '../../base/value.ts';
import { encodeBase64 } from '../../go/base64.ts';
import { filled, members, metadataJson, timeText } from '../metadata/print.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { SchemaOrBool, SchemaOrList, SchemaOrStrings, SchemaProps, SchemaRule } from '../schema/props.ts';
import { storedDefault } from './defaultRules.ts';
import { semanticEqual } from './equal.ts';
import type {
  Conversion,
  Crd,
  CrdCondition,
  CrdNames,
  CrdSpec,
  CrdStatus,
  CrdVersion,
  PrinterColumn,
  Subresources,
  WebhookClientConfig,
} from './types.ts';

/** A CRD as v1 JSON, as the API server would store and return it. */
export function storedCrd(crd: Crd, version: KubernetesVersion): Value {
  return members({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: metadataJson(crd.metadata, version.printsZeroCreationTimestamp ? null : undefined),
    spec: specJson(crd.spec),
    status: statusJson(crd.status),
  });
}

function namesJson(names: CrdNames): Value {
  return members({
    plural: names.plural ?? '',
    singular: names.singular,
    shortNames: filled(names.shortNames),
    kind: names.kind ?? '',
    listKind: names.listKind,
    categories: filled(names.categories),
  });
}

function specJson(spec: CrdSpec): Value {
  return members({
    group: spec.group ?? '',
    names: namesJson(spec.names),
    scope: spec.scope ?? '',
    versions: spec.versions?.map((version) => versionJson(version, spec.versions!)) ?? null,
    conversion: spec.conversion && conversionJson(spec.conversion),
    preserveUnknownFields: spec.preserveUnknownFields,
  });
}

function conversionJson({ strategy, webhook }: Conversion): Value {
  const says = webhook?.clientConfig !== undefined || webhook?.conversionReviewVersions !== undefined;
  return members({
    strategy: strategy ?? '',
    webhook: says
      ? members({
          clientConfig: webhook.clientConfig && clientConfigJson(webhook.clientConfig),
          conversionReviewVersions: webhook.conversionReviewVersions ?? null,
        })
      : undefined,
  });
}

function clientConfigJson({ url, service, caBundle }: WebhookClientConfig): Value {
  return members({
    url,
    service:
      service &&
      members({
        namespace: service.namespace ?? '',
        name: service.name ?? '',
        path: service.path,
        port: service.port,
      }),
    caBundle: caBundle && caBundle.length > 0 ? encodeBase64(caBundle) : undefined,
  });
}

/** What all versions have alike was kept once, and comes back from the first. */
function shared<P extends keyof CrdVersion>(version: CrdVersion, all: readonly CrdVersion[], part: P): CrdVersion[P] {
  const first = all[0]?.[part];
  return all.every((other) => semanticEqual(other[part], first)) ? first : version[part];
}

function versionJson(version: CrdVersion, all: readonly CrdVersion[]): Value {
  const schema = shared(version, all, 'schema');
  const subresources = shared(version, all, 'subresources');
  return members({
    name: version.name ?? '',
    served: version.served ?? false,
    storage: version.storage ?? false,
    deprecated: version.deprecated,
    deprecationWarning: version.deprecationWarning,
    schema: schema && members({ openAPIV3Schema: schema.openAPIV3Schema && schemaJson(schema.openAPIV3Schema) }),
    subresources: subresources && subresourcesJson(subresources),
    additionalPrinterColumns: filled(shared(version, all, 'additionalPrinterColumns'))?.map(columnJson),
    selectableFields: filled(shared(version, all, 'selectableFields'))?.map((field) =>
      members({ jsonPath: field.jsonPath ?? '' }),
    ),
  });
}

function subresourcesJson({ status, scale }: Subresources): Value {
  return members({
    status: status && new Map(),
    scale:
      scale &&
      members({
        specReplicasPath: scale.specReplicasPath ?? '',
        statusReplicasPath: scale.statusReplicasPath ?? '',
        labelSelectorPath: scale.labelSelectorPath,
      }),
  });
}

function columnJson(column: PrinterColumn): Value {
  return members({
    name: column.name ?? '',
    type: column.type ?? '',
    format: column.format,
    description: column.description,
    priority: column.priority,
    jsonPath: column.jsonPath ?? '',
  });
}

function statusJson(status: CrdStatus): Value {
  return members({
    conditions: status.conditions?.map(conditionJson) ?? null,
    acceptedNames: namesJson(status.acceptedNames),
    storedVersions: status.storedVersions ?? null,
    observedGeneration: status.observedGeneration,
  });
}

function conditionJson(condition: CrdCondition): Value {
  return members({
    type: condition.type ?? '',
    status: condition.status ?? '',
    lastTransitionTime: timeText(condition.lastTransitionTime) ?? null,
    reason: condition.reason,
    message: condition.message,
    observedGeneration: condition.observedGeneration,
  });
}

function schemaMap(map: ReadonlyMap<string, SchemaProps> | undefined): Value | undefined {
  if (!map || map.size === 0) return undefined;
  return new Map([...map].map(([key, schema]) => [key, schemaJson(schema)]));
}

function schemaList(list: readonly SchemaProps[] | undefined): Value | undefined {
  return filled(list)?.map(schemaJson);
}

function schemaOrBool(value: SchemaOrBool | undefined): Value | undefined {
  return value && (value.schema ? schemaJson(value.schema) : value.allows);
}

function schemaOrList({ schema, schemas }: SchemaOrList): Value {
  return schemaList(schemas) ?? (schema ? schemaJson(schema) : null);
}

function schemaOrStrings({ schema, strings }: SchemaOrStrings): Value {
  return filled(strings) ?? (schema ? schemaJson(schema) : null);
}

function dependencies(map: ReadonlyMap<string, SchemaOrStrings> | undefined): Value | undefined {
  if (!map || map.size === 0) return undefined;
  return new Map([...map].map(([key, value]) => [key, schemaOrStrings(value)]));
}

function ruleJson(rule: SchemaRule): Value {
  return members({
    rule: rule.rule ?? '',
    message: rule.message,
    messageExpression: rule.messageExpression,
    reason: rule.reason,
    fieldPath: rule.fieldPath,
    optionalOldSelf: rule.optionalOldSelf,
  });
}

export function schemaJson(schema: SchemaProps): Value {
  return members({
    id: schema.id,
    $schema: schema.schema,
    $ref: schema.ref,
    description: schema.description,
    type: schema.type,
    format: schema.format,
    title: schema.title,
    default: storedDefault(schema),
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    pattern: schema.pattern,
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    uniqueItems: schema.uniqueItems,
    multipleOf: schema.multipleOf,
    enum: filled(schema.enum),
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    required: filled(schema.required),
    items: schema.items && schemaOrList(schema.items),
    allOf: schemaList(schema.allOf),
    oneOf: schemaList(schema.oneOf),
    anyOf: schemaList(schema.anyOf),
    not: schema.not && schemaJson(schema.not),
    properties: schemaMap(schema.properties),
    additionalProperties: schemaOrBool(schema.additionalProperties),
    patternProperties: schemaMap(schema.patternProperties),
    dependencies: dependencies(schema.dependencies),
    additionalItems: schemaOrBool(schema.additionalItems),
    definitions: schemaMap(schema.definitions),
    externalDocs:
      schema.externalDocs && members({ description: schema.externalDocs.description, url: schema.externalDocs.url }),
    example: schema.example,
    nullable: schema.nullable,
    'x-kubernetes-preserve-unknown-fields': schema.preserveUnknownFields,
    'x-kubernetes-embedded-resource': schema.embeddedResource,
    'x-kubernetes-int-or-string': schema.intOrString,
    'x-kubernetes-list-map-keys': filled(schema.listMapKeys),
    'x-kubernetes-list-type': schema.listType,
    'x-kubernetes-map-type': schema.mapType,
    'x-kubernetes-validations': filled(schema.validations)?.map(ruleJson),
  });
}
