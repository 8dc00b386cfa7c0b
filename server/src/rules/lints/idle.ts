import type { Path, Value } from '../../base/value.ts';
import type { Expr } from '../../cel/ast.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { Structural, ValueValidation } from '../../kubernetes/schema/structural.ts';
import { removeAt, renameKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, removal } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { type Found, type LintedSchema, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';
import { entryPath, type LintedRule } from './ruleWalk.ts';

// What the API server accepts silently, and what can never do anything, or never lets anything pass.

type IdleFacts = {
  'lint/keyword-idle': { readonly meant: string | undefined };
  'lint/enum-type': undefined;
  'lint/bounds-contradict': undefined;
  'lint/required-undeclared': { readonly name: string; readonly declared: readonly string[] };
  'lint/rule-constant': undefined;
};

// Keywords of another type

type Kind = 'text' | 'number' | 'list' | 'map';

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['string', 'text'],
  ['integer', 'number'],
  ['number', 'number'],
  ['array', 'list'],
  ['object', 'map'],
]);

const lower: Readonly<Record<Kind, keyof ValueValidation>> = {
  text: 'minLength',
  number: 'minimum',
  list: 'minItems',
  map: 'minProperties',
};

const upper: Readonly<Record<Kind, keyof ValueValidation>> = {
  text: 'maxLength',
  number: 'maximum',
  list: 'maxItems',
  map: 'maxProperties',
};

const keywordsOf: Readonly<Record<Kind, readonly (keyof ValueValidation)[]>> = {
  text: [lower.text, upper.text, 'pattern'],
  number: [lower.number, upper.number, 'multipleOf'],
  list: [lower.list, upper.list],
  map: [lower.map, upper.map, 'required'],
};

const words: Readonly<Record<Kind, string>> = { text: 'strings', number: 'numbers', list: 'lists', map: 'objects' };
const allKinds = Object.keys(words) as Kind[];

function lintIdle({ schema }: LintedSchema): Found<IdleFacts['lint/keyword-idle']>[] {
  const { type, validation } = schema;
  const own = kinds.get(type);
  if (!validation || type === '' || schema.extensions.intOrString) return [];
  const found: Found<IdleFacts['lint/keyword-idle']>[] = [];
  for (const kind of allKinds) {
    if (kind === own || mayPass(schema, kind)) continue;
    for (const keyword of keywordsOf[kind]) {
      if (!isSet(validation[keyword])) continue;
      const message = `\`${keyword}\` is about ${words[kind]} and has no effect on \`type: ${type}\`.`;
      const meant = own && (keyword === lower[kind] ? lower[own] : keyword === upper[kind] ? upper[own] : undefined);
      found.push({ message, at: [keyword], anchor: 'key', facts: { meant } });
    }
  }
  return found;
}

/** With a format, the API server lets texts and lists pass for any type but numbers. */
function mayPass({ type, validation }: Structural, kind: Kind): boolean {
  return validation?.format !== '' && (kind === 'text' || kind === 'list') && kinds.get(type) !== 'number';
}

const isSet = (keyword: unknown) =>
  keyword !== undefined && keyword !== '' && !(Array.isArray(keyword) && keyword.length === 0);

function keywordFixes(problem: ProblemOf<IdleFacts, 'lint/keyword-idle'>): Fix[] {
  const { document, path, facts } = problem;
  const { meant } = facts;
  const isFree = meant !== undefined && !mapIn(problem, path.slice(0, -1))?.has(meant);
  return [
    ...(isFree ? fixOf(`Rename to \`${meant}\``, renameKey(document, path, meant), false) : []),
    ...removal(false)(problem),
  ];
}

// Values of an enum that the type forbids

function lintEnum({ schema }: LintedSchema): Found<undefined>[] {
  const { type, nullable, extensions, validation } = schema;
  if (type === '' || extensions.intOrString || validation?.format !== '') return [];
  return (validation.enum ?? []).flatMap((value, i): Found<undefined>[] => {
    if (value === null ? nullable : isOfType(value, type)) return [];
    const message = `${printJson(value)} can never be the value: the type is \`${type}\`.`;
    return [{ message, at: ['enum', i], anchor: 'value' }];
  });
}

/** An integer is also compared with texts, as the character of that number. */
function isOfType(value: Value, type: string): boolean {
  if (typeof value === 'string') return type === 'string' || (type === 'integer' && [...value].length === 1);
  if (typeof value === 'bigint') return type === 'integer' || type === 'number';
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  if (typeof value === 'boolean') return type === 'boolean';
  return type === (Array.isArray(value) ? 'array' : 'object');
}

function enumFixes({ document, path }: Problem): Fix[] {
  return fixOf('Remove this value', removeAt(document, path), false);
}

// Limits between which nothing is

function lintBounds({ schema: { type, validation } }: LintedSchema): Found<undefined>[] {
  const kind = kinds.get(type);
  if (!validation || !kind) return [];
  const [least, most] = [validation[lower[kind]], validation[upper[kind]]].map((bound) =>
    typeof bound === 'number' || typeof bound === 'bigint' ? bound : undefined,
  );
  if (least === undefined || most === undefined) return [];
  const isOpen = kind === 'number' && (validation.exclusiveMinimum || validation.exclusiveMaximum);
  if (isOpen ? least < most : least <= most) return [];
  const message = `No value is allowed: \`${lower[kind]}\` is ${least} and \`${upper[kind]}\` is ${most}.`;
  return [{ message, at: [lower[kind]], anchor: 'value' }];
}

function swapBounds(problem: Problem): Fix[] {
  const { document, path } = problem;
  const schema = mapIn(problem, path.slice(0, -1));
  const [lowerKey, upperKey] = [String(path.at(-1)), String(path.at(-1)).replace('min', 'max')];
  const [least, most] = [schema?.get(lowerKey), schema?.get(upperKey)];
  if (least === undefined || most === undefined || least === most) return [];
  const upperPath: Path = [...path.slice(0, -1), upperKey];
  const edits = [...setValue(document, path, most), ...setValue(document, upperPath, least)];
  return fixOf(`Swap \`${lowerKey}\` and \`${upperKey}\``, edits, false);
}

// Fields that are demanded and always dropped

/** Every resource has these, declared or not. */
const always: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function lintRequired({ schema }: LintedSchema): Found<IdleFacts['lint/required-undeclared']>[] {
  const { type, properties, additionalProperties, extensions, validation } = schema;
  const keeps = extensions.preserveUnknownFields || extensions.embeddedResource || additionalProperties !== undefined;
  if (type !== 'object' || keeps) return [];
  return (validation?.required ?? []).flatMap((name, i): Found<IdleFacts['lint/required-undeclared']>[] => {
    if (properties?.has(name) || always.has(name)) return [];
    const message = `\`${name}\` is required but not declared: it is dropped before it is checked, so no object is ever accepted.`;
    const facts = { name, declared: [...(properties?.keys() ?? [])] };
    return [{ message, at: ['required', i], anchor: 'value', facts }];
  });
}

function requiredFixes({ document, path, facts }: ProblemOf<IdleFacts, 'lint/required-undeclared'>): Fix[] {
  const near = nearestNames(facts.name, facts.declared);
  return [
    ...near.flatMap((name) => fixOf(`Change to \`${name}\``, setValue(document, path, name), false)),
    ...fixOf(`Remove \`${facts.name}\``, removeAt(document, path), false),
  ];
}

// Rules with one result

function lintConstant(_: Linted, at: LintedRule): Found<undefined>[] {
  const result = truthOf(at.rule.compiled!.expr);
  if (result === undefined) return [];
  const message = result
    ? 'The rule is always true: it checks nothing.'
    : 'The rule is always false: no value is ever accepted.';
  return [{ message, at: [...entryPath(at), 'rule'], anchor: 'value' }];
}

/** What a condition comes to whatever the value is, as far as its literals tell. */
function truthOf(expr: Expr): boolean | undefined {
  if (expr.kind === 'literal') return expr.literal.of === 'bool' ? expr.literal.value === true : undefined;
  if (expr.kind !== 'call') return undefined;
  const [first, second, third] = expr.args;
  switch (expr.name) {
    case '!_':
      return opposite(truthOf(first!));
    case '_&&_':
      return combined(truthOf(first!), truthOf(second!), false);
    case '_||_':
      return combined(truthOf(first!), truthOf(second!), true);
    case '_?:_':
    case '_?_:_': {
      const chosen = truthOf(first!);
      return chosen === undefined ? undefined : truthOf(chosen ? second! : third!);
    }
    case '_==_':
      return sameLiteral(first!, second!);
    case '_!=_':
      return opposite(sameLiteral(first!, second!));
    default:
      return undefined;
  }
}

const opposite = (truth: boolean | undefined) => (truth === undefined ? undefined : !truth);

/** The deciding side wins over anything on the other, an error included. */
function combined(a: boolean | undefined, b: boolean | undefined, deciding: boolean): boolean | undefined {
  if (a === deciding || b === deciding) return deciding;
  return a === undefined || b === undefined ? undefined : !deciding;
}

function sameLiteral(a: Expr, b: Expr): boolean | undefined {
  const areAlike = a.kind === 'literal' && b.kind === 'literal' && a.literal.of === b.literal.of;
  const isPlain = areAlike && ['bool', 'int', 'string'].includes(a.literal.of);
  return isPlain ? a.literal.value === b.literal.value : undefined;
}

const field = (rows: string) => `#- use: schema
size:
${rows.replace(/^(?=.)/gm, '  ')}`;

const ruled = (rule: string) =>
  field(`type: integer
x-kubernetes-validations:
  - rule: ${rule}
    message: must be positive
`);

export const idleLints = lintFamily<IdleFacts>()({
  'lint/keyword-idle': {
    severity: 'warning',
    title: 'A keyword that has no effect on this type',
    explanation: `\`minLength\`, \`maxLength\` and \`pattern\` apply to strings, \`minimum\`, \`maximum\` and \`multipleOf\` to numbers,
\`minItems\` and \`maxItems\` to lists, and \`minProperties\`, \`maxProperties\` and \`required\` to objects. The API server
accepts them on any type, and ignores them on all others.`,
    bad: field('type: integer\nminLength: 1\n'),
    good: field('type: integer\nminimum: 1\n'),
    fixes: keywordFixes,
    restsOn: 'schema',
    check: lintIdle,
  },
  'lint/enum-type': {
    ofItems: true,
    severity: 'warning',
    title: 'An enum value of a different type',
    explanation: `A value must have the right type and be listed in \`enum\`. The API server does not compare the two: a listed value of
a different type can never be used. In YAML, numbers and words such as \`no\` are strings only in quotes.`,
    bad: field('type: string\nenum: [small, 2]\n'),
    good: field('type: string\nenum: [small, "2"]\n'),
    fixes: enumFixes,
    restsOn: 'schema',
    check: lintEnum,
  },
  'lint/bounds-contradict': {
    severity: 'warning',
    title: 'A lower limit above the upper limit',
    explanation: 'No value can satisfy both limits. The API server accepts the CRD, and then rejects every value.',
    bad: field('type: integer\nminimum: 5\nmaximum: 1\n'),
    good: field('type: integer\nminimum: 1\nmaximum: 5\n'),
    fixes: swapBounds,
    restsOn: 'schema',
    check: lintBounds,
  },
  'lint/required-undeclared': {
    severity: 'warning',
    title: 'A required field that is not declared',
    explanation: `The API server drops fields that the schema does not declare, and only then asks for the required
ones. A required field without a schema is always missing, so every object is rejected. Usually the name is misspelled,
or the field was renamed.`,
    bad: field('type: object\nrequired: [widht]\nproperties:\n  width: {type: integer}\n'),
    good: field('type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n'),
    fixes: requiredFixes,
    restsOn: 'schema',
    check: lintRequired,
  },
  'lint/rule-constant': {
    severity: 'warning',
    title: 'A rule that always has the same result',
    explanation: `The literals in the rule decide its result, whatever the value is: it either checks nothing, or
rejects everything.`,
    bad: ruled('self > 0 || true'),
    good: ruled('self > 0'),
    restsOn: 'rule',
    check: lintConstant,
  },
});
