import { memo } from '../../base/memo.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import type { SchemaProps } from '../api/schema.ts';
import {
  type About,
  asMissing,
  child,
  type FieldPath,
  fieldOf,
  forbidden,
  index,
  invalid,
  key,
  required,
} from '../field.ts';
import type { Said } from '../finding.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { describesSingleValue } from '../schema/singleValue.ts';
import type { CrdFinding } from './findings.ts';
import { holdsSchemas } from './schemaHas.ts';

type Level = 'root' | 'item' | 'field';

/** KEP-2335's rules for structural schemas. */
export function validateStructural(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  invariants(schema, 'root', spot, version, found);
  completeness(schema, schema, spot, spot, found);
  return found;
}

/** A type that is not the one demanded, or none at all. */
function wrongType<const A extends About>(
  { type }: SchemaProps,
  spot: FieldPath,
  detail: string,
  version: KubernetesVersion,
  about: A,
): A & Said {
  const found = invalid(child(spot, 'type'), type ?? '', detail, version, about);
  return type === undefined ? asMissing(found) : found;
}

/** By release and level: schemas in which, and below which, nothing was found. Most stay what they are at a keystroke. */
const soundAt = memo((_: KubernetesVersion, __: Level) => new WeakSet<SchemaProps>());

function invariants(
  schema: SchemaProps,
  level: Level,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  if (describesSingleValue(schema) && level !== 'root') {
    if (schema.pattern) pattern(schema.pattern, child(spot, 'pattern'), version, found);
    return;
  }
  if (!holdsSchemas(schema)) {
    ofNode(schema, level, spot, version, found);
    return;
  }
  const sound = soundAt(version, level);
  if (sound.has(schema)) return;
  const before = found.length;
  ofNode(schema, level, spot, version, found);
  if (found.length === before) sound.add(schema);
}

function ofNode(
  schema: SchemaProps,
  level: Level,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const items = schema.items?.schema;
  if (schema.type === 'array' && !items) {
    found.push(required(child(spot, 'items'), 'must be specified', { code: 'crd/items-required' }));
  }
  if (items) invariants(items, 'item', child(spot, 'items'), version, found);
  if (schema.properties) {
    const below = child(spot, 'properties');
    schema.properties.forEach((property, name) => {
      if (property.pattern || !describesSingleValue(property)) {
        invariants(property, 'field', key(below, name), version, found);
      }
    });
  }
  if (schema.additionalProperties) additional(schema, level, spot, version, found);
  if (schema.intOrString) exclusiveExtensions(schema, spot, version, found);
  if (judgesValues(schema)) {
    const asAnyOf = isIntOrString(schema.anyOf, version);
    const asAllOf = isIntOrString(schema.allOf?.[0]?.anyOf, version);
    valueValidation(schema, asAnyOf, asAllOf, spot, version, found);
  }
  typeRules(schema, level, spot, version, found);
  if (level === 'root' || schema.embeddedResource) resourceRules(schema, level, spot, version, found);
}

function judgesValues({ allOf, anyOf, oneOf, not, pattern }: SchemaProps): boolean {
  return (allOf ?? anyOf ?? oneOf ?? not ?? pattern) !== undefined;
}

function additional(
  schema: SchemaProps,
  level: Level,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const { additionalProperties } = schema;
  if (!additionalProperties) return;
  const at = child(spot, 'additionalProperties');
  if (level === 'root') {
    found.push(forbidden(at, 'must not be used at the root', { code: 'crd/root-additional-properties' }));
  }
  if (additionalProperties.schema) invariants(additionalProperties.schema, 'field', at, version, found);
  if (schema.embeddedResource) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    found.push(forbidden(at, detail, { code: 'crd/embedded-additional-properties' }));
  }
}

function exclusiveExtensions(
  schema: SchemaProps,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const about = { code: 'crd/int-or-string-exclusive' as const };
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  const exclude = (name: string) => found.push(invalid(child(spot, name), true, detail, version, about));
  if (schema.preserveUnknownFields) exclude('x-kubernetes-preserve-unknown-fields');
  if (schema.embeddedResource) exclude('x-kubernetes-embedded-resource');
}

const emptyTypeDetails: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeRules(
  schema: SchemaProps,
  level: Level,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const { type = '' } = schema;
  if (level !== 'root' && !schema.embeddedResource && type !== '') return;
  const at = child(spot, 'type');
  if (schema.embeddedResource && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    const about = { code: 'crd/embedded-type' as const, facts: { type } };
    found.push(type === '' ? required(at, detail, about) : invalid(at, type, detail, version, about));
  } else if (type === '' && !schema.intOrString && !schema.preserveUnknownFields) {
    found.push(required(at, emptyTypeDetails[level], { code: 'crd/type-required', facts: { level } }));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    found.push(invalid(at, type, 'must be object at the root', version, { code: 'crd/root-type', facts: { type } }));
  }
}

/** What a resource's own fields must be: of the root, and of embedded resources. */
function resourceRules(
  schema: SchemaProps,
  level: Level,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const at = (name: string) => key(child(spot, 'properties'), name);
  for (const name of ['kind', 'apiVersion']) {
    const property = schema.properties?.get(name);
    if (!property || property.type === 'string') continue;
    const about = { code: 'crd/type-meta-string' as const, facts: { field: name } };
    found.push(wrongType(property, at(name), 'must be string', version, about));
  }
  const metadata = schema.properties?.get('metadata');
  if (metadata && metadata.type !== 'object') {
    const about = { code: 'crd/metadata-object' as const };
    found.push(wrongType(metadata, at('metadata'), 'must be object', version, about));
  }
  if (metadata && level === 'root' && !isBareMetadata(metadata, version)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    found.push(forbidden(at('metadata'), detail, { code: 'crd/metadata-restricted' }));
  }
  if (schema.embeddedResource && !schema.preserveUnknownFields && !schema.properties?.size) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    found.push(required(child(spot, 'properties'), detail, { code: 'crd/embedded-properties' }));
  }
}

const lists: readonly (keyof SchemaProps)[] = ['enum', 'allOf', 'anyOf', 'oneOf'];
const dropped: readonly (keyof SchemaProps)[] = ['patternProperties', 'dependencies', 'definitions'];

const docs: readonly (keyof SchemaProps)[] = ['externalDocs', 'example'];

/** The keywords that leave a trace in a structural schema, where an empty list may do so and an absent one does not. */
function traces(schema: SchemaProps, version: KubernetesVersion): Set<keyof SchemaProps> {
  const names = (Object.keys(schema) as (keyof SchemaProps)[]).filter((name) => schema[name] !== undefined);
  const out = new Set(names);
  for (const name of lists) if ((schema[name] as readonly unknown[] | undefined)?.length === 0) out.delete(name);
  for (const name of dropped) out.delete(name);
  if (!version.structuralKeepsDocs) for (const name of docs) out.delete(name);
  if (schema.ref === '') out.delete('ref');
  if (schema.items && !schema.items.schema) out.delete('items');
  return out;
}

/** Root metadata may restrict name and generateName, and nothing else. */
function isBareMetadata(schema: SchemaProps, version: KubernetesVersion): boolean {
  const kept = traces(schema, version);
  kept.delete('type');
  kept.delete('default');
  const names = [...(schema.properties?.keys() ?? [])];
  if (names.every((name) => name === 'name' || name === 'generateName')) kept.delete('properties');
  return kept.size === 0;
}

function isOnlyType(schema: SchemaProps, type: string, version: KubernetesVersion): boolean {
  if (schema.type !== type) return false;
  if (Object.keys(schema).length === 1) return true;
  const kept = traces(schema, version);
  if (schema.additionalProperties && !schema.additionalProperties.schema && !schema.additionalProperties.allows) {
    kept.delete('additionalProperties');
  }
  return kept.size === 1;
}

/** `anyOf` of exactly an integer and a string, in this order, the one place where a junctor may say `type`. */
function isIntOrString(anyOf: readonly SchemaProps[] | undefined, version: KubernetesVersion): boolean {
  return anyOf?.length === 2 && isOnlyType(anyOf[0]!, 'integer', version) && isOnlyType(anyOf[1]!, 'string', version);
}

function valueValidation(
  schema: SchemaProps,
  skipAnyOf: boolean,
  skipFirstAllOf: boolean,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  const branch = (name: string, list: readonly SchemaProps[] | undefined, skipsFirst = false) => {
    for (const [i, item] of (list ?? []).entries()) {
      nested(item, skipsFirst && i === 0, index(child(spot, name), i), version, found);
    }
  };
  if (!skipAnyOf) branch('anyOf', schema.anyOf);
  branch('allOf', schema.allOf, skipFirstAllOf);
  branch('oneOf', schema.oneOf);
  if (schema.not) nested(schema.not, false, child(spot, 'not'), version, found);
  if (schema.pattern) pattern(schema.pattern, child(spot, 'pattern'), version, found);
}

function pattern(text: string, spot: FieldPath, version: KubernetesVersion, found: CrdFinding[]): void {
  const compiled = compileGoRegexp(text);
  if (compiled.ok) return;
  const detail = `must be a valid regular expression, but isn't: ${compiled.error}`;
  found.push(invalid(spot, text, detail, version, { code: 'crd/pattern', facts: { problem: compiled.error } }));
}

type Demand = 'empty' | 'undefined' | 'false';

/** What a schema inside a junctor must not say, by the keyword and how the API server puts it. */
const forbiddenInJunctor: readonly (readonly [string, Demand, (schema: SchemaProps) => boolean])[] = [
  ['type', 'empty', (s) => s.type !== undefined],
  [
    'additionalProperties',
    'undefined',
    (s) => s.additionalProperties?.schema !== undefined || s.additionalProperties?.allows === true,
  ],
  ['default', 'undefined', (s) => s.default !== undefined],
  ['title', 'empty', (s) => s.title !== undefined],
  ['description', 'empty', (s) => s.description !== undefined],
  ['nullable', 'false', (s) => s.nullable === true],
  ['x-kubernetes-preserve-unknown-fields', 'false', (s) => s.preserveUnknownFields === true],
  ['x-kubernetes-embedded-resource', 'false', (s) => s.embeddedResource === true],
  ['x-kubernetes-int-or-string', 'false', (s) => s.intOrString === true],
  ['x-kubernetes-list-map-keys', 'empty', (s) => (s.listMapKeys?.length ?? 0) > 0],
  ['x-kubernetes-list-type', 'undefined', (s) => s.listType !== undefined],
  ['x-kubernetes-map-type', 'undefined', (s) => s.mapType !== undefined],
  ['x-kubernetes-validations', 'empty', (s) => (s.validations?.length ?? 0) > 0],
];

function nested(
  schema: SchemaProps,
  skipAnyOf: boolean,
  spot: FieldPath,
  version: KubernetesVersion,
  found: CrdFinding[],
): void {
  valueValidation(schema, skipAnyOf, false, spot, version, found);
  if (schema.items?.schema) nested(schema.items.schema, false, child(spot, 'items'), version, found);
  for (const [name, property] of schema.properties ?? []) {
    nested(property, false, key(child(spot, 'properties'), name), version, found);
  }
  for (const [keyword, demand, has] of forbiddenInJunctor) {
    if (!has(schema)) continue;
    const about = { code: 'crd/forbidden-in-junctor' as const, facts: { keyword } };
    found.push(forbidden(child(spot, keyword), `must be ${demand} to be structural`, about));
  }
  if (schema.properties?.has('metadata')) {
    const at = key(child(spot, 'properties'), 'metadata');
    found.push(forbidden(at, 'must not be specified in a nested context', { code: 'crd/metadata-in-junctor' }));
  }
}

/**
 * What the root's junctors speak of must be declared outside them. Junctors further down are never asked, an oversight
 * upstream.
 */
function completeness(
  junctor: SchemaProps,
  declared: SchemaProps,
  declaredPath: FieldPath,
  spot: FieldPath,
  found: CrdFinding[],
): void {
  const branch = (name: string, list: readonly SchemaProps[] | undefined) => {
    for (const [i, item] of (list ?? []).entries()) {
      nestedCompleteness(item, declared, declaredPath, index(child(spot, name), i), found);
    }
  };
  if (junctor.not) nestedCompleteness(junctor.not, declared, declaredPath, child(spot, 'not'), found);
  branch('allOf', junctor.allOf);
  branch('anyOf', junctor.anyOf);
  branch('oneOf', junctor.oneOf);
}

function undeclared(spot: FieldPath, junctorPath: FieldPath): CrdFinding {
  const where = fieldOf(junctorPath);
  const about = { code: 'crd/undeclared-in-junctor' as const, facts: { definedIn: where } };
  return required(spot, `because it is defined in ${where}`, about);
}

function nestedCompleteness(
  junctor: SchemaProps,
  declared: SchemaProps | undefined,
  declaredPath: FieldPath,
  spot: FieldPath,
  found: CrdFinding[],
): void {
  if (!declared) {
    found.push(undeclared(declaredPath, spot));
    return;
  }
  completeness(junctor, declared, declaredPath, spot, found);
  const items = junctor.items?.schema;
  if (items) {
    nestedCompleteness(items, declared.items?.schema, child(declaredPath, 'items'), child(spot, 'items'), found);
  }
  for (const [name, property] of junctor.properties ?? []) {
    const at = key(child(spot, 'properties'), name);
    const declaredAt = key(child(declaredPath, 'properties'), name);
    nestedCompleteness(property, declared.properties?.get(name), declaredAt, at, found);
  }
}
