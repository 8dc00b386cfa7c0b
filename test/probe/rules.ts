import type { Random } from '../support/random.ts';
import { type Members, members } from './schema.ts';
import { quantities } from './vocabulary.ts';

/** A field that a rule can be about. */
interface Field {
  readonly name: string;
  readonly schema: Members;
  readonly optional: boolean;
}

/** Rules such as operators write over an object's fields, each where the fields that it needs are there. */
export function ruleOver(random: Random, object: Members): string | undefined {
  const required = Array.isArray(object.required) ? object.required : [];
  const fields = Object.entries(members(object.properties)).map(([name, schema]): Field => {
    const own = members(schema);
    return { name, schema: own, optional: !required.includes(name) && !('default' in own) };
  });
  for (let tries = 0; tries < 20; tries++) {
    const rule = random.pick(templates)(random, fields);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

type Template = (random: Random, fields: readonly Field[]) => string | undefined;

const isType = (type: string) => (field: Field) => field.schema.type === type && !Array.isArray(field.schema.enum);
const isEnum = ({ schema }: Field) => Array.isArray(schema.enum);
const isText = (field: Field) => isType('string')(field) && field.schema.format === undefined;
const hasFormat =
  (format: string) =>
  ({ schema }: Field) =>
    schema.format === format;
const isMap = ({ schema }: Field) => 'additionalProperties' in schema;
const isObject = ({ schema }: Field) => 'properties' in schema;
const isListOf =
  (type: string) =>
  ({ schema }: Field) =>
    members(schema.items).type === type;

function one(random: Random, fields: readonly Field[], test: (field: Field) => boolean): Field | undefined {
  const found = fields.filter(test);
  return found.length === 0 ? undefined : random.pick(found);
}

/** A condition on a field, guarded where the field may be missing. */
const guarded =
  (
    test: (field: Field) => boolean,
    condition: (name: string, random: Random, field: Field) => string | undefined,
  ): Template =>
  (random, fields) => {
    const field = one(random, fields, test);
    const body = field && condition(`self.${field.name}`, random, field);
    if (!field || body === undefined) return undefined;
    return field.optional ? `!has(self.${field.name}) || ${body}` : body;
  };

const both =
  (test: (field: Field) => boolean, condition: (a: string, b: string) => string): Template =>
  (random, fields) => {
    const [a, b] = [one(random, fields, test), one(random, fields, test)];
    if (!a || !b || a === b) return undefined;
    const guards = [a, b].filter(({ optional }) => optional).map(({ name }) => `has(self.${name})`);
    const body = condition(`self.${a.name}`, `self.${b.name}`);
    return guards.length === 0 ? body : `!(${guards.join(' && ')}) || ${body}`;
  };

function valueOf(random: Random, { schema }: Field): string {
  return `'${Array.isArray(schema.enum) ? String(random.pick(schema.enum)) : 'x'}'`;
}

/** An enum decides whether another field may be there. */
const discriminated: Template = (random, fields) => {
  const by = one(random, fields, isEnum);
  const other = one(random, fields, ({ optional, name }) => optional && name !== by?.name);
  if (!by || !other) return undefined;
  const is = `self.${by.name} == ${valueOf(random, by)}`;
  return random.chance(0.5)
    ? `${is} ? has(self.${other.name}) : !has(self.${other.name})`
    : `${is} || !has(self.${other.name})`;
};

const atMostOne: Template = (random, fields) => {
  const optional = fields.filter((field) => field.optional);
  if (optional.length < 2) return undefined;
  const names = optional.slice(0, 2 + random.below(2)).map(({ name }) => `has(self.${name})`);
  return random.chance(0.4)
    ? `[${names.join(', ')}].filter(given, given).size() <= 1`
    : `!(${names.slice(0, 2).join(' && ')})`;
};

/** A rule about a field of an object below, or of each item of a list. */
const below: Template = (random, fields) => {
  const field = one(random, fields, (one) => isObject(one) || isListOf('object')(one));
  if (!field) return undefined;
  const isList = !isObject(field);
  const inner = ruleOver(random, isList ? members(field.schema.items) : field.schema);
  if (inner === undefined || /oldSelf|\bself\b(?!\.)|\.(?:all|exists)\(/.test(inner)) return undefined;
  const name = `self.${field.name}`;
  const variable = random.pick(['item', 'x', field.name[0]!]);
  const body = isList
    ? `${name}.${random.pick(['all', 'all', 'exists'])}(${variable}, ${inner.replaceAll('self.', `${variable}.`)})`
    : `(${inner.replaceAll('self.', `${name}.`)})`;
  return field.optional ? `!has(${name}) || ${body}` : body;
};

const templates: readonly Template[] = [
  guarded(isType('integer'), (a, random) => `${a} ${random.pick(['>', '>=', '<=', '!='])} ${random.below(100)}`),
  guarded(isType('integer'), (a) => `${a} % 2 == 1`),
  both(isType('integer'), (a, b) => `${a} <= ${b}`),
  both(isType('integer'), (a, b) => `${a} + ${b} < 1000`),
  guarded(isText, (a, random) => `${a}.startsWith('${random.pick(['a', 'app-', 'eu-'])}')`),
  guarded(isText, (a) => `${a}.matches('^[a-z0-9-]+$')`),
  guarded(isText, (a) => `${a}.size() > 0`),
  guarded(isText, (a) => `size(${a}) <= 63`),
  guarded(isText, (a) => `!format.dns1123Label().validate(${a}).hasValue()`),
  guarded(isText, (a) => `!${a}.contains('..') && !${a}.endsWith('-')`),
  guarded(isText, (a) => `${a}.lowerAscii() == ${a}`),
  both(isText, (a, b) => `${a} != ${b}`),
  guarded(isEnum, (a, random, field) => `${a} in [${valueOf(random, field)}, ${valueOf(random, field)}]`),
  guarded(isEnum, (a, random, field) => `${a} != ${valueOf(random, field)}`),
  guarded(isType('boolean'), (a) => `!${a}`),
  discriminated,
  discriminated,
  atMostOne,
  guarded(isMap, (a) => `${a}.all(key, key.startsWith('app'))`),
  guarded(isMap, (a) => `'app' in ${a}`),
  guarded(isMap, (a) => `!('app' in ${a}) || ${a}['app'] != ''`),
  guarded(isListOf('string'), (a) => `${a}.all(x, x.size() > 1)`),
  guarded(isListOf('string'), (a) => `${a}.exists(x, x.startsWith('item'))`),
  guarded(isListOf('string'), (a) => `'*' in ${a} ? ${a}.size() == 1 : true`),
  guarded(isListOf('object'), (a) => `${a}.exists_one(x, x.name == 'item-0')`),
  guarded(isListOf('object'), (a) => `${a}.map(x, x.name).size() <= 10`),
  below,
  below,
  guarded(hasFormat('date-time'), (a) => `${a} > timestamp('2020-01-01T00:00:00Z')`),
  guarded(hasFormat('duration'), (a) => `${a} >= duration('1s')`),
  guarded(hasFormat('uri'), (a) => `isURL(${a}) && url(${a}).getScheme() == 'https'`),
  guarded(hasFormat('ipv4'), (a) => `isIP(${a}) && ip(${a}).family() == 4`),
  guarded(hasFormat('cidr'), (a) => `cidr(${a}).prefixLength() <= 24`),
  guarded(
    ({ name }) => quantities.includes(name),
    (a) => `quantity(${a}).isGreaterThan(quantity('1Mi'))`,
  ),
  guarded(
    ({ optional }) => !optional,
    (a) => `${a} == ${a.replace('self', 'oldSelf')}`,
  ),
  guarded(
    ({ optional }) => optional,
    (a, _, { name, schema }) =>
      schema.type === 'string' && schema.format === undefined
        ? `self.?${name}.orValue('') == oldSelf.?${name}.orValue('')`
        : `!has(${a.replace('self', 'oldSelf')}) || has(${a})`,
  ),
];
