/** How templates compare values: only those of the same kind, and only what has an order. */
import { printed, sprintf } from './format.ts';
import {
  cell,
  compareGoStrings,
  GoError,
  GoList,
  GoMap,
  type GoValue,
  Int,
  isNil,
  kindName,
  OpenMap,
  ofEngine,
  typeName,
} from './value.ts';

type BasicKind = 'bool' | 'int' | 'uint' | 'float' | 'string' | undefined;

function basicKind(value: GoValue): BasicKind {
  if (value instanceof Int) return kindName(value).startsWith('u') ? 'uint' : 'int';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return ({ string: 'string', number: 'float', boolean: 'bool' } as const)[
      typeof value as 'string' | 'number' | 'boolean'
    ];
  return undefined;
}

function areIntegers(a: BasicKind, b: BasicKind): boolean {
  return (a === 'int' || a === 'uint') && (b === 'int' || b === 'uint');
}

export function equals(a: GoValue, b: GoValue): boolean {
  if (a instanceof OpenMap || b instanceof OpenMap) return a === b;
  const kind = basicKind(a);
  const other = basicKind(b);
  if (areIntegers(kind, other)) return (a as Int).value === (b as Int).value;
  if (kind !== other) {
    if (isNil(a) || isNil(b)) return false;
    throw incompatible(a, b);
  }
  return kind === undefined ? equalOthers(a, b) : a === b;
}

function incompatible(a: GoValue, b: GoValue): GoError {
  return new GoError(`incompatible types for comparison: ${typeName(a)} and ${typeName(b)}`);
}

function equalOthers(a: GoValue, b: GoValue): boolean {
  if (!isNil(a) && !isNil(b) && kindName(a) !== kindName(b))
    throw new GoError(`non-comparable types ${text(a)}: ${typeName(a)}, ${typeName(b)}: ${printed(b)}`);
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (b instanceof GoList || b instanceof GoMap) throw new GoError(`non-comparable type ${text(b)}: ${typeName(b)}`);
  return a === b;
}

/** A value as %s prints it. */
function text(value: GoValue): string {
  return String(sprintf(cell('%s', ofEngine), [cell(value, ofEngine)]).value);
}

/** Negative where the first comes before the second. */
export function compareValues(a: GoValue, b: GoValue): number {
  if (a instanceof OpenMap || b instanceof OpenMap) return 0;
  const kind = basicKind(a);
  const other = basicKind(b);
  if (!kind || !other) throw new GoError('invalid type for comparison');
  if (areIntegers(kind, other)) return order((a as Int).value, (b as Int).value);
  if (kind !== other) throw incompatible(a, b);
  if (kind === 'bool') throw new GoError('invalid type for comparison');
  return kind === 'string' ? compareGoStrings(a as string, b as string) : order(a as number, b as number);
}

function order<T extends bigint | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
