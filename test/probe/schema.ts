import type { Random } from '../support/random.ts';
import {
  booleans,
  enums,
  formatted,
  integers,
  intOrStrings,
  maps,
  objectLists,
  objects,
  quantities,
  stringLists,
  strings,
} from './vocabulary.ts';

export type Json = boolean | number | string | readonly Json[] | Members;
export interface Members {
  [key: string]: Json;
}

type Property = readonly [name: string, schema: Members];
type Make = (random: Random, depth: number) => Property;

/** Makes of a property, each as often as it stands in real CRDs. */
const makes: readonly (readonly [often: number, make: Make])[] = [
  [5, (random) => [random.pick(strings), withDefault(random, { type: 'string', maxLength: 253 }, 'main')]],
  [4, (random) => enumerated(random)],
  [5, (random) => [random.pick(integers), withDefault(random, { type: 'integer', minimum: 0, maximum: 60000 }, 3)]],
  [3, (random) => [random.pick(booleans), withDefault(random, { type: 'boolean' }, false)]],
  [1, (random) => [random.pick(intOrStrings), intOrString()]],
  [1, (random) => [random.pick(quantities), { type: 'string', maxLength: 30 }]],
  [1, (random) => withFormat(random)],
  [2, (random) => [random.pick(maps), mapSchema()]],
  [2, (random) => [random.pick(stringLists), stringList(random)]],
  [3, (random, depth) => [random.pick(objects), objectSchema(random, depth - 1)]],
  [2, (random, depth) => [random.pick(objectLists), objectList(random, depth - 1)]],
];

const drawn: readonly Make[] = makes.flatMap(([often, make]) => Array.from({ length: often }, () => make));
const flat: readonly Make[] = makes.slice(0, -2).flatMap(([often, make]) => Array.from({ length: often }, () => make));

function withDefault(random: Random, schema: Members, value: Json): Members {
  return random.chance(0.25) ? { ...schema, default: value } : schema;
}

function enumerated(random: Random): Property {
  const [name, values] = random.pick(enums);
  return [name, withDefault(random, { type: 'string', enum: values }, values[0]!)];
}

function intOrString(): Members {
  return { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
}

function withFormat(random: Random): Property {
  const [name, format] = random.pick(formatted);
  return [name, { type: 'string', format, maxLength: 200 }];
}

function mapSchema(): Members {
  return { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 63 } };
}

function stringList(random: Random): Members {
  const list: Members = { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 63 } };
  return random.chance(0.4) ? { ...list, 'x-kubernetes-list-type': 'set' } : list;
}

function objectList(random: Random, depth: number): Members {
  const item = objectSchema(random, Math.min(depth, 1), { name: { type: 'string', maxLength: 63 } });
  const required = Array.isArray(item.required) ? item.required : [];
  return {
    type: 'array',
    maxItems: 10,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: { ...item, required: [...new Set(['name', ...required])] },
  };
}

/** An object of three to seven fields; some are required. */
export function objectSchema(random: Random, depth: number, given: Members = {}): Members {
  const properties: Members = { ...given };
  const wanted = 3 + random.below(5) + Object.keys(given).length;
  for (let tries = 0; Object.keys(properties).length < wanted && tries < 40; tries++) {
    const [name, schema] = random.pick(depth > 0 ? drawn : flat)(random, depth);
    if (!(name in properties)) properties[name] = described(name, schema);
  }
  const required = Object.keys(properties).filter(
    (name) => random.chance(0.25) && !('default' in members(properties[name])),
  );
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

function described(name: string, schema: Members): Members {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { description: `Sets the ${words} of the object.`, ...schema };
}

export function members(value: Json | undefined): Members {
  return typeof value === 'object' && !Array.isArray(value) ? (value as Members) : {};
}

/** Status as most operators have it: phase, counts and conditions. */
export function statusSchema(): Members {
  const time = { type: 'string', format: 'date-time' };
  const text = (maxLength: number) => ({ type: 'string', maxLength });
  const condition = {
    type: 'object',
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: time,
      message: text(32768),
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: text(1024),
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: text(316),
    },
  };
  const conditions = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: condition,
  };
  const replicas = { type: 'integer', format: 'int32' };
  const observedGeneration = { type: 'integer', format: 'int64' };
  return { type: 'object', properties: { phase: text(63), replicas, observedGeneration, conditions } };
}

/** A value that a schema allows. */
export function valueFor(random: Random, name: string, schema: Members): Json {
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  if (schema['x-kubernetes-int-or-string'] === true) return random.chance(0.5) ? '25%' : 1 + random.below(5);
  if (schema.type === 'integer') return 1 + random.below(99);
  if (schema.type === 'boolean') return random.chance(0.5);
  if (schema.type === 'object') return objectValue(random, schema);
  if (schema.type === 'array') return listValue(random, schema);
  return textFor(random, name, schema);
}

function textFor(random: Random, name: string, schema: Members): string {
  const format = formatted.find(([, format]) => format === schema.format);
  if (format) return format[2];
  if (quantities.includes(name)) return random.pick(['500m', '2Gi', '10Gi']);
  return `${name.toLowerCase()}-${random.below(90) + 10}`;
}

function objectValue(random: Random, schema: Members): Members {
  if ('additionalProperties' in schema) return { app: 'web', tier: random.pick(['front', 'back']) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = Object.entries(members(schema.properties));
  const kept = all.filter(([name]) => required.has(name) || random.chance(0.7));
  return Object.fromEntries(kept.map(([name, property]) => [name, valueFor(random, name, members(property))]));
}

function listValue(random: Random, schema: Members): Json[] {
  const count = 1 + random.below(3);
  const item = members(schema.items);
  return Array.from({ length: count }, (_, i): Json => {
    const value = valueFor(random, 'item', item);
    return item.type === 'object' ? { ...members(value), name: `item-${i}` } : `item-${i}`;
  });
}
