import type { Path } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, putKey, removal } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';

const root = (rows: string) => `#- use: version
schema:
  openAPIV3Schema:
${rows.replace(/^(?=.)/gm, '    ')}`;

const embedded = (rows: string) => `#- use: schema
template:
${rows.replace(/^(?=.)/gm, '  ')}`;

export const structureRules = family<CrdFacts>()({
  'crd/items-required': {
    title: 'A list without a schema for its items',
    explanation: `Pruning and defaulting reach into lists, so the API server has to know what an item is. Add \`items\` with at
least a type; for items of any form, \`x-kubernetes-preserve-unknown-fields: true\`.`,
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
    title: 'additionalProperties at the root',
    explanation: `The top of an object is fixed: \`apiVersion\`, \`kind\`, \`metadata\`, and the fields in \`properties\`. A map with
free keys belongs below, say in \`spec\`.`,
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
    title: 'The root is no object',
    explanation:
      'What is stored is an object with `apiVersion`, `kind` and `metadata`, so the root of the schema is `type: object`.',
    bad: root('type: string\n'),
    good: root('type: object\n'),
    fixes: (problem) => fixOf('Change to `object`', putKey(problem, nodeOf(problem), 'type', 'object'), true),
  },
  'crd/embedded-type': {
    title: 'An embedded resource that is no object',
    explanation: `\`x-kubernetes-embedded-resource: true\` says that a whole Kubernetes object stands here, so the node is
\`type: object\`.`,
    bad: embedded('x-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n'),
    good: embedded('type: object\nx-kubernetes-embedded-resource: true\nx-kubernetes-preserve-unknown-fields: true\n'),
    fixes: (problem) =>
      fixOf('Set `type: object`', putKey(problem, nodeOf(problem), 'type', 'object', { first: true }), true),
  },
  'crd/embedded-additional-properties': {
    title: 'An embedded resource as a map',
    explanation: `An embedded resource has \`apiVersion\`, \`kind\`, \`metadata\` and fields of its own; it is no map with free keys.
If its fields are not known, say \`x-kubernetes-preserve-unknown-fields: true\`.`,
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
    title: 'An embedded resource without any field',
    explanation: `Of an embedded resource that declares no fields everything but \`apiVersion\`, \`kind\` and \`metadata\` would be
pruned. Declare its fields, or keep them all with \`x-kubernetes-preserve-unknown-fields: true\`.`,
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
    title: 'apiVersion or kind is no string',
    explanation: `\`apiVersion\` and \`kind\` are strings in every Kubernetes object. You need not declare them at all; if you do,
then with \`type: string\`.`,
    bad: root('type: object\nproperties:\n  kind:\n    type: integer\n'),
    good: root('type: object\nproperties:\n  kind:\n    type: string\n'),
    fixes: (problem) => fixOf('Set `type: string`', resetType(problem, 'string'), true),
  },
  'crd/metadata-object': {
    title: 'metadata is no object',
    explanation: `\`metadata\` has the same form in every Kubernetes object. You need not declare it; if you do, then with
\`type: object\` and at most restrictions on \`name\` and \`generateName\`.`,
    bad: root('type: object\nproperties:\n  metadata:\n    type: array\n    items: {type: string}\n'),
    along: ['crd/metadata-restricted'],
    good: root('type: object\nproperties:\n  metadata:\n    type: object\n'),
    fixes: bareMetadata,
  },
  'crd/metadata-restricted': {
    title: 'metadata says more than it may',
    explanation: `The API server knows what \`metadata\` is and judges it itself. A schema can only tighten \`metadata.name\` and
\`metadata.generateName\`, with \`pattern\` or \`maxLength\` for instance. Labels and annotations can be checked by a rule of an
admission policy, not by the CRD.`,
    bad: root('type: object\nproperties:\n  metadata:\n    type: object\n    description: Of the object.\n'),
    good: root('type: object\nproperties:\n  metadata:\n    type: object\n'),
    fixes: bareMetadata,
  },
  'crd/int-or-string-exclusive': {
    title: 'int-or-string beside a keyword for objects',
    explanation: `\`x-kubernetes-int-or-string: true\` says that the value is a number or a string. Then it is no embedded
resource and has no unknown fields to preserve.`,
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
    title: 'metadata inside anyOf, oneOf, allOf or not',
    explanation: `\`metadata\` is the API server's own and is not judged by your schema's junctors. Conditions on the name can
be written as a rule at the root: \`self.metadata.name.startsWith('…')\`.`,
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
  return path.at(-1) === 'type' && path.at(-2) !== 'properties' ? path.slice(0, -1) : path;
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
  return fixOf('Keep only what `metadata` may say', keeps ? edits : whole, true);
}

const allowed = new Set(['name', 'generateName']);

function addItems(problem: Problem): Fix[] {
  const types = ['string', 'integer', 'object'];
  const node = problem.path.at(-1) === 'items' ? problem.path.slice(0, -1) : problem.path;
  return types.flatMap((type) =>
    fixOf(`Add \`items\` of type \`${type}\``, putKey(problem, node, 'items', new Map([['type', type]])), false),
  );
}
