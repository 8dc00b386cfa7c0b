import { readJson } from '../../gostd/json.ts';
import type { GoType, OwnType } from '../../kubernetes/builtin/goType.ts';
import type { BuiltinField, BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import type { Resource } from '../discovery.ts';
import type { JsonMap } from '../json.ts';
import { type OpenApiTexts, refTo } from './texts.ts';

// What is published of built-in kinds: their schemas, and as much of their paths as clients read to know that the server
// validates fields and runs dry.

/** The schemas of built-in kinds, by their names, and of all that they are made of. */
export function builtinDocument(
  name: string,
  resources: readonly Resource[],
  { parameters }: OpenApiTexts,
  kinds: BuiltinKinds,
): JsonMap {
  const paths: JsonMap = {};
  const schemas: JsonMap = {};
  for (const { group, version, kind, plural, namespaced, builtin } of resources) {
    const at = `/${group === '' ? 'api' : 'apis'}/${name}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}/{name}`;
    const gvk = { group, version, kind };
    const patch = { 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': gvk };
    paths[at] = { patch: { parameters: [...parameters.patch!], ...patch } };
    addObject(builtin!.root, kinds, schemas);
    const own = schemas[modelOf(builtin!.root)] as JsonMap;
    schemas[modelOf(builtin!.root)] = { ...own, 'x-kubernetes-group-version-kind': [gvk] };
  }
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, components: { schemas } };
}

/** `k8s.io/api/apps/v1.Deployment` is `io.k8s.api.apps.v1.Deployment`. */
const modelOf = (id: string) => id.replace(/^k8s\.io\//, 'io.k8s.').replaceAll('/', '.');

function addObject(id: string, kinds: BuiltinKinds, into: JsonMap): void {
  const name = modelOf(id);
  if (name in into) return;
  const { text, fields } = kinds.object(id);
  const schema: JsonMap = { ...(text !== '' && { description: text }), type: 'object' };
  into[name] = schema;
  const required = fields.filter(({ optional }) => !optional).map((field) => field.name);
  if (required.length > 0) schema.required = required;
  schema.properties = Object.fromEntries(fields.map((field) => [field.name, ofField(field, kinds, into)]));
}

function ofField(field: BuiltinField, kinds: BuiltinKinds, into: JsonMap): JsonMap {
  const { text, type, listType, listMapKey, patchMergeKey, patchStrategy } = field;
  const schema = ofType(type, kinds, into);
  const { $ref, ...plain } = schema;
  return {
    ...(text !== '' && { description: text }),
    ...($ref === undefined ? plain : { allOf: [{ $ref }] }),
    ...(field.default !== undefined && plainDefault(field.default)),
    ...(listType !== undefined && { 'x-kubernetes-list-type': listType }),
    ...(listMapKey !== undefined && { 'x-kubernetes-list-map-keys': listMapKey.split(',') }),
    ...(patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patchMergeKey }),
    ...(patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': patchStrategy }),
  };
}

/** Markers hold JSON; what is a name of something in Go is left out. */
function plainDefault(text: string): JsonMap {
  return 'error' in readJson(text) ? {} : { default: JSON.parse(text) };
}

function ofType(type: GoType, kinds: BuiltinKinds, into: JsonMap): JsonMap {
  switch (type.is) {
    case 'text': {
      const values = type.enum === undefined ? [] : kinds.values(type.enum);
      return { type: 'string', ...(values.length > 0 && { enum: [...values] }) };
    }
    case 'flag':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', format: `int${type.bits}` };
    case 'float':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'list':
      return { type: 'array', items: ofType(type.of, kinds, into) };
    case 'map':
      return { type: 'object', additionalProperties: ofType(type.of, kinds, into) };
    case 'object':
      addObject(type.id, kinds, into);
      return refTo(modelOf(type.id));
    case 'own': {
      const [name, schema] = ofOwn[type.what];
      into[name] = schema;
      return refTo(name);
    }
  }
}

/** Types that decode themselves. */
const ofOwn: Readonly<Record<OwnType, readonly [name: string, schema: JsonMap]>> = {
  time: ['io.k8s.apimachinery.pkg.apis.meta.v1.Time', { type: 'string', format: 'date-time' }],
  microTime: ['io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime', { type: 'string', format: 'date-time' }],
  duration: ['io.k8s.apimachinery.pkg.apis.meta.v1.Duration', { type: 'string' }],
  raw: ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }],
  quantity: ['io.k8s.apimachinery.pkg.api.resource.Quantity', { type: 'string' }],
  intOrString: [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    { type: 'string', format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
};
