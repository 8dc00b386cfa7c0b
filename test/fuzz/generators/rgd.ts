import type { Value } from '../../../server/src/base/value.ts';
import { madeOfRgd } from '../../../server/src/kro/derive.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import type { Json, Members } from './crd.ts';

// RGDs as they are stored: names that the API server lets through, and fields in kro's SimpleSchema, with a mistake now and then.

const words = ['a', 'b', 'name', 'ports', 'size', 'a.b', 'x-y', 'ünï'];
const typeNames = ['Person', 'Port', 'Alias', 'Deep'];

function typeText(random: Random, depth = 0): string {
  if (depth < 3 && random.chance(0.2)) return `[]${random.pick(['', ' '])}${typeText(random, depth + 1)}`;
  if (depth < 3 && random.chance(0.15)) return `map[string]${random.pick(['', ' '])}${typeText(random, depth + 1)}`;
  if (random.chance(0.01))
    return random.pick([
      '',
      '[]',
      'map[string]',
      'map[integer]string',
      'number',
      'int',
      'map',
      `${'[]'.repeat(18)}string`,
    ]);
  if (random.chance(0.2)) return random.pick(typeNames);
  return random.pick(['string', 'string', 'integer', 'boolean', 'float', 'object']);
}

const texts = [
  'x',
  '"a b"',
  '"say \\"hi\\""',
  '"a\\\\b"',
  '"a\\nb"',
  '""',
  'ünï',
  '"ü | b"',
  '[1, 2]',
  '{"a": 1}',
  '"[a"',
  'null',
];
const numbers = [
  '0',
  '1',
  '10',
  '-5',
  '1.5',
  '1e3',
  '0.1',
  '100000000000000000000',
  '9007199254740993',
  '+1',
  '007',
  '0x10',
  'inf',
  'a',
  '',
];
const bools = ['true', 'false', 'True', '1', 't', 'yes', ''];

const values: Readonly<Record<string, readonly string[]>> = {
  required: bools,
  immutable: bools,
  uniqueItems: bools,
  description: texts,
  validation: ['"self > 0"', '"self.size() < 3 && self != \\"a\\""', '""', 'self>0'],
  default: [...texts, ...numbers, ...bools],
  enum: ['a,b', '"a, b"', '1,2', 'a,', '"a,\\"b\\""', 'ünï'],
  minimum: numbers,
  maximum: numbers,
  pattern: ['^[a-z]+$', '"^a b$"', '"("', '""', '[a-z]'],
  minLength: numbers,
  maxLength: numbers,
  minItems: numbers,
  maxItems: numbers,
  listType: ['set', 'map', 'atomic', 'list'],
  listMapKey: ['name', 'a'],
};

/** Values that fit the marker, and mostly the type. */
const right: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  string: [
    ['default', 'x'],
    ['default', '"a b"'],
    ['enum', 'a,b'],
    ['pattern', '^[a-z]+$'],
    ['minLength', '1'],
    ['maxLength', '10'],
  ],
  integer: [
    ['default', '3'],
    ['minimum', '0'],
    ['maximum', '10'],
    ['enum', '1,2'],
  ],
  boolean: [['default', 'true']],
  float: [
    ['default', '1.5'],
    ['minimum', '0.1'],
    ['maximum', '1e3'],
  ],
  '[]': [
    ['minItems', '1'],
    ['maxItems', '5'],
    ['listType', 'atomic'],
    ['uniqueItems', 'true'],
    ['default', '[]'],
  ],
  map: [
    ['default', '{}'],
    ['default', '{"a": "b"}'],
  ],
  any: [
    ['required', 'true'],
    ['description', '"What it is."'],
    ['validation', '"self == self"'],
    ['immutable', 'true'],
    ['required', 'false'],
  ],
};

function marker(random: Random, type: string): string {
  if (random.chance(0.04)) {
    const name = random.pick([...Object.keys(values), 'title', '']);
    return `${name}=${random.pick(values[name] ?? ['x'])}`;
  }
  const kind = type.startsWith('[]') ? '[]' : type.startsWith('map') ? 'map' : type;
  const [name, value] = random.pick([...(right[kind] ?? []), ...right.any!]);
  return `${name}=${value}`;
}

function field(random: Random, depth: number): Json {
  if (depth < 3 && random.chance(0.15)) return struct(random, depth + 1);
  if (random.chance(0.01)) return random.pick<Json>([5n, true, null, 1.5, ['string'], {}]);
  const type = typeText(random);
  if (random.chance(0.4)) return type;
  const markers = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => marker(random, type));
  const last = random.chance(0.01) ? random.pick([' ', ' x', ' "', ' }', ' default={']) : '';
  return `${type}${random.pick([' | ', '|', ' |  '])}${markers.join(random.pick([' ', '  ']))}${last}`;
}

function struct(random: Random, depth: number): Members {
  return Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(words), field(random, depth)]));
}

function types(random: Random): Members {
  const out: Members = {};
  for (const name of typeNames) {
    if (random.chance(0.02)) continue;
    // Mostly a type names those before it, so that there are few circles.
    const made = name === 'Alias' ? `string | ${marker(random, 'string')}` : struct(random, 2);
    out[name] = random.chance(0.95) ? withoutTypes(made, typeNames.slice(typeNames.indexOf(name))) : made;
  }
  return out;
}

function withoutTypes(value: Json, names: readonly string[]): Json {
  if (typeof value === 'string') return names.reduce((text, name) => text.replace(name, 'string'), value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutTypes(one, names)]));
}

const resourceIds = ['app', 'service', 'db', 'app', 'schema', 'for', 'App', 'my-app'];

function resource(random: Random): Json {
  const template = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  const id = random.chance(0.9) ? random.pick(resourceIds.slice(0, 3)) : random.pick(resourceIds);
  if (random.chance(0.8)) return { id, template };
  const loops = Array.from({ length: random.chance(0.05) ? 11 : 1 + random.below(2) }, () => ({
    [random.chance(0.8) ? random.pick(['zone', 'tier', 'x1']) : random.pick([...resourceIds, 'a_b'])]:
      '${schema.spec.a}',
  }));
  return { id, template, forEach: loops };
}

function madeOf(obj: Json) {
  const value = (one: Json): Value =>
    Array.isArray(one)
      ? one.map(value)
      : typeof one === 'object' && one !== null
        ? new Map(Object.entries(one).map(([key, inner]) => [key, value(inner)]))
        : (one as Value);
  return madeOfRgd(value(obj) as ReadonlyMap<string, Value>);
}

/** kro builds custom types one by one, and says nothing of those behind the first that is wrong. */
function hasSeveralWrongTypes(obj: unknown): boolean {
  const wrong = madeOf(obj as Json).mistakes.flatMap(({ message, path }) =>
    /building schema for|does not exist|self references|cyclic/.test(message) ? [String(path[3])] : [],
  );
  return new Set(wrong).size > 1 || madeOf(obj as Json).mistakes.some(({ message }) => /cyclic/.test(message));
}

export const rgdGenerator: Generator = {
  name: 'rgd',
  oracle: 'kro',
  explain: ({ obj }) =>
    hasSeveralWrongTypes(obj) ? 'several types are wrong, of which kro says the first' : undefined,
  generate(random): Ask {
    const some = <T extends Json>(chance: number, key: string, all: readonly T[]): Members =>
      random.chance(chance) ? { [key]: random.pick(all) } : {};
    const schema: Members = {
      kind: random.pick(['App', 'WebApp', 'Policy', 'Box', 'Bus', random.chance(0.1) ? 'web' : 'Web']),
      apiVersion: 'v1alpha1',
      group: random.pick(['kro.run', 'example.org']),
      scope: random.pick(['Namespaced', 'Cluster']),
      spec: struct(random, 0),
      types: random.chance(0.9) ? types(random) : {},
      ...some(0.1, 'shortNames', [['ap'], []]),
      ...some(0.1, 'categories', [['kro']]),
      ...some(0.1, 'additionalPrinterColumns', [[{ name: 'A', type: 'string', jsonPath: '.spec.a' }], []]),
      ...some(0.1, 'metadata', [{ labels: { a: 'b' } }, { annotations: { a: 'b' }, labels: {} }, {}]),
    };
    const spec: Members = { schema, resources: Array.from({ length: random.below(3) }, () => resource(random)) };
    const obj = { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition', metadata: { name: 'app' }, spec };
    return { op: 'rgd', obj };
  },
};
