import { memo } from '../../base/memo.ts';
import type { Json } from '../../gostd/json.ts';
import type { ScaleSubresource } from '../api/crd.ts';
import type { SchemaProps } from '../api/schema.ts';
import { type LoweredCrd, type LoweredVersion, lowerCrd } from '../crd/lower.ts';
import { readCrd } from '../crd/read.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { pruneDefaults } from '../schema/pruneDefaults.ts';
import { reread } from '../schema/reread.ts';
import type { Structural } from '../schema/structural.ts';
import { type ValueSchema, valueSchema } from '../schema/valueSchema.ts';

/** What the API server keeps of one version of an established CRD to judge its resources by. */
export interface ServedVersion {
  readonly kubernetes: KubernetesVersion;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly preserveUnknownFields: boolean;
  readonly schema?: SchemaProps;
  /** Its defaults are pruned. */
  readonly structural?: Structural;
  readonly values?: ValueSchema;
  /** The schema of `status`, where that has one. */
  readonly statusValues?: ValueSchema;
  readonly hasStatus: boolean;
  readonly scale?: Readonly<ScaleSubresource>;
}

export interface ServedCrd {
  readonly lowered: LoweredCrd;
  readonly versions: ReadonlyMap<string, ServedVersion>;
}

/** Or why the CRD cannot be served. */
export type Serving = ServedCrd | { readonly error: string };

/** All versions of the CRD in a document. Made once for each document and Kubernetes version. */
export function serveCrd(document: Json, kubernetes: KubernetesVersion): Serving {
  return typeof document === 'object' && document !== null
    ? servedOnce(document, kubernetes)
    : serve(document, kubernetes);
}

const servedOnce = memo((document: Json & object, kubernetes: KubernetesVersion) => serve(document, kubernetes));

function serve(document: Json, kubernetes: KubernetesVersion): Serving {
  const lowered = lowerCrd(document, kubernetes);
  if (!lowered) {
    const read = readCrd(document, kubernetes);
    return { error: 'error' in read ? read.error.message : 'not a CustomResourceDefinition' };
  }
  const versions = new Map<string, ServedVersion>();
  for (const version of lowered.versions) {
    const made = serveVersion(lowered, version, kubernetes);
    if ('error' in made) return { error: `version ${version.name}: ${made.error}` };
    versions.set(version.name, made);
  }
  return { lowered, versions };
}

const rootDefault = 'failed to prune default value: object root default value must be of object type';

function serveVersion(
  crd: LoweredCrd,
  version: LoweredVersion,
  kubernetes: KubernetesVersion,
): ServedVersion | { readonly error: string } {
  const { schema, scale } = version;
  if (version.notStructural !== undefined) return { error: version.notStructural };
  const structural = version.structural && pruneDefaults(version.structural, kubernetes, reread);
  if (version.structural && !structural) return { error: rootDefault };
  const status = version.status ? schema?.properties?.get('status') : undefined;
  return {
    kubernetes,
    group: crd.group,
    version: version.name,
    kind: crd.names.kind ?? '',
    namespaced: crd.namespaced,
    preserveUnknownFields: crd.preserveUnknownFields,
    ...(schema && { schema, values: valueSchema(schema, 'resource', kubernetes) }),
    ...(structural && { structural }),
    ...(status && { statusValues: valueSchema(status, 'resource', kubernetes) }),
    hasStatus: version.status,
    ...(scale && { scale }),
  };
}
