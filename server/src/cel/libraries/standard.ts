import type { Library } from '../overload.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  timestampType,
  typeOf,
  typeType,
  uintType,
} from '../types.ts';
import { type ConversionOptions, conversions } from './conversions.ts';
import { type OperatorOptions, operators } from './operators.ts';
import { type TextOptions, text } from './text.ts';
import { type TimeOptions, times } from './times.ts';

/** In what releases differ of the functions that are part of the language. */
export interface StandardOptions extends OperatorOptions, ConversionOptions, TextOptions, TimeOptions {}

export function standard(options: StandardOptions): Library {
  return [...operators(options), ...conversions(options), ...text(options), ...times(options)];
}

/** The names of types, which are values too. */
export const standardTypes: ReadonlyMap<string, CelType> = new Map(
  [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listOf(dynType),
    mapOf(dynType, dynType),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
  ].map((type) => [type.name, typeOf(type)]),
);
