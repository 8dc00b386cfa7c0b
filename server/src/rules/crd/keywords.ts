import { isList, isMap } from '../../base/value.ts';
import { newestVersion } from '../../kubernetes/releases/all.ts';
import { isKnownFormat, stringFormats } from '../../kubernetes/schema/formats.ts';
import { removeAt, renameKey, setValue } from '../../yaml/edit.ts';
import type { Fix } from '../diagnostic.ts';
import { choices, fixOf, lastStep, mapIn, putKey, removal, valueIn } from '../fixing.ts';
import { family, type Problem } from '../rule.ts';
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

export const keywordRules = family({
  'crd/root-type-with-status': {
    title: 'The root is no object',
    explanation: `With the status subresource the API server takes objects apart into \`status\` and the rest, so the root of
the schema has to be \`type: object\`. It has to be anyway.`,
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
    title: 'A keyword at the root that does not go with the status subresource',
    explanation: `Where the status subresource is on, only some keywords may stand at the root of the schema: \`type\`,
\`properties\`, \`required\`, \`description\`, \`x-kubernetes-preserve-unknown-fields\`, \`x-kubernetes-validations\` and limits.
Others, such as \`anyOf\`, \`not\`, \`enum\` or \`maxProperties\`, would have to be judged on a part of the object. Say it further
down, on \`spec\`, or as a rule in \`x-kubernetes-validations\`.`,
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
    explanation: 'An object of a kind is never null, so the root of the schema cannot say that it may be.',
    bad: root('type: object\nnullable: true\n'),
    good: root('type: object\n'),
    fixes: removal(true),
  },
  'crd/not-structural': {
    title: 'The schema cannot be read as a structural schema',
    explanation: `A keyword has a form that structural schemas do not know, so the API server cannot tell what would be
stored. The message names it.`,
    bad: root('type: object\n$schema: http://json-schema.org/draft-04/schema#\n'),
    good: root('type: object\n'),
  },
  'crd/type-unknown': {
    title: 'A type that does not exist',
    explanation: `The types are \`string\`, \`integer\`, \`number\`, \`boolean\`, \`object\` and \`array\`. Times are strings with
\`format: date-time\`, maps are objects with \`additionalProperties\`, and values that may be numbers or strings say
\`x-kubernetes-int-or-string: true\` instead of a type.`,
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
    title: 'The type null',
    explanation: `A field that may be null says so with \`nullable: true\` beside its type. A field that is only ever null
would hold nothing.`,
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
    title: 'A default where none may be',
    explanation: `\`apiVersion\`, \`kind\` and \`metadata\` are the API server's own: it fills them in before it looks at your
schema. Defaults of yours are for \`spec\` and \`status\`.`,
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
    title: 'A keyword of JSON Schema that CRDs do not have',
    explanation: `\`$ref\`, \`definitions\`, \`dependencies\`, \`patternProperties\`, \`additionalItems\` and \`id\` are refused. Write a
referenced schema out where it is used (generators do that), use \`additionalProperties\` for maps, and a rule in
\`x-kubernetes-validations\` for fields that need one another or keys of a certain form.`,
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
    title: 'A list of schemas in items',
    explanation: `All items of a list have one schema. Lists whose first item is of one kind and whose second of another (tuples)
cannot be described: make an object with a field for each.`,
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
    title: 'An embedded resource inside of metadata',
    explanation: `\`x-kubernetes-embedded-resource\` marks a whole object with a \`kind\` and metadata of its own, such as a pod
template. There is no room for one in \`metadata\`, whose form is fixed.`,
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
    title: 'uniqueItems is refused',
    explanation: `Finding repetitions by comparing each item with each other takes too long on large lists. For strings and
numbers \`x-kubernetes-list-type: set\` says the same, and tells server-side apply too.`,
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
    title: 'additionalProperties beside properties',
    explanation: `An object either has known fields (\`properties\`) or is a map with free keys (\`additionalProperties\`), and
not both. \`additionalProperties: false\` is not needed: unknown fields are pruned, or refused under strict validation.`,
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
    title: 'x-kubernetes-preserve-unknown-fields: false',
    explanation: `The keyword is \`true\` or absent. Pruning what is not in the schema is the rule, and once a node preserves
unknown fields, a node below that declares its own fields prunes again.`,
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
    title: 'The pattern is no regular expression of Go',
    explanation: `Patterns are RE2, as in Go: no look-ahead or look-behind (\`(?=\`, \`(?!\`, \`(?<=\`), no back references
(\`\\1\`), no possessive quantifiers. What they were for can often be said in a rule:
\`!self.matches('...')\`.`,
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
    severity: 'warning',
    title: 'A format that the API server does not check',
    explanation: `Nothing is refused, but nothing is checked either: a format that Kubernetes does not know is only a remark.
Either it is a misspelling, or a \`pattern\` should say what is meant.`,
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

const types = ['string', 'integer', 'number', 'boolean', 'object', 'array'];

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

function typeFixes(problem: Problem): Fix[] {
  const written = String(valueIn(problem, problem.path)).toLowerCase();
  const known = Object.hasOwn(meant, written) ? meant[written] : undefined;
  const hasItems = mapIn(problem, problem.path.slice(0, -1))?.has('items');
  if (known === undefined || known === 'array') {
    return choices(
      problem,
      types.filter((type) => type !== 'array' || hasItems),
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

function formatFixes(problem: Problem): Fix[] {
  const { type } = problem.facts as { readonly type?: string };
  const known = formats.filter((format) => isKnownFormat(type ?? '', format, problem.kubernetes ?? newestVersion));
  const near = choices(problem, known).filter(({ safe }) => safe);
  return [...near, ...removal(false)(problem)];
}
