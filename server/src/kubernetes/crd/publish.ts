import { equalValues, isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';

// The schema of a version for programs that are not API servers: as JSON Schema, and as the API server publishes it itself.

export const schemaForms = ['json-schema', 'openapi-v3', 'openapi-v2'] as const;
export type SchemaForm = (typeof schemaForms)[number];

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A version's schema, as it is stored, in one of the forms. Each stands alone: nothing in it refers to another file. */
export function published(schema: ValueMap, of: Kind, as: SchemaForm): ValueMap {
  if (as === 'json-schema') return jsonSchema(schema, of);
  const published = as === 'openapi-v3' ? withEmbedded(asResource(schema, of), as) : openApiV2(schema, of);
  const { group, version, kind } = of;
  const gvk = new Map([
    ['group', group],
    ['kind', kind],
    ['version', version],
  ]);
  return new Map(published).set('x-kubernetes-group-version-kind', [gvk]);
}

type Node = Map<string, Value>;

const text = (description: string): ValueMap =>
  new Map<string, Value>([
    ['description', description],
    ['type', 'string'],
  ]);

const metadata: ValueMap = new Map<string, Value>([
  ['description', 'Names and describes the object.'],
  ['type', 'object'],
]);
const apiVersion = text('The group and version of the kind.');
const kind = text('The kind of the object.');

/** The fields that every object has; what a CRD says of metadata itself is kept. */
function withResourceFields(properties: Value | undefined, fields: readonly [string, ValueMap][]): ValueMap {
  const own = isMap(properties) ? properties : new Map<string, Value>();
  return new Map<string, Value>([
    ...fields.map(([name, field]): [string, Value] => [name, new Map([...entriesOf(own.get(name)), ...field])]),
    ...[...own].filter(([name]) => !fields.some(([field]) => field === name)),
  ]);
}

const entriesOf = (value: Value | undefined): ValueMap => (isMap(value) ? value : new Map());

/** Every schema right below a schema, made into another. */
function eachBelow(schema: ValueMap, of: (below: ValueMap) => Value): Node {
  const out: Node = new Map(schema);
  const { properties, items, additionalProperties } = Object.fromEntries(schema);
  if (isMap(properties))
    out.set('properties', new Map([...properties].map(([name, one]) => [name, of(entriesOf(one))])));
  if (isMap(items)) out.set('items', of(items));
  if (isMap(additionalProperties)) out.set('additionalProperties', of(additionalProperties));
  return out;
}

// JSON Schema

const preserve = 'x-kubernetes-preserve-unknown-fields';
const embedded = 'x-kubernetes-embedded-resource';
const intOrString = 'x-kubernetes-int-or-string';
const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

function jsonSchema(schema: ValueMap, { group, version, kind: name }: Kind): ValueMap {
  const fields: [string, ValueMap][] = [
    ['apiVersion', new Map<string, Value>([...apiVersion, ['enum', [`${group}/${version}`]]])],
    ['kind', new Map<string, Value>([...kind, ['enum', [name]]])],
    ['metadata', openMetadata],
  ];
  const root: Node = new Map(schema).set('properties', withResourceFields(schema.get('properties'), fields));
  root.set('required', [...new Set([...namesIn(schema.get('required')), 'apiVersion', 'kind', 'metadata'])]);
  return new Map<string, Value>([
    ['$schema', 'http://json-schema.org/draft-07/schema#'],
    ...entriesOf(strictNode(root)),
  ]);
}

/** What else metadata may hold, this schema leaves to the API server. */
const openMetadata: ValueMap = new Map<string, Value>([...metadata, [preserve, true]]);

function namesIn(value: Value | undefined): string[] {
  return isList(value) ? value.filter(isString) : [];
}

/** A schema that also says what the API server does besides: it drops unknown fields, which is an error here. */
function strictNode(schema: ValueMap): Value {
  const isResource = schema.get(embedded) === true;
  const whole = isResource ? asEmbedded(schema, openMetadata) : new Map(schema);
  const node = bounds(eachBelow(whole, strictNode));
  for (const junctor of junctors) {
    const value = node.get(junctor);
    if (value !== undefined) node.set(junctor, junctorValue(value));
  }
  if (closes(schema)) node.set('additionalProperties', false);
  if (schema.get(intOrString) === true) eitherType(node);
  if (schema.get('nullable') === true) alsoNull(node);
  node.delete('nullable');
  return node;
}

/** Of an object that declares fields, or nothing at all, others are dropped. */
function closes(schema: ValueMap): boolean {
  return schema.get('type') === 'object' && schema.get(preserve) !== true && !schema.has('additionalProperties');
}

/** Inside of junctors fields are judged, not declared. */
function junctorValue(value: Value): Value {
  if (isList(value)) return value.map((one) => (isMap(one) ? judgingNode(one) : one));
  return isMap(value) ? judgingNode(value) : value;
}

function judgingNode(schema: ValueMap): ValueMap {
  const node = bounds(eachBelow(schema, judgingNode));
  for (const junctor of junctors) {
    const value = node.get(junctor);
    if (value !== undefined) node.set(junctor, junctorValue(value));
  }
  return node;
}

/** In JSON Schema an excluded bound is a number of its own. */
function bounds(node: Node): Node {
  for (const [bound, flag] of [
    ['maximum', 'exclusiveMaximum'],
    ['minimum', 'exclusiveMinimum'],
  ] as const) {
    const isExclusive = node.get(flag) === true;
    node.delete(flag);
    const value = node.get(bound);
    if (!isExclusive || value === undefined) continue;
    node.delete(bound);
    node.set(flag, value);
  }
  return node;
}

const eitherOf: readonly Value[] = ['integer', 'string'].map((type) => new Map([['type', type]]));

function eitherType(node: Node): void {
  node.delete('type');
  if (equalValues(node.get('anyOf'), eitherOf)) node.delete('anyOf');
  if (node.has('oneOf')) node.set('type', ['integer', 'string']);
  else node.set('oneOf', eitherOf);
}

function alsoNull(node: Node): void {
  const { type, oneOf } = Object.fromEntries(node);
  if (isString(type)) node.set('type', [type, 'null']);
  else if (isList(type)) node.set('type', [...type, 'null']);
  else if (oneOf === eitherOf) node.set('oneOf', [...eitherOf, new Map([['type', 'null']])]);
}

// OpenAPI

function asResource(schema: ValueMap, _: Kind): ValueMap {
  const fields: [string, ValueMap][] = [
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', metadata],
  ];
  const properties = new Map(entriesOf(schema.get('properties')));
  for (const [name, field] of fields) properties.set(name, field);
  return new Map(schema).set('properties', properties);
}

function asEmbedded(schema: ValueMap, meta: ValueMap): Node {
  const fields: [string, ValueMap][] = [
    ['apiVersion', apiVersion],
    ['kind', kind],
    ['metadata', meta],
  ];
  const required = [...new Set([...namesIn(schema.get('required')), 'kind', 'apiVersion'])];
  return new Map(schema)
    .set('properties', withResourceFields(schema.get('properties'), fields))
    .set('required', required);
}

/** Where whole objects are embedded, their own fields belong to them. */
function withEmbedded(schema: ValueMap, as: SchemaForm): ValueMap {
  const node = eachBelow(schema, (below) => withEmbedded(below, as));
  if (node.get(embedded) !== true || (as === 'openapi-v2' && node.get(preserve) === true)) return node;
  return asEmbedded(node, metadata);
}

const anyObject: ValueMap = new Map([['type', 'object']]);

function openApiV2(schema: ValueMap, of: Kind): ValueMap {
  if (schema.get(preserve) === true) return anyObject;
  return withEmbedded(asResource(lossy(schema), of), 'openapi-v2');
}

/** What kubectl copes with in version 2: no junctors, no type where there may be null or anything. */
function lossy(schema: ValueMap): ValueMap {
  const node: Node = new Map(schema);
  for (const junctor of junctors) node.delete(junctor);
  const isOpen = node.get(preserve) === true;
  if (node.get('nullable') === true) {
    for (const key of ['type', 'nullable', 'items', 'properties']) node.delete(key);
  }
  if (isOpen) for (const key of ['items', 'properties']) node.delete(key);
  if (node.get('type') === 'array' && !node.has('items')) node.delete('type');
  if (isOpen && node.get('type') === 'object') node.delete('type');
  withoutNullable(node);
  return eachBelow(node, lossy);
}

function withoutNullable(node: Node): void {
  const isNullable = (schema: Value | undefined) => isMap(schema) && schema.get('nullable') === true;
  const properties = entriesOf(node.get('properties'));
  const required = namesIn(node.get('required')).filter((name) => !isNullable(properties.get(name)));
  if (required.length === 0 || isNullable(node.get('additionalProperties'))) node.delete('required');
  else node.set('required', required);
}
