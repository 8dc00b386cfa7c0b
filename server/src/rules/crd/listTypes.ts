import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, mapIn, removal } from '../fixing/fixes.ts';
import { keyedList } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';
import { isKeyword } from './junctors.ts';

/** How lists and maps are merged. */
export const listTypeRules = family<CrdFacts>()({
  'crd/map-type-object': {
    title: 'A map type on something that is not an object',
    explanation: `\`x-kubernetes-map-type\` says how server-side apply merges an object: field by field (\`granular\`)
or as a whole (\`atomic\`). It has no meaning for other types; for lists use \`x-kubernetes-list-type\`.`,
    bad: `#- use: schema
size:
  type: string
  x-kubernetes-map-type: atomic
`,
    good: `#- use: schema
size:
  type: object
  x-kubernetes-map-type: atomic
  additionalProperties: {type: string}
`,
    fixes: removeKeyword('x-kubernetes-map-type'),
  },
  'crd/map-type-unknown': {
    title: 'A map type that does not exist',
    explanation: `\`x-kubernetes-map-type\` is either \`granular\`, the default, with which two appliers can own
different fields, or \`atomic\`, with which whoever applies the object owns all of it.`,
    marker: '+mapType=atomic or granular',
    bad: `#- use: schema
limits:
  type: object
  x-kubernetes-map-type: Atomic
  additionalProperties: {type: string}
`,
    good: `#- use: schema
limits:
  type: object
  x-kubernetes-map-type: atomic
  additionalProperties: {type: string}
`,
    fixes: (problem) => choices(problem, problem.facts.supported),
  },
  'crd/list-type-array': {
    title: 'A list type on something that is not a list',
    explanation: `\`x-kubernetes-list-type\` says how server-side apply merges a list. It has no effect on a node of
another type. For objects use \`x-kubernetes-map-type\`.`,
    marker: '+listType=…',
    bad: `#- use: schema
size:
  type: string
  x-kubernetes-list-type: atomic
`,
    good: `#- use: schema
sizes:
  type: array
  x-kubernetes-list-type: atomic
  items: {type: string}
`,
    fixes: removeKeyword('x-kubernetes-list-type'),
  },
  'crd/list-type-unknown': {
    title: 'A list type that does not exist',
    explanation: `A list is \`atomic\` (the default: replaced as a whole), a \`set\` (unique scalars), or a \`map\`
(objects that are identified by the fields in \`x-kubernetes-list-map-keys\`).`,
    marker: '+listType=atomic, set or map',
    bad: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: sets
  items: {type: string}
`,
    good: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: set
  items: {type: string}
`,
    fixes: (problem) => choices(problem, possibleListTypes(problem)),
  },
  'crd/set-item-atomic': {
    title: 'The items of a set must be atomic',
    explanation: `Two items of a set are either equal or different; they are never merged. So objects in a set need
\`x-kubernetes-map-type: atomic\`, and lists in a set must not be sets or maps themselves. For objects a list of type
\`map\` is nearly always the better choice.`,
    marker: '+structType=atomic, +mapType=atomic or +listType=atomic on the type of the items',
    bad: `#- use: schema
parts:
  type: array
  x-kubernetes-list-type: set
  items:
    type: object
    properties:
      name: {type: string}
`,
    good: `#- use: schema
parts:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name]
    properties:
      name: {type: string}
`,
    fixes: atomicItems,
    related: keyedList,
  },
  'crd/list-item-nullable': {
    title: 'The items of a set or list map are nullable',
    explanation: `The items of a set or of a list of type \`map\` are compared with each other, and null cannot be
compared. Remove \`nullable\` from the items.`,
    bad: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: set
  items:
    type: string
    nullable: true
`,
    good: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: set
  items:
    type: string
`,
    fixes: removal(true),
    related: keyedList,
  },
  'crd/set-of-objects': {
    severity: 'warning',
    title: 'A set of objects or lists',
    explanation: `The CRD is accepted, but server-side apply and CEL rules do not treat such a list as a set, because
whole objects make poor keys. Make it a list of type \`map\` with a key field, or \`atomic\`.`,
    marker: '+listType=atomic or map',
    bad: `#- use: schema
parts:
  type: array
  x-kubernetes-list-type: set
  items:
    type: object
    x-kubernetes-map-type: atomic
    properties:
      name: {type: string}
`,
    good: `#- use: schema
parts:
  type: array
  x-kubernetes-list-type: atomic
  items:
    type: object
    x-kubernetes-map-type: atomic
    properties:
      name: {type: string}
`,
    fixes: (problem) => fixOf('Change to `atomic`', setValue(problem.document, problem.path, 'atomic'), false),
  },
});

const listTypeKey = 'x-kubernetes-list-type';
const mapKeysKey = 'x-kubernetes-list-map-keys';

function removeKeyword(keyword: string): (problem: Problem) => Fix[] {
  return (problem) => {
    const node = lastStep(problem) === 'type' && isKeyword(problem.path) ? problem.path.slice(0, -1) : problem.path;
    return fixOf(`Remove \`${keyword}\``, removeAt(problem.document, [...node, keyword]), false);
  };
}

function atomicItems(problem: ProblemOf<CrdFacts, 'crd/set-item-atomic'>): Fix[] {
  const { keyword } = problem.facts;
  const items = problem.path.slice(0, problem.path.lastIndexOf('items') + 1);
  const edits = mapIn(problem, items)?.has(keyword)
    ? setValue(problem.document, [...items, keyword], 'atomic')
    : insertKey(problem.document, items, keyword, 'atomic', { after: 'type' });
  const list = items.slice(0, -1);
  return [
    ...fixOf(`Set \`${keyword}: atomic\` on the items`, edits, false),
    ...fixOf('Make the list atomic', setValue(problem.document, [...list, listTypeKey], 'atomic'), false),
  ];
}

/** The list types that need nothing else in the schema than it has. */
function possibleListTypes(problem: ProblemOf<CrdFacts, 'crd/list-type-unknown'>): string[] {
  const node = problem.path.slice(0, -1);
  const type = mapIn(problem, [...node, 'items'])?.get('type');
  const withoutKeys = type === 'object' || type === 'array' ? ['atomic'] : ['atomic', 'set'];
  const possible = mapIn(problem, node)?.has(mapKeysKey) ? ['map'] : withoutKeys;
  return problem.facts.supported.filter((one) => possible.includes(one));
}
