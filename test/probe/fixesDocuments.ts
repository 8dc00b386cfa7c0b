import type { Path, Value } from '../../server/src/base/value.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { renderBlock } from '../../server/src/yaml/render.ts';
import type { Random } from '../support/random.ts';

// CRDs and resources without a mistake, of the shapes that operators have, and what people do wrong in them.

/** A field with its schema and a value that the schema allows. */
interface Field {
  readonly schema: Map<string, Value>;
  readonly value: Value;
}

const map = (entries: Readonly<Record<string, Value>>): Map<string, Value> => new Map(Object.entries(entries));
const words = ['replicas', 'image', 'mode', 'policy', 'storage', 'type', 'name', 'enabled', 'backup', 'schedule'];
const more = [
  'resources',
  'labels',
  'selector',
  'results',
  'provider',
  'timeout',
  'version',
  'ports',
  'limits',
  'tier',
];

const scalars: readonly ((random: Random) => Field)[] = [
  () => ({ schema: map({ type: 'string' }), value: 'text' }),
  () => ({ schema: map({ type: 'string', minLength: 2n, maxLength: 8n }), value: 'abcd' }),
  () => ({ schema: map({ type: 'string', pattern: '^[a-z]+$', maxLength: 20n }), value: 'lower' }),
  (random) => ({
    schema: map({ type: 'string', enum: ['Always', 'Never', 'OnFailure'] }),
    value: random.pick(['Always', 'Never']),
  }),
  () => ({ schema: map({ type: 'integer' }), value: 3n }),
  () => ({ schema: map({ type: 'integer', minimum: 1n, maximum: 10n }), value: 4n }),
  () => ({ schema: map({ type: 'boolean' }), value: true }),
  () => ({ schema: map({ type: 'number' }), value: 1.5 }),
  () => ({ schema: map({ 'x-kubernetes-int-or-string': true }), value: '50%' }),
  () => ({ schema: map({ type: 'string', format: 'date' }), value: '2026-01-01' }),
];

function fieldOf(random: Random, depth: number): Field {
  const kind = random.below(depth > 0 ? 12 : 6);
  if (kind < 6) return random.pick(scalars)(random);
  if (kind < 9) return objectOf(random, depth - 1);
  if (kind === 9) {
    const schema = map({ type: 'object', additionalProperties: map({ type: 'string' }) });
    return { schema, value: map({ app: 'shop', team: 'blue' }) };
  }
  if (kind === 10) {
    const schema = map({ type: 'array', maxItems: 5n, items: map({ type: 'string', maxLength: 20n }) });
    return { schema, value: ['one', 'two'] };
  }
  const { schema, value } = objectOf(random, 0);
  schema.set('required', ['key']);
  (schema.get('properties') as Map<string, Value>).set('key', map({ type: 'string' }));
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] };
  const item = (key: string) => new Map([['key', key], ...(value as Map<string, Value>)]);
  return { schema: map({ type: 'array', ...keyed, items: schema }), value: [item('a'), item('b')] };
}

function objectOf(random: Random, depth: number): Field {
  const names = [...words, ...more].filter(() => random.chance(0.3)).slice(0, 6);
  const fields = (names.length === 0 ? ['size'] : names).map((name) => [name, fieldOf(random, depth)] as const);
  const required = fields.map(([name]) => name).filter(() => random.chance(0.4));
  const schema = map({ type: 'object' });
  if (required.length > 0) schema.set('required', required);
  schema.set('properties', new Map(fields.map(([name, field]) => [name, field.schema])));
  return { schema, value: new Map(fields.map(([name, field]) => [name, field.value])) };
}

export interface Pair {
  readonly crd: string;
  readonly resource: string;
}

/** A CRD and an object of its kind, written as people write them: with comments, in several styles. */
export function pairOf(random: Random): Pair {
  const spec = objectOf(random, 3);
  const root = map({ type: 'object', properties: map({ spec: spec.schema, status: map({ type: 'object' }) }) });
  const version = { name: 'v1', served: true, storage: true, schema: map({ openAPIV3Schema: root }) };
  const names = map({ plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' });
  const crd = map({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: map({ name: 'things.example.com' }),
    spec: map({ group: 'example.com', scope: 'Namespaced', names, versions: [map(version)] }),
  });
  const metadata = map({ name: 'a', labels: map({ app: 'shop', tier: 'web' }), annotations: map({ note: 'text' }) });
  const resource = map({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: spec.value });
  return { crd: written(random, crd), resource: written(random, resource) };
}

function written(random: Random, value: Value): string {
  const eol = random.chance(0.2) ? '\r\n' : '\n';
  const style = { eol, step: 2, indentLists: random.chance(0.5) };
  const lines = renderBlock(value, 0, style).split(eol);
  const commented = lines.flatMap((line, i) => {
    const indent = /^ */.exec(line)![0];
    const own = random.chance(0.1) ? `${line} # end ${i}` : line;
    return random.chance(0.05) ? [`${indent}# above ${i}`, own] : [own];
  });
  return `${commented.join(eol)}${eol}`;
}

/** Something done wrong: another text in place of a part of a document. */
export interface Fault {
  readonly name: string;
  readonly text: string;
}

interface Leaf {
  readonly path: Path;
  readonly value: Value;
}

export function* leavesOf(value: Value, path: Path = []): Generator<Leaf> {
  yield { path, value };
  if (value instanceof Map) for (const [key, item] of value) yield* leavesOf(item, [...path, key]);
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* leavesOf(item, [...path, i]);
}

type Part = 'key' | 'value' | 'pair';

/** Replaces the key, the value or the whole entry at a path. */
function replaced(text: string, path: Path, part: Part, put: (old: string) => string): string | undefined {
  const range = rangeOf(parseDocument(text), path, part);
  return range && text.slice(0, range.start) + put(text.slice(range.start, range.end)) + text.slice(range.end);
}

const swapped = (word: string) => (word.length < 3 ? `${word}x` : word.slice(0, 1) + word[2] + word[1] + word.slice(3));
const plainNumbers = ['1.10', '012', 'no', '1.0', '0x1F', '1_000', 'true', '5', '-.5', '1e3'];

/** What can be wrong with a value, by the kind of value that it should be. */
function valueFaults(random: Random, value: Value): [string, string][] {
  if (typeof value === 'string') {
    const odd: [string, string][] = [
      ['word for a choice', swapped(value)],
      ['long text', 'x'.repeat(30)],
      ['upper case', value.toUpperCase()],
    ];
    return [['number for a text', random.pick(plainNumbers)], ['fraction', '0.50'], ['null', ''], ...odd];
  }
  if (typeof value === 'bigint')
    return [
      ['quoted', `"${value}"`],
      ['too large', '900'],
      ['too small', '-7'],
      ['null', ''],
    ];
  if (typeof value === 'boolean')
    return [
      ['quoted', '"true"'],
      ['yes', random.pick(['yes', 'on', 'y', 'no'])],
    ];
  return typeof value === 'number' ? [['quoted', `"${value}"`]] : [];
}

/** Faults of a resource, or of any text: one of each kind. */
export function resourceFaults(random: Random, text: string, value: Value): Fault[] {
  const all = [...leavesOf(value)].filter(({ path }) => path[0] === 'spec' && path.length > 1);
  const faults: Fault[] = [];
  const add = (name: string, changed: string | undefined) => {
    if (changed !== undefined && changed !== text) faults.push({ name, text: changed });
  };
  for (const { path, value: old } of all) {
    const key = path.at(-1);
    for (const [name, put] of valueFaults(random, old))
      add(
        name,
        replaced(text, path, 'value', () => put),
      );
    if (typeof key !== 'string') continue;
    add('misspelled key', replaced(text, path, 'key', swapped));
    add(
      'key left out',
      replaced(text, path, 'pair', () => `other${key}: 1`),
    );
    if (Array.isArray(old) || old instanceof Map)
      add(
        'scalar for more',
        replaced(text, path, 'pair', () => `${key}: one`),
      );
  }
  for (const group of ['labels', 'annotations']) {
    for (const put of plainNumbers) {
      add(
        `${group} with a number`,
        replaced(text, ['metadata', group, group === 'labels' ? 'app' : 'note'], 'value', () => put),
      );
    }
  }
  for (const name of ['My_Name', 'UPPER', 'a b', '-a-', '1.5'])
    add(
      'name',
      replaced(text, ['metadata', 'name'], 'value', () => name),
    );
  add(
    'misspelled kind',
    replaced(text, ['kind'], 'value', () => 'Thnig'),
  );
  add(
    'no such version',
    replaced(text, ['apiVersion'], 'value', () => 'example.com/v2'),
  );
  return [...faults, ...textFaults(random, text)];
}

/** What is wrong with the text itself. */
function textFaults(random: Random, text: string): Fault[] {
  const lines = text.split(/(?<=\n)/);
  const change = (name: string, fits: RegExp, put: (line: string, match: RegExpExecArray) => string): Fault[] => {
    const places = lines.flatMap((line, i) => (fits.test(line) ? [i] : []));
    if (places.length === 0) return [];
    const i = random.pick(places);
    const line = put(lines[i]!, fits.exec(lines[i]!)!);
    return [{ name, text: [...lines.slice(0, i), line, ...lines.slice(i + 1)].join('') }];
  };
  return [
    ...change('tab', /^ {2,}[\w-]+: \S/, (line) => line.replace(/^( {2})+/, (pad) => '\t'.repeat(pad.length / 2))),
    ...change('no blank after the colon', /^ *[\w-]+: [\w"]/, (line) => line.replace(': ', ':')),
    ...change('open quote', /^ *[\w-]+: \w+\r?$/m, (line) => line.replace(/: (\w+)/, ': "$1')),
    ...change('one blank more', /^ {2,}[\w-]+: \S/, (line) => ` ${line}`),
    ...change('one blank less', /^ {2,}[\w-]+: \S/, (line) => line.slice(1)),
    ...change('key twice', /^ *[\w-]+: \w+\r?$/m, (line) => line + line),
  ];
}

/** Faults of a CRD. */
export function crdFaults(random: Random, text: string, value: Value): Fault[] {
  const faults: Fault[] = [];
  const add = (name: string, changed: string | undefined) => {
    if (changed !== undefined && changed !== text) faults.push({ name, text: changed });
  };
  const schemas = [...leavesOf(value)].filter(
    ({ path, value: one }) => one instanceof Map && one.has('type') && path.includes('openAPIV3Schema'),
  );
  const eol = text.includes('\r') ? '\r\n' : '\n';
  for (const { path, value: schema } of schemas) {
    if (!(schema instanceof Map)) continue;
    const type = schema.get('type');
    if (typeof type !== 'string') continue;
    const pad = ' '.repeat(columnAt(text, [...path, 'type']));
    const beside = (name: string, ...rows: string[]) =>
      add(
        name,
        replaced(
          text,
          [...path, 'type'],
          'pair',
          (old) => [old.trimEnd(), ...rows.map((row) => pad + row)].join(eol) + eol,
        ),
      );
    add(
      'no type',
      replaced(text, [...path, 'type'], 'pair', () => `description: one${eol}`),
    );
    for (const wrong of ['int', 'bool', 'str', 'strng', 'Object'])
      add(
        'unknown type',
        replaced(text, [...path, 'type'], 'value', () => wrong),
      );
    for (const [key] of schema)
      if (key !== 'type') add('misspelled keyword', replaced(text, [...path, key], 'key', swapped));
    beside('default of a wrong type', 'default: [1]');
    beside('text for a default', 'default: "5"');
    beside('number for a default', 'default: 1.10');
    beside('map type', 'x-kubernetes-map-type: Atomic');
    beside('list type', 'x-kubernetes-list-type: sets');
    beside('rule of a misspelled field', 'x-kubernetes-validations:', '- rule: self.nmae == 1', '  message: no');
    beside('rule without a parenthesis', 'x-kubernetes-validations:', '- rule: (self == self', '  message: no');
    beside('rule of a wrong type', 'x-kubernetes-validations:', '- rule: self == 1.5', '  message: no');
    beside('rule with a single equals sign', 'x-kubernetes-validations:', '- rule: self = self', '  message: no');
    beside('rule with and', 'x-kubernetes-validations:', '- rule: self == self and true', '  message: no');
    if (type === 'string')
      beside('expensive rule', 'x-kubernetes-validations:', '- rule: self.matches(self + self)', '  message: no');
    if (type === 'array')
      beside(
        'expensive loop',
        'x-kubernetes-validations:',
        '- rule: self.all(x, self.all(y, x == y))',
        '  message: no',
      );
  }
  const put = (path: Path, text2: string) =>
    add(
      `${path.at(-1)}: ${text2}`,
      replaced(text, path, 'value', () => text2),
    );
  for (const plural of ['Things', 'thing_s', 'gizmos']) put(['spec', 'names', 'plural'], plural);
  for (const kind of ['My_Thing', 'Thing s', '5']) put(['spec', 'names', 'kind'], kind);
  for (const scope of ['namespaced', 'Clustr', '']) put(['spec', 'scope'], scope);
  put(['spec', 'group'], 'Example.com');
  put(['metadata', 'name'], 'thing.example.com');
  put(['spec', 'versions', 0, 'storage'], 'no');
  put(['spec', 'versions', 0, 'name'], 'V1');
  return [...faults, ...textFaults(random, text)];
}

function columnAt(text: string, path: Path): number {
  const start = rangeOf(parseDocument(text), path, 'key')?.start ?? 0;
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}
