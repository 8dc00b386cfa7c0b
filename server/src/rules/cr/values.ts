import { isList, isMap, isString, type Value } from '../../base/value.ts';
import type { SchemaProps } from '../../kubernetes/api/schema.ts';
import type { CrFacts, SchemaFacts } from '../../kubernetes/cr/findings.ts';
import { quoteAt, removeAt, setValue, wrapInList } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, valueIn, withoutUnit } from '../fixing/fixes.ts';
import { keywordInSchema } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';
import type { Says } from '../model/says.ts';
import { addMissing, placeholder } from './missing.ts';

/** A Gizmo of the examples, with this spec. */
const gizmo = (spec: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
spec:
${spec.replace(/^(?=.)/gm, '  ')}`;

const typeNames: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['object', 'a map'],
  ['string', 'a string'],
]);

/** The server shows the name of the type that it found as if it were the value. */
function wrongType(problem: ProblemOf<CrFacts, 'cr/type'>): string | undefined {
  const wanted = typeWanted(problem);
  const found = kindOf(valueIn(problem, problem.path));
  return wanted === undefined || found === undefined ? undefined : `Expected ${wanted}, found ${found}.`;
}

function typeWanted({ facts: { schema } }: ProblemOf<CrFacts, 'cr/type'>): string | undefined {
  return schema?.intOrString ? 'an integer or a string' : typeNames.get(schema?.type ?? '');
}

function mistyped(problem: ProblemOf<CrFacts, 'cr/type'>): Says {
  const wanted = typeWanted(problem);
  const found = valueIn(problem, problem.path);
  const field = /^([\w.[\]-]{1,1000}) in body must be of type /.exec(problem.facts.message)?.[1];
  const boolean = wanted !== undefined && typeof found === 'boolean' ? { wanted, boolean: found } : {};
  return { mistyped: { ...boolean, ...(field !== undefined && { field }) } };
}

function kindOf(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isMap(value)) return 'a map';
  if (typeof value === 'bigint') return 'an integer';
  return typeof value === 'boolean' ? `the boolean ${value}` : `a ${typeof value}`;
}

/** Quotes what should be a string, and takes the quotes from what should be a number or a boolean. */
function convertType(problem: ProblemOf<CrFacts, 'cr/type'>): Fix[] {
  const { document, path, facts } = problem;
  const { type, intOrString } = facts.schema ?? {};
  const value = valueIn(problem, path);
  const isBare = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';
  if (type === 'object' && value !== undefined && !isMap(value)) return asMap(problem, value);
  if (type === 'array') return fixOf('Make it a list', wrapInList(document, path), true);
  if (isBare && (type === 'string' || intOrString)) return fixOf('Quote the value', quoteAt(document, path), true);
  const converted = converts(value, type);
  if (converted !== undefined) return fixOf('Remove the quotes', setValue(document, path, converted), true);
  return type === 'integer' && isString(value) ? withoutUnit(problem) : [];
}

/** A value where a map belongs: put under the field that it may be meant for, or the map without it. */
function asMap({ document, path, facts }: ProblemOf<CrFacts, 'cr/type'>, value: Value): Fix[] {
  const { properties = new Map<string, SchemaProps>(), required = [] } = facts.schema ?? {};
  const [only, ...others] = isList(value) ? value : [];
  if (isMap(only) && others.length === 0) {
    return fixOf('Make the only item the map', setValue(document, path, only), false);
  }
  const names = required.length > 0 ? required : [...properties.keys()];
  const name = names.length === 1 ? names[0] : undefined;
  const fits = name !== undefined && takes(properties.get(name), value);
  return [
    ...(fits ? fixOf(`Put it under \`${name}\``, setValue(document, path, new Map([[name, value]])), false) : []),
    ...(required.length > 0
      ? fixOf('Replace it with the required fields', setValue(document, path, placeholder(facts.schema)), false)
      : []),
  ];
}

function takes(schema: SchemaProps | undefined, value: Value): boolean {
  if (schema?.intOrString) return isString(value) || typeof value === 'bigint';
  if (typeof value === 'bigint') return schema?.type === 'integer' || schema?.type === 'number';
  return schema?.type === typeof value;
}

function converts(value: Value | undefined, wanted: string | undefined): Value | undefined {
  if (!isString(value)) return undefined;
  if (wanted === 'integer' && /^-?\d{1,18}$/.test(value)) return BigInt(value);
  if (wanted === 'number' && /^-?\d+(\.\d+)?$/.test(value)) return value.includes('.') ? Number(value) : BigInt(value);
  if (wanted === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return undefined;
}

/** Cut to the length that is allowed. */
function shortened(problem: ProblemOf<CrFacts, 'cr/max-length'>): Fix[] {
  const { document, path, facts } = problem;
  const value = valueIn(problem, path);
  if (!isString(value) || facts.limit === undefined) return [];
  const text = [...value].slice(0, Number(facts.limit)).join('');
  return fixOf(`Shorten to \`${text}\``, setValue(document, path, text), false);
}

/** The number next to what is written that the limit allows. */
function nearestBound(keyword: 'maximum' | 'minimum'): (problem: Problem<string, SchemaFacts>) => Fix[] {
  return ({ document, path, facts: { schema } }) => {
    const bound = schema?.[keyword];
    if (bound === undefined) return [];
    const isOpen = keyword === 'maximum' ? schema?.exclusiveMaximum : schema?.exclusiveMinimum;
    const whole = Number.isInteger(bound) ? BigInt(bound) : undefined;
    if (isOpen && (whole === undefined || schema?.type !== 'integer')) return [];
    const step = isOpen ? (keyword === 'maximum' ? -1n : 1n) : 0n;
    const value = whole === undefined ? bound : whole + step;
    return fixOf(`Change to \`${value}\``, setValue(document, path, value), false);
  };
}

/** What is often meant where a text has the wrong form; only what the pattern allows outlives the trial. */
function likelyTexts(problem: ProblemOf<CrFacts, 'cr/pattern'>): Fix[] {
  const value = valueIn(problem, problem.path);
  if (!isString(value)) return [];
  const lower = value.toLowerCase();
  const likely = [value.trim(), lower, lower.trim().replace(/[\s_]+/g, '-'), value.toUpperCase()];
  return [...new Set(likely)]
    .filter((text) => text !== value && text !== '')
    .flatMap((text) => fixOf(`Change to \`${text}\``, setValue(problem.document, problem.path, text), false));
}

const bounds = 'The CRD sets this limit; hover over the field to see all its constraints.';

export const valueRules = family<CrFacts>()({
  'cr/type': {
    ofType: true,
    ofForm: true,
    title: 'A value has the wrong type',
    explanation: `The schema requires another type here. YAML is the most common reason: \`1\`, \`true\` and \`1.10\`
are strings only if they are quoted, and a quoted number is not a number.`,
    bad: gizmo('size: "3"\n'),
    good: gizmo('size: 3\n'),
    plain: wrongType,
    says: mistyped,
    fixes: convertType,
    related: keywordInSchema('type'),
  },
  'cr/format': {
    ofForm: true,
    title: 'A string does not match its format',
    explanation: `The field has a \`format\`, such as a date, a duration or an address, and the API server rejects a
string that cannot be parsed as one. Dates are written as \`2006-01-02\`, times as \`2006-01-02T15:04:05Z\`.`,
    bad: gizmo('day: 2026-13-01\n'),
    good: gizmo('day: 2026-12-01\n'),
    related: keywordInSchema('format'),
  },
  'cr/required': {
    ofMissing: true,
    meantInTests: true,
    title: 'A required field is missing',
    explanation: `The schema lists the field under \`required\`, and it has no default. Without it the object is rejected. Where an
unknown field of the same map may be the one that is missing, it is a note: the API server refuses that one first. So is a field
that a mutating webhook of the repository may add before the CRD is asked: one in Go writes all fields of its types, with \`false\`,
0 or an empty text where nothing was given. Where the schema takes no such value, it stays an error.`,
    bad: gizmo('point:\n  x: 1\n'),
    good: gizmo('point:\n  x: 1\n  z: 0\n'),
    fixes: addMissing,
    related: keywordInSchema('required'),
  },
  'cr/enum': {
    title: 'A value that is not one of the allowed values',
    explanation: 'The field accepts only certain values, and they are case-sensitive.',
    bad: gizmo('color: gren\n'),
    good: gizmo('color: green\n'),
    fixes: (problem) => choices(problem, (problem.facts.allowed ?? []).filter(isString)),
    related: keywordInSchema('enum'),
  },
  'cr/max-length': {
    title: 'A string that is too long',
    explanation: `${bounds} The length is counted in characters, although the message says bytes.`,
    bad: gizmo('name: gadgets\n'),
    good: gizmo('name: gizmo\n'),
    fixes: shortened,
    related: keywordInSchema('maxLength'),
  },
  'cr/min-length': {
    title: 'A string that is too short',
    explanation: `${bounds} An empty string still counts as a value: leave the field out if it is optional.`,
    bad: gizmo('name: a\n'),
    good: gizmo('name: ab\n'),
    related: keywordInSchema('minLength'),
  },
  'cr/pattern': {
    ofForm: true,
    title: 'A string that does not match the pattern',
    explanation: `The regular expression may match any part of the string unless \`^\` and \`$\` anchor it to the
whole. The syntax is RE2, as in Go.`,
    bad: gizmo('code: A1\n'),
    good: gizmo('code: abc\n'),
    fixes: likelyTexts,
    related: keywordInSchema('pattern'),
  },
  'cr/maximum': {
    title: 'A number that is too large',
    explanation: bounds,
    bad: gizmo('size: 11\n'),
    good: gizmo('size: 10\n'),
    fixes: nearestBound('maximum'),
    related: keywordInSchema('maximum'),
  },
  'cr/minimum': {
    title: 'A number that is too small',
    explanation: bounds,
    bad: gizmo('size: 0\n'),
    good: gizmo('size: 1\n'),
    fixes: nearestBound('minimum'),
    related: keywordInSchema('minimum'),
  },
  'cr/multiple-of': {
    title: 'A number that is not a multiple of multipleOf',
    explanation: 'The number must be a multiple of the one given in the schema.',
    bad: gizmo('even: 3\n'),
    good: gizmo('even: 4\n'),
    related: keywordInSchema('multipleOf'),
  },
  'cr/max-items': {
    title: 'A list with too many items',
    explanation: bounds,
    bad: gizmo('tags: [a, b, c, d]\n'),
    good: gizmo('tags: [a, b, c]\n'),
    related: keywordInSchema('maxItems'),
  },
  'cr/min-items': {
    title: 'A list with too few items',
    explanation: `${bounds} An empty list still counts as a value: leave the field out if it is optional.`,
    bad: gizmo('tags: []\n'),
    good: gizmo('tags: [a]\n'),
    related: keywordInSchema('minItems'),
  },
  'cr/max-properties': {
    meantInDocuments: true,
    title: 'A map with too many keys',
    explanation: bounds,
    bad: gizmo('limits: {a: 1, b: 2, c: 3}\n'),
    good: gizmo('limits: {a: 1, b: 2}\n'),
    related: keywordInSchema('maxProperties'),
  },
  'cr/min-properties': {
    title: 'A map with too few keys',
    explanation: bounds,
    bad: gizmo('limits: {}\n'),
    good: gizmo('limits: {a: 1}\n'),
    related: keywordInSchema('minProperties'),
  },
  'cr/additional-properties': {
    title: 'A key that the schema does not allow',
    explanation: 'The schema says `additionalProperties: false`: only the keys that it names are allowed.',
    bad: gizmo('size: 1\n'),
    good: gizmo('size: 1\n'),
    notShown: 'A structural schema drops unknown keys before validating them, so ordinary CRDs never cause this.',
    fixes: (problem) => fixOf(`Remove \`${lastStep(problem)}\``, removeAt(problem.document, problem.path), false),
  },
  'cr/junctor': {
    meantInTests: true,
    title: 'A value that matches none, or too many, of several schemas',
    explanation: `The schema combines others: exactly one must match in \`oneOf\`, at least one in \`anyOf\`, all in
\`allOf\`, and none in \`not\`. A typical case is two fields of which exactly one may be set. The mismatches with the
closest schema are reported as well.`,
    bad: gizmo('either: {a: x, b: z}\n'),
    good: gizmo('either: {a: x}\n'),
  },
  'cr/range': {
    title: 'A number outside the range of its type',
    explanation: `The value, or a limit in the schema, does not fit the number's type or format: the largest \`int32\`
is 2,147,483,647. Checked since Kubernetes 1.36.`,
    bad: gizmo('count: 3000000000\n'),
    good: gizmo('count: 3000\n'),
  },
});
