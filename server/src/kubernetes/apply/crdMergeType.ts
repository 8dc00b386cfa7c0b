import { memo } from '../../base/memo.ts';
import { isMap, type Value, type ValueMap } from '../../base/value.ts';
import { versionStruct } from '../api/crd.ts';
import { fillNode, schemaNode, structNode } from '../api/editor.ts';
import { schemaStruct } from '../api/schema.ts';
import { anyValue, head, type MergeType, mapOf, plainMap, type Scalar, scalarType } from './mergeType.ts';

// How CRDs are merged by server-side apply, as their Go types say.

const text = scalarType('string');
const list: MergeType = { scalar: undefined, list: { atomic: true, keys: [], item: text }, map: undefined };
const byKey = (key: string, item: MergeType): MergeType => ({
  scalar: undefined,
  list: { atomic: false, keys: [key], item },
  map: undefined,
});
const texts = (names: readonly string[]) => names.map((name) => [name, text] as const);

const names = plainMap([
  ...texts(['kind', 'listKind', 'plural', 'singular']),
  ['shortNames', list],
  ['categories', list],
]);

const clientConfig = plainMap([
  ...texts(['caBundle', 'url']),
  ['service', plainMap([...texts(['namespace', 'name', 'path']), ['port', scalarType('number')]])],
]);

const conversion = plainMap([
  ['strategy', text],
  [
    'webhook',
    plainMap([
      ['clientConfig', clientConfig],
      ['conversionReviewVersions', list],
    ]),
  ],
]);

const condition = plainMap([
  ...texts(['type', 'status', 'reason', 'message']),
  ['lastTransitionTime', scalarType('any')],
  ['observedGeneration', scalarType('number')],
]);

// Versions

/** Keywords that hold a schema or something else: their type says nothing, so that everything is taken. */
const untypedKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'dependencies',
]);
const rulesKeyword = 'x-kubernetes-validations';

const scalars: ReadonlyMap<Value | undefined, Scalar> = new Map<Value, Scalar>([
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['number', 'number'],
]);

/** Schemas contain schemas: each has one type, whose fields are found when they are asked for. */
const typeOf = memo((node: ValueMap): MergeType => {
  const scalar = scalars.get(node.get('type'));
  if (scalar) return scalarType(scalar);
  const [items, properties, others] = ['items', 'properties', 'additionalProperties'].map((key) => node.get(key));
  if (isMap(items)) return { ...list, list: { ...list.list!, item: typeOf(items) } };
  if (isMap(others)) return mapOf(typeOf(others));
  return isMap(properties) ? fieldsOf(properties) : anyValue;
});

function fieldsOf(properties: ValueMap): MergeType {
  let fields: ReadonlyMap<string, MergeType> | undefined;
  return {
    scalar: undefined,
    list: undefined,
    map: {
      atomic: false,
      others: undefined,
      defaults: new Map(),
      get fields() {
        fields ??= new Map([...properties].map(([key, value]) => [key, fieldType(properties, key, value as ValueMap)]));
        return fields;
      },
    },
  };
}

function fieldType(properties: ValueMap, key: string, value: ValueMap): MergeType {
  const isSchema = properties.has(rulesKeyword);
  if (isSchema && untypedKeywords.has(key)) return anyValue;
  const type = typeOf(value);
  return isSchema && key === rulesKeyword ? byKey('rule', type.list!.item) : type;
}

/** Made when a version is first merged. A schema has the same keywords in junctors as elsewhere. */
const versionType = memo((version: typeof versionStruct): MergeType => {
  const { fields, keys } = schemaStruct;
  const schema = schemaNode('object', {});
  fillNode(schema, schemaStruct, keys, (key) => fields[key].type.node(fields[key], schema));
  return typeOf(structNode(version, '', schema));
});

/** Versions are replaced as a whole, with all that is in them. */
const versions: MergeType = {
  scalar: undefined,
  map: undefined,
  get list() {
    return { atomic: true, keys: [], item: versionType(versionStruct) };
  },
};

const specFields: readonly (readonly [string, MergeType])[] = [
  ...texts(['group', 'scope']),
  ['names', names],
  ['versions', versions],
  ['conversion', conversion],
  ['preserveUnknownFields', scalarType('boolean')],
];

/** The type of a `CustomResourceDefinition`. */
export const crdMergeType = plainMap([
  ...head,
  ['spec', plainMap(specFields)],
  [
    'status',
    plainMap([
      ['conditions', byKey('type', condition)],
      ['acceptedNames', names],
      ['storedVersions', list],
      ['observedGeneration', scalarType('number')],
    ]),
  ],
]);
