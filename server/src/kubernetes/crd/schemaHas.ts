import type { SchemaProps } from '../api/schema.ts';
import type { InternalSpec } from './internal.ts';

type Test = (schema: SchemaProps) => boolean;

function anyOfList(list: readonly SchemaProps[] | undefined, has: Test): boolean {
  return list?.some((schema) => schemaHas(schema, has)) ?? false;
}

function anyOfMap(map: ReadonlyMap<string, SchemaProps> | undefined, has: Test): boolean {
  if (map) for (const schema of map.values()) if (schemaHas(schema, has)) return true;
  return false;
}

function one(schema: SchemaProps | undefined, has: Test): boolean {
  return schema !== undefined && schemaHas(schema, has);
}

/** Whether a schema or any below it, in junctors and unsupported keywords too, has something. */
export function schemaHas(schema: SchemaProps, has: Test): boolean {
  return (
    has(schema) ||
    one(schema.items?.schema, has) ||
    anyOfList(schema.items?.schemas, has) ||
    anyOfList(schema.allOf, has) ||
    anyOfList(schema.anyOf, has) ||
    anyOfList(schema.oneOf, has) ||
    one(schema.not, has) ||
    anyOfMap(schema.properties, has) ||
    one(schema.additionalProperties?.schema, has) ||
    anyOfMap(schema.patternProperties, has) ||
    one(schema.additionalItems?.schema, has) ||
    anyOfMap(schema.definitions, has) ||
    [...(schema.dependencies?.values() ?? [])].some((dependency) => one(dependency.schema, has))
  );
}

/** Whether others stand below a schema. What is known of those that hold none is found anew as fast as it is looked up. */
export function holdsSchemas({ properties, items, additionalProperties }: SchemaProps): boolean {
  return properties !== undefined || items !== undefined || additionalProperties?.schema !== undefined;
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
