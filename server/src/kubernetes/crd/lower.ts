import { memo } from '../../base/memo.ts';
import type { Json } from '../../gostd/json.ts';
import type { Conversion, Crd, CrdNames, CrdVersion, PrinterColumn, ScaleSubresource } from '../api/crd.ts';
import type { SchemaProps } from '../api/schema.ts';
import { newestVersion } from '../releases/all.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { lowerSchema } from '../schema/lower.ts';
import type { Structural } from '../schema/structural.ts';
import { readCrd } from './read.ts';

/** What the editor and the custom resources of a CRD need to know of it. */
export interface LoweredCrd {
  readonly group: string;
  readonly names: Readonly<CrdNames>;
  readonly namespaced: boolean;
  readonly preserveUnknownFields: boolean;
  /** A webhook turns objects of one version into another; without one they only get another apiVersion. */
  readonly convertedByWebhook: boolean;
  readonly conversion?: Readonly<Conversion>;
  readonly versions: readonly LoweredVersion[];
}

export interface LoweredVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning?: string;
  /** The schema as decoded; absent where the version has none. */
  readonly schema?: SchemaProps;
  /** Its structural form; absent where it has none, then `notStructural` says why. */
  readonly structural?: Structural;
  readonly notStructural?: string;
  readonly status: boolean;
  readonly scale?: Readonly<ScaleSubresource>;
  readonly printerColumns: readonly Readonly<PrinterColumn>[];
  readonly selectableFields: readonly string[];
}

/** The CRD in a document, or undefined where it cannot be decoded. The same document is lowered once. */
export function lowerCrd(document: Json, version: KubernetesVersion = newestVersion): LoweredCrd | undefined {
  return typeof document === 'object' && document !== null ? loweredOnce(document, version) : undefined;
}

const loweredOnce = memo((document: Json & object, version: KubernetesVersion): LoweredCrd | undefined => {
  const read = readCrd(document, version);
  return 'error' in read ? undefined : lower(read.crd);
});

function lower({ spec }: Crd): LoweredCrd {
  return {
    group: spec.group ?? '',
    names: spec.names,
    namespaced: spec.scope === 'Namespaced',
    preserveUnknownFields: spec.preserveUnknownFields ?? false,
    convertedByWebhook: spec.conversion?.strategy === 'Webhook',
    ...(spec.conversion && { conversion: spec.conversion }),
    versions: (spec.versions ?? []).map(lowerVersion),
  };
}

function lowerVersion(item: CrdVersion): LoweredVersion {
  const schema = item.schema?.openAPIV3Schema;
  const { subresources } = item;
  return {
    name: item.name ?? '',
    served: item.served ?? false,
    storage: item.storage ?? false,
    deprecated: item.deprecated ?? false,
    ...(item.deprecationWarning !== undefined && { deprecationWarning: item.deprecationWarning }),
    ...(schema && schemaParts(schema)),
    status: subresources?.status !== undefined,
    ...(subresources?.scale && { scale: subresources.scale }),
    printerColumns: item.additionalPrinterColumns ?? [],
    selectableFields: (item.selectableFields ?? []).map((field) => field.jsonPath ?? ''),
  };
}

function schemaParts(schema: SchemaProps): Pick<LoweredVersion, 'schema' | 'structural' | 'notStructural'> {
  const result = lowerSchema(schema);
  return 'error' in result ? { schema, notStructural: result.error } : { schema, structural: result.structural };
}
