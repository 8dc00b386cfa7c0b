import type { SchemaProps } from '../schema/props.ts';
import type { InternalSpec } from './internal.ts';

function* childrenOf(schema: SchemaProps): Generator<SchemaProps> {
  if (schema.items?.schema) yield schema.items.schema;
  yield* schema.items?.schemas ?? [];
  yield* schema.allOf ?? [];
  yield* schema.anyOf ?? [];
  yield* schema.oneOf ?? [];
  if (schema.not) yield schema.not;
  yield* schema.properties?.values() ?? [];
  if (schema.additionalProperties?.schema) yield schema.additionalProperties.schema;
  yield* schema.patternProperties?.values() ?? [];
  if (schema.additionalItems?.schema) yield schema.additionalItems.schema;
  yield* schema.definitions?.values() ?? [];
  for (const { schema: dependency } of schema.dependencies?.values() ?? []) if (dependency) yield dependency;
}

/** Whether a schema or any below it, in junctors and unsupported keywords too, has something. */
export function schemaHas(schema: SchemaProps, has: (schema: SchemaProps) => boolean): boolean {
  if (has(schema)) return true;
  for (const below of childrenOf(schema)) if (schemaHas(below, has)) return true;
  return false;
}

/** All schemas of a CRD: the common one, or those of its versions. */
export function schemasOf(spec: InternalSpec): SchemaProps[] {
  const holders = [spec.validation, ...spec.versions.map((version) => version.schema)];
  return holders.flatMap((holder) => (holder?.openAPIV3Schema ? [holder.openAPIV3Schema] : []));
}

export function specHas(spec: InternalSpec, has: (schema: SchemaProps) => boolean): boolean {
  return schemasOf(spec).some((schema) => schemaHas(schema, has));
}

export function hasDefault(schema: SchemaProps): boolean {
  return schema.default !== undefined;
}

export function hasExtension(schema: SchemaProps): boolean {
  return (
    schema.embeddedResource === true ||
    schema.preserveUnknownFields !== undefined ||
    schema.intOrString === true ||
    (schema.listMapKeys?.length ?? 0) > 0 ||
    schema.listType !== undefined ||
    (schema.validations?.length ?? 0) > 0
  );
}
