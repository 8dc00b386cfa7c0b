import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import { quote } from '../../gostd/quote.ts';
import type { SchemaProps } from '../api/schema.ts';
import { type About, child, type FieldPath, fieldOf, index, key, pathOf } from '../field.ts';
import type { Said } from '../finding.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { isKnownFormat } from '../schema/formats.ts';
import { describesSingleValue } from '../schema/singleValue.ts';
import type { CrdFinding } from './findings.ts';
import type { InternalSpec } from './internal.ts';
import { schemasOf } from './schemaHas.ts';
import { specPath } from './spec.ts';

function warning<const A extends About>(spot: FieldPath, message: string, about: A): A & Said {
  return { ...about, type: 'FieldValueInvalid', field: fieldOf(spot), message, path: pathOf(spot), anchor: 'value' };
}

function warnsAboutFormat(schema: SchemaProps, version: KubernetesVersion): boolean {
  if (!schema.format || version.unknownFormatWarnings === 'none') return false;
  if (version.unknownFormatWarnings === 'strings' && schema.type !== 'string') return false;
  return !isKnownFormat(schema.type ?? '', schema.format, version);
}

/** The type of a set's items, where it is none that a set should have. */
function setItems(schema: SchemaProps, version: KubernetesVersion): 'object' | 'array' | undefined {
  if (!version.setItemWarnings || schema.listType !== 'set') return undefined;
  const items = schema.items?.schema?.type;
  return items === 'object' || items === 'array' ? items : undefined;
}

function ofNode(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  if (warnsAboutFormat(schema, version)) {
    const message = `unrecognized format ${quote(schema.format!)}`;
    const about = { code: 'crd/format-unknown' as const, facts: { format: schema.format!, type: schema.type } };
    found.push(warning(child(spot, 'format'), message, about));
  }
  const items = setItems(schema, version);
  if (items !== undefined) {
    const message = `x-kubernetes-list-type: set for items of type ${quote(items)} is not supported by server-side apply or CEL validation rules`;
    const about = { code: 'crd/set-of-objects' as const, facts: { items } };
    found.push(warning(child(spot, 'x-kubernetes-list-type'), message, about));
  }
  return found;
}

function* below(schema: SchemaProps, spot: FieldPath): Generator<[SchemaProps, FieldPath]> {
  const at = (name: string) => child(spot, name);
  const list = function* (
    name: string,
    schemas: readonly SchemaProps[] | undefined,
  ): Generator<[SchemaProps, FieldPath]> {
    for (const [i, item] of (schemas ?? []).entries()) yield [item, index(at(name), i)];
  };
  const map = function* (
    name: string,
    schemas: ReadonlyMap<string, SchemaProps> | undefined,
  ): Generator<[SchemaProps, FieldPath]> {
    for (const [k, item] of schemas ?? []) yield [item, key(at(name), k)];
  };
  if (schema.items?.schema) yield [schema.items.schema, at('items')];
  yield* list('items', schema.items?.schemas);
  yield* list('allOf', schema.allOf);
  yield* list('anyOf', schema.anyOf);
  yield* list('oneOf', schema.oneOf);
  if (schema.not) yield [schema.not, at('not')];
  yield* map('properties', schema.properties);
  if (schema.additionalProperties?.schema) yield [schema.additionalProperties.schema, at('additionalProperties')];
}

function walk(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion, found: CrdFinding[]): void {
  append(found, ofNode(schema, spot, version));
  for (const [item, at] of below(schema, spot)) walk(item, at, version, found);
}

/** By release: schemas that draw no warning, nor does any below. Most stay what they are at a keystroke. */
const quiet = memo((_: KubernetesVersion) => new WeakSet<SchemaProps>());

function draws(schema: SchemaProps, version: KubernetesVersion): boolean {
  if (warnsAboutFormat(schema, version) || setItems(schema, version) !== undefined) return true;
  if (describesSingleValue(schema) || quiet(version).has(schema)) return false;
  if (drawsBelow(schema, version)) return true;
  quiet(version).add(schema);
  return false;
}

/** The same schemas as `below`, without their places. */
function drawsBelow(schema: SchemaProps, version: KubernetesVersion): boolean {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties } = schema;
  const one = (below: SchemaProps | undefined) => below !== undefined && draws(below, version);
  if (one(items?.schema) || one(not) || one(additionalProperties?.schema)) return true;
  if (items?.schemas?.some(one) || allOf?.some(one) || anyOf?.some(one) || oneOf?.some(one)) return true;
  if (properties) for (const property of properties.values()) if (draws(property, version)) return true;
  return false;
}

function allWarnings(spec: InternalSpec, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  // Most CRDs draw none, and that is seen without knowing where one stands.
  if (!schemasOf(spec).some((schema) => draws(schema, version))) return [];
  const versions = child(specPath, 'versions');
  const top = child(specPath, 'validation', ['versions', 0, 'schema']);
  const visit = (schema: SchemaProps | undefined, spot: FieldPath) => {
    if (schema) walk(schema, child(spot, 'openAPIV3Schema'), version, found);
  };
  visit(spec.validation?.openAPIV3Schema, top);
  for (const [i, item] of spec.versions.entries()) {
    visit(item.schema?.openAPIV3Schema, child(index(versions, i), 'schema'));
  }
  return found;
}

/** Warnings are merged by their text on the way to the client; sets are, here already. */
function merged(warnings: readonly CrdFinding[]): CrdFinding[] {
  const seen = new Set<string>();
  return warnings.filter(({ message, code }) => {
    const repeats = code === 'crd/set-of-objects' && seen.has(message);
    seen.add(message);
    return !repeats;
  });
}

export function createWarnings(spec: InternalSpec, version: KubernetesVersion): CrdFinding[] {
  return merged(allWarnings(spec, version));
}

/** Only what the old object did not already draw. */
export function updateWarnings(spec: InternalSpec, old: InternalSpec, version: KubernetesVersion): CrdFinding[] {
  const before = new Set(allWarnings(old, version).map(({ message }) => message));
  return merged(allWarnings(spec, version).filter(({ message }) => !before.has(message)));
}
