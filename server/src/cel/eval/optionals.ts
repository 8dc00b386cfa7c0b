import type { Impl } from './implementation.ts';
import { sizeOf } from './size.ts';
import {
  error,
  isKind,
  itemAt,
  itemsOfList,
  type List,
  list,
  none,
  noSuchOverload,
  optional,
  sizeOfList,
  type Val,
} from './values.ts';

const dereferenced = error('optional.none() dereference');

/** Whether a value is the zero of its type: what ofNonZeroValue takes for absent. */
function isZero(value: Val): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (typeof value !== 'object') return false;
  if (value.kind === 'uint') return value.value === 0n;
  if (value.kind === 'duration') return value.nanos === 0n;
  if (value.kind === 'timestamp') return value.seconds === -62135596800n && value.nanos === 0;
  if (value.kind === 'list' && value.habits) return false;
  if (value.kind === 'map' && value.raw !== undefined) return false;
  if (value.kind === 'list' || value.kind === 'map' || value.kind === 'bytes') return sizeOf(value) === 0;
  return false;
}

function unwrapped(values: Val): Val {
  if (!isKind(values, 'list')) return noSuchOverload;
  const found: Val[] = [];
  for (const [i, value] of itemsOfList(values).entries()) {
    if (!isKind(value, 'optional')) return error(`value not an optional at index ${i}`);
    if (value.value !== undefined) found.push(value.value);
  }
  return list(found);
}

function end(at: (values: List) => number): Impl {
  return (a) => {
    if (!isKind(a, 'list')) return noSuchOverload;
    return sizeOfList(a) === 0 ? none : optional(itemAt(a, at(a)));
  };
}

/** Optional values. `or` and `orValue` are planned, not called. */
export const optionalImpls: readonly (readonly [string, Impl])[] = [
  ['optional_of', (a) => optional(a)],
  ['optional_ofNonZeroValue', (a) => (isZero(a) ? none : optional(a))],
  ['optional_none', () => none],
  ['optional_value', (a) => (isKind(a, 'optional') ? (a.value ?? dereferencedUnless(a.value)) : noSuchOverload)],
  ['optional_hasValue', (a) => (isKind(a, 'optional') ? a.value !== undefined : noSuchOverload)],
  ['list_first', end(() => 0)],
  ['list_last', end((values) => sizeOfList(values) - 1)],
  ['optional_unwrap', unwrapped],
  ['optional_unwrapOpt', unwrapped],
];

/** An optional can hold null. */
function dereferencedUnless(value: Val | undefined): Val {
  return value === undefined ? dereferenced : value;
}
