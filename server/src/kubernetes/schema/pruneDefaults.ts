import { mappedValues } from '../../base/mapped.ts';
import { memo } from '../../base/memo.ts';
import { equalValues, isList, isMap, type Value } from '../../base/value.ts';
import { rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { coerceEmbedded } from './embedded.ts';
import { metaFields, prune } from './prune.ts';
import type { Structural } from './structural.ts';

class NoObject extends Error {}

/** The way to a schema: the last step, a key or -1 for some item of a list, and the way before it. */
interface Way {
  readonly before: Way | undefined;
  readonly step: string | -1;
  /** Whether nothing on it drops what is declared there, so that only a map or list can lose something. */
  readonly isPlain: boolean;
}

/** What serves as defaults. */
interface Serving {
  readonly root: Structural;
  readonly version: KubernetesVersion;
  /** What becomes of a default that was pruned. */
  readonly read: (value: Value) => Value;
}

const asItIs: Serving['read'] = (value) => value;

/**
 * A schema with its defaults as they serve: pruned as parts of a whole object, and read. Undefined where the API server
 * cannot do that. A schema that loses nothing is returned as it is.
 */
export function pruneDefaults(
  root: Structural,
  version: KubernetesVersion,
  read: Serving['read'] = asItIs,
): Structural | undefined {
  try {
    return pruned(root, undefined, { root, version, read });
  } catch (error) {
    if (error instanceof NoObject) return undefined;
    throw error;
  }
}

const holdsDefault = memo((schema: Structural): boolean => {
  const { additionalProperties, items, properties } = schema;
  if (schema.default !== undefined) return true;
  if ((items && holdsDefault(items)) || (additionalProperties?.schema && holdsDefault(additionalProperties.schema)))
    return true;
  for (const property of properties?.values() ?? []) if (holdsDefault(property)) return true;
  return false;
});

/** Whether the defaults of a schema serve as they are written, on a plain way: nothing is taken from a value without parts. */
const servesAsWritten = memo((schema: Structural, read: Serving['read']): boolean => {
  const { additionalProperties, default: value, extensions, items, properties } = schema;
  if (extensions.embeddedResource) return !holdsDefault(schema);
  if (value !== undefined && (isMap(value) || isList(value) || read(value) !== value)) return false;
  if (items && !servesAsWritten(items, read)) return false;
  const values = additionalProperties?.schema;
  // The way through `*` is not plain beside properties.
  if (values && !(properties ? !holdsDefault(values) : servesAsWritten(values, read))) return false;
  for (const property of properties?.values() ?? []) if (!servesAsWritten(property, read)) return false;
  return true;
});

/** A value where it stands in an object. */
function wrap(value: Value, way: Way | undefined): Value {
  let inner = value;
  for (let at = way; at; at = at.before) inner = at.step === -1 ? [inner] : new Map([[at.step, inner]]);
  return inner;
}

function unwrap(object: Value, way: Way | undefined): Value | undefined {
  if (!way) return object;
  const around = unwrap(object, way.before);
  if (way.step === -1) return isList(around) ? around[0] : undefined;
  return isMap(around) ? around.get(way.step) : undefined;
}

function prunedDefault(value: Value, way: Way | undefined, { root, version }: Serving): Value | undefined {
  if (way?.isPlain && !isMap(value) && !isList(value)) return value;
  const object = wrap(value, way);
  if (!isMap(object)) throw new NoObject();
  const coerced = coerceEmbedded(object, root, rootPath, { isRoot: true, drop: true, version });
  const kept = unwrap(prune(coerced.value, root, true).value, way);
  return kept !== undefined && equalValues(kept, value) ? value : kept;
}

function withDefault(schema: Structural, way: Way | undefined, serving: Serving): Structural {
  if (schema.default === undefined) return schema;
  const kept = prunedDefault(schema.default, way, serving);
  const value = kept === undefined ? undefined : serving.read(kept);
  if (value === schema.default) return schema;
  const { default: _, ...rest } = schema;
  return value === undefined ? rest : { ...rest, default: value };
}

function isPlainStep(way: Way | undefined, schema: Structural, step: string | -1): boolean {
  if (way?.isPlain === false || schema.extensions.embeddedResource) return false;
  // The type and metadata of an object are read by themselves, and `*` may be the name of a property.
  return way ? step !== '*' || !schema.properties : typeof step === 'string' && !metaFields.has(step);
}

function pruned(schema: Structural, way: Way | undefined, serving: Serving): Structural {
  if (!holdsDefault(schema) || (way?.isPlain && servesAsWritten(schema, serving.read))) return schema;
  const below = (child: Structural, step: string | -1) =>
    pruned(child, { before: way, step, isPlain: isPlainStep(way, schema, step) }, serving);
  let out = withDefault(schema, way, serving);
  const { additionalProperties: values, items, properties } = schema;
  if (values?.schema) {
    const next = below(values.schema, '*');
    if (next !== values.schema) out = { ...out, additionalProperties: { ...values, schema: next } };
  }
  if (items) {
    const next = below(items, -1);
    if (next !== items) out = { ...out, items: next };
  }
  if (properties) {
    const next = mappedValues(properties, below);
    if (next !== properties) out = { ...out, properties: next };
  }
  return out;
}
