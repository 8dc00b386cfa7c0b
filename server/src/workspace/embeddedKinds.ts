import { isList, isMap, type ManifestPath, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import type { BuiltinKind, BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import { rootOfBuiltin } from './builtin.ts';
import { isNamedRgd } from './rgd.ts';
import { type SchemaNode, stepInto } from './schemaNode.ts';

// Custom resources may hold whole objects, such as pod templates. Where a CRD says only that there is an object, and the
// object says that it is of a built-in kind, more is known of it than the CRD tells.

/** A part of a resource that is an object, or a pod template. */
export interface EmbeddedPart {
  readonly path: ManifestPath;
  readonly value: ValueMap;
}

export interface EmbeddedObject extends EmbeddedPart {
  readonly kind: BuiltinKind;
}

/** More objects of one resource are not looked for. */
const mostEmbedded = 100;

/** The objects of built-in kinds in a resource. */
function embeddedObjects(kinds: BuiltinKinds, root: SchemaNode, value: Value): readonly EmbeddedObject[] {
  return embeddedIn(kinds, namedObjects(root, value));
}

/** Those of objects that are of built-in kinds. */
export function embeddedIn(kinds: BuiltinKinds, objects: readonly EmbeddedPart[]): readonly EmbeddedObject[] {
  return objects.flatMap((one) => {
    const kind = kinds.kinds.get(`${one.value.get('apiVersion')}/${one.value.get('kind')}`);
    return kind && !kind.isGone ? [{ ...one, kind }] : [];
  });
}

/** The objects in a resource that say of which kind they are. */
export function namedObjects(root: SchemaNode, value: Value): readonly EmbeddedPart[] {
  const found: EmbeddedPart[] = [];
  const take = (part: ValueMap, path: Path) => {
    if (part.has('apiVersion') && part.has('kind')) found.push({ path, value: part });
  };
  if (isMap(value) && isNamedRgd(value.get('apiVersion'), value.get('kind'))) takeTemplates(value, take);
  collect(root, value, [], found, (schema, part, path) => {
    if (!isAnyObject(schema)) return false;
    take(part, path);
    return true;
  });
  return found;
}

/** kro's CRD says nothing of its templates, but they are what it creates. */
function takeTemplates(rgd: ValueMap, take: (part: ValueMap, path: Path) => void): void {
  const resources = valueAt(rgd, ['spec', 'resources']);
  for (const [i, resource] of isList(resources) ? resources.slice(0, mostEmbedded).entries() : []) {
    const template = valueAt(resource, ['template']);
    if (isMap(template)) take(template, ['spec', 'resources', i, 'template']);
  }
}

/** The pod templates in a resource: the CRD has a copy of their schema, and pods are made of them. */
export function podTemplates(root: SchemaNode, value: Value): readonly EmbeddedPart[] {
  const found: EmbeddedPart[] = [];
  collect(root, value, [], found, (schema, part, path) => {
    if (!isPodTemplate(schema)) return false;
    found.push({ path, value: part });
    return true;
  });
  return found;
}

/** What the specs of pods have had since before CRDs had schemas. */
const podFields = [
  ...[
    'activeDeadlineSeconds',
    'affinity',
    'containers',
    'dnsPolicy',
    'hostAliases',
    'hostIPC',
    'hostNetwork',
    'hostPID',
  ],
  ...['imagePullSecrets', 'initContainers', 'nodeName', 'nodeSelector', 'priorityClassName', 'restartPolicy'],
  ...['schedulerName', 'securityContext', 'serviceAccountName', 'subdomain', 'terminationGracePeriodSeconds'],
  ...['tolerations', 'volumes'],
];
const containerFields = [
  'args',
  'command',
  'env',
  'image',
  'livenessProbe',
  'name',
  'ports',
  'resources',
  'volumeMounts',
];

function isPodTemplate(schema: ValueMap): boolean {
  const parts = schema.get('properties');
  if (!isMap(parts) || !parts.has('metadata')) return false;
  const pod = valueAt(parts, ['spec', 'properties']);
  const container = valueAt(pod, ['containers', 'items', 'properties']);
  return has(pod, podFields) && has(container, containerFields);
}

function has(properties: Value | undefined, names: readonly string[]): boolean {
  return isMap(properties) && names.every((name) => properties.has(name));
}

/** Goes down to the parts that are taken, each with its schema. */
function collect<One>(
  node: SchemaNode,
  value: Value,
  path: Path,
  found: One[],
  take: (schema: ValueMap, part: ValueMap, path: Path) => boolean,
): void {
  if (found.length >= mostEmbedded) return;
  if (isMap(value) && take(node.schema, value, path)) return;
  const entries = isMap(value) ? value.entries() : isList(value) ? value.entries() : [];
  for (const [step, inner] of entries) {
    if (!isMap(inner) && !isList(inner)) continue;
    const below = stepInto(node, step, path.length === 0);
    if (below) collect(below, inner, [...path, step], found, take);
  }
}

/** An object, of which nothing more is said. */
function isAnyObject(schema: ValueMap): boolean {
  const is = (keyword: string) => schema.get(`x-kubernetes-${keyword}`) === true;
  return is('embedded-resource') && is('preserve-unknown-fields') && !schema.has('properties');
}

/** The schema of a resource, with that of the built-in kind in place of the embedded object that a path leads into. */
export function withEmbedded(kinds: BuiltinKinds, root: SchemaNode, value: Value, path: ManifestPath): SchemaNode {
  const around = embeddedObjects(kinds, root, value).find(
    (one) => one.path.length < path.length && one.path.every((step, i) => step === path[i]),
  );
  const known = around && rootOfBuiltin(kinds, around.kind)?.schema;
  if (!around || !known) return root;
  const put = new Map(known).set('x-kubernetes-embedded-resource', true);
  return { schema: replaced(root.schema, around.path, put), path: undefined, definition: root.definition };
}

function replaced(schema: ValueMap, [step, ...rest]: Path, put: ValueMap): ValueMap {
  if (step === undefined) return put;
  const properties = schema.get('properties');
  if (typeof step === 'string' && isMap(properties) && properties.has(step))
    return new Map(schema).set('properties', new Map(properties).set(step, within(properties.get(step), rest, put)));
  const keyword = typeof step === 'number' ? 'items' : 'additionalProperties';
  return new Map(schema).set(keyword, within(schema.get(keyword), rest, put));
}

function within(schema: Value | undefined, path: Path, put: ValueMap): ValueMap {
  return replaced(isMap(schema) ? schema : new Map(), path, put);
}
