/** What rows of the table share. */
import type { ArgumentType, MarkerArgument } from '../model.ts';

type More = Partial<Pick<MarkerArgument, 'values' | 'offers' | 'sets' | 'beside'>>;

export const text: ArgumentType = { kind: 'string' };
export const texts: ArgumentType = { kind: 'list', of: text };
export const integer: ArgumentType = { kind: 'int' };
export const float: ArgumentType = { kind: 'number' };
export const flag: ArgumentType = { kind: 'bool' };
export const any: ArgumentType = { kind: 'any' };

/** The one argument behind `=`. */
export function one(type: ArgumentType, doc: string, more: More = {}): readonly MarkerArgument[] {
  return [{ name: '', type, optional: false, doc, ...more }];
}

export function required(name: string, type: ArgumentType, doc: string, more: More = {}): MarkerArgument {
  return { name, type, optional: false, doc, ...more };
}

export function optional(name: string, type: ArgumentType, doc: string, more: More = {}): MarkerArgument {
  return { name, type, optional: true, doc, ...more };
}
