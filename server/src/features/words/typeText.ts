import type { CelType } from '../../cel/types.ts';

/** A type as a person reads it: generated names of object types say nothing. */
export function typeText(type: CelType): string {
  return type.text.replace(/selfType[\w.@]*/g, 'object');
}
