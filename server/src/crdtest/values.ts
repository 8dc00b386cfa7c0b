import { isList, isMap, type Value } from '../base/value.ts';
import type { Structural } from '../kubernetes/schema/structural.ts';

// Values that are worth trying where a schema judges: what it names itself, and what lies at its bounds and beyond.

const deepest = 12;
/** How many values the smallest one may hold: lists in lists multiply. */
const mostMade = 10_000;
/** A longer text or list says no more than that it is too long. */
const longest = 2_000;

/** A text of each format, and some that patterns like to see. */
const texts = [
  'a',
  '1',
  'a1',
  'A',
  'a-b',
  'a.b',
  'a/b',
  'a:b',
  'a=b',
  'a_b',
  '1.2.3',
  'v1',
  '10%',
  '1Gi',
  '100m',
  '1h',
  '0 0 * * *',
  'example.com',
  'a@example.com',
  'https://example.com/a',
  '10.0.0.1',
  '10.0.0.0/8',
  'fd00::1',
  '2024-01-01',
  '2024-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  'YQ==',
  '#ff0000',
];

const whole = (limit: number | bigint) => BigInt(Math.trunc(Number(limit)));

/** The smallest value that the schema's own words ask for; what patterns and rules want as well is found by trying. */
export function leastValue(schema: Structural | undefined, depth = 0, made = { left: mostMade }): Value {
  if (!schema || depth > deepest || made.left-- <= 0) return new Map();
  const { validation } = schema;
  if (schema.default !== undefined) return schema.default;
  if (validation?.enum?.[0] !== undefined) return validation.enum[0];
  switch (schema.type) {
    case 'object':
      return leastObject(schema, depth, made);
    case 'array':
      return Array.from({ length: count(validation?.minItems) }, () => leastValue(schema.items, depth + 1, made));
    case 'integer':
    case 'number':
      return numbersOf(schema)[0]!;
    case 'boolean':
      return false;
    case 'string':
      return 'a'.repeat(Math.max(1, count(validation?.minLength)));
    default:
      return schema.extensions.intOrString ? 1n : new Map();
  }
}

function count(least: bigint | undefined): number {
  return Math.min(Number(least ?? 0n), longest);
}

function leastObject(
  { properties, additionalProperties, validation }: Structural,
  depth: number,
  made: { left: number },
): Value {
  const required = (validation?.required ?? []).filter((name) => properties?.get(name)?.default === undefined);
  const map = new Map(required.map((name) => [name, leastValue(properties?.get(name), depth + 1, made)]));
  for (let i = 0; map.size < count(validation?.minProperties); i++)
    map.set(`key${i}`, leastValue(additionalProperties?.schema, depth + 1, made));
  return map;
}

/** At the bounds, the ones that are allowed first. */
function numbersOf({ validation }: Structural): bigint[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = validation ?? {};
  const low = minimum === undefined ? [] : [whole(Math.ceil(minimum)) + BigInt(exclusiveMinimum ?? false)];
  const high = maximum === undefined ? [] : [whole(Math.floor(maximum)) - BigInt(exclusiveMaximum ?? false)];
  const step = multipleOf === undefined ? [] : [whole(multipleOf)];
  const named = [...low, ...step, ...high];
  return [...named, 1n, 0n, 2n, 3n, ...named.flatMap((limit) => [limit - 1n, limit + 1n]), 10n, 100n, -1n];
}

/** Values to try, the plainest first; among `more` are those that a rule names. */
export function valuesFor(schema: Structural, more: readonly Value[] = []): Value[] {
  const { validation, type } = schema;
  const named = [...(validation?.enum ?? []), ...(schema.default === undefined ? [] : [schema.default])];
  const found = [
    ...named,
    ...ofType(
      schema,
      more.filter((one) => fits(one, type)),
    ),
  ];
  return schema.nullable ? [...found, null] : found;
}

function fits(value: Value, type: string): boolean {
  if (type === 'string') return typeof value === 'string';
  if (type === 'integer' || type === 'number') return typeof value === 'bigint';
  // What they hold may be named.
  return !isList(value) && !isMap(value);
}

function ofType(schema: Structural, more: readonly Value[]): Value[] {
  const { validation, type, extensions } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return [...more.flatMap((one) => [one, (one as bigint) - 1n, (one as bigint) + 1n]), ...numbersOf(schema)];
    case 'boolean':
      return [true, false];
    case 'string':
      return [
        ...more,
        ...texts,
        '',
        ...lengths(validation?.minLength, validation?.maxLength).map((n) => 'a'.repeat(n)),
      ];
    case 'array':
      return listsOf(schema, more);
    case 'object':
      return mapsOf(schema, more);
    default:
      return extensions.intOrString ? [1n, 0n, '1', '50%', 'a', -1n] : [...more];
  }
}

/** At the bounds and one beyond. */
function lengths(least: bigint | undefined, most: bigint | undefined): number[] {
  const bounds = [least, most].flatMap((one) => (one === undefined ? [] : [Number(one)]));
  return bounds.flatMap((one) => [one, one - 1, one + 1]).filter((one) => one >= 0 && one <= longest);
}

/** How long a list is at most, since its items have to be made and judged. */
const longestList = 101;

/** Of how many items lists are tried. */
const mostItems = 25;

function listsOf({ items, validation, extensions }: Structural, more: readonly Value[]): Value[] {
  const item = leastValue(items);
  const several = (n: number) => Array.from({ length: n }, (_, i) => distinct(item, i, extensions.listMapKeys));
  const bounds = lengths(validation?.minItems, validation?.maxItems).filter((one) => one <= longestList);
  const others = items ? valuesFor(items, more).slice(0, mostItems) : [];
  return [
    [item],
    [],
    several(2),
    ...bounds.map(several),
    ...others.flatMap((one) => [[one], [one, one]]),
    ...(others.length > 1 ? [others.slice(0, 3)] : []),
  ];
}

/** The same value, told apart from others of its list as far as that can be. */
function distinct(value: Value, i: number, keys: readonly string[]): Value {
  if (typeof value === 'string') return i === 0 ? value : `${value}${i}`;
  if (typeof value === 'bigint') return value + BigInt(i);
  if (!(value instanceof Map) || keys.length === 0) return value;
  const map = new Map(value);
  for (const key of keys) map.set(key, distinct(map.get(key) ?? 'a', i, []));
  return map;
}

/** Keys that rules on maps are about: too long, not a word, of another's domain. */
const keys = ['a', 'A', 'a b', '-', 'kubernetes.io/a', 'example.com/a', 'a'.repeat(64), 'a'.repeat(300)];

function mapsOf(schema: Structural, more: readonly Value[]): Value[] {
  const least = leastValue(schema);
  const open = schema.additionalProperties?.schema;
  if (!open) return [least, new Map()];
  const named = more.flatMap((one) => (typeof one === 'string' ? [one, `${one}a`] : []));
  const value = leastValue(open);
  const values = valuesFor(open, more).slice(0, mostItems);
  const of = (key: string, one: Value) => new Map([[key, one]]);
  return [
    least,
    new Map(),
    ...[...new Set([...keys, ...named])].map((key) => of(key, value)),
    ...values.map((one) => of('a', one)),
  ];
}
