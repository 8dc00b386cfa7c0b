import type { Resource } from '../discovery.ts';
import { isJsonMap, type JsonMap, type JsonValue, listAt, mapAt, textAt } from '../json.ts';
import { metaNames, modelName, type OpenApiTexts, refTo } from './texts.ts';

// The schemas of custom resources as they are published: what a structural schema keeps, and what the server adds.

const keptWords = [
  ...['title', 'description', 'type', 'format', 'default', 'example', 'externalDocs', 'pattern', 'enum', 'required'],
  ...['maximum', 'minimum', 'multipleOf', 'maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties'],
  ...['minProperties', 'x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
  ...['x-kubernetes-validations'],
];

/** What says nothing where it is false. */
const flags = [
  ...['nullable', 'uniqueItems', 'exclusiveMaximum', 'exclusiveMinimum', 'x-kubernetes-preserve-unknown-fields'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
];

/** Words whose value is a value of what the schema describes. */
const values = new Set(['default', 'example']);

const junctors = ['allOf', 'anyOf', 'oneOf'];

const isEmpty = (value: JsonValue) => value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A schema with only what is published of it; `as` says what becomes of each part. */
function published(schema: JsonMap, as: (part: JsonMap) => JsonMap): JsonMap {
  const out: JsonMap = {};
  for (const word of keptWords) {
    const value = schema[word];
    if (value !== undefined && (values.has(word) ? value !== null : !isEmpty(value))) out[word] = value;
  }
  for (const word of flags) if (schema[word] === true) out[word] = true;
  for (const word of junctors) {
    const parts = listAt(schema, word).map((part) => as(mapAt(part)));
    if (parts.length > 0) out[word] = parts;
  }
  for (const word of ['not', 'items', 'additionalProperties']) {
    const part = schema[word];
    if (isJsonMap(part)) out[word] = as(part);
    else if (typeof part === 'boolean') out[word] = part;
  }
  const properties = Object.entries(mapAt(schema, 'properties')).map(([name, part]) => [name, as(mapAt(part))]);
  if (properties.length > 0) out.properties = Object.fromEntries(properties);
  return out;
}

const numberOrText = [{ type: 'integer' }, { type: 'string' }];

/** What is a number or a text says so in words that everybody knows. */
function unfolded(schema: JsonMap): JsonMap {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const { anyOf, allOf } = schema;
  if (anyOf === undefined) {
    const first = mapAt(listAt(allOf)[0]);
    return isNumberOrText(first.anyOf) ? schema : { ...schema, anyOf: numberOrText };
  }
  return isNumberOrText(anyOf) ? schema : { ...schema, allOf: [{ anyOf: numberOrText }, ...listAt(allOf)] };
}

function isNumberOrText(anyOf: JsonValue | undefined): boolean {
  return (
    Array.isArray(anyOf) && anyOf.length === 2 && anyOf.every((one, i) => mapAt(one).type === numberOrText[i]!.type)
  );
}

const convention = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const ofMetadata = {
  description: `Standard object's metadata. More info: ${convention}#metadata`,
  allOf: [refTo(metaNames.object)],
};

/** An object inside of another says what it is as well. */
function withHead(schema: JsonMap, isOld: boolean): JsonMap {
  if (schema['x-kubernetes-embedded-resource'] !== true) return schema;
  if (isOld && schema['x-kubernetes-preserve-unknown-fields'] === true) return schema;
  const required = listAt(schema, 'required');
  const head = {
    apiVersion: {
      description: `apiVersion defines the versioned schema of this representation of an object. More info: ${convention}#resources`,
      type: 'string',
    },
    kind: {
      description: `kind is a string value representing the type of this object. In CamelCase. More info: ${convention}#types-kinds`,
      type: 'string',
    },
    metadata: ofMetadata,
  };
  return {
    ...schema,
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
    properties: { ...mapAt(schema, 'properties'), ...head },
  };
}

/** What OpenAPI 2, and kubectl with it, cannot cope with is left out. */
function simplified(schema: JsonMap): JsonMap {
  const out = { ...schema };
  for (const word of [...junctors, 'not']) delete out[word];
  const takesAll = out['x-kubernetes-preserve-unknown-fields'] === true;
  if (out.nullable === true || takesAll) {
    delete out.items;
    delete out.properties;
  }
  if (out.nullable === true || (takesAll && out.type === 'object')) delete out.type;
  delete out.nullable;
  if (out.items === undefined && out.type === 'array') delete out.type;
  const required = requiredOf(out);
  if (required.length > 0) out.required = required;
  else delete out.required;
  return out;
}

function requiredOf(schema: JsonMap): JsonValue[] {
  if (mapAt(schema, 'additionalProperties').nullable === true) return [];
  const properties = mapAt(schema, 'properties');
  return listAt(schema, 'required').filter((name) => mapAt(properties[String(name)]).nullable !== true);
}

/** The nested parts of a schema that validate values alone are published as they are. */
const plainPart = (part: JsonMap): JsonMap => published(part, plainPart);

function part(schema: JsonMap, isOld: boolean): JsonMap {
  const { allOf, anyOf, oneOf, not, ...rest } = unfolded(schema);
  const inner = published(isOld ? simplified(rest) : rest, (below) => part(below, isOld));
  const values = isOld ? {} : published({ ...{ allOf, anyOf, oneOf, not } } as JsonMap, plainPart);
  return withHead({ ...inner, ...values }, isOld);
}

/** The kinds that a document says something of. */
export interface Schemas {
  readonly object: JsonMap;
  readonly list: JsonMap;
}

export function schemasOf(resource: Resource, texts: OpenApiTexts, isOld: boolean): Schemas {
  const { crd, group, version, kind, listKind, plural } = resource;
  const of = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === version);
  const schema = mapAt(of, 'schema', 'openAPIV3Schema');
  const head = typeMeta(texts);
  const named = (name: string) => [{ group, version, kind: name }];
  const selectable = listAt(of, 'selectableFields').map((field) => ({ fieldPath: textAt(field, 'jsonPath').slice(1) }));
  const more = selectable.length === 0 ? {} : { 'x-kubernetes-selectable-fields': selectable };
  const takesAll = isOld && schema['x-kubernetes-preserve-unknown-fields'] === true;
  const own = takesAll ? { type: 'object' } : part(schema, isOld);
  const properties = { ...mapAt(own, 'properties'), ...head, metadata: ofMetadata };
  return {
    object: { ...own, ...(!takesAll && { properties }), 'x-kubernetes-group-version-kind': named(kind), ...more },
    list: {
      description: `${listKind} is a list of ${kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        ...head,
        items: {
          description: `List of ${plural}. More info: ${convention}`,
          type: 'array',
          items: refTo(modelName(group, version, kind)),
        },
        metadata: {
          description: `Standard list metadata. More info: ${convention}#types-kinds`,
          allOf: [refTo(metaNames.list)],
        },
      },
      'x-kubernetes-group-version-kind': named(listKind),
      ...more,
    },
  };
}

/** What is said of the first two fields of every object. */
function typeMeta({ schemas }: OpenApiTexts): JsonMap {
  const { apiVersion, kind } = mapAt(schemas[metaNames.deletion], 'properties');
  return { apiVersion: apiVersion!, kind: kind! };
}
