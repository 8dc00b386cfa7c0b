import type { Random } from '../support/random.ts';
import { encodeExact } from './protocol.ts';

// Two states of an object that one manager applies: mostly the second is a part of the first, and some more.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Make = (random: Random) => Json | undefined;

const text = { type: 'string' };
const whole = { type: 'integer' };
const item = (key: string) => ({
  type: 'object',
  required: [key],
  properties: {
    [key]: text,
    kind: { type: 'string', default: 'x' },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    v: whole,
    box: { type: 'object', properties: { a: whole, b: { type: 'integer', default: 1 } } },
  },
});

const properties = {
  a: whole,
  b: { type: 'integer', default: 5 },
  box: {
    type: 'object',
    properties: { a: whole, b: { type: 'integer', default: 7 }, inner: { type: 'object', properties: { c: whole } } },
  },
  plain: { type: 'object', properties: { a: whole, b: whole } },
  atomic: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: whole, b: whole } },
  labels: { type: 'object', additionalProperties: text },
  boxes: { type: 'object', additionalProperties: { type: 'object', properties: { a: whole, b: whole } } },
  list: { type: 'array', items: text },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  one: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item('name') },
  two: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['id', 'kind'],
    items: item('id'),
  },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  kept: {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { a: whole, in: { type: 'object', properties: { b: whole } } },
  },
  either: { 'x-kubernetes-int-or-string': true },
};

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
      },
    ],
  },
};

const names = ['p', 'q', 'r', 's', 't'];
const number: Make = (random) => random.below(4);
const name: Make = (random) => random.pick(names);

/** A map of some of these fields. */
const some =
  (fields: Readonly<Record<string, Make>>): Make =>
  (random) => {
    const out: { [key: string]: Json } = {};
    for (const [key, make] of Object.entries(fields)) {
      const value = random.chance(0.5) ? make(random) : undefined;
      if (value !== undefined) out[key] = value;
    }
    return out;
  };

/** Distinct names in any order, each made into an item. */
const each =
  (make: (name: string, random: Random) => Json): Make =>
  (random) => {
    const left = [...names];
    return Array.from({ length: random.below(5) }, () => make(left.splice(random.below(left.length), 1)[0]!, random));
  };

const tags = each((tag) => tag);
const keyed = (key: string, kinds: boolean): Make =>
  each((name, random) => ({
    ...(some({ tags, v: number, box: some({ a: number, b: number }) })(random) as object),
    ...(kinds && random.chance(0.4) && { kind: random.pick(['x', 'y']) }),
    [key]: name,
  }));

const spec = some({
  a: number,
  b: number,
  box: some({ a: number, b: number, inner: some({ c: number }) }),
  plain: some({ a: number, b: number }),
  atomic: some({ a: number, b: number }),
  labels: some({ p: name, q: name, r: name }),
  boxes: some({ p: some({ a: number, b: number }), q: some({ a: number }), r: some({}) }),
  list: tags,
  set: tags,
  one: keyed('name', false),
  two: keyed('id', true),
  any: some({ x: some({ y: number, z: tags }), w: number }),
  kept: some({ a: number, in: some({ b: number, c: number }), d: tags }),
  either: (random) => (random.chance(0.5) ? 5 : 'x'),
});

const labels = some({ a: name, b: name });
const state = (random: Random) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'a', ...(random.chance(0.3) && { labels: labels(random) }) },
  ...(random.chance(0.95) && { spec: spec(random) }),
});

/** The second state keeps about half of what the first has at its top. */
export function applyQuestion(random: Random): string {
  const old = state(random);
  const fresh = state(random);
  const kept = Object.entries((old.spec ?? {}) as object).filter(() => random.chance(0.5));
  const obj = { ...fresh, ...(fresh.spec && { spec: { ...(fresh.spec as object), ...Object.fromEntries(kept) } }) };
  return encodeExact({ op: 'http', crd, old, obj, apply: true });
}
