import { isList, isMap } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import { isKnownFormat, stringFormats } from '../../kubernetes/schema/formats.ts';
import { removeAt, renameKey, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, mapIn, putKey, removal, valueIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';
import { outsideOf } from './junctors.ts';

const withStatus = (root: string) => `#- use: version
subresources:
  status: {}
schema:
  openAPIV3Schema:
    type: object
${root.replace(/^(?=.)/gm, '    ')}`;

const root = (rows: string) => `#- use: version
schema:
  openAPIV3Schema:
${rows.replace(/^(?=.)/gm, '    ')}`;

export const keywordRules = family<CrdFacts>()({
  'crd/root-type-with-status': {
    title: 'The root schema must have type: object with the status subresource',
    explanation: `With the status subresource the API server handles \`status\` separately from the rest of the object,
so the root of the schema must be \`type: object\`. It must be that anyway.`,
    bad: `#- use: version
subresources:
  status: {}
schema:
  openAPIV3Schema:
    type: string
`,
    along: ['crd/root-type'],
    good: withStatus(''),
    fixes: rootObject,
  },
  'crd/root-fields-with-status': {
    title: 'A keyword at the root is not allowed with the status subresource',
    explanation: `With the status subresource, only some keywords are allowed at the root of the schema: \`type\`,
\`properties\`, \`required\`, \`description\`, \`x-kubernetes-preserve-unknown-fields\`, \`x-kubernetes-validations\`
and limits. Others, such as \`anyOf\`, \`not\`, \`enum\` or \`maxProperties\`, would have to be checked against only a
part of the object. Move them further down, to \`spec\`, or write a rule in \`x-kubernetes-validations\`.`,
    bad: withStatus(`properties:
  spec: {type: object}
maxProperties: 5
`),
    good: withStatus(`properties:
  spec: {type: object, maxProperties: 5}
`),
  },
  'crd/root-nullable': {
    title: 'The root is nullable',
    explanation: 'A whole object is never null, so the root of the schema cannot be nullable.',
    bad: root('type: object\nnullable: true\n'),
    good: root('type: object\n'),
    fixes: removal(true),
  },
  'crd/not-structural': {
    title: 'The schema cannot be read as a structural schema',
    explanation: `A keyword is used in a form that structural schemas do not support, so the API server cannot tell
what would be stored. The message names the keyword.`,
    bad: root('type: object\n$schema: http://json-schema.org/draft-04/schema#\n'),
    good: root('type: object\n'),
  },
  'crd/type-unknown': {
    title: 'A type that does not exist',
    explanation: `The types are \`string\`, \`integer\`, \`number\`, \`boolean\`, \`object\` and \`array\`. Times are
strings with \`format: date-time\`, maps are objects with \`additionalProperties\`, and values that may be numbers or
strings have \`x-kubernetes-int-or-string: true\` instead of a type.`,
    marker: '+kubebuilder:validation:Type=…',
    bad: `#- use: schema
size:
  type: int
`,
    good: `#- use: schema
size:
  type: integer
`,
    fixes: typeFixes,
  },
  'crd/type-null': {
    title: 'null is not a type',
    explanation:
      'If a field may be null, add `nullable: true` next to its type. A field that is always null would be useless.',
    bad: `#- use: schema
size:
  type: "null"
`,
    along: ['crd/type-unknown'],
    good: `#- use: schema
size:
  type: integer
  nullable: true
`,
    fixes: nullableTypes,
  },
  'crd/default-forbidden': {
    isLate: true,
    title: 'default is not allowed here',
    explanation: `The API server manages \`apiVersion\`, \`kind\` and \`metadata\` itself and fills them in before it
looks at your schema. Use defaults in \`spec\` and \`status\` only.`,
    marker: '+kubebuilder:default=…',
    bad: root(`type: object
properties:
  kind:
    type: string
    default: Widget
`),
    good: root(`type: object
properties:
  kind:
    type: string
`),
    fixes: removal(true),
  },
  'crd/keyword-unsupported': {
    title: 'A JSON Schema keyword that CRDs do not support',
    explanation: `\`$ref\`, \`definitions\`, \`dependencies\`, \`patternProperties\`, \`additionalItems\` and \`id\`
are rejected. Copy a referenced schema to where it is used (generators do that), use \`additionalProperties\` for maps,
and write a rule in \`x-kubernetes-validations\` for fields that depend on each other or for keys of a certain form.`,
    bad: `#- use: schema
size:
  type: object
  patternProperties:
    "^a": {type: string}
`,
    good: `#- use: schema
size:
  type: object
  additionalProperties: {type: string}
`,
    fixes: removal(false),
  },
  'crd/items-list': {
    title: 'items is a list of schemas',
    explanation: `All items of a list share one schema. Tuples, in which the first item is of one kind and the second
of another, cannot be described: use an object with a field for each instead.`,
    bad: `#- use: schema
pair:
  type: array
  items:
    - type: string
`,
    good: `#- use: schema
pair:
  type: array
  items:
    type: string
`,
    fixes: singleItems,
  },
  'crd/embedded-in-metadata': {
    title: 'An embedded resource inside metadata',
    explanation: `\`x-kubernetes-embedded-resource\` marks a whole object with its own \`kind\` and metadata, such as a
pod template. It cannot be part of \`metadata\`, whose form is fixed.`,
    bad: root(`type: object
properties:
  metadata:
    type: object
    x-kubernetes-embedded-resource: true
    x-kubernetes-preserve-unknown-fields: true
`),
    along: ['crd/metadata-restricted'],
    good: root(`type: object
properties:
  metadata:
    type: object
`),
    fixes: removal(false),
  },
  'crd/unique-items': {
    title: 'uniqueItems must not be true',
    explanation: `Finding duplicates by comparing every item with every other takes too long for large lists. For
strings and numbers, \`x-kubernetes-list-type: set\` has the same effect, and server-side apply understands it as well.`,
    marker: '+listType=set',
    bad: `#- use: schema
tags:
  type: array
  uniqueItems: true
  items: {type: string}
`,
    good: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: set
  items: {type: string}
`,
    fixes: uniqueToSet,
  },
  'crd/properties-and-additional': {
    title: 'properties and additionalProperties are used together',
    explanation: `An object either has known fields (\`properties\`) or is a map with arbitrary keys
(\`additionalProperties\`), but not both. \`additionalProperties: false\` is not needed: unknown fields are pruned, or
rejected under strict validation.`,
    bad: `#- use: schema
size:
  type: object
  additionalProperties: false
  properties:
    width: {type: integer}
`,
    good: `#- use: schema
size:
  type: object
  properties:
    width: {type: integer}
`,
    fixes: exclusive,
  },
  'crd/preserve-unknown-fields-false': {
    title: 'x-kubernetes-preserve-unknown-fields must not be false',
    explanation: `The keyword is either \`true\` or absent. Fields that are not in the schema are pruned by default,
and below a node that preserves unknown fields, a node that declares its own fields prunes again.`,
    bad: `#- use: schema
size:
  type: object
  x-kubernetes-preserve-unknown-fields: false
`,
    good: `#- use: schema
size:
  type: object
`,
    fixes: removal(true),
  },
  'crd/pattern': {
    title: 'The pattern is not a valid Go regular expression',
    explanation: `Patterns use RE2 syntax, as in Go: there is no look-ahead or look-behind (\`(?=\`, \`(?!\`,
\`(?<=\`), and there are no back references (\`\\1\`) or possessive quantifiers. A rule can often do the same:
\`!self.matches('...')\`.`,
    marker: '+kubebuilder:validation:Pattern=…',
    bad: `#- use: schema
name:
  type: string
  pattern: ^(?!-)[a-z-]+$
`,
    good: `#- use: schema
name:
  type: string
  pattern: ^[a-z][a-z-]*$
`,
  },
  'crd/format-unknown': {
    meantInTests: true,
    severity: 'warning',
    title: 'A format that the API server does not check',
    explanation: `Nothing is rejected, but nothing is checked either: a format that Kubernetes does not know is only a
comment. Either it is misspelled, or you should express it with a \`pattern\`.`,
    marker: '+kubebuilder:validation:Format=…',
    bad: `#- use: schema
address:
  type: string
  format: ip
`,
    good: `#- use: schema
address:
  type: string
  format: ipv4
`,
    fixes: formatFixes,
  },
});

function rootObject(problem: Problem): Fix[] {
  return fixOf('Change to `object`', setValue(problem.document, problem.path, 'object'), true);
}

/** What other languages call the types. */
const meant: Readonly<Record<string, string>> = {
  int: 'integer',
  int32: 'integer',
  int64: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  map: 'object',
  dict: 'object',
  struct: 'object',
  list: 'array',
};

function typeFixes(problem: ProblemOf<CrdFacts, 'crd/type-unknown'>): Fix[] {
  const written = String(valueIn(problem, problem.path)).toLowerCase();
  const known = Object.hasOwn(meant, written) ? meant[written] : undefined;
  const hasItems = mapIn(problem, problem.path.slice(0, -1))?.has('items');
  if (known === undefined || known === 'array') {
    return choices(
      problem,
      problem.facts.supported.filter((type) => type !== 'array' || hasItems),
    );
  }
  return fixOf(`Change to \`${known}\``, setValue(problem.document, problem.path, known), true);
}

function nullableTypes(problem: Problem): Fix[] {
  const { document, path } = problem;
  const node = path.slice(0, -1);
  if (outsideOf(path).junctor !== undefined || lastStep(problem) !== 'type') return [];
  return ['string', 'integer', 'object'].flatMap((type) => {
    const edits = [...setValue(document, path, type), ...putKey(problem, node, 'nullable', true, { after: 'type' })];
    return fixOf(`Change to \`${type}\` with \`nullable: true\``, edits, false);
  });
}

function singleItems(problem: Problem): Fix[] {
  const items = valueIn(problem, problem.path);
  if (!isList(items) || items.length === 0) return [];
  const title = items.length === 1 ? 'Make `items` a schema' : 'Keep only the first schema';
  return fixOf(title, setValue(problem.document, problem.path, items[0]!), items.length === 1);
}

const listType = 'x-kubernetes-list-type';

function uniqueToSet(problem: Problem): Fix[] {
  const { document, path } = problem;
  const schema = mapIn(problem, path.slice(0, -1));
  const items = schema?.get('items');
  const type = isMap(items) ? items.get('type') : undefined;
  const isPlain = outsideOf(path).junctor === undefined && type !== undefined && type !== 'object' && type !== 'array';
  const edits =
    isPlain && !schema?.has(listType)
      ? [...renameKey(document, path, listType), ...setValue(document, path, 'set')]
      : [];
  return [...fixOf('Make the list a set', edits, true), ...removal(false)(problem)];
}

function exclusive(problem: Problem): Fix[] {
  const { document, path } = problem;
  const off = valueIn(problem, path) === false;
  const properties = [...path.slice(0, -1), 'properties'];
  return [
    ...fixOf('Remove `additionalProperties`', removeAt(document, path), off),
    ...(off ? [] : fixOf('Remove `properties`', removeAt(document, properties), false)),
  ];
}

const formats = [...stringFormats, 'date-time'];

function formatFixes(problem: ProblemOf<CrdFacts, 'crd/format-unknown'>): Fix[] {
  const { type = '' } = problem.facts;
  const known = formats.filter((format) => isKnownFormat(type, format, problem.kubernetes ?? newestVersion));
  const near = choices(problem, known).filter(({ safe }) => safe);
  return [...near, ...removal(false)(problem)];
}
