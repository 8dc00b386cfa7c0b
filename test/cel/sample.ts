import type { SchemaProps } from '../../server/src/kubernetes/api/schema.ts';
import type { DeclType } from '../../server/src/kubernetes/cel/declType.ts';
import { schemaDeclType } from '../../server/src/kubernetes/cel/rules.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { lowerSchema } from '../../server/src/kubernetes/schema/lower.ts';
import type { Structural } from '../../server/src/kubernetes/schema/structural.ts';

const text: SchemaProps = { type: 'string' };
const short: SchemaProps = { type: 'string', maxLength: 20n };

function object(properties: Record<string, SchemaProps>): SchemaProps {
  return { type: 'object', properties: new Map(Object.entries(properties)) };
}

function list(items: SchemaProps, maxItems?: bigint): SchemaProps {
  return { type: 'array', items: { schema: items }, ...(maxItems === undefined ? {} : { maxItems }) };
}

/** A schema with a little of everything, for tests that need one. */
export const sampleProps: SchemaProps = object({
  n: { type: 'integer' },
  s: short,
  long: text,
  m: { type: 'object', additionalProperties: { allows: true, schema: short } },
  strs: list(text),
  obj: object({ s: text, deep: object({ x: { type: 'integer' } }) }),
  items: list(object({ name: short, ports: list({ type: 'integer' }) }), 10n),
});

export const sampleSchema: Structural = structural(sampleProps);
export const sampleDecl: DeclType = schemaDeclType(sampleSchema, false, newestVersion)!;

export function structural(props: SchemaProps): Structural {
  const lowered = lowerSchema(props);
  if ('error' in lowered) throw new Error(lowered.error);
  return lowered.structural;
}
