import type { BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import { crdResource, groupVersion, type Resource } from '../discovery.ts';
import { isJsonMap, type JsonMap, type JsonValue, mapAt, textAt } from '../json.ts';
import { scalePaths } from '../scale.ts';
import { builtinDocument } from './builtin.ts';
import { oldItem, pathsOf } from './paths.ts';
import { schemasOf } from './schemas.ts';
import { modelName, type OpenApiTexts } from './texts.ts';

// What a server publishes of its kinds, for clients that explain or check them.

const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };

/** Where the document of each version of a group is. */
export function openApiIndex(resources: readonly Resource[]): JsonMap {
  const names = [...new Set(resources.map(groupVersion))];
  const at = (name: string) => `${name.includes('/') ? 'apis' : 'api'}/${name}`;
  return {
    paths: Object.fromEntries(names.map((name) => [at(name), { serverRelativeURL: `/openapi/v3/${at(name)}` }])),
  };
}

/** The OpenAPI 3 document of one version of a group; undefined where there is none. */
export function openApi(
  name: string,
  all: readonly Resource[],
  texts: OpenApiTexts,
  kinds: BuiltinKinds,
): JsonMap | undefined {
  const resources = all.filter((one) => groupVersion(one) === name);
  const [first] = resources;
  if (!first) return undefined;
  if (first.builtin) return builtinDocument(name, resources, texts, kinds);
  if (first.group === crdResource.group && !first.crd) return texts.crds;
  const { paths, schemas } = partsOf(resources, texts, false);
  return { openapi: '3.0.0', info, paths, components: { schemas: withReferred(schemas, paths, texts) } };
}

/** The OpenAPI 2 document of all custom resources. */
export function openApiOld(all: readonly Resource[], release: string, texts: OpenApiTexts): JsonMap {
  const { paths, schemas } = partsOf(
    all.filter(({ crd }) => crd),
    texts,
    true,
  );
  const items = Object.entries(paths).map(([path, item]) => [path, oldItem(mapAt(asOld(item)), texts.shared)]);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: release },
    paths: Object.fromEntries(items),
    definitions: asOld(withReferred(schemas, paths, texts), true),
    parameters: texts.shared,
    securityDefinitions: {
      BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
    },
    security: [{ BearerToken: [] }],
  };
}

function partsOf(resources: readonly Resource[], texts: OpenApiTexts, isOld: boolean) {
  const [paths, schemas]: JsonMap[] = [{}, {}];
  for (const resource of resources) {
    const { group, version, kind, listKind } = resource;
    Object.assign(paths!, pathsOf(resource, scalePaths(resource) !== undefined, texts));
    const own = schemasOf(resource, texts, isOld);
    schemas![modelName(group, version, kind)] = own.object;
    schemas![modelName(group, version, listKind)] = own.list;
  }
  return { paths: paths!, schemas: schemas! };
}

/** With the schemas that others refer to, and those that these refer to. */
function withReferred(schemas: JsonMap, paths: JsonMap, texts: OpenApiTexts): JsonMap {
  const out = { ...schemas };
  const open: JsonValue[] = [schemas, paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
    const name = isJsonMap(value) ? textAt(value, '$ref').slice('#/components/schemas/'.length) : '';
    const shared = name in out ? undefined : texts.schemas[name];
    if (!shared) continue;
    out[name] = shared;
    open.push(shared);
  }
  return out;
}

/** References as OpenAPI 2 has them, and no defaults; what hangs below `properties` are names. */
function asOld(value: JsonValue, areNames = false): JsonValue {
  if (Array.isArray(value)) return value.map((one) => asOld(one));
  if (!isJsonMap(value)) return value;
  const own = Object.entries(value).filter(([name]) => areNames || (name !== 'default' && name !== 'allOf'));
  const out = Object.fromEntries(
    own.map(([name, inner]) => [name, asOld(inner, !areNames && name === 'properties')] as const),
  );
  if (areNames) return out;
  const { allOf, $ref } = value;
  const only = Array.isArray(allOf) ? mapAt(allOf[0]).$ref : undefined;
  if (allOf !== undefined && only === undefined) out.allOf = asOld(allOf);
  const ref = only ?? $ref;
  return typeof ref === 'string' ? { ...out, $ref: ref.replace('#/components/schemas/', '#/definitions/') } : out;
}
