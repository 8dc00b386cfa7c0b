import {
  isList,
  isMap,
  isString,
  type ManifestPath,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../base/value.ts';
import { crdSchema, resourceField } from '../kubernetes/api/crdSchema.ts';
import type { Definition } from './definitions.ts';
import { splitApiVersion } from './manifest.ts';

/**
 * A node of a CRD's schema as its author wrote it: completion, hover and navigation read it as it is, so that they
 * also serve a CRD that the API server would still refuse.
 */
export interface SchemaNode {
  readonly schema: ValueMap;
  /** Where the node is in the CRD's document; undefined for fields that every resource has. */
  readonly path: ManifestPath | undefined;
  /** What defines the kind; undefined for kinds that Kubernetes itself brings. */
  readonly definition: Definition | undefined;
  /** It says all there is: what it describes is not an object of Kubernetes, with its kind and metadata. */
  readonly isWhole?: true;
}

/** The schema of CRDs themselves. */
export const crdRoot: SchemaNode = { schema: crdSchema, path: undefined, definition: undefined };

/** Where the schema of a version stands in its CRD. */
export function schemaPathOf(crd: Value, version: string): Path {
  const versions = valueAt(crd, ['spec', 'versions']);
  const at = (isList(versions) ? versions : []).findIndex((one) => valueAt(one, ['name']) === version);
  return ['spec', 'versions', at, 'schema', 'openAPIV3Schema'];
}

/** The schema of a version of a kind. */
export function rootSchema(definition: Definition, apiVersion: string): SchemaNode | undefined {
  const { version } = splitApiVersion(apiVersion);
  const at = definition.versions.indexOf(version);
  const path: Path = ['spec', 'versions', at, 'schema', 'openAPIV3Schema'];
  const schema = valueAt(definition.manifest.value, path);
  return isMap(schema) ? { schema, path, definition } : undefined;
}

/** The node for a step into a value: a property, a map's value, a list's item. */
export function stepInto(node: SchemaNode, step: string | number, atRoot: boolean): SchemaNode | undefined {
  if (typeof step === 'number') return under(node, ['items']);
  const isObject = atRoot && !node.isWhole;
  const common =
    isObject || node.schema.get('x-kubernetes-embedded-resource') === true ? resourceField(step) : undefined;
  const declared = under(node, ['properties', step]) ?? under(node, ['additionalProperties']);
  // What a CRD says of `metadata` restricts it, but does not describe it.
  if (common && (!declared || step === 'metadata'))
    return { schema: common, path: declared?.path, definition: node.definition };
  return declared;
}

function under(node: SchemaNode, steps: Path): SchemaNode | undefined {
  const schema = valueAt(node.schema, steps);
  if (!isMap(schema)) return undefined;
  return { schema, path: node.path && [...node.path, ...steps], definition: node.definition };
}

/** The node of a value at a path of a resource. */
export function schemaAt(root: SchemaNode, path: ManifestPath): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const [i, step] of path.entries()) node = node && stepInto(node, step, i === 0);
  return node;
}

/** The names of a node's properties, the required ones first, each group in the schema's order. */
export function propertyNames(node: SchemaNode, atRoot: boolean): string[] {
  const properties = node.schema.get('properties');
  const declared = isMap(properties) ? [...properties.keys()] : [];
  const common =
    (atRoot && !node.isWhole) || node.schema.get('x-kubernetes-embedded-resource') === true
      ? ['apiVersion', 'kind', 'metadata']
      : [];
  const names = [...new Set([...common, ...declared])];
  const required = requiredNames(node);
  return [...names.filter((name) => required.has(name)), ...names.filter((name) => !required.has(name))];
}

export function requiredNames(node: SchemaNode): ReadonlySet<string> {
  const required = node.schema.get('required');
  return new Set(isList(required) ? required.filter(isString) : []);
}

export function textOf(node: SchemaNode, keyword: string): string {
  const text = node.schema.get(keyword);
  return isString(text) ? text : '';
}

/** The type as `kubectl explain` writes it: `integer`, `[]object`, `map[string]string`, `int-or-string`. */
export function typeLabel({ schema }: SchemaNode | { schema: ValueMap }): string {
  if (schema.get('x-kubernetes-int-or-string') === true) return 'int-or-string';
  const type = schema.get('type');
  const items = schema.get('items');
  const values = schema.get('additionalProperties');
  if (type === 'array') return `[]${isMap(items) ? typeLabel({ schema: items }) : 'any'}`;
  if (type === 'object' && isMap(values)) return `map[string]${typeLabel({ schema: values })}`;
  return isString(type) ? type : 'any';
}

/** The first sentence of a description, on one line. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const end = /[.!?](?= [A-Z]|$)/.exec(line);
  return end ? line.slice(0, end.index + 1) : line;
}
