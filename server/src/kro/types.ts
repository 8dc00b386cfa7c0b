import { quote } from '../gostd/quote.ts';
import { trimSpace } from '../gostd/trim.ts';
import { SimpleSchemaError } from './markers.ts';

/** What is in front of the `|` of a field. */
export type SimpleType =
  | { readonly is: 'atomic'; readonly name: string }
  | { readonly is: 'object' }
  | { readonly is: 'list' | 'map'; readonly of: SimpleType }
  | { readonly is: 'custom'; readonly name: string };

/** The types that have a name of their own, with that of OpenAPI. */
const atomic: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['integer', 'integer'],
  ['boolean', 'boolean'],
  ['float', 'number'],
]);

/** kro's own bound for `[][][]string`. */
const deepestType = 16;

/** A type such as `[]map[string]Person`; any other word is the name of a custom type. */
export function readType(text: string, depth = 0): SimpleType {
  if (depth > deepestType) throw new SimpleSchemaError(`type nesting too deep (max ${deepestType}): ${quote(text)}`);
  const word = trimSpace(text);
  const name = atomic.get(word);
  if (name !== undefined) return { is: 'atomic', name };
  if (word === 'object') return { is: 'object' };
  if (word.startsWith('[]')) {
    if (word === '[]') throw new SimpleSchemaError('empty slice element type');
    return { is: 'list', of: readType(word.slice(2), depth + 1) };
  }
  if (!word.startsWith('map[')) return { is: 'custom', name: word };
  if (!word.startsWith('map[string]')) throw new SimpleSchemaError('map key must be string');
  const value = trimSpace(word.slice('map[string]'.length));
  if (value === '') throw new SimpleSchemaError('map value type is required');
  return { is: 'map', of: readType(value, depth + 1) };
}

/** The custom type that a type is made of. */
export function customIn(type: SimpleType): string | undefined {
  if (type.is === 'list' || type.is === 'map') return customIn(type.of);
  return type.is === 'custom' ? type.name : undefined;
}
