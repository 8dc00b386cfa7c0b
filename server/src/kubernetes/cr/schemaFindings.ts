import type { Value } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import { type FieldPath, pathOf } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { type Correlation, type Keyword, type ValueError, validateValue } from '../schema/validate.ts';
import { valueFinding } from '../schema/valueFinding.ts';
import type { ValueSchema } from '../schema/valueSchema.ts';
import type { CrFacts, CrFinding, SchemaFacts } from './findings.ts';

const codes = {
  type: 'cr/type',
  format: 'cr/format',
  required: 'cr/required',
  enum: 'cr/enum',
  maxLength: 'cr/max-length',
  minLength: 'cr/min-length',
  pattern: 'cr/pattern',
  maximum: 'cr/maximum',
  minimum: 'cr/minimum',
  multipleOf: 'cr/multiple-of',
  maxItems: 'cr/max-items',
  minItems: 'cr/min-items',
  maxProperties: 'cr/max-properties',
  minProperties: 'cr/min-properties',
  additionalProperties: 'cr/additional-properties',
  junctor: 'cr/junctor',
  range: 'cr/range',
} as const satisfies Readonly<Record<Keyword, keyof CrFacts>>;

/** What the schema has against a value. */
export function validateSchema(
  value: Value,
  schema: ValueSchema | undefined,
  props: SchemaProps | undefined,
  spot: FieldPath,
  version: KubernetesVersion,
  correlation?: Correlation,
): CrFinding[] {
  if (!schema) return [];
  const { errors } = validateValue(schema, value, { ranges: version.typedFormats, correlation });
  return errors.map((error) => schemaFinding(error, props, spot, version));
}

function schemaFinding(
  error: ValueError,
  props: SchemaProps | undefined,
  spot: FieldPath,
  version: KubernetesVersion,
): CrFinding {
  const facts = factsOf(error, props);
  const found = valueFinding(error, spot, { code: codes[error.keyword], facts }, version);
  if (error.keyword !== 'additionalProperties') return found;
  return { ...found, anchor: 'key', path: [...pathOf(spot), ...error.path, String(error.value)] };
}

function factsOf({ keyword, message, limit, allowed, path }: ValueError, props: SchemaProps | undefined): SchemaFacts {
  const schema = propsAt(props, keyword === 'required' ? path.slice(0, -1) : path);
  return {
    keyword,
    message,
    ...(limit !== undefined && { limit }),
    ...(allowed && { allowed }),
    ...(schema && { schema }),
  };
}

function propsAt(root: SchemaProps | undefined, path: readonly (string | number)[]): SchemaProps | undefined {
  let at = root;
  for (const step of path) {
    at = typeof step === 'number' ? at?.items?.schema : (at?.properties?.get(step) ?? at?.additionalProperties?.schema);
  }
  return at;
}
