// biome-ignore-all lint/suspicious/noAssignInExpressions: a table of one-line changes reads best
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

type Json = null | boolean | number | string | bigint | Json[] | { [key: string]: Json };
type Members = { [key: string]: Json };
type Change = (random: Random, target: Members) => void;

// CRDs are made as controller-gen makes them, so that nearly all of them are served.

const fieldNames = [
  'name',
  'replicas',
  'image',
  'ports',
  'labels',
  'mode',
  'template',
  'size',
  'config',
  'a.b',
  'x-y',
  'é',
  'kind',
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
  'a'.repeat(64),
  'https://x.y/z',
  '2020-01-02',
  '2020-01-02T03:04:05Z',
  '1h',
  '10.0.0.1',
  'fd00::1',
  '10.0.0.0/8',
  'a@b.c',
  'YWJj',
  'x y',
  '#fff',
  '5',
];
const integers = [0n, 1n, 2n, 3n, 5n, 10n, -1n, 65n, 2147483648n, 9007199254740993n];
const floats = [0.5, 1.5, 2.0, -0.25, 1e3, 1e21, 3.4e39, 1.0000000001];
const formats = [
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'date',
  'date-time',
  'datetime',
  'duration',
  'uuid',
  'uuid4',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'email',
  'hostname',
  'uri',
  'password',
  'hexcolor',
  'k8s-short-name',
  'k8s-long-name',
  'isbn',
  'Date',
  'binary',
];
const patterns = ['^a+$', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '\\d+', '(?i)^B', '^https?://'];

function scalar(random: Random): Members {
  const type = random.pick(['string', 'string', 'integer', 'number', 'boolean']);
  const out: Members = { type };
  while (random.chance(0.4)) random.pick(scalarKeywords)(random, out);
  return out;
}

const scalarKeywords: readonly Change[] = [
  (r, s) => void (s.format = r.pick(formats)),
  (r, s) => void (s.enum = [fitting(r, s, 0), fitting(r, s, 0)]),
  (r, s) => void (s.default = fitting(r, s, 0)),
  (_, s) => void (s.nullable = true),
  (r, s) => void (s.maxLength = r.pick([0n, 1n, 3n, 63n])),
  (r, s) => void (s.minLength = r.pick([1n, 2n, 5n])),
  (r, s) => void (s.pattern = r.pick(patterns)),
  (r, s) => {
    s.minimum = r.pick<Json>([0n, 1n, 0.5, -3n]);
    if (r.chance(0.3)) s.exclusiveMinimum = true;
  },
  (r, s) => {
    s.maximum = r.pick<Json>([3n, 10n, 2.5, 1e10]);
    if (r.chance(0.3)) s.exclusiveMaximum = true;
  },
  (r, s) => void (s.multipleOf = r.pick<Json>([1n, 2n, 0.5, 2.5])),
];

function list(random: Random, depth: number): Members {
  const out: Members = { type: 'array', items: schema(random, depth - 1) };
  const kind = random.below(6);
  if (kind === 0) Object.assign(out, { items: scalar(random), 'x-kubernetes-list-type': 'set' });
  if (kind === 1 || kind === 2) Object.assign(out, mapList(random, depth));
  if (random.chance(0.2)) out.maxItems = random.pick([0n, 1n, 2n]);
  if (random.chance(0.15)) out.minItems = random.pick([1n, 2n]);
  return out;
}

function mapList(random: Random, depth: number): Members {
  const keys = random.chance(0.6) ? ['name'] : ['name', 'port'];
  const item = object(random, depth - 1);
  const properties = members(item.properties);
  properties.name = { type: random.pick(['string', 'integer']) };
  if (keys.length > 1) properties.port = random.pick<Json>([{ type: 'integer', default: 80n }, { type: 'number' }]);
  const required = keys.filter((name) => members(properties[name]).default === undefined);
  const items = { type: 'object', properties, required };
  return { items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

function object(random: Random, depth: number): Members {
  const properties: Members = {};
  for (let i = 1 + random.below(4); i > 0; i--) properties[random.pick(fieldNames)] = schema(random, depth - 1);
  const out: Members = { type: 'object', properties };
  if (random.chance(0.3)) out.required = [random.pick(Object.keys(properties))];
  if (random.chance(0.1)) out.maxProperties = random.pick([1n, 2n]);
  if (random.chance(0.1)) out.minProperties = random.pick([1n, 2n]);
  if (random.chance(0.1)) out['x-kubernetes-preserve-unknown-fields'] = true;
  if (random.chance(0.1)) out['x-kubernetes-map-type'] = random.pick(['atomic', 'granular']);
  if (random.chance(0.15)) out.default = {};
  if (random.chance(0.2)) random.pick(junctors)(random, out);
  return out;
}

const junctors: readonly Change[] = [
  (_, s) => void (s.oneOf = Object.keys(members(s.properties)).map((name) => ({ required: [name] }))),
  (r, s) => void (s.anyOf = Object.keys(members(s.properties)).map((name) => branch(r, s, name))),
  (r, s) => void (s.allOf = Object.keys(members(s.properties)).map((name) => branch(r, s, name))),
  (r, s) => void (s.not = branch(r, s, r.pick(Object.keys(members(s.properties))))),
];

function branch(random: Random, schema: Members, name: string): Members {
  const value = members(members(schema.properties)[name]);
  if (random.chance(0.3)) return { required: [name] };
  const inner: Members = random.pick<Members>([
    { enum: [fitting(random, value, 1)] },
    { minLength: 2n },
    { maximum: 2n },
    { pattern: '^a' },
    { minItems: 1n },
    { not: { enum: [fitting(random, value, 1)] } },
  ]);
  return { properties: { [name]: inner }, ...(random.chance(0.3) && { required: [name] }) };
}

function valueMap(random: Random, depth: number): Members {
  const out: Members = { type: 'object', additionalProperties: random.chance(0.9) ? schema(random, depth - 1) : true };
  if (random.chance(0.2)) out.maxProperties = random.pick([0n, 1n]);
  return out;
}

function embedded(random: Random): Members {
  const out: Members = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  if (random.chance(0.4))
    out.properties = {
      spec: { type: 'object' },
      ...(random.chance(0.5) && { kind: { type: 'string', enum: ['Pod'] } }),
    };
  return out;
}

function schema(random: Random, depth: number): Members {
  const kind = depth <= 0 ? 0 : random.below(14);
  const out =
    kind < 5
      ? scalar(random)
      : kind < 7
        ? list(random, depth)
        : kind < 10
          ? object(random, depth)
          : kind < 11
            ? valueMap(random, depth)
            : kind < 12
              ? {
                  'x-kubernetes-int-or-string': true,
                  ...(random.chance(0.3) && { maxLength: 2n }),
                  ...(random.chance(0.3) && { maximum: 5n }),
                }
              : kind < 13
                ? embedded(random)
                : { 'x-kubernetes-preserve-unknown-fields': true };
  if (random.chance(0.1)) (out as Members).nullable = true;
  if (random.chance(0.12)) addRules(random, out as Members);
  return out as Members;
}

const rulesOf: Readonly<Record<string, readonly string[]>> = {
  string: [
    'self.size() < 3',
    "self.startsWith('a')",
    'self == oldSelf',
    "self != ''",
    "self.matches('^[a-z]*$')",
    'int(self) > 3',
    "self in ['a', 'B', '5']",
    'oldSelf.hasValue() || self.size() > 1',
    "self.lowerAscii() == self || self.indexOf('x') >= 0",
    "self.split('.').all(x, int(x) < 256)",
    "self.substring(1) != self.replace('a', 'b')",
    "quantity(self).isGreaterThan(quantity('1'))",
    "url(self).getScheme() == 'https'",
    'isIP(self) && ip(self).family() == 4',
    "cidr(self).containsIP('10.0.0.1')",
    "self.find('[0-9]+') != ''",
    "'%s!'.format([self]).size() > 3",
    "duration(self) > duration('30m')",
  ],
  integer: ['self > 1', 'self >= oldSelf', '10 / self > 1', 'self % 2 == 0', 'self * 4611686018427387904 > 0'],
  number: ['self > 1.0', 'self == oldSelf', 'int(self) > 0'],
  boolean: ['self', '!self || oldSelf', 'self == oldSelf.orValue(true)'],
  array: [
    'size(self) < 2',
    'self.all(x, x == self[0])',
    'self[0] == self[1]',
    'self == oldSelf',
    'self.exists_one(x, x == x)',
  ],
  map: ['self.all(k, k.size() < 5)', "'name' in self", 'self == oldSelf', "self['name'] == self['image']"],
  object: ['self == oldSelf', 'self == self', 'false', 'oldSelf.hasValue()'],
  mixed: ['self == 5', 'type(self) == int ? self < 5 : self.size() < 2', 'self > 1', 'self == oldSelf'],
};

const rootRules = [
  "self.metadata.name.startsWith('a')",
  'has(self.spec)',
  'self.spec == oldSelf.spec',
  "self.kind == 'Widget' && self.apiVersion.endsWith('v1')",
  'self.metadata.generateName.size() > 1',
  'false',
];

function addRules(random: Random, schema: Members): void {
  const rules = Array.from({ length: 1 + random.below(2) }, () => rule(random, schema));
  schema['x-kubernetes-validations'] = rules;
}

function rule(random: Random, schema: Members): Members {
  const out: Members = { rule: random.chance(0.1) ? 'true' : ruleText(random, schema) };
  if (String(out.rule).includes('oldSelf.')) out.optionalOldSelf = random.chance(0.9);
  else if (random.chance(0.05)) out.optionalOldSelf = true;
  if (random.chance(0.4)) out.message = random.pick(['must be <x>', ' spaced ', 'é "q"']);
  if (random.chance(0.2))
    out.messageExpression = random.pick(["'no ' + string(type(self) == int)", "''", "'a' + 'b'", 'string(1 / 0)']);
  if (random.chance(0.25))
    out.reason = random.pick(['FieldValueInvalid', 'FieldValueRequired', 'FieldValueForbidden', 'FieldValueDuplicate']);
  const fields = Object.keys(members(schema.properties)).filter((name) => /^[a-z]+$/.test(name));
  if (fields.length > 0 && random.chance(0.3)) out.fieldPath = `.${random.pick(fields)}`;
  return out;
}

function ruleText(random: Random, schema: Members): string {
  if (schema['x-kubernetes-int-or-string'] === true) return random.pick(rulesOf.mixed!);
  if (schema.type === 'object' && schema.additionalProperties !== undefined) return random.pick(rulesOf.map!);
  const fields = Object.keys(members(schema.properties)).filter((name) => /^[a-z]+$/.test(name));
  if (fields.length === 0 || random.chance(0.2)) return random.pick(rulesOf[String(schema.type)] ?? ['self == self']);
  const field = random.pick(fields);
  return random.pick([
    `has(self.${field})`,
    `!has(self.${field}) || self.${field} == self.${field}`,
    `self.${field} == oldSelf.${field}`,
    `!has(oldSelf.${field}) || has(self.${field})`,
    `self.${field} != null`,
  ]);
}

function crd(random: Random): Members {
  const properties: Members = { spec: object(random, 4) };
  if (random.chance(0.5)) properties.status = object(random, 3);
  if (random.chance(0.5)) Object.assign(properties, { apiVersion: { type: 'string' }, kind: { type: 'string' } });
  if (random.chance(0.4)) {
    const name = random.pick<Json>([
      { type: 'string', maxLength: 3n },
      { type: 'string', pattern: '^a' },
    ]);
    properties.metadata = random.chance(0.5) ? { type: 'object' } : { type: 'object', properties: { name } };
  }
  const root: Members = { type: 'object', properties };
  if (random.chance(0.3)) root.required = ['spec'];
  if (random.chance(0.15)) root['x-kubernetes-validations'] = [{ rule: random.pick(rootRules) }];
  const version: Members = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root } };
  if (random.chance(0.4)) version.subresources = { status: {}, ...(random.chance(0.5) && { scale: scale(random) }) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget', singular: 'widget', listKind: 'WidgetList' },
      scope: random.chance(0.8) ? 'Namespaced' : 'Cluster',
      versions: [version],
    },
  };
}

function scale(random: Random): Members {
  return {
    specReplicasPath: random.pick(['.spec.replicas', '.spec.config.size']),
    statusReplicasPath: random.pick(['.status.replicas', '.status.size']),
    ...(random.chance(0.5) && { labelSelectorPath: random.pick(['.status.labels', '.spec.name']) }),
  };
}

function members(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function anything(random: Random, depth = 2): Json {
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(floats);
    case 3:
      return random.pick(integers);
    case 4:
    case 5:
      return random.pick(texts);
    case 6:
      return Array.from({ length: random.below(3) }, () => anything(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [random.pick(fieldNames), anything(random, depth - 1)]),
      );
  }
}

/** A value that the schema takes, in the main. */
function fitting(random: Random, schema: Members, depth: number): Json {
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && random.chance(0.8)) return random.pick(schema.enum);
  if (schema.nullable === true && random.chance(0.15)) return null;
  if (schema['x-kubernetes-int-or-string'] === true)
    return random.chance(0.5) ? random.pick(integers) : random.pick(texts);
  switch (schema.type) {
    case 'string':
      return random.pick(texts);
    case 'integer':
      return random.chance(0.9) ? random.pick(integers.slice(0, 7)) : random.pick<Json>([...integers, ...floats]);
    case 'number':
      return random.pick<Json>([...integers, ...floats]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return Array.from({ length: random.below(4) }, () => fitting(random, members(schema.items), depth - 1));
    case 'object':
      return fittingObject(random, schema, depth);
    default:
      return anything(random, depth);
  }
}

function fittingObject(random: Random, schema: Members, depth: number): Members {
  const out: Members = {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const [name, property] of Object.entries(members(schema.properties))) {
    if (random.chance(required.includes(name) ? 0.97 : 0.7)) out[name] = fitting(random, members(property), depth - 1);
  }
  if (schema.additionalProperties !== undefined)
    for (let i = random.below(3); i > 0; i--)
      out[random.pick(fieldNames)] = fitting(random, members(schema.additionalProperties), depth - 1);
  if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(out, embeddedHead(random));
  return out;
}

function embeddedHead(random: Random): Members {
  const out: Members = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } };
  if (random.chance(0.15)) out.apiVersion = random.pick<Json>(['', 'a/b/c', 'a/b', 5n, null]);
  if (random.chance(0.15)) out.kind = random.pick<Json>(['', 'pod', 'A_B', 5n]);
  if (random.chance(0.1)) delete out[random.pick(['apiVersion', 'kind', 'metadata'])];
  if (random.chance(0.2)) out.metadata = metadata(random);
  return out;
}

const names = ['a', 'abc', 'A', 'a_b', 'a.b', '-', 'a'.repeat(254), '.', '..', 'a/b', 'a%', ''];

/** Metadata that can be decoded, right or wrong. */
const metadataChanges: readonly Change[] = [
  (r, m) => void (m.name = r.pick(names)),
  (r, m) => void (m.generateName = r.pick(['a-', 'A-', '', 'a'.repeat(260)])),
  (r, m) => void (m.namespace = r.pick(['default', 'other', 'A', 'a.b', ''])),
  (r, m) => void (m.labels = r.pick<Json>([{ a: 'b' }, { '-': 'b' }, { 'a/': '-' }, null, {}, { 'x/y/z': 'é' }])),
  (r, m) => void (m.annotations = r.pick<Json>([{ a: 'b' }, { A: 'x' }, { '': 'b' }, { 'é/a': '' }])),
  (r, m) => void (m.finalizers = r.pick<Json>(finalizers)),
  (r, m) => void (m.ownerReferences = r.pick<Json>(owners)),
  (r, m) => void (m.managedFields = r.pick<Json>(managers)),
  (r, m) => void (m.deletionTimestamp = r.pick<Json>(['2020-01-02T03:04:05Z', '2021-01-02T03:04:05+01:00', null])),
  (r, m) => void (m.deletionGracePeriodSeconds = r.pick<Json>([30n, 0n, 1.0, null])),
  (r, m) => void (m.creationTimestamp = r.pick<Json>(['2020-01-02T03:04:05Z', null])),
  (r, m) => void (m.generation = r.pick<Json>([-1n, 5n, 1e2])),
  (r, m) => void (m[r.pick(['uid', 'resourceVersion', 'selfLink'])] = r.pick<Json>(['x', ''])),
  (r, m) => void (m[r.pick(['foo', 'Name', 'clusterName'])] = r.pick<Json>(['x', null, { a: 1n }])),
];

const finalizers: Json[] = [['a'], ['example.com'], ['a/b'], ['-'], ['orphan', 'foregroundDeletion'], ['a', 'c/d'], []];
const owners: Json[] = [
  [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' }],
  [
    { apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'b', controller: true },
    { apiVersion: 'a/b/c', kind: '', controller: true },
  ],
  [{}],
  [{ foo: 1n, apiVersion: 'a/' }],
  null,
];
const managers: Json[] = [
  [{ operation: 'Apply', manager: 'a', fieldsType: 'FieldsV1' }],
  [{ operation: 'x', manager: 'a\u0001', fieldsType: 'y' }],
  [{ manager: 'a'.repeat(129), subresource: 'b'.repeat(257) }],
];

function metadata(random: Random): Members {
  const out: Members = { name: 'abc' };
  do random.pick(metadataChanges)(random, out);
  while (random.chance(0.3));
  return out;
}

function resource(random: Random, root: Members): Members {
  const out = {
    ...fittingObject(random, root, 4),
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'abc' },
  };
  return out;
}

/** A map or list below a value, with the key of something in it. */
function pick(random: Random, root: Json): [Members | Json[], string | number] | undefined {
  let found: [Members | Json[], string | number] | undefined;
  let at: Json | undefined = root;
  while (typeof at === 'object' && at !== null) {
    const keys: (string | number)[] = Array.isArray(at) ? at.map((_, i) => i) : Object.keys(at);
    if (keys.length === 0) break;
    const key = random.pick(keys);
    found = [at, key];
    at = (at as Members)[key];
    if (random.chance(0.2)) break;
  }
  return found;
}

function set(target: Members | Json[], key: string | number, value: Json): void {
  (target as Members)[key] = value;
}

type Mutation = (random: Random, object: Members) => void;

/** What leaves an object decodable. */
const mutations: readonly Mutation[] = [
  (r, o) => replace(r, o.spec, anything(r)),
  (r, o) => replace(r, o.status, anything(r)),
  (r, o) => replace(r, o.spec, anything(r, 1)),
  (r, o) => replace(r, o.spec, null),
  (r, o) => repeatOrRemove(r, o.spec),
  (r, o) => repeatOrRemove(r, o.spec),
  (r, o) => reorder(r, o.spec),
  (r, o) => add(r, o.spec),
  (r, o) => add(r, o.status),
  (r, o) => void (o.metadata = metadata(r)),
  (r, o) => void (o[r.pick(['spec', 'status', 'foo'])] = anything(r)),
  (r, o) => void delete o[r.pick(['spec', 'status'])],
];

function replace(random: Random, root: Json | undefined, value: Json): void {
  const at = pick(random, root ?? null);
  if (at) set(at[0], at[1], value);
}

function repeatOrRemove(random: Random, root: Json | undefined): void {
  const at = pick(random, root ?? null);
  if (!at) return;
  if (Array.isArray(at[0])) at[0].push(structuredClone(at[0][at[1] as number] ?? null));
  else delete at[0][at[1]];
}

function reorder(random: Random, root: Json | undefined): void {
  const at = pick(random, root ?? null);
  if (at && Array.isArray(at[0])) at[0].reverse();
}

function add(random: Random, root: Json | undefined): void {
  const at = pick(random, root ?? null);
  if (at && !Array.isArray(at[0])) at[0][random.pick(['foo', 'name', 'replicas', 'metadata'])] = anything(random, 1);
}

/** What may end decoding. */
const breaks: readonly Mutation[] = [
  (r, o) => replace(r, o, anything(r)),
  (r, o) => {
    o[r.pick(['apiVersion', 'kind'])] = r.pick<Json>(['example.com/v2', 'a/b/c', 'Foo', '', 5n, null]);
  },
  (r, o) => void (o.metadata = anything(r, 1)),
  (r, o) => replace(r, o.metadata, anything(r, 1)),
  (r, o) => {
    const inner = metadata(r);
    replace(r, inner, anything(r, 1));
    o.metadata = inner;
  },
  (r, o) => void (members(o.metadata).creationTimestamp = r.pick<Json>([5n, 'x', '2020-01-02'])),
];

function mutate(random: Random, object: Members, mayBreak: boolean): void {
  for (let i = random.below(4); i > 0; i--) random.pick(mutations)(random, object);
  if (mayBreak && random.chance(0.08)) random.pick(breaks)(random, object);
}

function rootOf(definition: Members): Members {
  const [version] = members(definition.spec).versions as Members[];
  return members(members(version!.schema).openAPIV3Schema);
}

/** Several objects are asked about under one CRD: making one ready costs more than judging by it. */
function shared(uses: number): (random: Random) => Members {
  let left = 0;
  let definition: Members = {};
  return (random) => {
    if (left-- > 0) return definition;
    left = uses;
    definition = crd(random);
    return definition;
  };
}

/** Of several embedded resources that cannot be read, Go names one at random. */
function explain(_: Ask, rows: readonly string[]): string | undefined {
  const named =
    rows.length === 1 && /^\.decode: ours ".*: Invalid value: .* theirs ".*: Invalid value: /.test(rows[0]!);
  return named ? "named another of several (Go's random order)" : undefined;
}

function creates(): Generator {
  const definitions = shared(8);
  return {
    name: 'cr.create',
    explain,
    generate: (random): Ask => {
      const definition = definitions(random);
      const obj = resource(random, rootOf(definition));
      mutate(random, obj, true);
      return { op: 'cr.create', crd: definition, obj };
    },
  };
}

function updates(): Generator {
  const definitions = shared(8);
  return {
    name: 'cr.update',
    explain,
    generate: (random): Ask => {
      const definition = definitions(random);
      const old = resource(random, rootOf(definition));
      mutate(random, old, random.chance(0.2));
      const obj = random.chance(0.85) ? structuredClone(old) : resource(random, rootOf(definition));
      mutate(random, obj, true);
      const status = random.chance(0.25) && { subresource: 'status' };
      return { op: 'cr.update', crd: definition, old, obj, ...status };
    },
  };
}

/** Rules that compare, wherever there is a schema. */
function compareAll(random: Random, schema: Members): void {
  const { properties, items, additionalProperties } = schema;
  for (const below of [...Object.values(members(properties)), items, additionalProperties])
    if (Object.keys(members(below)).length > 0) compareAll(random, members(below));
  if (random.chance(0.5)) schema['x-kubernetes-validations'] = [{ rule: ruleOfTypes(random, schema) }];
}

function ruleOfTypes(random: Random, schema: Members): string {
  if (random.chance(0.4)) return 'self == oldSelf';
  if (schema.type !== 'array') return ruleText(random, schema);
  return random.pick([
    'oldSelf == self',
    'self + oldSelf == oldSelf + self',
    'self + self == self',
    'self.all(x, x in oldSelf)',
    'size(self + oldSelf) == size(self)',
    'oldSelf.exists(x, x == self[0])',
  ]);
}

/** What is stored may be from before the schema: it is of other types, and so it stays. */
function retyped(): Generator {
  const definitions = shared(8);
  return {
    name: 'cr.retyped',
    explain,
    generate: (random): Ask => {
      const definition = definitions(random);
      const root = rootOf(definition);
      if (root['x-kubernetes-validations'] === undefined) {
        compareAll(random, root);
        root['x-kubernetes-validations'] ??= [{ rule: 'self == oldSelf' }];
      }
      const old = resource(random, root);
      for (let i = 1 + random.below(3); i > 0; i--)
        replace(random, random.pick([old.spec, old.status]), anything(random, 1));
      const obj = structuredClone(old);
      const changes = [reorder, repeatOrRemove, add];
      if (random.chance(0.5)) random.pick(changes)(random, obj.spec);
      const status = random.chance(0.3) && { subresource: 'status' };
      return { op: 'cr.update', crd: definition, old, obj, ...status };
    },
  };
}

export const crCreateGenerator: Generator = creates();
export const crUpdateGenerator: Generator = updates();
export const crRetypedGenerator: Generator = retyped();
