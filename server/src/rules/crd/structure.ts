import type { Path } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, putKey, removal } from '../fixing/fixes.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';
import { isKeyword } from './junctors.ts';

const root = (rows: string) => `#- use: version
schema:
  openAPIV3Schema:
${rows.replace(/^(?=.)/gm, '    ')}`;

const embedded = (rows: string) => `#- use: schema
template:
${rows.replace(/^(?=.)/gm, '  ')}`;

export const structureRules = family<CrdFacts>()({
  'crd/items-required': {
    title: 'A list has no schema for its items',
    explanation: `Pruning and defaulting also apply inside lists, so the API server has to know what an item is. Add
\`items\` with at least a type, or with \`x-kubernetes-preserve-unknown-fields: true\` if the items can have any form.`,
    bad: `#- use: schema
tags:
  type: array
`,
    good: `#- use: schema
tags:
  type: array
  items:
    type: string
`,
    fixes: addItems,
  },
  'crd/root-additional-properties': {
    title: 'additionalProperties is not allowed at the root',
    explanation: `The top level of an object is fixed: \`apiVersion\`, \`kind\`, \`metadata\`, and the fields in
\`properties\`. Put a map with arbitrary keys below it, for example in \`spec\`.`,
    bad: root('type: object\nadditionalProperties: {type: string}\n'),
    good: root(`type: object
properties:
  spec:
    type: object
    additionalProperties: {type: string}
`),
    fixes: removal(false),
  },
  'crd/root-type': {
    title: 'The root schema must have type: object',
    explanation:
      'Every stored object has `apiVersion`, `kind` and `metadata`, so the root of the schema must be `type: object`.',
    bad: root('type: string\n'),
    good: root('type: object\n'),
    fixes: (problem) => fixOf('Change to `object`', putKey(problem, nodeOf(problem), 'type', 'object'), true),
  },
  'crd/embedded-type': {
    title: 'An embedded resource must have type: object',
    explanation: `\`x-kubernetes-embedded-resource: true\` says that the value is a whole Kubernetes object, so the
node must be \`type: object\`.`,
    bad: embedded('x-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n'),
    good: embedded('type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n'),
    fixes: (problem) =>
      fixOf('Set `type: object`', putKey(problem, nodeOf(problem), 'type', 'object', { first: true }), true),
  },
  'crd/embedded-additional-properties': {
    title: 'An embedded resource cannot be a map',
    explanation: `An embedded resource has \`apiVersion\`, \`kind\`, \`metadata\` and its own fields; it is not a map
with arbitrary keys. If its fields are not known, use \`x-kubernetes-preserve-unknown-fields: true\`.`,
    bad: embedded(`type: object
x-kubernetes-embedded-resource: true
x-kubernetes-preserve-unknown-fields: true
additionalProperties: {type: string}
`),
    good: embedded(`type: object
x-kubernetes-embedded-resource: true
x-kubernetes-preserve-unknown-fields: true
`),
    fixes: removal(true),
  },
  'crd/embedded-properties': {
    title: 'An embedded resource declares no fields',
    explanation: `If an embedded resource declares no fields, everything except \`apiVersion\`, \`kind\` and
\`metadata\` is pruned. Declare its fields, or keep them all with \`x-kubernetes-preserve-unknown-fields: true\`.`,
    marker: '+kubebuilder:pruning:PreserveUnknownFields',
    bad: embedded('type: object\nx-kubernetes-embedded-resource: true\n'),
    good: embedded('type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n'),
    fixes: (problem) => {
      const keyword = 'x-kubernetes-preserve-unknown-fields';
      const edits = insertKey(problem.document, embeddedNode(problem), keyword, true);
      return fixOf(`Add \`${keyword}: true\``, edits, true);
    },
  },
  'crd/type-meta-string': {
    title: 'apiVersion or kind is not a string',
    explanation: `\`apiVersion\` and \`kind\` are strings in every Kubernetes object. You do not need to declare them;
if you do, use \`type: string\`.`,
    bad: root('type: object\nproperties:\n  kind:\n    type: integer\n'),
    good: root('type: object\nproperties:\n  kind:\n    type: string\n'),
    fixes: (problem) => fixOf('Set `type: string`', resetType(problem, 'string'), true),
  },
  'crd/metadata-object': {
    title: 'metadata is not an object',
    explanation: `\`metadata\` has the same form in every Kubernetes object. You do not need to declare it; if you do,
use \`type: object\`, and restrict only \`name\` and \`generateName\`.`,
    bad: root('type: object\nproperties:\n  metadata:\n    type: array\n    items: {type: string}\n'),
    along: ['crd/metadata-restricted'],
    good: root('type: object\nproperties:\n  metadata:\n    type: object\n'),
    fixes: bareMetadata,
  },
  'crd/metadata-restricted': {
    title: 'metadata has keywords that are not allowed there',
    explanation: `The API server knows the form of \`metadata\` and validates it itself. A schema can only restrict
\`metadata.name\` and \`metadata.generateName\`, for example with \`pattern\` or \`maxLength\`. To check labels and
annotations, use an admission policy instead of the CRD.`,
    bad: root('type: object\nproperties:\n  metadata:\n    type: object\n    description: Of the object.\n'),
    good: root('type: object\nproperties:\n  metadata:\n    type: object\n'),
    fixes: bareMetadata,
  },
  'crd/int-or-string-exclusive': {
    title: 'int-or-string is combined with a keyword for objects',
    explanation: `\`x-kubernetes-int-or-string: true\` says that the value is a number or a string, so it cannot be an
embedded resource and has no unknown fields to preserve.`,
    bad: `#- use: schema
port:
  x-kubernetes-int-or-string: true
  x-kubernetes-preserve-unknown-fields: true
`,
    good: `#- use: schema
port:
  x-kubernetes-int-or-string: true
`,
    fixes: removal(true),
  },
  'crd/metadata-in-junctor': {
    title: 'metadata is used inside anyOf, oneOf, allOf or not',
    explanation: `The API server validates \`metadata\` itself and does not apply your \`anyOf\`, \`oneOf\`, \`allOf\`
or \`not\` to it. Write conditions on the name as a rule at the root: \`self.metadata.name.startsWith('…')\`.`,
    bad: root(`type: object
properties:
  metadata: {type: object}
anyOf:
  - properties:
      metadata:
        required: [name]
`),
    good: root('type: object\nproperties:\n  metadata: {type: object}\n'),
    fixes: removal(false),
  },
});

/** The schema node whose type is at fault: what is missing is missing from the node itself. */
function nodeOf({ path }: Problem): Path {
  return path.at(-1) === 'type' && isKeyword(path) ? path.slice(0, -1) : path;
}

function embeddedNode(problem: Problem): Path {
  const { path } = problem;
  const isNode = mapIn(problem, path)?.has('x-kubernetes-embedded-resource');
  return isNode ? path : path.slice(0, path.lastIndexOf('properties'));
}

function resetType(problem: Problem, type: string) {
  return putKey(problem, nodeOf(problem), 'type', type, { first: true });
}

function bareMetadata(problem: Problem): Fix[] {
  const { document, path } = problem;
  const node = path.slice(0, path.lastIndexOf('metadata') + 1);
  const metadata = mapIn(problem, node);
  if (!metadata) return [];
  const restricted = metadata.get('properties');
  const names = restricted instanceof Map ? [...restricted.keys()].filter((name) => !allowed.has(name)) : [];
  const keeps = restricted instanceof Map && names.length < restricted.size;
  const extra = [...metadata.keys()].filter((key) => key !== 'type' && !(key === 'properties' && keeps));
  const edits = [
    ...(metadata.get('type') === 'object' ? [] : putKey(problem, node, 'type', 'object', { first: true })),
    ...extra.flatMap((key) => removeAt(document, [...node, key])),
    ...(keeps ? names.flatMap((name) => removeAt(document, [...node, 'properties', name])) : []),
  ];
  const whole = setValue(document, node, new Map([['type', 'object']]));
  const leaves = (keeps || metadata.get('type') === 'object') && areApart(edits);
  return fixOf('Keep only what is allowed in `metadata`', leaves ? edits : whole, true);
}

/** Entries of one line share what is between them. */
function areApart(edits: readonly TextEdit[]): boolean {
  const ordered = [...edits].sort((a, b) => a.range.start - b.range.start);
  return ordered.every((one, i) => i === 0 || ordered[i - 1]!.range.end <= one.range.start);
}

const allowed = new Set(['name', 'generateName']);

function addItems(problem: Problem): Fix[] {
  const types = ['string', 'integer', 'object'];
  const node = problem.path.at(-1) === 'items' ? problem.path.slice(0, -1) : problem.path;
  return types.flatMap((type) =>
    fixOf(`Add \`items\` of type \`${type}\``, putKey(problem, node, 'items', new Map([['type', type]])), false),
  );
}
