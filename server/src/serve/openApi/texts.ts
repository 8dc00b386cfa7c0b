import type { JsonMap } from '../json.ts';

/**
 * What every OpenAPI document of an API server says alike (`server/data/openApi.json.gz`, which `npm run open-api` writes): the
 * schemas that kinds refer to, the parameters of requests, and the document of CRDs themselves.
 */
export interface OpenApiTexts {
  /** How the file came to be. */
  readonly generated: string;
  readonly schemas: { readonly [name: string]: JsonMap };
  /** By what is done: `list`, `get`, `post`, … */
  readonly parameters: Readonly<Record<string, readonly JsonMap[]>>;
  /** Those that stand for a part of a path, and `pretty`. */
  readonly inPaths: Readonly<Record<'namespace' | 'pretty', JsonMap>>;
  /** The names that OpenAPI 2 documents share parameters by. */
  readonly shared: { readonly [name: string]: JsonMap };
  readonly crds: JsonMap;
}

export const metaNames = {
  object: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
  list: 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  status: 'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  patch: 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch',
  deletion: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  scale: 'io.k8s.api.autoscaling.v1.Scale',
} as const;

export const refTo = (name: string): JsonMap => ({ $ref: `#/components/schemas/${name}` });

/** What documents call a kind: its group is written the other way round. */
export function modelName(group: string, version: string, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}
