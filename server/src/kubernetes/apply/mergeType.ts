import { memo } from '../../base/memo.ts';
import type { Value } from '../../base/value.ts';
import type { ServedVersion } from '../cr/served.ts';
import type { Structural } from '../schema/structural.ts';

// How values are merged by server-side apply, as their schema says.

/** What a value may be, and how it is merged then; several for what has no type. */
export interface MergeType {
  readonly scalar: Scalar | undefined;
  readonly list: ListMerge | undefined;
  readonly map: MapMerge | undefined;
}

export type Scalar = 'any' | 'boolean' | 'number' | 'string';

export interface ListMerge {
  /** It is replaced as a whole; otherwise items are told apart by their keys, or by their value where there are none. */
  readonly atomic: boolean;
  readonly keys: readonly string[];
  readonly item: MergeType;
}

export interface MapMerge {
  readonly atomic: boolean;
  /** The fields that are declared one by one. */
  readonly fields: ReadonlyMap<string, MergeType>;
  /** What any other key holds; undefined where there may be no other. */
  readonly others: MergeType | undefined;
  /** Defaults of fields, which stand for keys that an item leaves out. */
  readonly defaults: ReadonlyMap<string, Value>;
}

const none = new Map<string, never>();
export const scalarType = (scalar: Scalar): MergeType => ({ scalar, list: undefined, map: undefined });
export const mapOf = (others: MergeType): MergeType => ({
  ...nothing,
  map: { atomic: false, fields: none, others, defaults: none },
});
const nothing: MergeType = { scalar: undefined, list: undefined, map: undefined };

/** A map with these fields and no others, merged one by one. */
export const plainMap = (fields: readonly (readonly [string, MergeType])[]): MergeType => ({
  ...nothing,
  map: { atomic: false, fields: new Map(fields), others: undefined, defaults: none },
});

/** A value without a schema below what is replaced as a whole. */
const untyped: MergeType = {
  scalar: 'any',
  get list() {
    return { atomic: true, keys: [], item: untyped };
  },
  get map() {
    return { atomic: true, fields: none, others: untyped, defaults: none };
  },
};

/** A value without a schema: maps are merged key by key, lists replaced. */
export const anyValue: MergeType = {
  scalar: 'any',
  list: { atomic: true, keys: [], item: untyped },
  get map() {
    return { atomic: false, fields: none, others: anyValue, defaults: none };
  },
};

const text = scalarType('string');
const owner: MergeType = {
  ...nothing,
  map: {
    atomic: true,
    fields: new Map<string, MergeType>([
      ...['apiVersion', 'kind', 'name', 'uid'].map((name) => [name, text] as const),
      ...['blockOwnerDeletion', 'controller'].map((name) => [name, scalarType('boolean')] as const),
    ]),
    others: undefined,
    defaults: none,
  },
};

const metadata: MergeType = {
  ...nothing,
  map: {
    atomic: false,
    fields: new Map<string, MergeType>([
      ...['generateName', 'name', 'namespace', 'resourceVersion', 'selfLink', 'uid'].map(
        (name) => [name, text] as const,
      ),
      ...['creationTimestamp', 'deletionTimestamp'].map((name) => [name, scalarType('any')] as const),
      ...['deletionGracePeriodSeconds', 'generation'].map((name) => [name, scalarType('any')] as const),
      ...['labels', 'annotations'].map((name) => [name, mapOf(text)] as const),
      ['finalizers', { ...nothing, list: { atomic: false, keys: [], item: text } }],
      ['ownerReferences', { ...nothing, list: { atomic: false, keys: ['uid'], item: owner } }],
      ['managedFields', { ...nothing, list: { atomic: true, keys: [], item: anyValue } }],
    ]),
    others: undefined,
    defaults: none,
  },
};

/** What every object has. */
export const head: readonly (readonly [string, MergeType])[] = [
  ['apiVersion', text],
  ['kind', text],
  ['metadata', metadata],
];

/** How the objects of a version are merged. */
export function objectMergeType(served: ServedVersion): MergeType {
  const { structural, preserveUnknownFields } = served;
  return structural ? rootType(structural, preserveUnknownFields) : withFields(anyValue, head);
}

const rootType = memo((schema: Structural, preserves: boolean) => withFields(mergeType(schema, preserves), head));

function withFields(type: MergeType, more: readonly (readonly [string, MergeType])[]): MergeType {
  if (!type.map) return type;
  return { ...type, map: { ...type.map, fields: new Map([...type.map.fields, ...more]) } };
}

/** `preserves`: a schema above keeps unknown fields, which all below it inherit here. */
function mergeType(schema: Structural, above: boolean): MergeType {
  const { extensions, type } = schema;
  const preserves = above || extensions.preserveUnknownFields;
  const found = plainType(schema, type, preserves);
  return extensions.embeddedResource ? withFields(found, head) : found;
}

function plainType(schema: Structural, type: string, preserves: boolean): MergeType {
  switch (type) {
    case '':
      return { scalar: 'any', list: listType(schema, preserves), map: mapType(schema, preserves) };
    case 'object':
      return { ...nothing, map: mapType(schema, preserves) };
    case 'array':
      return { ...nothing, list: listType(schema, preserves) };
    case 'boolean':
      return scalarType('boolean');
    case 'string':
      return scalarType(['', 'byte'].includes(schema.validation?.format ?? '') ? 'string' : 'any');
    default:
      return scalarType('number');
  }
}

function listType({ items, extensions }: Structural, preserves: boolean): ListMerge {
  const atomic = extensions.listType !== 'set' && extensions.listType !== 'map';
  const keys = extensions.listType === 'map' ? extensions.listMapKeys : [];
  return { atomic, keys, item: items ? mergeType(items, preserves) : untyped };
}

function mapType({ properties, additionalProperties, extensions }: Structural, preserves: boolean): MapMerge {
  const fields = new Map<string, MergeType>();
  const defaults = new Map<string, Value>();
  for (const [name, property] of properties ?? []) {
    fields.set(name, mergeType(property, preserves));
    if (property.default !== undefined) defaults.set(name, property.default);
  }
  return { atomic: extensions.mapType === 'atomic', fields, others: othersOf(), defaults };

  function othersOf(): MergeType | undefined {
    if (!additionalProperties) return preserves || fields.size === 0 ? anyValue : undefined;
    if (additionalProperties.schema) return mergeType(additionalProperties.schema, preserves);
    return additionalProperties.allowed ? anyValue : undefined;
  }
}

/** What a key of a map holds. */
export function typeAt({ fields, others }: MapMerge, key: string): MergeType | undefined {
  return fields.get(key) ?? others;
}

/** As which of its forms a value is merged; null takes any. */
export function formOf(type: MergeType, value: Value): 'list' | 'map' | 'scalar' {
  if (Array.isArray(value) && type.list) return 'list';
  if (value instanceof Map && type.map) return 'map';
  if (value !== null && typeof value !== 'object' && type.scalar) return 'scalar';
  return type.map ? 'map' : type.scalar ? 'scalar' : 'list';
}
