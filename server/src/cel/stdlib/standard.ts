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
import { functions } from './functions.ts';
import { operators } from './operators.ts';

export const standardLibrary: Library = [...operators, ...functions];

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
