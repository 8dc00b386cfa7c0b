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

/** What a schema is made of, in junctors too. */
const schema = schemaNode('object', {});
fillNode(schema, schemaStruct, schemaStruct.keys, (key) => {
  const { fields } = schemaStruct;
  return fields[key].type.node(fields[key], schema);
});

/** Keywords that hold a schema or something else: their type says nothing, so that everything is taken. */
const untypedKeywords: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'dependencies',
]);
const rulesKeyword = 'x-kubernetes-validations';

const known = new Map<Value, MergeType>();
const scalars: ReadonlyMap<Value | undefined, Scalar> = new Map<Value, Scalar>([
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['integer', 'number'],
  ['number', 'number'],
]);

/** Schemas contain schemas: each has one type, whose fields are found when they are asked for. */
function typeOf(node: ValueMap): MergeType {
  const found = known.get(node) ?? typeNow(node);
  known.set(node, found);
  return found;
}

function typeNow(node: ValueMap): MergeType {
  const scalar = scalars.get(node.get('type'));
  if (scalar) return scalarType(scalar);
  const [items, properties, others] = ['items', 'properties', 'additionalProperties'].map((key) => node.get(key));
  if (isMap(items)) return { ...list, list: { ...list.list!, item: typeOf(items) } };
  if (isMap(others)) return mapOf(typeOf(others));
  return isMap(properties) ? fieldsOf(node, properties) : anyValue;
}

function fieldsOf(node: ValueMap, properties: ValueMap): MergeType {
  let fields: ReadonlyMap<string, MergeType> | undefined;
  return {
    scalar: undefined,
    list: undefined,
    map: {
      atomic: false,
      others: undefined,
      defaults: new Map(),
      get fields() {
        fields ??= new Map([...properties].map(([key, value]) => [key, fieldType(node, key, value as ValueMap)]));
        return fields;
      },
    },
  };
}

function fieldType(node: ValueMap, key: string, value: ValueMap): MergeType {
  if (node === schema && untypedKeywords.has(key)) return anyValue;
  const type = typeOf(value);
  return node === schema && key === rulesKeyword ? byKey('rule', type.list!.item) : type;
}

/** Versions are replaced as a whole, with all that is in them. */
const versions: MergeType = { ...list, list: { ...list.list!, item: typeOf(structNode(versionStruct, '', schema)) } };

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
