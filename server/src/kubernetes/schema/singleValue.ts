import type { SchemaProps } from '../api/schema.ts';

/** Keywords that ask something of a single value, whose own texts are looked at elsewhere, or that only describe it. */
const ofSingleValues: ReadonlySet<string> = new Set<keyof SchemaProps>([
  'description',
  'title',
  'type',
  'format',
  'pattern',
  'enum',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'multipleOf',
  'nullable',
]);

const singleTypes: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'string']);

/** Whether a schema describes a single value and nothing more, as most do: what is asked of the form of a schema, it is. */
export function describesSingleValue(schema: SchemaProps): boolean {
  if (schema.type === undefined || !singleTypes.has(schema.type)) return false;
  for (const keyword in schema) if (!ofSingleValues.has(keyword)) return false;
  return true;
}
