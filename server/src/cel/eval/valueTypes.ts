import { type CelType, dynType, listOf, mapOf, optionalOf, runtimeText } from '../types.ts';
import { isKind, typeOfVal, type Val } from './values.ts';

/**
 * How much the types of values tell at run time. `unnamed`: what lists and maps hold has no name (up to cel-go 0.23);
 * `parametrised`: the type of an optional shows its parameter (since 0.29).
 */
export type ValueTypes = 'unnamed' | 'plain' | 'parametrised';

const unnamed: CelType = { ...dynType, name: '', list: undefined, maps: undefined };
const [bareList, bareMap] = [listOf(unnamed), mapOf(unnamed, unnamed)];

function withoutNames(value: Val): CelType {
  const type = typeOfVal(value);
  return type.kind === 'list' ? bareList : type.kind === 'map' ? bareMap : type;
}

const withParameter = (value: Val) => (isKind(value, 'optional') ? optionalOf(dynType) : typeOfVal(value));

const finders = { unnamed: withoutNames, plain: typeOfVal, parametrised: withParameter };

/** What type() gives, and what the texts of some errors show. */
export function valueTypeOf(types: ValueTypes): (value: Val) => CelType {
  return finders[types];
}

/** How cel-go writes the type of a value in errors. */
export function typeText(value: Val, types: ValueTypes): string {
  return runtimeText(valueTypeOf(types)(value));
}
