import type { Value } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import { type FieldPath, rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { type Coerced, coerceEmbedded } from '../schema/embedded.ts';
import { lowerSchema } from '../schema/lower.ts';
import { asResource, metaFields } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import { validateStructural } from './structuralRules.ts';

/** A default with the metadata of embedded resources in form, as the API server validates and stores it. */
export function coerceDefault(
  value: Value,
  structural: Structural,
  at: FieldPath,
  version: KubernetesVersion,
): Coerced {
  return coerceEmbedded(value, structural, at, { isRoot: structural.extensions.embeddedResource, version });
}

/**
 * A schema with its defaults as they are stored. The schemas are shared between readings, and stay as they are; what
 * does not change is the same object in both.
 */
export function withStoredDefaults(schema: SchemaProps, version: KubernetesVersion): SchemaProps {
  const lowered = lowerSchema(schema);
  // Defaults are looked at, and changed by that, only where all else is right.
  return 'error' in lowered || validateStructural(schema, rootPath, version).length > 0
    ? schema
    : stored(schema, asResource(lowered.structural), false, version);
}

/** Whether what is below a property belongs to the type or metadata of a resource: there defaults stay as written. */
export function isInsideMeta(name: string, parent: Structural, insideMeta: boolean): boolean {
  return insideMeta || (parent.extensions.embeddedResource && metaFields.has(name));
}

function stored(schema: SchemaProps, structural: Structural, above: boolean, version: KubernetesVersion): SchemaProps {
  const changes: SchemaProps = {};
  const insideMeta = above && !structural.extensions.embeddedResource;
  if (schema.default !== undefined && !insideMeta) {
    const { value } = coerceDefault(schema.default, structural, rootPath, version);
    if (value !== schema.default) changes.default = value;
  }
  const item = schema.items?.schema;
  if (item && structural.items) {
    const next = stored(item, structural.items, insideMeta, version);
    if (next !== item) changes.items = { ...schema.items, schema: next };
  }
  const properties = storedProperties(schema, structural, insideMeta, version);
  if (properties !== schema.properties) changes.properties = properties;
  return Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
}

function storedProperties(
  { properties }: SchemaProps,
  structural: Structural,
  insideMeta: boolean,
  version: KubernetesVersion,
): SchemaProps['properties'] {
  let out = properties;
  for (const [name, property] of properties ?? []) {
    const below = structural.properties?.get(name);
    const next = below && stored(property, below, isInsideMeta(name, structural, insideMeta), version);
    if (next === undefined || next === property) continue;
    if (out === properties) out = new Map(properties);
    out?.set(name, next);
  }
  return out;
}
