import { equalValues, isList, isMap, type Value } from '../../base/value.ts';
import { rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { coerceEmbedded } from './embedded.ts';
import { prune } from './prune.ts';
import type { Structural, StructuralOrBool } from './structural.ts';

/** Where a value stands in an object: keys, and -1 for some item of a list. */
type Steps = readonly (string | -1)[];

class NoObject extends Error {}

/**
 * A schema with its defaults as they serve: pruned as parts of a whole object. Undefined where the API server cannot do
 * that. A schema that loses nothing is returned as it is.
 */
export function pruneDefaults(root: Structural, version: KubernetesVersion): Structural | undefined {
  try {
    return pruned(root, root, [], version);
  } catch (error) {
    if (error instanceof NoObject) return undefined;
    throw error;
  }
}

function wrap(value: Value, steps: Steps): Value {
  return steps.reduceRight<Value>((inner, step) => (step === -1 ? [inner] : new Map([[step, inner]])), value);
}

function unwrap(value: Value, steps: Steps): Value | undefined {
  let at: Value | undefined = value;
  for (const step of steps) {
    if (step === -1) at = isList(at) ? at[0] : undefined;
    else at = isMap(at) ? at.get(step) : undefined;
  }
  return at;
}

function prunedDefault(value: Value, root: Structural, steps: Steps, version: KubernetesVersion): Value | undefined {
  const object = wrap(value, steps);
  if (!isMap(object)) throw new NoObject();
  const coerced = coerceEmbedded(object, root, rootPath, { isRoot: true, drop: true, version });
  const kept = unwrap(prune(coerced.value, root, true).value, steps);
  return kept !== undefined && equalValues(kept, value) ? value : kept;
}

function withDefault(schema: Structural, value: Value | undefined): Structural {
  const { default: before, ...rest } = schema;
  if (before === value) return schema;
  return value === undefined ? rest : { ...rest, default: value };
}

function pruned(schema: Structural, root: Structural, steps: Steps, version: KubernetesVersion): Structural {
  const below = (child: Structural, step: string | -1) => pruned(child, root, [...steps, step], version);
  const kept = schema.default === undefined ? undefined : prunedDefault(schema.default, root, steps, version);
  let out = withDefault(schema, kept);
  const { additionalProperties: values, items, properties } = schema;
  if (values?.schema) {
    const next: StructuralOrBool = { ...values, schema: below(values.schema, '*') };
    if (next.schema !== values.schema) out = { ...out, additionalProperties: next };
  }
  if (items) {
    const next = below(items, -1);
    if (next !== items) out = { ...out, items: next };
  }
  if (properties) {
    const next = new Map([...properties].map(([name, property]) => [name, below(property, name)]));
    if ([...next].some(([name, property]) => property !== properties.get(name))) out = { ...out, properties: next };
  }
  return out;
}
