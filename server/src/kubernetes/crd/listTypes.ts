import { append } from '../../base/append.ts';
import { textPointer } from '../api/goTypes.ts';
import { type SchemaProps, schemaStruct } from '../api/schema.ts';
import { asMissing, child, type FieldPath, forbidden, invalid, key, notSupported, required } from '../field.ts';
import { mostAlike } from '../finding.ts';
import { goStrings } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { CrdFinding } from './findings.ts';
import type { CrdOptions } from './options.ts';

/** The rules of x-kubernetes-map-type, x-kubernetes-list-type and x-kubernetes-list-map-keys at one node. */
export function validateListTypes(schema: SchemaProps, spot: FieldPath, options: CrdOptions): CrdFinding[] {
  const { version } = options;
  const { mapType, listType } = schema;
  if (mapType === undefined && listType === undefined && !schema.listMapKeys?.length) return [];
  const found: CrdFinding[] = [];
  if (mapType !== undefined) append(found, mapTypeRules(schema, mapType, spot, version));
  if (listType !== undefined && schema.type !== 'array') found.push(wrongListType(schema, spot, version));
  else if (options.requireAtomicSets) append(found, setItems(schema, spot, version));
  if (listType !== undefined && !listTypes.includes(listType)) {
    const about = { code: 'crd/list-type-unknown' as const, facts: { listType, supported: listTypes } };
    found.push(notSupported(child(spot, 'x-kubernetes-list-type'), listType, listTypes, version, about));
  }
  append(found, keysNeedMap(schema, spot, version));
  if (listType === 'map') append(found, listMap(schema, spot, version));
  if (options.requireMapKeys) append(found, mapKeysAndItems(schema, spot));
  return found;
}

const mapTypes = ['atomic', 'granular'];
const listTypes = ['atomic', 'set', 'map'];

function mapTypeRules(schema: SchemaProps, mapType: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  const { type = '' } = schema;
  if (type !== 'object') {
    const at = child(spot, 'type');
    const detail = 'must be object if x-kubernetes-map-type is specified';
    const about = { code: 'crd/map-type-object' as const, facts: { type } };
    found.push(type === '' ? required(at, detail, about) : invalid(at, type, detail, version, about));
  }
  if (!mapTypes.includes(mapType)) {
    const about = { code: 'crd/map-type-unknown' as const, facts: { mapType, supported: mapTypes } };
    found.push(notSupported(child(spot, 'x-kubernetes-map-type'), mapType, mapTypes, version, about));
  }
  return found;
}

function wrongListType(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding {
  const at = child(spot, 'type');
  const detail = 'must be array if x-kubernetes-list-type is specified';
  const about = { code: 'crd/list-type-array' as const, facts: { type: schema.type ?? '' } };
  return schema.type ? invalid(at, schema.type, detail, version, about) : required(at, detail, about);
}

/** The keyword of a set's items that keeps them from being atomic, or undefined. */
function notAtomic(schema: SchemaProps): 'x-kubernetes-list-type' | 'x-kubernetes-map-type' | undefined {
  const items = schema.items?.schema;
  if (schema.listType !== 'set' || !items) return undefined;
  if (items.type === 'array' && items.listType !== undefined && items.listType !== 'atomic') {
    return 'x-kubernetes-list-type';
  }
  return items.type === 'object' && items.mapType !== 'atomic' ? 'x-kubernetes-map-type' : undefined;
}

export function hasNonAtomicSet(schema: SchemaProps): boolean {
  return notAtomic(schema) !== undefined;
}

/** Either way the value that the API server shows is the items' list type. */
function setItems(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const keyword = notAtomic(schema);
  if (keyword === undefined) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const about = { code: 'crd/set-item-atomic' as const, facts: { keyword } };
  const value = textPointer().print(schema.items?.schema?.listType);
  const found = invalid(child(child(spot, 'items'), keyword), value, detail, version, about);
  const isAbsent = keyword === 'x-kubernetes-map-type' && schema.items?.schema?.mapType === undefined;
  return [isAbsent ? asMissing(found) : found];
}

function keysNeedMap(
  { listMapKeys, listType }: SchemaProps,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  if (!listMapKeys?.length || listType === 'map') return [];
  const at = child(spot, 'x-kubernetes-list-type');
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  const about = { code: 'crd/map-keys-without-map' as const, facts: { listType } };
  return [listType === undefined ? required(at, detail, about) : invalid(at, listType, detail, version, about)];
}

function listMap(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  const about = { code: 'crd/list-map-items' as const };
  const at = child(spot, 'items');
  if (!schema.listMapKeys?.length) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    found.push(required(child(spot, 'x-kubernetes-list-map-keys'), detail, { code: 'crd/map-keys-empty' }));
  }
  const items = schema.items?.schema;
  if (!schema.items) {
    found.push(required(at, 'must have a schema if x-kubernetes-list-type is map', about));
  } else if (!items) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    found.push(invalid(at, schemaStruct.fields.items.type.print(schema.items), detail, version, about));
  } else if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    const wrong = invalid(child(at, 'type'), items.type ?? '', detail, version, about);
    found.push(items.type === undefined ? asMissing(wrong) : wrong);
  } else append(found, mapKeys(schema.listMapKeys ?? [], items, spot, version));
  return found;
}

function mapKeys(
  keys: readonly string[],
  items: SchemaProps,
  spot: FieldPath,
  version: KubernetesVersion,
): CrdFinding[] {
  const found: CrdFinding[] = [];
  const at = child(spot, 'x-kubernetes-list-map-keys');
  const seen = new Set<string>();
  const all = goStrings(keys);
  let undeclared: CrdFinding | undefined;
  for (const name of keys) {
    if (found.length > mostAlike) break;
    const property = items.properties?.get(name);
    if (!property) {
      const about = { code: 'crd/map-key-undeclared' as const, facts: { key: name } };
      // The message shows all keys: it is made once.
      undeclared ??= invalid(at, all, 'entries must all be names of item properties', version, about);
      found.push({ ...undeclared, ...about });
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      const about = { code: 'crd/map-key-scalar' as const, facts: { key: name, type: property.type } };
      const typePath = child(key(child(child(spot, 'items'), 'properties'), name), 'type');
      found.push(invalid(typePath, items.type ?? '', detail, version, about));
    }
    if (seen.has(name)) {
      const about = { code: 'crd/map-key-duplicate' as const, facts: { key: name } };
      found.push(invalid(at, all, 'must not contain duplicate entries', version, about));
    }
    seen.add(name);
  }
  return found;
}

/** Keys must always be there, and items never null. */
export function mapKeysAndItems(schema: SchemaProps, spot: FieldPath): CrdFinding[] {
  const items = schema.items?.schema;
  const { listType } = schema;
  if (!items || (listType !== 'set' && listType !== 'map')) return [];
  const found: CrdFinding[] = [];
  const at = child(spot, 'items');
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    found.push(forbidden(child(at, 'nullable'), detail, { code: 'crd/list-item-nullable', facts: { listType } }));
  }
  for (const name of listType === 'map' ? (schema.listMapKeys ?? []) : []) append(found, mapKey(name, items, at));
  return found;
}

function mapKey(name: string, items: SchemaProps, spot: FieldPath): CrdFinding[] {
  const property = items.properties?.get(name);
  if (!property) return [];
  const found: CrdFinding[] = [];
  const at = key(child(spot, 'properties'), name);
  const prefix = 'this property is in x-kubernetes-list-map-keys, so it';
  if (!items.required?.includes(name) && property.default === undefined) {
    const detail = `${prefix} must have a default or be a required property`;
    found.push(required(child(at, 'default'), detail, { code: 'crd/map-key-required', facts: { key: name } }));
  }
  if (property.nullable) {
    const about = { code: 'crd/map-key-nullable' as const, facts: { key: name } };
    found.push(forbidden(child(at, 'nullable'), `${prefix} cannot be nullable`, about));
  }
  return found;
}
