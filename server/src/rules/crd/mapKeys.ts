import { isList, isMap, type Path } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertItem, insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, lastStep, mapIn, removal, valueIn } from '../fixing/fixes.ts';
import { firstEqual, keyedList } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

const listMap = (items: string, keys = '[name]') => `#- use: schema
parts:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: ${keys}
  items:
    type: object
${items.replace(/^(?=.)/gm, '    ')}`;

const keyed = `required: [name]
properties:
  name: {type: string}
  count: {type: integer}
`;

/** Lists of type map and the fields that tell their items apart. */
export const mapKeyRules = family<CrdFacts>()({
  'crd/map-keys-without-map': {
    title: 'List map keys on a list that is not of type map',
    explanation: `\`x-kubernetes-list-map-keys\` names the fields that identify the items of a list of type \`map\`, so
the list needs \`x-kubernetes-list-type: map\`.`,
    bad: `#- use: schema
parts:
  type: array
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name]
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
    fixes: makeMap,
  },
  'crd/map-keys-empty': {
    title: 'A list of type map has no keys',
    explanation: `The items of a list of type \`map\` are identified by one or more of their fields. Name these in
\`x-kubernetes-list-map-keys\`, usually \`[name]\` or \`[type]\`.`,
    marker: '+listMapKey=…',
    bad: listMap(keyed, '[]'),
    good: listMap(keyed),
    fixes: chooseKeys,
  },
  'crd/list-map-items': {
    title: 'The items of a list of type map are not objects',
    explanation: `Keys are fields, so the items must be objects with fields: \`items\` must be a single schema with
\`type: object\`. For a list of unique strings or numbers, use \`set\`.`,
    bad: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: string
`,
    good: `#- use: schema
tags:
  type: array
  x-kubernetes-list-type: set
  items:
    type: string
`,
    fixes: makeSet,
  },
  'crd/map-key-scalar': {
    title: 'A list map key is an object or a list',
    explanation:
      'Items are identified by comparing their keys, which makes sense only for strings, numbers and booleans.',
    bad: listMap(`required: [name]
properties:
  name: {type: array, items: {type: string}}
`),
    good: listMap(keyed),
    fixes: (problem) => (lastStep(problem) === 'type' ? scalarKey(problem) : []),
  },
  'crd/map-key-undeclared': {
    title: 'A list map key is not a field of the items',
    explanation: `Each name in \`x-kubernetes-list-map-keys\` must be declared in \`items.properties\`. Usually it is
misspelled, or the field was renamed.`,
    marker: '+listMapKey=…',
    bad: listMap(keyed, '[name, kind]'),
    good: listMap(keyed, '[name]'),
    fixes: undeclaredKey,
    related: keyedList,
  },
  'crd/map-key-duplicate': {
    title: 'A list map key is listed twice',
    explanation: 'List each field only once in `x-kubernetes-list-map-keys`.',
    bad: listMap(keyed, '[name, name]'),
    good: listMap(keyed, '[name]'),
    fixes: repeatedKey,
    related: firstEqual,
  },
  'crd/map-key-required': {
    title: 'A list map key may be missing',
    explanation: `An item without its keys could not be told from others, so every key must be \`required\` in the
items or have a \`default\`. Most keys are required; a default suits a second key such as \`protocol\` in the ports of
a service.`,
    marker: '+required, or +kubebuilder:default=…',
    bad: listMap(`properties:
  name: {type: string}
  count: {type: integer}
`),
    good: listMap(`properties:
  name: {type: string}
  count: {type: integer}
required:
  - name
`),
    fixes: requireKey,
    related: keyedList,
  },
  'crd/map-key-nullable': {
    title: 'A list map key is nullable',
    explanation: 'Items are identified by their keys, so a key must always have a value. Remove `nullable` from it.',
    bad: listMap(`required: [name]
properties:
  name:
    type: string
    nullable: true
`),
    good: listMap(`required: [name]
properties:
  name:
    type: string
`),
    fixes: removal(true),
    related: keyedList,
  },
});

const listTypeKey = 'x-kubernetes-list-type';
const mapKeysKey = 'x-kubernetes-list-map-keys';

/** The schema node that a problem is about, whether its path ends in the node or in one of its keywords. */
function nodeOf(problem: Problem, keyword: string): Path {
  const at = problem.path.lastIndexOf(keyword);
  return at === -1 || mapIn(problem, problem.path)?.has(listTypeKey) ? problem.path : problem.path.slice(0, at);
}

function makeMap(problem: Problem): Fix[] {
  const node = lastStep(problem) === listTypeKey ? problem.path.slice(0, -1) : problem.path;
  const edits = mapIn(problem, node)?.has(listTypeKey)
    ? setValue(problem.document, [...node, listTypeKey], 'map')
    : insertKey(problem.document, node, listTypeKey, 'map', { before: mapKeysKey });
  const remove = fixOf(`Remove \`${mapKeysKey}\``, removeAt(problem.document, [...node, mapKeysKey]), false);
  const isObjects = mapIn(problem, [...node, 'items'])?.get('type') === 'object';
  return isObjects ? [...fixOf(`Set \`${listTypeKey}: map\``, edits, true), ...remove] : remove;
}

function chooseKeys(problem: Problem): Fix[] {
  const node = nodeOf(problem, mapKeysKey);
  const items = mapIn(problem, [...node, 'items']);
  const properties = items?.get('properties');
  if (!isMap(properties)) return [];
  const required = items?.get('required');
  const isKey = (name: string) => {
    const property = properties.get(name);
    const scalar = isMap(property) && property.get('type') !== 'object' && property.get('type') !== 'array';
    return scalar && ((isList(required) && required.includes(name)) || property.has('default'));
  };
  const names = [...properties.keys()].filter(isKey);
  return names.flatMap((name) => fixOf(`Use \`${name}\` as the key`, setKey(problem, node, name), names.length === 1));
}

function setKey(problem: Problem, node: Path, key: string) {
  return mapIn(problem, node)?.has(mapKeysKey)
    ? insertItem(problem.document, [...node, mapKeysKey], key)
    : insertKey(problem.document, node, mapKeysKey, [key], { after: listTypeKey });
}

function makeSet(problem: Problem): Fix[] {
  const { document } = problem;
  const list = problem.path.slice(0, problem.path.lastIndexOf('items'));
  const type = valueIn(problem, [...list, 'items', 'type']);
  if (typeof type !== 'string' || type === 'array') return [];
  const edits = [
    ...setValue(document, [...list, listTypeKey], 'set'),
    ...(mapIn(problem, list)?.has(mapKeysKey) ? removeAt(document, [...list, mapKeysKey]) : []),
  ];
  return fixOf('Make the list a set', edits, true);
}

function scalarKey(problem: Problem): Fix[] {
  return fixOf('Change the type to `string`', setValue(problem.document, problem.path, 'string'), false);
}

function undeclaredKey(problem: ProblemOf<CrdFacts, 'crd/map-key-undeclared'>): Fix[] {
  const { document, path } = problem;
  const { key } = problem.facts;
  const keys = valueIn(problem, path);
  const items = [...path.slice(0, -1), 'items'];
  if (!isList(keys)) return [];
  const at = keys.indexOf(key);
  const properties = mapIn(problem, items)?.has('properties')
    ? insertKey(document, [...items, 'properties'], key, new Map([['type', 'string']]))
    : insertKey(document, items, 'properties', new Map([[key, new Map([['type', 'string']])]]));
  return [
    ...(keys.length > 1 ? fixOf(`Remove \`${key}\` from the keys`, removeAt(document, [...path, at]), false) : []),
    ...fixOf(
      `Declare \`${key}\` in the items and require it`,
      [...properties, ...addRequired(problem, items, key)],
      false,
    ),
  ];
}

function repeatedKey(problem: Problem): Fix[] {
  const keys = valueIn(problem, problem.path);
  if (!isList(keys)) return [];
  const repeated = keys.flatMap((key, i) => (keys.indexOf(key) < i ? [i] : []));
  const edits = repeated.flatMap((i) => removeAt(problem.document, [...problem.path, i]));
  return fixOf('Remove the duplicate', edits, true);
}

function addRequired(problem: Problem, node: Path, name: string) {
  const { document } = problem;
  return isList(mapIn(problem, node)?.get('required'))
    ? insertItem(document, [...node, 'required'], name)
    : insertKey(document, node, 'required', [name]);
}

function requireKey(problem: ProblemOf<CrdFacts, 'crd/map-key-required'>): Fix[] {
  const { key } = problem.facts;
  const at = problem.path.lastIndexOf('properties');
  if (at === -1) return [];
  const items = problem.path.slice(0, at);
  const required = addRequired(problem, items, key);
  const type = mapIn(problem, [...items, 'properties', key])?.get('type');
  const empty = type === 'string' ? '' : type === 'boolean' ? false : 0n;
  const defaulted = insertKey(problem.document, [...items, 'properties', key], 'default', empty);
  const shown = typeof empty === 'string' ? '""' : String(empty);
  return [
    ...fixOf(`Make \`${key}\` required`, required, true),
    ...fixOf(`Give \`${key}\` the default \`${shown}\``, defaulted, false),
  ];
}
