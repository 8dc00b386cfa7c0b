/** What Go's type checker and reflection decide about arguments. */
import type { From } from './from.ts';
import { type Cell, cell, type GoFunction, GoList, GoMap, type GoValue } from './value.ts';

/** Maps with a name of their own that stand for plain ones. */
const namedMaps: ReadonlySet<string> = new Set(['common.Values']);

export function isAssignable(actual: string, type: string, value: GoValue): boolean {
  if (actual === type || type === 'interface {}') return true;
  return value instanceof GoMap && type === 'map[string]interface {}' && namedMaps.has(actual);
}

export function canBeNil(type: string): boolean {
  return type === 'interface {}' || type === 'reflect.Value' || /^(?:map\[|\[\]|\*|func)/.test(type);
}

/** Go's zero value of a type that can be nil: functions get an empty map or list for one that is nil. */
export function zeroOf(type: string, from: From): Cell {
  if (type.startsWith('map[')) return cell(new GoMap(new Map(), { type }), from);
  if (type.startsWith('[]')) return cell(new GoList([], type), from);
  return cell(type === 'reflect.Value' ? undefined : null, from);
}

/** A value out of a container or a function: whether Go sees an `any` there is in the type of that. */
export function inAny(one: Cell, containerType: string): Cell {
  const isAny = containerType.endsWith('interface {}') || namedMaps.has(containerType);
  if (!isAny) return one.isAny ? cell(one.value, one.from) : one;
  return one.isAny ? one : { value: one.value, from: one.from, isAny: true };
}

/** At the end of each command Go looks into the `any`. */
export function outOfAny(one: Cell): Cell {
  if (one.value === null) return cell(undefined, one.from);
  return one.isAny ? cell(one.value, one.from) : one;
}

export function paramType({ params, isVariadic }: GoFunction, at: number): string {
  return params[isVariadic ? Math.min(at, params.length - 1) : at]!;
}

/** What Go calls the constants of a type. */
export function constantWords(type: string): string | undefined {
  if (/^uint/.test(type)) return 'unsigned integer';
  if (/^int\d*$/.test(type)) return 'integer';
  if (/^float/.test(type)) return 'float';
  return { bool: 'bool', string: 'string' }[type];
}
