import { compileGoRegexp } from '../../go/regexp.ts';
import { add, divide, modulo, multiply, negate, subtract } from './arithmetic.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from './convert.ts';
import { compare, equal, isComparable } from './equal.ts';
import type { Impl, IntOperator, PatternImpl, Singleton } from './implementation.ts';
import { sizeOf } from './size.ts';
import { durationParts, timeParts } from './timeParts.ts';
import { error, isKind, itemAt, noSuchOverload, orNoSuchOverload, sizeOfList, type Val } from './values.ts';

function kinds(...names: readonly string[]): (value: Val) => boolean {
  const known = new Set(names);
  const [texts, ints, doubles, booleans] = ['string', 'bigint', 'number', 'boolean'].map((name) => known.has(name));
  return (value) => {
    switch (typeof value) {
      case 'string':
        return texts!;
      case 'bigint':
        return ints!;
      case 'number':
        return doubles!;
      case 'boolean':
        return booleans!;
      default:
        return value !== null && known.has(value.kind);
    }
  };
}

function comparison(ints: IntOperator, holds: (order: number) => boolean): Singleton {
  const impl: Impl = (a, b) => {
    const order = compare(a, b);
    return typeof order === 'number' ? holds(order) : order;
  };
  return { impl, ints, trait: isComparable };
}

function text(test: (text: string, part: string) => boolean): Singleton {
  const impl: Impl = (a, b) => {
    if (typeof a !== 'string') return orNoSuchOverload(a);
    return typeof b === 'string' ? test(a, b) : orNoSuchOverload(b);
  };
  return { impl };
}

function hasSize(value: Val): boolean {
  if (typeof value !== 'object') return typeof value === 'string';
  return isKind(value, 'list') || isKind(value, 'map') || isKind(value, 'bytes');
}

const smallCounts = Array.from({ length: 256 }, (_, i) => BigInt(i));

function count(size: number): bigint {
  return smallCounts[size] ?? BigInt(size);
}

export const contains: Impl = (item, container) => {
  if (isKind(container, 'map')) {
    const found = container.find(item);
    return isKind(found ?? null, 'error') ? found! : found !== undefined;
  }
  if (!isKind(container, 'list')) return orNoSuchOverload(container);
  if (container.habits) return container.habits.contains(container, item);
  const size = sizeOfList(container);
  for (let i = 0; i < size; i++) if (equal(item, itemAt(container, i)) === true) return true;
  return false;
};

const matches: Impl = (a, b) => {
  if (typeof b !== 'string') return orNoSuchOverload(b);
  const compiled = compileGoRegexp(b);
  return compiled.ok ? compiled.matches(a as string) : error(compiled.error);
};

/** Functions that take their arguments as they come. */
export const standardSingletons: ReadonlyMap<string, Singleton> = new Map<string, Singleton>([
  ['_+_', { impl: add, trait: kinds('bigint', 'number', 'string', 'uint', 'bytes', 'duration', 'timestamp', 'list') }],
  ['_-_', { impl: subtract, trait: kinds('bigint', 'number', 'uint', 'duration', 'timestamp') }],
  ['_*_', { impl: multiply, trait: kinds('bigint', 'number', 'uint') }],
  ['_/_', { impl: divide, trait: kinds('bigint', 'number', 'uint') }],
  ['_%_', { impl: modulo, trait: kinds('bigint', 'uint') }],
  ['-_', { impl: negate, trait: kinds('bigint', 'number', 'duration', 'boolean') }],
  ['!_', { impl: (a) => (typeof a === 'boolean' ? !a : noSuchOverload) }],
  ['_<_', comparison('<', (order) => order < 0)],
  ['_<=_', comparison('<=', (order) => order <= 0)],
  ['_>_', comparison('>', (order) => order > 0)],
  ['_>=_', comparison('>=', (order) => order >= 0)],
  ['@in', { impl: contains }],
  ['_in_', { impl: contains }],
  ['in', { impl: contains }],
  ['size', { impl: (a) => count(sizeOf(a)!), trait: hasSize }],
  ['type', { impl: toType }],
  ['dyn', { impl: (a) => a }],
  ['contains', text((a, b) => a.includes(b))],
  ['startsWith', text((a, b) => a.startsWith(b))],
  ['endsWith', text((a, b) => a.endsWith(b))],
  ['matches', { impl: matches, trait: (a) => typeof a === 'string' }],
]);

/** matches() with a pattern that is known while planning. */
export const matchesPattern: PatternImpl = (pattern) => {
  const compiled = compileGoRegexp(pattern);
  if (!compiled.ok) return compiled.error;
  return (a) => (typeof a === 'string' ? compiled.matches(a) : noSuchOverload);
};

const conversions: readonly (readonly [Impl, ...string[]])[] = [
  [toBool, 'bool_to_bool', 'string_to_bool'],
  [toBytes, 'bytes_to_bytes', 'string_to_bytes'],
  [toDouble, 'double_to_double', 'int64_to_double', 'string_to_double', 'uint64_to_double'],
  [toDuration, 'duration_to_duration', 'string_to_duration', 'int64_to_duration'],
  [
    toInt,
    'int64_to_int64',
    'double_to_int64',
    'duration_to_int64',
    'string_to_int64',
    'timestamp_to_int64',
    'uint64_to_int64',
  ],
  [
    toText,
    'string_to_string',
    'bool_to_string',
    'bytes_to_string',
    'double_to_string',
    'duration_to_string',
    'int64_to_string',
    'timestamp_to_string',
    'uint64_to_string',
  ],
  [toTimestamp, 'timestamp_to_timestamp', 'int64_to_timestamp', 'string_to_timestamp'],
  [toUint, 'uint64_to_uint64', 'double_to_uint64', 'int64_to_uint64', 'string_to_uint64'],
];

export const standardImpls: ReadonlyMap<string, Impl> = new Map<string, Impl>([
  ...conversions.flatMap(([impl, ...ids]) => ids.map((id): [string, Impl] => [id, impl])),
  ...timeParts,
  ...durationParts,
]);
