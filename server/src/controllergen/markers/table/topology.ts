/** How server-side apply merges lists, maps and structs. */
import { addOnce } from '../drafts.ts';
import type { ApplyToSchema, Draft, MarkerDefinition } from '../model.ts';
import { one, text } from './arguments.ts';

const both = ['type', 'field'] as const;
const listTypes = ['map', 'set', 'atomic'];
const atomicities = ['granular', 'atomic'];

function typeOf(schema: Draft): string {
  return String(schema.get('type') ?? '');
}

const setListType: ApplyToSchema = (schema, value) => {
  if (typeOf(schema) !== 'array') return `must apply listType to an array, found ${typeOf(schema)}`;
  if (!listTypes.includes(String(value))) return 'ListType must be either "map", "set" or "atomic"';
  schema.set('x-kubernetes-list-type', value);
  return undefined;
};

const addListMapKey: ApplyToSchema = (schema, value) => {
  if (typeOf(schema) !== 'array') return `must apply listMapKey to an array, found ${typeOf(schema)}`;
  if (schema.get('x-kubernetes-list-type') !== 'map') return 'must apply listMapKey to an associative-list';
  addOnce(schema, 'x-kubernetes-list-map-keys', value);
  return undefined;
};

const setMapType: ApplyToSchema = (schema, value) => {
  if (typeOf(schema) !== 'object') return 'must apply mapType to an object';
  if (!atomicities.includes(String(value))) return 'MapType must be either "granular" or "atomic"';
  schema.set('x-kubernetes-map-type', value);
  return undefined;
};

const setStructType: ApplyToSchema = (schema, value) => {
  if (typeOf(schema) !== 'object' && typeOf(schema) !== '') {
    return 'must apply structType to an object; either explicitly set or defaulted through an empty schema type';
  }
  if (!atomicities.includes(String(value))) return 'StructType must be either "granular" or "atomic"';
  schema.set('x-kubernetes-map-type', value);
  return undefined;
};

const listType: Omit<MarkerDefinition, 'name'> = {
  targets: both,
  reader: 'crd',
  doc: 'How server-side apply merges the list: as a `map` of items with keys, as a `set` of scalars, or `atomic`, which is replaced as a whole.',
  since: '0.3',
  becomes: '`x-kubernetes-list-type` of the schema',
  arguments: one(text, '`map`, `set` or `atomic`.', { values: listTypes }),
  fits: ['list'],
  priority: 9,
  sets: { of: 'schema', path: ['x-kubernetes-list-type'] },
  apply: setListType,
};

const listMapKey: Omit<MarkerDefinition, 'name'> = {
  targets: both,
  reader: 'crd',
  doc: 'A field that identifies an item of a list with `+listType=map`. Written once for each field where several do together.',
  since: '0.3',
  becomes: 'an entry of `x-kubernetes-list-map-keys`',
  arguments: one(text, 'The JSON name of a scalar field of the items.', { offers: 'itemKey' }),
  fits: ['list'],
  repeats: true,
  sets: { of: 'schema', path: ['x-kubernetes-list-map-keys'] },
  apply: addListMapKey,
};

export const topologyMarkers: readonly MarkerDefinition[] = [
  { name: 'listType', ...listType },
  { name: 'listMapKey', ...listMapKey },
  {
    name: 'mapType',
    targets: both,
    reader: 'crd',
    doc: 'How server-side apply merges the map: key by key (`granular`, the default) or as a whole (`atomic`).',
    since: '0.3',
    becomes: '`x-kubernetes-map-type` of the schema',
    arguments: one(text, '`granular` or `atomic`.', { values: atomicities }),
    fits: ['map', 'object'],
    sets: { of: 'schema', path: ['x-kubernetes-map-type'] },
    apply: setMapType,
  },
  {
    name: 'structType',
    targets: both,
    reader: 'crd',
    doc: 'How server-side apply merges the struct: field by field (`granular`, the default) or as a whole (`atomic`).',
    since: '0.3',
    becomes: '`x-kubernetes-map-type` of the schema',
    arguments: one(text, '`granular` or `atomic`.', { values: atomicities }),
    fits: ['struct', 'object'],
    sets: { of: 'schema', path: ['x-kubernetes-map-type'] },
    apply: setStructType,
  },
  { name: 'k8s:listType', ...listType, since: '0.22', isAlias: true },
  { name: 'k8s:listMapKey', ...listMapKey, since: '0.22', isAlias: true },
];
