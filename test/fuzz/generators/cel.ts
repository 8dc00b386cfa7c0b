import { lex } from '../../../server/src/cel/lex.ts';
import type { Overload } from '../../../server/src/cel/overload.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
  timestampType,
  uintType,
} from '../../../server/src/cel/types.ts';
import { instantiate } from '../../../server/src/cel/unify.ts';
import { baseEnvironment } from '../../../server/src/kubernetes/cel/environment.ts';
import {
  cidrType,
  formatType,
  ipType,
  quantityType,
  semverType,
  urlType,
} from '../../../server/src/kubernetes/cel/libraries/types.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

const everything = baseEnvironment(newestVersion, newestVersion.name);
const overloads: readonly Overload[] = [...everything.functions.values()]
  .flatMap((decl) => decl.overloads)
  .filter((overload) => /^[A-Za-z][\w.]*$/.test(overload.name) && overload.name !== 'in');

const operators: readonly Overload[] = [...everything.functions.values()]
  .flatMap((decl) => decl.overloads)
  .filter((overload) => /^_[^_\w[?]+_$|^@in$|^!_$|^-_$/.test(overload.name));

const simpleTypes = [boolType, intType, stringType, doubleType, uintType, bytesType, durationType, timestampType];

/** Kubernetes' own, of which there are no fields. */
const libraryTypes = [urlType, quantityType, semverType, formatType, ipType, cidrType];

/** A variable in scope, and how it is written. */
export interface Name {
  readonly text: string;
  readonly type: CelType;
}

interface Made {
  readonly random: Random;
  readonly names: readonly Name[];
  /** How likely an operand of the wrong type is. */
  readonly wrong: number;
  /** The expression will be evaluated. */
  readonly values?: boolean;
}

const fields: readonly Name[] = [
  { text: 'self.n', type: intType },
  { text: 'self.d', type: doubleType },
  { text: 'self.b', type: boolType },
  { text: 'self.s', type: stringType },
  { text: 'self.long', type: stringType },
  { text: 'self.e', type: stringType },
  { text: 'self.bytes', type: bytesType },
  { text: 'self.dur', type: durationType },
  { text: 'self.t', type: timestampType },
  { text: 'self.any', type: dynType },
  { text: 'self.strs', type: listOf(stringType) },
  { text: 'self.ints', type: listOf(intType) },
  { text: 'self.ll', type: listOf(listOf(stringType)) },
  { text: 'self.m', type: mapOf(stringType, stringType) },
  { text: 'self.mm', type: mapOf(stringType, listOf(intType)) },
  { text: 'self.obj.s', type: stringType },
  { text: 'self.obj.deep.x', type: intType },
  { text: 'self.a__dash__b', type: stringType },
  { text: 'self.__namespace__', type: stringType },
  { text: 'self.namespace', type: stringType },
  { text: 'oldSelf.s', type: stringType },
  { text: 'self.emb.metadata.name', type: stringType },
  { text: 'self.emb.kind', type: stringType },
];

const literals: Readonly<Record<string, readonly string[]>> = {
  bool: ['true', 'false'],
  int: ['0', '1', '-1', '42', '9223372036854775807', '0x1F'],
  uint: ['0u', '7u', '0x1Fu'],
  double: ['0.5', '-1.25', '1e3', '.5'],
  string: [
    "''",
    "'a'",
    '"b c"',
    "r'\\d+'",
    "'[a-z]+'",
    "'é😀'",
    "'10.0.0.1'",
    "'1Gi'",
    "'%s %d'",
    "'1h'",
    "'''tri'''",
    "'\\u00e9\\n'",
  ],
  bytes: ["b'a'", "b'\\xff'", "br'\\d'"],
  duration: ["duration('1h')", "duration('x')"],
  timestamp: ["timestamp('2024-01-01T00:00:00Z')", "timestamp('no')", 'timestamp(0)'],
  null: ['null'],
  dyn: ['dyn(1)', "dyn('a')", 'dyn([1])', 'dyn({"a": 1})', 'self.any'],
  type: ['int', 'string', 'type(1)', 'list', 'duration', 'optional_type'],
};

function anyType(random: Random, depth = 2): CelType {
  if (depth === 0 || random.chance(0.75)) return random.pick(simpleTypes);
  const inner = () => anyType(random, depth - 1);
  return random.pick([
    () => listOf(inner()),
    () => mapOf(stringType, inner()),
    () => optionalOf(inner()),
    () => optionalOf(random.pick(libraryTypes)),
    () => random.pick(libraryTypes),
    () => dynType,
  ])();
}

function literal(m: Made, type: CelType, depth: number): string {
  const { random } = m;
  const known = literals[type.kind];
  if (known) return random.pick(known);
  const count = random.below(3);
  if (type.kind === 'list') {
    return `[${Array.from({ length: count }, () => make(m, type.params[0]!, depth - 1)).join(', ')}]`;
  }
  if (type.kind === 'map') {
    // Go walks maps in random order: what is evaluated has one entry at most.
    const most = m.values ? Math.min(count, 1) : count;
    const entry = () => `${make(m, type.params[0]!, 0)}: ${make(m, type.params[1]!, depth - 1)}`;
    return `{${Array.from({ length: most }, entry).join(', ')}}`;
  }
  if (type.name === 'optional_type') {
    return random.chance(0.3) ? 'optional.none()' : `optional.of(${make(m, type.params[0]!, depth - 1)})`;
  }
  return fallback[type.name] ?? 'self';
}

const fallback: Readonly<Record<string, string>> = {
  'kubernetes.URL': "url('https://a.b/c?d=e')",
  'kubernetes.Quantity': "quantity('1Gi')",
  'kubernetes.Semver': "semver('1.2.3')",
  'kubernetes.NamedFormat': 'format.dns1123Label()',
  'net.IP': "ip('10.0.0.1')",
  'net.CIDR': "cidr('10.0.0.0/8')",
};

function fits(overload: Overload, type: CelType): boolean {
  const { result } = overload;
  return result.kind === 'param' || result.kind === 'dyn' || (result.kind === type.kind && result.name === type.name);
}

/** An expression that should have a type. */
function make(m: Made, wanted: CelType, depth: number): string {
  const { random } = m;
  const type = random.chance(m.wrong) ? anyType(random) : wanted;
  const named = m.names.filter((name) => name.type === type || name.type === dynType);
  if (depth <= 0) return named.length > 0 && random.chance(0.7) ? random.pick(named).text : literal(m, type, depth);
  const choices: (() => string)[] = [
    () => (named.length > 0 ? random.pick(named).text : literal(m, type, depth)),
    () => literal(m, type, depth),
    () => called(m, random.pick(overloads), type, depth),
    () => byResult(m, overloads, type, depth),
    () => byResult(m, overloads, type, depth),
    () => byResult(m, operators, type, depth),
    () => macro(m, type, depth),
    () => macro(m, type, depth),
    () => special(m, type, depth),
  ];
  return random.pick(choices)();
}

function byResult(m: Made, from: readonly Overload[], type: CelType, depth: number): string {
  const fitting = from.filter((overload) => fits(overload, type));
  return fitting.length === 0 ? literal(m, type, depth) : called(m, m.random.pick(fitting), type, depth);
}

function called(m: Made, overload: Overload, type: CelType, depth: number): string {
  const fresh = overload.params.map((param) => (param === overload.result ? type : anyType(m.random, 1)));
  const args = overload.args.map((arg) => make(m, instantiate(arg, overload.params, fresh), depth - 1));
  const { name } = overload;
  // Up to 1.36 a server fills its memory with a long range before it counts what that costs.
  if (m.values && overload.id === 'lists_range') return `lists.range(${m.random.below(5)})`;
  if (name === '!_') return `!${wrapped(args[0]!)}`;
  if (name === '-_') return `-${wrapped(args[0]!)}`;
  if (name === '@in') return `(${args.join(' in ')})`;
  if (name.startsWith('_')) return `(${args.join(` ${name.slice(1, -1)} `)})`;
  return overload.member ? `${wrapped(args[0]!)}.${name}(${args.slice(1).join(', ')})` : `${name}(${args.join(', ')})`;
}

const wrapped = (text: string) => (/^[\w.]+$|[)\]]$/.test(text) && !text.startsWith('-') ? text : `(${text})`);

function range(m: Made, depth: number): readonly [text: string, item: CelType, key: CelType] {
  const element = anyType(m.random, 1);
  if (m.random.chance(0.7)) return [wrapped(make(m, listOf(element), depth - 1)), element, intType];
  return [wrapped(make(m, mapOf(stringType, element), depth - 1)), stringType, stringType];
}

function macro(m: Made, type: CelType, depth: number): string {
  const { random } = m;
  const [over, item] = range(m, depth);
  const name = random.pick(['i', 'x', 'k', 'self', '_v']);
  const inner: Made = { ...m, names: [...m.names, { text: name, type: item }, { text: name, type: item }] };
  const body = (wanted: CelType) => make(inner, wanted, depth - 1);
  if (type.kind === 'bool') {
    if (m.names.length > 0 && random.chance(0.2)) return `has(${random.pick(m.names).text})`;
    if (random.chance(0.2)) {
      const two: Made = { ...inner, names: [...inner.names, { text: 'v', type: item }] };
      return `${over}.${random.pick(['all', 'exists', 'existsOne', 'exists_one'])}(${name}, v, ${make(two, boolType, depth - 1)})`;
    }
    return `${over}.${random.pick(['all', 'exists', 'exists_one'])}(${name}, ${body(boolType)})`;
  }
  if (type.kind === 'map') {
    const kind = random.pick(['transformMap', 'transformMapEntry']);
    const value = kind === 'transformMap' ? body(type.params[1]!) : body(mapOf(type.params[0]!, type.params[1]!));
    return `${over}.${kind}(${name}, v, ${random.chance(0.3) ? `${body(boolType)}, ` : ''}${value})`;
  }
  if (type.kind !== 'list') return special(m, type, depth);
  const element = type.params[0]!;
  const kind = random.pick(['map', 'map', 'filter', 'transformList', 'sortBy', 'map3']);
  if (kind === 'filter') return `${over}.filter(${name}, ${body(boolType)})`;
  if (kind === 'transformList') return `${over}.transformList(${name}, v, ${body(element)})`;
  if (kind === 'sortBy')
    return `${wrapped(make(m, type, depth - 1))}.sortBy(${name}, ${body(random.pick(simpleTypes))})`;
  return `${over}.map(${name}, ${kind === 'map3' ? `${body(boolType)}, ` : ''}${body(element)})`;
}

/** What is neither a call nor a macro over a range. */
function special(m: Made, type: CelType, depth: number): string {
  const { random } = m;
  const less = depth - 1;
  const choices: (() => string)[] = [
    () => `(${make(m, boolType, less)} ? ${make(m, type, less)} : ${make(m, type, less)})`,
    () => `${wrapped(make(m, listOf(type), less))}[${make(m, intType, 0)}]`,
    () => `${wrapped(make(m, mapOf(stringType, type), less))}[${make(m, stringType, 0)}]`,
    () => `${wrapped(make(m, mapOf(stringType, type), less))}.a`,
    () => `${wrapped(make(m, optionalOf(type), less))}.orValue(${make(m, type, less)})`,
    () => (m.names === constants ? literal(m, type, 0) : `self.items[0].${random.pick(['name', 'ports', 'kv'])}`),
    () =>
      m.names === constants
        ? literal(m, type, 0)
        : `self.items.${random.pick(['map', 'filter', 'all', 'exists'])}(i, ${make({ ...m, names: [...m.names, ...itemNames] }, boolType, less)})`,
    () => `dyn(${make(m, anyType(random), less)})`,
  ];
  if (type.kind === 'bool') {
    choices.push(() => `${make(m, boolType, less)} && ${make(m, boolType, less)}`);
    choices.push(() => `${make(m, boolType, less)} || ${make(m, boolType, less)} || ${make(m, boolType, less)}`);
  }
  if (type.name === 'optional_type') {
    const inner = type.params[0]!;
    choices.push(() => `self.?${random.pick(['s', 'n', 'm', 'items', 'obj'])}`);
    choices.push(() => `${wrapped(make(m, listOf(inner), less))}[?0]`);
    choices.push(() => {
      const held = random.chance(0.5) ? inner : anyType(random, 1);
      const named: Made = { ...m, names: [...m.names, { text: 'o', type: held }] };
      const flat = random.chance(0.4);
      const body = make(named, flat ? type : inner, less);
      return `${wrapped(make(m, optionalOf(held), less))}.${flat ? 'optFlatMap' : 'optMap'}(o, ${body})`;
    });
  }
  if (type.kind === 'string') {
    choices.push(
      () =>
        `'${random.pick(['%s', '%d', '%.2f', '%x', '%e', '%z', '%%', '%s %s'])}'.format([${make(m, anyType(random), less)}])`,
    );
  }
  return random.pick(choices)();
}

const itemNames: readonly Name[] = [
  { text: 'i.name', type: stringType },
  { text: 'i.short', type: stringType },
  { text: 'i.ports', type: listOf(intType) },
  { text: 'i.kv', type: mapOf(stringType, stringType) },
];

// Schemas

function bound(random: Random, name: string): Record<string, bigint> {
  return random.chance(0.5) ? { [name]: BigInt(random.pick([0, 1, 5, 20, 300, 100_000])) } : {};
}

function schema(random: Random): Record<string, unknown> {
  const text = (extra: Record<string, unknown> = {}) => ({ type: 'string', ...bound(random, 'maxLength'), ...extra });
  const list = (items: unknown) => ({ type: 'array', items, ...bound(random, 'maxItems') });
  const map = (values: unknown) => ({
    type: 'object',
    additionalProperties: values,
    ...bound(random, 'maxProperties'),
  });
  const object = (properties: unknown, required: string[] = []) => ({ type: 'object', properties, required });
  const item = object(
    { name: text(), short: text(), ports: list({ type: 'integer' }), kv: map(text()) },
    random.chance(0.5) ? ['name'] : [],
  );
  return object(
    {
      n: { type: 'integer' },
      d: { type: 'number' },
      b: { type: 'boolean' },
      s: text(),
      long: { type: 'string' },
      e: { type: 'string', enum: ['a', 'long value', 'é'] },
      bytes: text({ format: 'byte' }),
      dur: { type: 'string', format: 'duration' },
      t: { type: 'string', format: random.pick(['date', 'date-time']) },
      any: { 'x-kubernetes-int-or-string': true, ...bound(random, 'maxLength') },
      strs: list(text()),
      ints: list({ type: 'integer' }),
      ll: list(list(text())),
      m: map(text()),
      mm: map(list({ type: 'integer' })),
      obj: object({ s: text(), deep: object({ x: { type: 'integer' } }) }, ['s']),
      'a-b': text(),
      namespace: text(),
      emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      items: list(item),
    },
    ['n', 's'],
  );
}

// Mutation

const noise = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  ',',
  '?',
  ':',
  '!',
  '-',
  '+',
  '*',
  '/',
  '%',
  '==',
  '!=',
  '<',
  '>=',
  '&&',
  '||',
  'in',
  'true',
  'null',
  'self',
  'has',
  'if',
  '1',
  '1u',
  '.5',
  "'a'",
  "b'x'",
  '`a-b`',
  '=',
  '&',
  '@',
  "'",
  '"""',
  '\n',
  '// x\n',
  'é',
  '.?',
  '[?',
];

/** The text with some of its tokens left out, doubled, exchanged or replaced. */
function mutate(random: Random, text: string): string {
  const { starts, ends, count } = lex(text, true);
  const tokens: string[] = [];
  for (let i = 0; i < count - 1; i++) tokens.push(text.slice(starts[i]!, starts[i + 1] ?? ends[i]!));
  for (let times = 1 + random.below(3); times > 0 && tokens.length > 0; times--) {
    const at = random.below(tokens.length);
    const change = random.below(5);
    if (change === 0) tokens.splice(at, 1);
    else if (change === 1) tokens.splice(at, 0, tokens[at]!);
    else if (change === 2) tokens.splice(at, 1, random.pick(noise));
    else if (change === 3) tokens.splice(at, 0, random.pick(noise));
    else tokens.length = at;
  }
  return tokens.join(random.chance(0.1) ? ' ' : '');
}

/** An expression over these names, that should be a bool; now and then with mistakes. */
export function expressionOver(random: Random, names: readonly Name[]): string {
  const text = make({ random, names, wrong: random.pick([0, 0.02, 0.1]) }, boolType, 1 + random.below(4));
  return random.chance(0.1) ? mutate(random, text) : text;
}

// Values

const texts = ['', 'a', 'b c', 'é😀', '10.0.0.1', '1Gi', 'abc-1', 'https://a.b:80/c?d=e', '1.2.3', 'x'.repeat(40)];

function sometimes<T>(random: Random, name: string, make: () => T): [string, T][] {
  return random.chance(0.75) ? [[name, make()]] : [];
}

/** No names at all: what constants are made of. */
const constants: readonly Name[] = [];

/** A value for the schema below, now and then of a wrong type. */
function selfValue(random: Random): Map<string, unknown> {
  const text = () => (random.chance(0.02) ? 1n : random.pick(texts));
  const int = () => (random.chance(0.02) ? 'x' : random.pick([0n, 1n, -1n, 3n, 42n, 2n ** 62n]));
  const double = () => random.pick([0, 1n, -1.5, 3.25, 1e21, 1e-7]);
  const list = (item: () => unknown) => Array.from({ length: random.below(4) }, item);
  const map = (item: () => unknown) => new Map(random.chance(0.3) ? [] : [[random.pick(['a', 'b', 'k-1']), item()]]);
  const item = () =>
    new Map<string, unknown>([
      ...sometimes(random, 'name', text),
      ...sometimes(random, 'short', text),
      ...sometimes(random, 'ports', () => list(int)),
      ...sometimes(random, 'kv', () => map(text)),
    ]);
  const deep = () => new Map<string, unknown>([...sometimes(random, 'x', int)]);
  return new Map<string, unknown>([
    ...sometimes(random, 'n', int),
    ...sometimes(random, 'd', double),
    ...sometimes(random, 'b', () => random.chance(0.5)),
    ...sometimes(random, 's', text),
    ...sometimes(random, 'long', text),
    ...sometimes(random, 'e', () => 'a'),
    ...sometimes(random, 'bytes', () => random.pick(['YQ==', '', 'a-_=', '+/==', '/w==', 'x'])),
    ...sometimes(random, 'dur', () => random.pick(['1h', '1.5s', '3 days', '', '-2m', '1000000h'])),
    ...sometimes(random, 't', () =>
      random.pick(['2024-02-29', '2024-02-29T01:02:03Z', '2024-02-29T01:02:03.5+02:00', '2024-02-30', '']),
    ),
    ...sometimes(random, 'any', () => random.pick<unknown>(['a', 1n, '5%', 0n, true])),
    ...sometimes(random, 'strs', () => list(text)),
    ...sometimes(random, 'ints', () => list(int)),
    ...sometimes(random, 'll', () => list(() => list(text))),
    ...sometimes(random, 'm', () => map(text)),
    ...sometimes(random, 'mm', () => map(() => list(int))),
    ...sometimes(
      random,
      'obj',
      () => new Map<string, unknown>([...sometimes(random, 's', text), ...sometimes(random, 'deep', deep)]),
    ),
    ...sometimes(random, 'a-b', text),
    ...sometimes(random, 'namespace', text),
    ...sometimes(random, 'emb', () => new Map([['kind', text()]])),
    ...sometimes(random, 'items', () => list(item)),
  ]);
}

/** Typed expressions that both evaluate: half of them constants. */
export const celValueGenerator: Generator = {
  name: 'cel-eval',
  generate(random: Random): Ask {
    const constant = random.chance(0.4);
    const type = random.chance(0.4) ? boolType : anyType(random);
    const names = constant ? constants : fields;
    const expr = make({ random, names, wrong: 0, values: true }, type, 1 + random.below(4));
    if (constant) return { op: 'cel', expr, stored: true };
    const old = random.chance(0.5) ? { oldSelf: selfValue(random) } : {};
    return { op: 'cel', expr, stored: true, schema: schema(random), self: selfValue(random), ...old };
  },
};

/** cel-go numbers the type variables of a call in Go's random order of maps. */
export function explain(_: Ask, rows: readonly string[]): string | undefined {
  const sides = rows.flatMap((row) => row.replace(/_var\d+/g, '_var').split(' ≠ '));
  const of = (side: string) => sides.flatMap((text) => text.split(`${side} `)[1] ?? []).sort();
  const [ours, theirs] = [of('ours').join(), of('theirs').join()];
  return ours !== '' && ours === theirs ? "other numbers of type variables (Go's random order)" : undefined;
}

/** Typed expressions over random schemas: some with a wrong operand, some with tokens changed. */
export const celGenerator: Generator = {
  name: 'cel',
  explain,
  generate(random: Random): Ask {
    const wrong = random.chance(0.6) ? 0 : random.pick([0.02, 0.1]);
    const type = random.chance(0.6) ? boolType : anyType(random);
    const text = make({ random, names: fields, wrong }, type, 1 + random.below(4));
    const expr = random.chance(0.2) ? mutate(random, text) : text;
    return { op: 'cel', expr, schema: schema(random), ...(random.chance(0.3) ? { stored: true } : {}) };
  },
};
