import type { Spot } from '../field.ts';
import type { SchemaProps } from '../schema/props.ts';
import type { CrdFinding } from './codes.ts';
import type { CrdOptions } from './options.ts';

export function validateDefaults(_schema: SchemaProps, _spot: Spot, _options: CrdOptions): CrdFinding[] {
  return [];
}
