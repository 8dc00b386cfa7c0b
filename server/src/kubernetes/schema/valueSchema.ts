import { memo } from '../../base/memo.ts';
import type { Value } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { formatCheck } from './formatChecks.ts';
import { isKnownFormat } from './formats.ts';

/** A schema as it judges values, kube-openapi's `spec.Schema`. Absent parts demand nothing. */
export interface ValueSchema {
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format: string;
  /** What judges texts of that format, where it is known. */
  readonly formatCheck?: (text: string) => boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: bigint;
  readonly minLength?: bigint;
  readonly pattern: string;
  readonly maxItems?: bigint;
  readonly minItems?: bigint;
  readonly maxProperties?: bigint;
  readonly minProperties?: bigint;
  readonly enum: readonly Value[];
  readonly required: readonly string[];
  readonly items?: ValueSchema;
  readonly properties?: Properties;
  readonly additionalProperties?: { readonly allows: boolean; readonly schema?: ValueSchema };
  readonly allOf: readonly ValueSchema[];
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly not?: ValueSchema;
  /** How values of two revisions of an object are matched. */
  readonly listType?: string;
  readonly listMapKeys: readonly string[];
  readonly mapType?: string;
}

/** The schemas of properties. Each is made when it is asked for: of all that a large CRD declares, an object has little. */
export interface Properties {
  get(name: string): ValueSchema | undefined;
  has(name: string): boolean;
  names(): Iterable<string>;
}

/**
 * For whom a schema is made: custom resources see int-or-string as two types and no format that is unknown; the
 * validator of defaults sees the schema as it stands, but nothing of additionalProperties inside junctors.
 */
export type Purpose = 'resource' | 'default';

type Limit =
  | 'maximum'
  | 'minimum'
  | 'multipleOf'
  | 'maxLength'
  | 'minLength'
  | 'maxItems'
  | 'minItems'
  | 'maxProperties'
  | 'minProperties';
const limits: readonly Limit[] = [
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
];

interface Conversion {
  readonly purpose: Purpose;
  readonly version: KubernetesVersion;
  readonly cache: WeakMap<SchemaProps, ValueSchema>;
  /** Whether additionalProperties are seen. */
  readonly seesValues: boolean;
  /** How what stands inside a junctor is converted, where that differs. */
  readonly inJunctors?: Conversion;
}

const conversionFor = memo((version: KubernetesVersion, purpose: Purpose): Conversion => {
  // Not a memo: the conversion of a schema fills it for what is in it.
  const to = (seesValues: boolean): Conversion => ({ purpose, version, seesValues, cache: new WeakMap() });
  return purpose === 'default' ? { ...to(true), inJunctors: to(false) } : to(true);
});

/** The judging side of a decoded schema. Made once for each schema, purpose and version. */
export function valueSchema(schema: SchemaProps, purpose: Purpose, version: KubernetesVersion): ValueSchema {
  return convert(schema, conversionFor(version, purpose));
}

const none: readonly never[] = [];

function typesOf(schema: SchemaProps, { purpose }: Conversion): readonly string[] {
  if (schema.intOrString && purpose === 'resource') return ['integer', 'string'];
  return schema.type ? [schema.type] : none;
}

function formatOf(schema: SchemaProps, { purpose, version }: Conversion): string {
  const format = schema.format ?? '';
  if (format === '' || purpose === 'default') return format;
  const type = schema.intOrString ? '' : (schema.type ?? '');
  return isKnownFormat(type, format, version) ? format : '';
}

function limitsOf(schema: SchemaProps): Partial<ValueSchema> {
  const out: Record<string, number | bigint> = {};
  for (const name of limits) {
    const value = schema[name];
    if (value !== undefined) out[name] = value;
  }
  return out;
}

function convert(schema: SchemaProps, to: Conversion): ValueSchema {
  const known = to.cache.get(schema);
  if (known) return known;
  const format = formatOf(schema, to);
  const check = format === '' ? undefined : formatCheck(format, to.version);
  const out: ValueSchema = {
    types: typesOf(schema, to),
    nullable: schema.nullable ?? false,
    format,
    ...(check && { formatCheck: check }),
    exclusiveMaximum: schema.exclusiveMaximum ?? false,
    exclusiveMinimum: schema.exclusiveMinimum ?? false,
    pattern: schema.pattern ?? '',
    ...limitsOf(schema),
    enum: schema.enum ?? none,
    required: schema.required ?? none,
    ...childrenOf(schema, to),
    listMapKeys: schema.listMapKeys ?? none,
    ...(schema.listType !== undefined && { listType: schema.listType }),
    ...(schema.mapType !== undefined && { mapType: schema.mapType }),
  };
  to.cache.set(schema, out);
  return out;
}

type Children = Pick<
  ValueSchema,
  'items' | 'properties' | 'additionalProperties' | 'allOf' | 'anyOf' | 'oneOf' | 'not'
>;

function childrenOf(schema: SchemaProps, to: Conversion): Children {
  const { inJunctors = to } = to;
  const branches = (list: readonly SchemaProps[] | undefined) => list?.map((item) => convert(item, inJunctors)) ?? none;
  const items = schema.items?.schema && convert(schema.items.schema, to);
  const properties = schema.properties && propertiesOf(schema.properties, to);
  const additional = to.seesValues ? schema.additionalProperties : undefined;
  const values = additional?.schema && convert(additional.schema, to);
  return {
    ...(items && { items }),
    ...(properties && { properties }),
    ...(additional && { additionalProperties: { allows: additional.allows, ...(values && { schema: values }) } }),
    allOf: branches(schema.allOf),
    anyOf: branches(schema.anyOf),
    oneOf: branches(schema.oneOf),
    ...(schema.not && { not: convert(schema.not, inJunctors) }),
  };
}

function propertiesOf(properties: ReadonlyMap<string, SchemaProps>, to: Conversion): Properties {
  return {
    get: (name) => {
      const property = properties.get(name);
      return property && convert(property, to);
    },
    has: (name) => properties.has(name),
    names: () => properties.keys(),
  };
}
