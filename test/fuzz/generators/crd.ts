// biome-ignore-all lint/suspicious/noAssignInExpressions: a table of one-line changes reads best
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

export type Json = null | boolean | number | string | bigint | Json[] | { [key: string]: Json };
export type Members = { [key: string]: Json };

const names = [
  'a',
  'b',
  'name',
  'metadata',
  'kind',
  'apiVersion',
  'x-y',
  'namespace',
  'status',
  'spec',
  'generateName',
  'é',
  'a.b',
  '1x',
];
const texts = [
  '',
  'a',
  'B',
  'hello world',
  'a\nb',
  '<&>',
  'é',
  '"',
  '-',
  'a'.repeat(64),
  'https://x.y/z',
  '2020-01-02',
  '1h',
  '\u0007',
];
const numbers = [0, 1, -1, 2, 0.5, 1.5, 1e3, 1e21, -0.25, 3.0, 100000000000];
const integers = [0, 1, 2, 5, 10, 100, -1, 1000000];
const formats = [
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'date',
  'date-time',
  'duration',
  'uuid',
  'ipv4',
  'email',
  'hostname',
  'Date',
  'int16',
  'k8s-short-name',
  'uri',
  'cidr',
  'binary',
];
const patterns = ['^a+$', '[a-z', '(?=x)', 'a{2,1}', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '\\d+', 'x{1001}'];
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'];
const rules = [
  'true',
  'self',
  'self == self',
  'self > 0',
  'size(self) < 10',
  "self.startsWith('a')",
  'self == oldSelf',
  'has(self.a)',
  'self.all(x, x > 0)',
  'self.exists(x, x == self[0])',
  'self.a == self.b',
  'self.',
  "self.matches('[')",
  "int('x') == 1",
  "self.contains('a')",
  'self.all(x, self.all(y, x == y))',
  'oldSelf.hasValue() || self == oldSelf.value()',
  'self.a.b',
  '1',
  'self.map(x, x).size() > 0',
  'self.metadata.name == self.kind',
  'self.foo',
  ' ',
  '',
  'a\nb',
  'self in [1,2]',
  "self.lowerAscii() == 'a'",
  'quantity(self).isGreaterThan(quantity("1"))',
  'duration("1h") > self',
  "'a' in self",
];
const fieldPaths = [
  '.a',
  '.b',
  '.a.b',
  "['a']",
  '.metadata',
  'a',
  '.',
  '.a[0]',
  ' ',
  '.zzz',
  "['x-y']",
  '.a\n',
  "['a",
  "['a']x",
];

export function json(random: Random, depth = 2): Json {
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(numbers);
    case 3:
      return BigInt(random.pick(integers));
    case 4:
      return random.pick(texts);
    case 5:
      return random.pick(['a', 'b', 'x']);
    case 6:
      return Array.from({ length: random.below(3) }, () => json(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [random.pick(names), json(random, depth - 1)]),
      );
  }
}

/** A value that more or less fits a schema. */
function fitting(random: Random, schema: Members, depth = 3): Json {
  if (random.chance(0.08) || depth === 0) return json(random, 1);
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && random.chance(0.7)) return random.pick(schema.enum);
  switch (schema.type) {
    case 'string':
      return random.pick(texts);
    case 'integer':
      return BigInt(random.pick(integers));
    case 'number':
      return random.pick(numbers);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: random.below(3) }, () => fitting(random, members(schema.items), depth - 1));
    case 'object':
      return fittingObject(random, schema, depth);
    default:
      return json(random, 1);
  }
}

export function members(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function fittingObject(random: Random, schema: Members, depth: number): Json {
  const out: Members = {};
  for (const [key, property] of Object.entries(members(schema.properties))) {
    if (random.chance(0.7)) out[key] = fitting(random, members(property), depth - 1);
  }
  if (schema.additionalProperties !== undefined)
    out[random.pick(names)] = fitting(random, members(schema.additionalProperties), depth - 1);
  if (schema['x-kubernetes-embedded-resource'] === true && random.chance(0.8)) {
    out.apiVersion = random.pick(['v1', 'a/b', 'a/b/c', '']);
    out.kind = random.pick(['Pod', 'pod', 'A_B', '']);
    if (random.chance(0.5))
      out.metadata = random.pick<Json>([
        { name: 'x' },
        { name: 'a/b' },
        { labels: { a: 1n } },
        { labels: { '-': 'b' } },
        { foo: 1n },
        'x',
        null,
      ]);
  }
  return out;
}

function rule(random: Random): Json {
  const out: Members = { rule: random.pick(rules) };
  if (random.chance(0.3)) out.message = random.pick(['no', '', ' ', 'a\nb', 'must be <x>']);
  if (random.chance(0.2))
    out.messageExpression = random.pick(["'x'", 'self', ' ', '1', "'a' + string(self)", "'x' + self.a"]);
  if (random.chance(0.15))
    out.reason = random.pick([
      'FieldValueInvalid',
      'FieldValueRequired',
      'FieldValueForbidden',
      'FieldValueDuplicate',
      'Other',
      '',
    ]);
  if (random.chance(0.15)) out.fieldPath = random.pick(fieldPaths);
  if (random.chance(0.1)) out.optionalOldSelf = random.chance(0.7);
  return out;
}

/** One keyword, set on a schema. */
const keywords: readonly ((random: Random, schema: Members, depth: number) => void)[] = [
  (r, s) => void (s.type = r.pick([...types, 'null', 'foo', ''])),
  (r, s) => void (s.format = r.pick(formats)),
  (r, s) => void (s.title = r.pick(texts)),
  (r, s) => void (s.description = r.pick(texts)),
  (r, s) => void (s.nullable = r.chance(0.8)),
  (r, s) => void (s.default = fitting(r, s)),
  (r, s) => void (s.default = fitting(r, s)),
  (r, s) => void (s.example = json(r)),
  (r, s) =>
    void (s.enum = Array.from({ length: r.below(4) }, () =>
      r.chance(0.6) ? fitting(r, { ...s, enum: [] }) : json(r, 1),
    )),
  (r, s) => void (s.pattern = r.pick(patterns)),
  (r, s) => void (s.maxLength = BigInt(r.pick(integers))),
  (r, s) => void (s.minLength = BigInt(r.pick(integers))),
  (r, s) => void (s.maxItems = BigInt(r.pick(integers))),
  (r, s) => void (s.minItems = BigInt(r.pick(integers))),
  (r, s) => void (s.maxProperties = BigInt(r.pick(integers))),
  (r, s) => void (s.minProperties = BigInt(r.pick(integers))),
  (r, s) => void (s.maximum = r.pick(numbers)),
  (r, s) => void (s.minimum = r.pick(numbers)),
  (r, s) => void (s.exclusiveMaximum = r.chance(0.7)),
  (r, s) => void (s.exclusiveMinimum = r.chance(0.7)),
  (r, s) => void (s.multipleOf = r.pick(numbers)),
  (r, s) => void (s.uniqueItems = r.chance(0.5)),
  (r, s) => void (s.required = Array.from({ length: r.below(3) }, () => r.pick(names))),
  (r, s, d) =>
    void (s.items = r.chance(0.85) ? schema(r, d - 1) : r.pick<Json>([[], [{}], [{ type: 'string' }], 5n, null])),
  (r, s, d) => void (s.additionalProperties = r.chance(0.7) ? schema(r, d - 1) : r.pick<Json>([true, false, null, 5n])),
  (r, s, d) => void (s.properties = properties(r, d - 1)),
  (r, s, d) => void (s.allOf = junctor(r, d)),
  (r, s, d) => void (s.anyOf = junctor(r, d)),
  (r, s, d) => void (s.oneOf = junctor(r, d)),
  (r, s, d) => void (s.not = branch(r, d - 1)),
  (r, s) =>
    void (s.anyOf = r.pick<Json>([
      [{ type: 'integer' }, { type: 'string' }],
      [{ type: 'string' }, { type: 'integer' }],
      [
        { type: 'integer', enum: [] },
        { type: 'string', required: [] },
      ],
    ])),
  (r, s) => void (s['x-kubernetes-preserve-unknown-fields'] = r.chance(0.85)),
  (r, s) => void (s['x-kubernetes-embedded-resource'] = r.chance(0.85)),
  (r, s) => void (s['x-kubernetes-int-or-string'] = r.chance(0.85)),
  (r, s) => void (s['x-kubernetes-list-type'] = r.pick(['set', 'map', 'atomic', 'foo', ''])),
  (r, s) => void (s['x-kubernetes-map-type'] = r.pick(['atomic', 'granular', 'foo'])),
  (r, s) => void (s['x-kubernetes-list-map-keys'] = Array.from({ length: r.below(3) }, () => r.pick(names))),
  (r, s) => void (s['x-kubernetes-validations'] = Array.from({ length: 1 + r.below(2) }, () => rule(r))),
  (r, s) => void (s['x-kubernetes-validations'] = Array.from({ length: 1 + r.below(2) }, () => rule(r))),
  (r, s, d) =>
    void (s[r.pick(['definitions', 'patternProperties', 'dependencies'])] = r.chance(0.3) ? {} : properties(r, d - 1)),
  (r, s) => void (s[r.pick(['$ref', 'id', '$schema'])] = r.pick(['', '#/x'])),
  (r, s, d) => void (s.additionalItems = r.chance(0.5) ? schema(r, d - 1) : r.chance(0.5)),
  (r, s) => void (s.externalDocs = r.pick<Json>([{ url: 'x' }, {}, { foo: 1n }])),
  (r, s) => void (s[r.pick(['foo', 'Type', 'x-kubernetes-foo'])] = json(r, 1)),
  (r, s) => void (s[r.pick(Object.keys(s).concat('maxLength'))] = json(r, 1)),
];

function junctor(random: Random, depth: number): Json {
  return Array.from({ length: random.below(3) }, () => branch(random, depth - 1));
}

/** A schema as junctors may hold it, mostly. */
function branch(random: Random, depth: number): Members {
  const out: Members = {};
  for (let i = random.below(3); i > 0; i--) {
    if (depth > 0 && random.chance(0.3))
      out.properties = Object.fromEntries([[random.pick(names), branch(random, depth - 1)]]);
    else random.pick(keywords)(random, out, depth);
  }
  return out;
}

function properties(random: Random, depth: number): Members {
  const out: Members = {};
  for (let i = random.below(4); i > 0; i--) out[random.pick(names)] = schema(random, depth);
  return out;
}

/** A schema that is right, but for what a few random keywords do to it. */
export function schema(random: Random, depth: number): Members {
  const out: Members = { type: random.pick(depth > 0 ? types : types.slice(0, 4)) };
  if (out.type === 'array') out.items = schema(random, depth - 1);
  if (out.type === 'object') {
    const kind = random.below(10);
    if (kind < 7) out.properties = properties(random, depth - 1);
    else if (kind < 9) out.additionalProperties = schema(random, depth - 1);
  }
  if (random.chance(0.35)) random.pick(gentle)(random, out, depth);
  if (random.chance(0.08)) random.pick(keywords)(random, out, depth);
  return out;
}

/** Keywords that usually keep a schema valid. */
const gentle: readonly ((random: Random, schema: Members, depth: number) => void)[] = [
  (r, s) => void (s.default = fitting(r, s)),
  (_, s) => void (s.nullable = true),
  (r, s) => void (s.format = r.pick(formats)),
  (r, s) => void (s.enum = [fitting(r, s), fitting(r, s)]),
  (r, s) => void (s.maxLength = BigInt(r.pick(integers))),
  (r, s) => void (s.minimum = r.pick(numbers)),
  (r, s) => void (s.maximum = r.pick(numbers)),
  (r, s) => void (s.maxItems = BigInt(r.pick(integers))),
  (r, s) => void (s.maxProperties = BigInt(r.pick(integers))),
  (r, s) => void (s['x-kubernetes-validations'] = [rule(r)]),
  (_, s) => {
    if (s.type !== 'object') return;
    s['x-kubernetes-embedded-resource'] = true;
    s['x-kubernetes-preserve-unknown-fields'] = true;
    delete s.additionalProperties;
  },
  (_, s) => {
    delete s.type;
    delete s.items;
    s['x-kubernetes-int-or-string'] = true;
  },
  (r, s) => {
    if (s.type === 'array') s['x-kubernetes-list-type'] = r.pick(['atomic', 'set']);
  },
  (r, s) => {
    if (s.type !== 'array') return;
    const keys = [r.pick(names)];
    s['x-kubernetes-list-type'] = 'map';
    s['x-kubernetes-list-map-keys'] = keys;
    s.items = { type: 'object', properties: { [keys[0]!]: schema(r, 0), ...properties(r, 0) }, required: keys };
  },
];

export function rootSchema(random: Random): Members {
  const out: Members = { type: 'object', properties: properties(random, 3) };
  if (random.chance(0.6)) members(out.properties).spec = schema(random, 3);
  for (let i = random.chance(0.5) ? 1 : 0; i > 0; i--) random.pick(keywords)(random, pickNode(random, out), 2);
  return out;
}

/** Some schema below a root, or the root. */
export function pickNode(random: Random, root: Members): Members {
  let at = root;
  for (;;) {
    const below = [...Object.values(members(at.properties)), at.items, at.additionalProperties].filter(
      (child): child is Members => typeof child === 'object' && child !== null && !Array.isArray(child),
    );
    if (below.length === 0 || random.chance(0.3)) return at;
    at = random.pick(below);
  }
}

export function column(random: Random): Json {
  return {
    name: random.pick(['A', '']),
    type: random.pick(['string', 'date', 'integer', 'foo', '']),
    jsonPath: random.pick(['.spec.a', 'x', '', '.']),
    ...(random.chance(0.3) && { format: random.pick(['date', 'foo']) }),
  };
}

function version(random: Random, i: number): Members {
  const out: Members = {
    name: `v${i + 1}`,
    served: true,
    storage: i === 0,
    schema: { openAPIV3Schema: rootSchema(random) },
  };
  if (random.chance(0.2))
    out.subresources = random.pick<Json>([
      { status: {} },
      {},
      { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
      { scale: { specReplicasPath: 'x', statusReplicasPath: '', labelSelectorPath: '.foo' } },
      { status: null },
    ]);
  if (random.chance(0.15)) out.additionalPrinterColumns = [column(random)];
  if (random.chance(0.15))
    out.selectableFields = Array.from({ length: 1 + random.below(10) }, () => ({
      jsonPath: random.pick([
        '.a',
        '.spec',
        '.spec.a',
        '.b',
        '.metadata.name',
        'x',
        '.',
        '',
        '.status',
        '.kind',
        '.name',
        '.x-y',
        '.namespace',
        '.spec.b',
        "['a']",
      ]),
    }));
  if (random.chance(0.1)) out.deprecated = true;
  if (random.chance(0.1)) out.deprecationWarning = random.pick(['old', '', 'x\u0001', 'y'.repeat(300)]);
  return out;
}

const webhook: Json = {
  conversionReviewVersions: ['v1'],
  clientConfig: { service: { name: 'a', namespace: 'b', path: '/c' } },
};

export function conversion(random: Random): Json {
  const config = random.pick<Json>([
    {
      url: random.pick([
        'https://a.b/c',
        'http://a',
        'https://',
        'https://u:p@a/#f',
        'https://a?b',
        ':',
        '%zz',
        'https://a:b',
        'https://[::1]/',
        'https://a b/',
        '/x',
      ]),
    },
    {
      service: {
        name: random.pick(['a', '']),
        namespace: random.pick(['b', '']),
        path: random.pick(['/', '//', 'x', '/a//b', '/A', '/a/']),
        port: BigInt(random.pick([443, 0, 70000, -1])),
      },
    },
    {},
    { url: 'https://a', service: { name: 'a', namespace: 'b' } },
    null,
    { service: { name: 'a', namespace: 'b' }, caBundle: random.pick(['YQ==', 'x', 'YQ', 'Y Q==', 5n]) },
  ]);
  return {
    strategy: random.pick(['Webhook', 'Webhook', 'None', '', 'Foo']),
    ...(random.chance(0.9) && {
      webhook: {
        conversionReviewVersions: random.pick<Json>([['v1'], ['v1', 'v1'], ['v2'], [], ['V1', 'v1beta1'], null]),
        clientConfig: config,
      },
    }),
  };
}

function baseCrd(random: Random): Members {
  const versions = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, (_, i) => version(random, i));
  if (versions.length > 1 && random.chance(0.4)) for (const item of versions) item.schema = versions[0]!.schema!;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions,
      ...(random.chance(0.05) && { conversion: conversion(random) }),
    },
  };
}

const spec = (crd: Members) => members(crd.spec);
const odd = ['', 'A', 'a.b', 'a'.repeat(64), '-', 'ok', 'A_b', 'Widget', 'é', 'a'.repeat(254)];

/** Changes outside the schemas. */
const changes: readonly ((random: Random, crd: Members) => void)[] = [
  (r, c) =>
    void (spec(c).group = r.pick(['', 'com', 'A.b', 'foo.k8s.io', 'k8s.io', 'x.kubernetes.io', 'a'.repeat(260)])),
  (r, c) => void (spec(c).scope = r.pick(['', 'Cluster', 'namespaced'])),
  (r, c) => void (members(spec(c).names)[r.pick(['plural', 'singular', 'kind', 'listKind'])] = r.pick(odd)),
  (r, c) =>
    void (members(spec(c).names)[r.pick(['shortNames', 'categories'])] = Array.from({ length: r.below(3) }, () =>
      r.pick(odd),
    )),
  (r, c) => void (spec(c).conversion = conversion(r)),
  (_, c) => void (spec(c).conversion = { strategy: 'Webhook', webhook }),
  (r, c) => void (spec(c).preserveUnknownFields = r.chance(0.8)),
  (r, c) =>
    void (members(versionsOf(c)[0])[r.pick(['name', 'served', 'storage', 'schema', 'subresources'])] = r.pick<Json>([
      'V1',
      true,
      false,
      null,
      {},
      'x',
      { openAPIV3Schema: null },
    ])),
  (_, c) => {
    for (const item of versionsOf(c)) members(item).storage = true;
  },
  (_, c) => {
    for (const item of versionsOf(c)) members(item).name = 'v1';
  },
  (r, c) => void (spec(c).versions = r.pick<Json>([[], null, {}, [{}]])),
  (r, c) => void (c.metadata = metadata(r)),
  (r, c) =>
    void (members(c.metadata).annotations = {
      'api-approved.kubernetes.io': r.pick(['unapproved, x', 'https://a.b/c', 'foo', '', '/x']),
    }),
  (r, c) =>
    void (c.status = r.pick<Json>([
      { storedVersions: ['v1', 'v9'] },
      { conditions: [{ type: 'X', status: 'True', lastTransitionTime: 'x' }] },
      { acceptedNames: { plural: 'A' } },
      null,
    ])),
  (r, c) => void (c[r.pick(['kind', 'apiVersion', 'Kind', 'foo'])] = r.pick<Json>(['Foo', 'v1', 'a/b/c', 5n, null])),
  (r, c) => void (anywhere(r, c)[r.pick(names)] = json(r, 1)),
  (r, c) => {
    const at = anywhere(r, c);
    const key = r.pick(Object.keys(at).concat('x'));
    at[key] = json(r, 1);
  },
  (r, c) => {
    const at = anywhere(r, c);
    const keys = Object.keys(at);
    if (keys.length > 0) delete at[r.pick(keys)];
  },
];

function versionsOf(crd: Members): Json[] {
  const { versions } = spec(crd);
  return Array.isArray(versions) ? versions : [];
}

function metadata(random: Random): Json {
  const out: Members = { name: 'widgets.example.com' };
  const set = (key: string, value: Json) => {
    out[key] = value;
  };
  for (let i = 1 + random.below(2); i > 0; i--) {
    random.pick([
      () => set('name', random.pick(odd)),
      () => set('generateName', random.pick(['widgets-', 'A-', 'a', '-'])),
      () => set('namespace', random.pick(['x', 'A'])),
      () =>
        set('labels', {
          [random.pick(['a', '-', 'a/b', 'A/b', '/b', 'a/b/c', 'x'.repeat(70), ''])]: random.pick([
            'v',
            '-',
            'x'.repeat(70),
            '',
          ]),
        }),
      () => set('annotations', { [random.pick(['a', '-', 'A/b', 'a/b/c'])]: random.pick(['v', 'x'.repeat(270000)]) }),
      () =>
        set('finalizers', [
          random.pick(['a/b', '-', 'orphan', 'foregroundDeletion', 'x']),
          random.pick(['orphan', 'foregroundDeletion']),
        ]),
      () => set('ownerReferences', [owner(random), owner(random)]),
      () =>
        set('managedFields', [
          {
            operation: random.pick(['Apply', 'Update', 'X', '']),
            manager: random.pick(['m', 'x\u0001', 'x'.repeat(130)]),
            fieldsType: random.pick(['FieldsV1', 'x']),
            subresource: 'x'.repeat(random.pick([1, 300])),
            fieldsV1: {},
          },
        ]),
      () =>
        set(
          'creationTimestamp',
          random.pick<Json>([
            '2020-01-02T03:04:05Z',
            'x',
            null,
            5n,
            '2020-13-02T03:04:05Z',
            '2020-01-02T03:04:05.5+01:00',
          ]),
        ),
      () => set('deletionTimestamp', random.pick<Json>(['2020-01-02T03:04:05Z', '2020-01-02', null])),
      () => set('generation', random.pick<Json>([5n, -1n, 1.5, 'x'])),
      () =>
        set(
          random.pick(['uid', 'resourceVersion', 'selfLink', 'foo', 'deletionGracePeriodSeconds']),
          random.pick<Json>(['x', 5n, null]),
        ),
    ])();
  }
  return out;
}

function owner(random: Random): Json {
  return {
    apiVersion: random.pick(['v1', 'a/b', '', 'a/b/c', 'a/']),
    kind: random.pick(['Event', 'Pod', '']),
    name: random.pick(['x', '']),
    uid: random.pick(['x', '']),
    ...(random.chance(0.6) && { controller: random.chance(0.8) }),
  };
}

/** Some object of a CRD. */
function anywhere(random: Random, crd: Members): Members {
  let at = crd;
  for (;;) {
    const below = Object.values(at)
      .flatMap((child) => (Array.isArray(child) ? child : [child]))
      .filter((child): child is Members => typeof child === 'object' && child !== null && !Array.isArray(child));
    if (below.length === 0 || random.chance(0.15)) return at;
    at = random.pick(below);
  }
}

/** Duplicate keys exist only in text, so a few CRDs go out as text with one key written twice. */
function duplicated(random: Random, crd: Members): unknown {
  const text = JSON.stringify(crd, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  const members = [...text.matchAll(/"([A-Za-z]+)":(?=[^,{}[\]]+[,}])/g)];
  if (members.length === 0) return crd;
  const match = random.pick(members);
  return {
    rawJson: `${text.slice(0, match.index)}${match[0]}${random.pick(['null', '"x"', '1', 'true', '{}'])},${text.slice(match.index)}`,
  };
}

function newCrd(random: Random): Members {
  const crd = baseCrd(random);
  for (let i = random.chance(0.35) ? 1 + random.below(2) : 0; i > 0; i--) random.pick(changes)(random, crd);
  return crd;
}

function clone(value: Json): Json {
  if (Array.isArray(value)) return value.map(clone);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item)]));
}

export const crdCreateGenerator: Generator = {
  name: 'crd.create',
  generate(random): Ask {
    const crd = newCrd(random);
    return { op: 'crd.create', crd: random.chance(0.04) ? duplicated(random, crd) : crd };
  },
  explain: explainRandomOrder,
};

/** The old object, changed a little; often the change is what the old one got wrong already. */
function changed(random: Random, old: Members): Members {
  const crd = clone(old) as Members;
  for (let i = random.below(3); i > 0; i--) {
    const roots = versionsOf(crd).map((item) => members(members(members(item).schema).openAPIV3Schema));
    if (random.chance(0.5) && roots.length > 0) random.pick(keywords)(random, pickNode(random, random.pick(roots)), 2);
    else random.pick(changes)(random, crd);
  }
  if (random.chance(0.1)) spec(crd).versions = [version(random, 1), ...versionsOf(crd)];
  return crd;
}

export const crdUpdateGenerator: Generator = {
  name: 'crd.update',
  generate(random): Ask {
    const old = newCrd(random);
    return {
      op: 'crd.update',
      old,
      crd: changed(random, old),
      ...(random.chance(0.2) && { notEstablished: true }),
    };
  },
  explain: explainRandomOrder,
};

const tie = /contributed to estimated rule cost total/;
const firstOf = /OpenAPIV3Schema '|internal error: 'x-kubernetes-preserve/;

const evaluated =
  /program instantiation failed|messageExpression instantiation failed|rule compile|failed rule: |evaluating rule|for rule: |\.default[^"]*","message":"[^"]*(?:rule compiler|must be <x>)/;
const dropped = /only ours .*x-kubernetes-validations|^\.warnings: /;

/** Go walks maps in random order: which of several ends something is chance. Rules that judge defaults are to come. */
function explainRandomOrder(_: Ask, rows: readonly string[]): string | undefined {
  if (rows.some((row) => evaluated.test(row)) && rows.every((row) => evaluated.test(row) || dropped.test(row))) {
    return 'differs in the evaluation of rules';
  }
  if (rows.every((row) => tie.test(row))) return 'differs in which of equally expensive rules are named';
  if (rows.every((row) => firstOf.test(row))) return 'differs in which unsupported keyword is named first';
  return undefined;
}
