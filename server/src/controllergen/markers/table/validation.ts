/** What values a field or type may have. */
import { isList, isMap, isString, type Value } from '../../../base/value.ts';
import { formatFloat } from '../../../gostd/float.ts';
import { quote } from '../../../gostd/quote.ts';
import { addTo } from '../drafts.ts';
import { asWritten, writtenNumber } from '../jsonNumbers.ts';
import type { ApplyToSchema, Draft, MarkerDefinition } from '../model.ts';
import { any, flag, float, integer, one, optional, required, text } from './arguments.ts';

const prefix = 'kubebuilder:validation:';
const both = ['type', 'field'] as const;

function typeOf(schema: Draft): string {
  const type = schema.get('type');
  return isString(type) ? type : '';
}

function isNumeric(schema: Draft): boolean {
  return typeOf(schema) === 'integer' || typeOf(schema) === 'number';
}

function isTextual(schema: Draft): boolean {
  return typeOf(schema) === 'string' || schema.get('x-kubernetes-int-or-string') === true;
}

/** Go leaves out what is zero. */
function setOrDrop(schema: Draft, key: string, value: Value): undefined {
  if (value === '' || value === false) schema.delete(key);
  else schema.set(key, value);
}

function bound(key: string, words: string): ApplyToSchema {
  return (schema, value) => {
    if (!isNumeric(schema)) return `must apply ${words} to a numeric value, found ${typeOf(schema)}`;
    const number = Number(value);
    if (typeOf(schema) === 'integer' && !Number.isInteger(number)) {
      return `cannot apply non-integral ${words} validation (${formatFloat(number)}) to integer value`;
    }
    schema.set(key, writtenNumber(number));
    return undefined;
  };
}

function exclusive(key: string, words: string): ApplyToSchema {
  return (schema, value) =>
    isNumeric(schema)
      ? setOrDrop(schema, key, value)
      : `must apply ${words} to a numeric value, found ${typeOf(schema)}`;
}

function textual(key: string, words: string): ApplyToSchema {
  return (schema, value) =>
    isTextual(schema)
      ? setOrDrop(schema, key, value)
      : `must apply ${words} to a textual value, found type ${quote(typeOf(schema))}`;
}

function ofType(type: string, key: string, refusal: string): ApplyToSchema {
  return (schema, value) => (typeOf(schema) === type ? setOrDrop(schema, key, value) : refusal);
}

function put(key: string, make: (value: Value) => Value = (value) => value): ApplyToSchema {
  return (schema, value) => setOrDrop(schema, key, make(value));
}

const yes = (key: string): ApplyToSchema => put(key, () => true);

const reasons = ['FieldValueRequired', 'FieldValueInvalid', 'FieldValueForbidden', 'FieldValueDuplicate'];

const ruleArguments = [
  required('rule', text, 'The expression. It has to be true.', { offers: 'cel' }),
  optional('message', text, 'What is said when the rule is broken. One line.'),
  optional('messageExpression', text, 'An expression that makes the message. Since controller-gen 0.15.', {
    offers: 'cel',
  }),
  optional('reason', text, 'The kind of the error. Since controller-gen 0.16.', { values: reasons }),
  optional('fieldPath', text, 'The field below this one that the error names. Since controller-gen 0.16.'),
  optional(
    'optionalOldSelf',
    flag,
    'With `true`, the rule runs on creation as well, and `oldSelf` is an optional value. Since controller-gen 0.18.',
    { values: ['true', 'false'] },
  ),
];

/** The keys of a rule in the schema are called as the arguments of the marker. */
const ruleKeys = ruleArguments.map(({ name }) => name);

const addRule: ApplyToSchema = (schema, value) => {
  if (!isMap(value)) return undefined;
  const reason = value.get('reason') ?? '';
  if (reason !== '' && !reasons.includes(String(reason))) {
    return `invalid reason ${String(reason)}, valid values are ${reasons.slice(0, 3).join(', ')} and ${reasons[3]!}`;
  }
  const rule = new Map<string, Value>();
  for (const key of ruleKeys) {
    const written = value.get(key);
    if (key === 'rule' || (written !== undefined && written !== '')) rule.set(key, written ?? '');
  }
  addTo(schema, 'x-kubernetes-validations', rule);
  return undefined;
};

/** A rule that counts which of the fields are set. */
function oneOf(rule: (fields: readonly string[]) => string, words: string): ApplyToSchema {
  return (schema, value, around) => {
    const fields = isList(value) ? value.map(String) : [];
    if (fields.length === 0) return undefined;
    const [start, end] = words.split('…');
    const message = `${start}[${fields.join(' ')}]${end}`;
    return addRule(
      schema,
      new Map([
        ['rule', rule(fields)],
        ['message', message],
      ]),
      around,
    );
  };
}

function sum(fields: readonly string[]): string {
  return fields.map((field) => `(has(self.${field})?1:0)`).join('+');
}

const ofSchema = (...path: string[]) => ({ of: 'schema', path }) as const;

type Plain = Omit<MarkerDefinition, 'name' | 'targets' | 'reader'>;

const preserving: Plain = {
  doc: 'Keeps fields that the schema does not know instead of dropping them.',
  since: '0.3',
  becomes: '`x-kubernetes-preserve-unknown-fields: true`',
  arguments: [],
  sets: ofSchema('x-kubernetes-preserve-unknown-fields'),
  apply: yes('x-kubernetes-preserve-unknown-fields'),
};

const embedded: Plain = {
  doc: 'The value is a Kubernetes object with `apiVersion`, `kind` and `metadata` of its own.',
  since: '0.3',
  becomes: '`x-kubernetes-embedded-resource: true`',
  arguments: [],
  sets: ofSchema('x-kubernetes-embedded-resource'),
  apply: yes('x-kubernetes-embedded-resource'),
};

/** Those that exist for fields, types and, with `items:`, for what is in a list. */
const validations = {
  Maximum: {
    doc: 'The largest number allowed.',
    becomes: '`maximum` of the schema',
    arguments: one(float, 'A number. For an integer field it may not have a fraction.'),
    reads: 'float',
    fits: ['number'],
    sets: ofSchema('maximum'),
    apply: bound('maximum', 'maximum'),
  },
  Minimum: {
    doc: 'The smallest number allowed.',
    becomes: '`minimum` of the schema',
    arguments: one(float, 'A number. For an integer field it may not have a fraction.'),
    reads: 'float',
    fits: ['number'],
    sets: ofSchema('minimum'),
    apply: bound('minimum', 'minimum'),
  },
  ExclusiveMaximum: {
    doc: 'With `true`, the number given by `Maximum` itself is not allowed either.',
    becomes: '`exclusiveMaximum` of the schema',
    arguments: one(flag, '`true` to exclude the maximum.', { values: ['true', 'false'] }),
    fits: ['number'],
    sets: ofSchema('exclusiveMaximum'),
    apply: exclusive('exclusiveMaximum', 'exclusivemaximum'),
  },
  ExclusiveMinimum: {
    doc: 'With `true`, the number given by `Minimum` itself is not allowed either.',
    becomes: '`exclusiveMinimum` of the schema',
    arguments: one(flag, '`true` to exclude the minimum.', { values: ['true', 'false'] }),
    fits: ['number'],
    sets: ofSchema('exclusiveMinimum'),
    apply: exclusive('exclusiveMinimum', 'exclusiveminimum'),
  },
  MultipleOf: {
    doc: 'The number has to be a multiple of this one.',
    becomes: '`multipleOf` of the schema',
    arguments: one(float, 'A number above zero.'),
    fits: ['number'],
    sets: ofSchema('multipleOf'),
    apply: bound('multipleOf', 'multipleof'),
  },
  MinProperties: {
    doc: 'How many keys an object has at least.',
    since: '0.5',
    becomes: '`minProperties` of the schema',
    arguments: one(integer, 'A count.'),
    fits: ['object', 'map', 'struct'],
    sets: ofSchema('minProperties'),
    apply: ofType('object', 'minProperties', 'must apply minproperties to an object'),
  },
  MaxProperties: {
    doc: 'How many keys an object has at most. It also bounds what rules over the object may cost.',
    since: '0.5',
    becomes: '`maxProperties` of the schema',
    arguments: one(integer, 'A count.'),
    fits: ['object', 'map', 'struct'],
    sets: ofSchema('maxProperties'),
    apply: ofType('object', 'maxProperties', 'must apply maxproperties to an object'),
  },
  MaxLength: {
    doc: 'How many characters a string has at most. It also bounds what rules over the string may cost.',
    becomes: '`maxLength` of the schema',
    arguments: one(integer, 'A count of characters.'),
    fits: ['string'],
    sets: ofSchema('maxLength'),
    apply: textual('maxLength', 'maxlength'),
  },
  MinLength: {
    doc: 'How many characters a string has at least.',
    becomes: '`minLength` of the schema',
    arguments: one(integer, 'A count of characters.'),
    fits: ['string'],
    sets: ofSchema('minLength'),
    apply: textual('minLength', 'minlength'),
  },
  Pattern: {
    doc: 'A regular expression that the string matches somewhere; `^` and `$` make it match as a whole. Write it in backquotes, so that its backslashes need no escapes.',
    becomes: '`pattern` of the schema',
    arguments: one(text, "A regular expression in Go's notation."),
    fits: ['string'],
    sets: ofSchema('pattern'),
    apply: textual('pattern', 'pattern'),
  },
  MaxItems: {
    doc: 'How many items a list has at most. It also bounds what rules over the list may cost.',
    becomes: '`maxItems` of the schema',
    arguments: one(integer, 'A count.'),
    reads: 'int',
    fits: ['list'],
    sets: ofSchema('maxItems'),
    apply: ofType('array', 'maxItems', 'must apply maxitem to an array'),
  },
  MinItems: {
    doc: 'How many items a list has at least.',
    becomes: '`minItems` of the schema',
    arguments: one(integer, 'A count.'),
    fits: ['list'],
    sets: ofSchema('minItems'),
    apply: ofType('array', 'minItems', 'must apply minitems to an array'),
  },
  UniqueItems: {
    doc: 'The API server refuses CRDs that ask for unique items with `uniqueItems: true`. Use `+listType=set` instead.',
    becomes: '`uniqueItems` of the schema',
    arguments: one(flag, '`true` or `false`.', { values: ['true', 'false'] }),
    fits: ['list'],
    sets: ofSchema('uniqueItems'),
    apply: ofType('array', 'uniqueItems', 'must apply uniqueitems to an array'),
  },
  Enum: {
    doc: 'The only values allowed, separated by semicolons or in braces.',
    becomes: '`enum` of the schema',
    arguments: one({ kind: 'list', of: any }, 'Values of the type of the field: `Always;Never`, `1;2`, `{"a b","c"}`.'),
    fits: ['string', 'number'],
    sets: ofSchema('enum'),
    apply: (schema, value) => {
      // Go leaves an empty list out.
      if (isList(value) && value.length > 0) schema.set('enum', asWritten(value));
      else schema.delete('enum');
      return undefined;
    },
  },
  Format: {
    doc: 'The form of a string or number. The API server checks those that it knows; others are only documentation.',
    becomes: '`format` of the schema',
    arguments: one(text, 'The name of a format.', {
      values: [
        'date-time',
        'date',
        'duration',
        'email',
        'hostname',
        'ipv4',
        'ipv6',
        'cidr',
        'mac',
        'uri',
        'uuid',
        'uuid3',
        'uuid4',
        'uuid5',
        'byte',
        'password',
        'int32',
        'int64',
        'float',
        'double',
        'bsonobjectid',
        'isbn',
        'isbn10',
        'isbn13',
        'creditcard',
        'ssn',
        'hexcolor',
        'rgbcolor',
      ],
    }),
    fits: ['string', 'number'],
    sets: ofSchema('format'),
    apply: put('format'),
  },
  Type: {
    doc: 'Replaces the type of the schema. A Go type that writes its own JSON needs it.',
    becomes: '`type` of the schema',
    arguments: one(text, 'A type of JSON schemas.', {
      values: ['string', 'integer', 'number', 'boolean', 'array', 'object'],
    }),
    priority: 9,
    sets: ofSchema('type'),
    apply: put('type'),
  },
  XPreserveUnknownFields: { ...preserving, instead: 'kubebuilder:pruning:PreserveUnknownFields', isAlias: true },
  XEmbeddedResource: { ...embedded, isAlias: true },
  XIntOrString: {
    doc: 'The value is an integer or a string, as `intstr.IntOrString` is. Needed where `Pattern` and the like are said of such a value.',
    since: '0.7',
    becomes: '`x-kubernetes-int-or-string: true`',
    arguments: [],
    priority: 9,
    sets: ofSchema('x-kubernetes-int-or-string'),
    apply: yes('x-kubernetes-int-or-string'),
  },
  XValidation: {
    doc: 'A rule in CEL that the value has to keep. `self` is the value, `oldSelf` the one before an update; a rule that uses `oldSelf` runs only on updates.',
    since: '0.9',
    becomes: 'a rule of `x-kubernetes-validations`',
    arguments: ruleArguments,
    repeats: true,
    sets: ofSchema('x-kubernetes-validations'),
    apply: addRule,
  },
} satisfies Readonly<Record<string, Plain>>;

const plain: MarkerDefinition[] = Object.entries<Plain>(validations).map(([name, row]) => ({
  name: prefix + name,
  targets: both,
  reader: 'crd',
  ...row,
}));

const items: MarkerDefinition[] = Object.entries<Plain>(validations).map(
  ([name, { fits: _, since, isAlias: __, ...row }]) => ({
    name: `${prefix}items:${name}`,
    targets: both,
    reader: 'crd',
    ...row,
    doc: `For each item of the list: ${row.doc[0]!.toLowerCase()}${row.doc.slice(1)}`,
    becomes: `${row.becomes} for \`items\``,
    since: since !== undefined && Number(since.slice(2)) > 15 ? since : '0.15',
    fits: ['list'],
    sets: ofSchema('items', ...(row.sets?.path ?? []).map(String)),
  }),
);

/** A schema marker of a single name. */
function row(name: string, targets: MarkerDefinition['targets'], about: Plain): MarkerDefinition {
  return { name, targets, reader: 'crd', ...about };
}

const nothing: Pick<Plain, 'arguments'> = { arguments: [] };
const isRequired = { ...nothing, doc: 'The field has to be there.', becomes: 'the name of the field in `required`' };
const isOptional = { ...nothing, doc: 'The field may be left out.', becomes: 'no name in `required`' };
const fieldNames = { kind: 'list', of: text } as const;

function alias(name: string, of: keyof typeof validations): MarkerDefinition {
  return row(name, ['field'], { ...validations[of], since: '0.23', isAlias: true });
}

export const validationMarkers: readonly MarkerDefinition[] = [
  ...plain,
  ...items,
  row(`${prefix}Required`, ['field'], { ...isRequired, instead: 'required' }),
  row(`${prefix}Optional`, ['field'], { ...isOptional, instead: 'optional' }),
  row('required', ['field'], { ...isRequired, since: '0.16' }),
  row('optional', ['field'], isOptional),
  row('k8s:required', ['field'], {
    ...nothing,
    doc: 'The field has to be there, and may not be empty: a string has a character, a list an item, an object a key, unless a minimum is given.',
    since: '0.20',
    becomes: 'the name of the field in `required`, and `minLength`, `minItems` or `minProperties` of 1',
    apply: (schema) => {
      const ofRef = schema.get('$ref') === undefined ? undefined : 'minProperties';
      const key = { string: 'minLength', array: 'minItems', object: 'minProperties' }[typeOf(schema)] ?? ofRef;
      if (key !== undefined && !schema.has(key)) schema.set(key, 1n);
      return undefined;
    },
  }),
  row('k8s:optional', ['field'], { ...isOptional, since: '0.20' }),
  row('nullable', ['field'], {
    ...nothing,
    doc: 'The value may be `null`. Without it, the API server drops a null.',
    becomes: '`nullable: true`',
    sets: ofSchema('nullable'),
    apply: yes('nullable'),
  }),
  row('kubebuilder:default', ['field'], {
    doc: 'The value that the API server fills in where the field is missing. Objects are in braces with a colon, lists in braces.',
    since: '0.3',
    becomes: '`default` of the schema',
    arguments: one(any, '`text`, `"text"`, `3`, `true`, `{a,b}`, `{key: value}`, `{}`.'),
    sets: ofSchema('default'),
    apply: (schema, value) => {
      const isEmpty = isMap(value) && value.size === 0 && typeOf(schema) === 'array';
      schema.set('default', isEmpty ? [] : asWritten(value));
      return undefined;
    },
  }),
  row('default', ['field'], {
    doc: 'The value that the API server fills in where the field is missing, as JSON: a string is in double quotes. `ref(…)` is ignored.',
    since: '0.16',
    becomes: '`default` of the schema',
    arguments: one(any, 'A value in JSON.'),
    isAlias: true,
    reads: 'json',
    priority: 9,
    sets: ofSchema('default'),
    apply: (schema, value) => {
      if (value !== null) schema.set('default', value);
      return undefined;
    },
  }),
  row('kubebuilder:example', ['field'], {
    doc: 'A value that documentation shows as an example.',
    since: '0.12',
    becomes: '`example` of the schema',
    arguments: one(any, 'A value, written as for `kubebuilder:default`.'),
    sets: ofSchema('example'),
    apply: (schema, value) => {
      schema.set('example', asWritten(value));
      return undefined;
    },
  }),
  row('kubebuilder:title', both, {
    doc: 'A title for documentation.',
    since: '0.18',
    becomes: '`title` of the schema',
    arguments: one(any, 'A text.'),
    sets: ofSchema('title'),
    apply: (schema, value) => {
      if (isString(value)) return setOrDrop(schema, 'title', value);
      return `expected string, got ${goType(value)}`;
    },
  }),
  row(`${prefix}EmbeddedResource`, ['field'], embedded),
  row(`${prefix}Schemaless`, ['field'], {
    ...nothing,
    doc: 'Leaves the Go type out of the schema: only what other markers say is there. Use it last of all.',
    since: '0.5',
    becomes: 'a schema without type and properties',
  }),
  row('kubebuilder:pruning:PreserveUnknownFields', both, preserving),
  row('k8s:immutable', ['field'], {
    ...nothing,
    doc: 'Once set, the value cannot change. An optional field can still be set later.',
    since: '0.21',
    becomes: 'the rule `self == oldSelf` in `x-kubernetes-validations`',
    isAlias: true,
    sets: ofSchema('x-kubernetes-validations'),
    apply: (schema, _, around) =>
      addRule(
        schema,
        new Map([
          ['rule', 'self == oldSelf'],
          ['message', 'field is immutable'],
        ]),
        around,
      ),
  }),
  alias('k8s:maxItems', 'MaxItems'),
  alias('k8s:minimum', 'Minimum'),
  alias('k8s:maximum', 'Maximum'),
  row('k8s:enum', ['type'], {
    ...nothing,
    doc: 'The values allowed are the constants of this type in its package. The type has to be a string.',
    since: '0.21',
    becomes: '`enum` of the schema',
    isAlias: true,
    fits: ['string'],
    sets: ofSchema('enum'),
    apply: (schema, _, around) => {
      const found = around.enumValues();
      if ('refused' in found) return found.refused;
      schema.set('type', 'string');
      schema.set('enum', found.values);
      return undefined;
    },
  }),
  row('k8s:enum', ['field'], {
    ...nothing,
    doc: 'It belongs to the type of the field: controller-gen refuses it on a field.',
    since: '0.21',
    becomes: 'nothing',
    isRefused: true,
    apply: () => 'k8s:enum must be set on a type, not a field',
  }),
  row(`${prefix}AtMostOneOf`, ['type'], {
    doc: 'At most one of these fields may be set.',
    since: '0.19',
    becomes: 'a rule of `x-kubernetes-validations`',
    isAlias: true,
    arguments: one(fieldNames, 'The JSON names of the fields, separated by semicolons.', { offers: 'field' }),
    fits: ['struct'],
    repeats: true,
    priority: 11,
    sets: ofSchema('x-kubernetes-validations'),
    apply: oneOf((fields) => `${sum(fields)} <= 1`, 'at most one of the fields in … may be set'),
  }),
  row(`${prefix}ExactlyOneOf`, ['type'], {
    doc: 'Exactly one of these fields has to be set.',
    since: '0.19',
    becomes: 'a rule of `x-kubernetes-validations`',
    isAlias: true,
    arguments: one(fieldNames, 'The JSON names of the fields, separated by semicolons.', { offers: 'field' }),
    fits: ['struct'],
    repeats: true,
    priority: 12,
    sets: ofSchema('x-kubernetes-validations'),
    apply: oneOf((fields) => `${sum(fields)} == 1`, 'exactly one of the fields in … must be set'),
  }),
  row(`${prefix}AtLeastOneOf`, ['type'], {
    doc: 'At least one of these fields has to be set.',
    since: '0.20',
    becomes: 'a rule of `x-kubernetes-validations`',
    isAlias: true,
    arguments: one(fieldNames, 'The JSON names of the fields, separated by semicolons.', { offers: 'field' }),
    fits: ['struct'],
    repeats: true,
    priority: 13,
    sets: ofSchema('x-kubernetes-validations'),
    apply: oneOf(
      (fields) => fields.map((field) => `has(self.${field})`).join('||'),
      'at least one of the fields in … must be set',
    ),
  }),
];

/** How Go names the type of a value that was guessed. */
function goType(value: Value): string {
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (isMap(value)) return 'map[string]interface {}';
  return isList(value) ? `[]${value.length > 0 ? goType(value[0]!) : 'interface {}'}` : 'string';
}
