import type { GoTime } from '../../go/time.ts';
import type { ObjectMeta } from '../metadata/types.ts';
import type { SchemaProps } from '../schema/props.ts';

// The v1 types of a CustomResourceDefinition as decoded. What Go holds by value is absent when it is Go's zero value;
// an empty list or map stays apart from an absent one, since Go's comparisons sometimes tell them apart.

export interface Crd {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata: ObjectMeta;
  spec: CrdSpec;
  status: CrdStatus;
}

export interface CrdSpec {
  group?: string | undefined;
  names: CrdNames;
  scope?: string | undefined;
  versions?: CrdVersion[] | undefined;
  conversion?: Conversion | undefined;
  preserveUnknownFields?: boolean | undefined;
}

export interface CrdNames {
  plural?: string | undefined;
  singular?: string | undefined;
  shortNames?: string[] | undefined;
  kind?: string | undefined;
  listKind?: string | undefined;
  categories?: string[] | undefined;
}

export interface CrdVersion {
  name?: string | undefined;
  served?: boolean | undefined;
  storage?: boolean | undefined;
  deprecated?: boolean | undefined;
  deprecationWarning?: string | undefined;
  schema?: CrdSchema | undefined;
  subresources?: Subresources | undefined;
  additionalPrinterColumns?: PrinterColumn[] | undefined;
  selectableFields?: SelectableField[] | undefined;
}

export interface CrdSchema {
  openAPIV3Schema?: SchemaProps | undefined;
}

export interface Subresources {
  status?: object | undefined;
  scale?: ScaleSubresource | undefined;
}

export interface ScaleSubresource {
  specReplicasPath?: string | undefined;
  statusReplicasPath?: string | undefined;
  labelSelectorPath?: string | undefined;
}

export interface PrinterColumn {
  name?: string | undefined;
  type?: string | undefined;
  format?: string | undefined;
  description?: string | undefined;
  priority?: bigint | undefined;
  jsonPath?: string | undefined;
}

export interface SelectableField {
  jsonPath?: string | undefined;
}

export interface Conversion {
  strategy?: string | undefined;
  webhook?: WebhookConversion | undefined;
}

export interface WebhookConversion {
  clientConfig?: WebhookClientConfig | undefined;
  conversionReviewVersions?: string[] | undefined;
}

export interface WebhookClientConfig {
  url?: string | undefined;
  service?: ServiceReference | undefined;
  caBundle?: Uint8Array | undefined;
}

export interface ServiceReference {
  namespace?: string | undefined;
  name?: string | undefined;
  path?: string | undefined;
  port?: bigint | undefined;
}

export interface CrdStatus {
  conditions?: CrdCondition[] | undefined;
  acceptedNames: CrdNames;
  storedVersions?: string[] | undefined;
  observedGeneration?: bigint | undefined;
}

export interface CrdCondition {
  type?: string | undefined;
  status?: string | undefined;
  lastTransitionTime?: GoTime | undefined;
  reason?: string | undefined;
  message?: string | undefined;
  observedGeneration?: bigint | undefined;
}
