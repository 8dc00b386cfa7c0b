import { insertKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, putKey } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { type Found, type LintedSchema, lintFamily } from './lint.ts';

const listType = 'x-kubernetes-list-type';
const mapKeys = 'x-kubernetes-list-map-keys';

type ListFacts = {
  /** What could be the keys. */
  'lint/list-type': { readonly keys: readonly string[] };
  'lint/conditions-type': undefined;
};

function isListOfObjects({ schema }: LintedSchema): boolean {
  return schema.type === 'array' && schema.items?.type === 'object';
}

function isConditions({ schema, name }: LintedSchema): boolean {
  return name === 'conditions' && schema.items?.properties?.has('type') === true;
}

function lintListType(node: LintedSchema): Found<ListFacts['lint/list-type']>[] {
  if (!isListOfObjects(node) || isConditions(node) || node.schema.extensions.listType !== undefined) return [];
  const message = 'Without a list type the list is atomic: whoever applies part of it replaces the whole list.';
  return [{ message, at: [], anchor: 'key', facts: { keys: keysOf(node) } }];
}

function lintConditions(node: LintedSchema): Found<undefined>[] {
  if (!isListOfObjects(node) || !isConditions(node)) return [];
  const { listType: type, listMapKeys } = node.schema.extensions;
  if (type === 'map' && listMapKeys.includes('type')) return [];
  const message = 'Whoever applies one condition replaces all of them: make the conditions a list map keyed by `type`.';
  return [{ message, at: [], anchor: 'key' }];
}

/** What can be the key of a list map: scalars that are required or have a default. */
function keysOf({ schema }: LintedSchema): string[] {
  const { properties, validation } = schema.items!;
  return [...(properties ?? [])]
    .filter(([name, one]) => validation?.required.includes(name) || one.default !== undefined)
    .filter(([, one]) => ['string', 'integer', 'number', 'boolean'].includes(one.type) && !one.nullable)
    .map(([name]) => name);
}

const list = (name: string, key: string, rows = '') => `#- use: schema
${name}:
  type: array
${rows}  items:
    type: object
    required: [${key}]
    properties:
      ${key}: {type: string}
`;

const keyed = (key: string) => `  ${listType}: map\n  ${mapKeys}:\n    - ${key}\n`;

export const listLints = lintFamily<ListFacts>()({
  'lint/list-type': {
    severity: 'off',
    title: 'A list of objects without a list type',
    explanation: `Under server-side apply, a list without \`x-kubernetes-list-type\` belongs as a whole to whoever
applied it last. With \`map\` and the keys that identify the items, several appliers can each own an item, rules can
compare an item with its old self, and no key can appear twice. Use \`atomic\` if the list is a single value. This is
off by default, because adding a list type to a kind in use changes how its objects are merged.`,
    marker: '+listType=atomic, set or map',
    bad: list('parts', 'name'),
    good: list('parts', 'name', keyed('name')),
    fixes: listTypes,
    restsOn: 'schema',
    check: lintListType,
  },
  'lint/conditions-type': {
    severity: 'off',
    title: 'Conditions that are not keyed by their type',
    explanation: `In Kubernetes' own kinds the conditions are a list map keyed by \`type\`: several controllers can
then each own a condition under server-side apply, and no type can appear twice. This is off by default.`,
    marker: '+listType=map and +listMapKey=type',
    bad: list('conditions', 'type'),
    good: list('conditions', 'type', keyed('type')),
    fixes: (problem) => fixOf('Key the conditions by `type`', keyedBy(problem, 'type'), true),
    restsOn: 'schema',
    check: lintConditions,
  },
});

function listTypes(problem: ProblemOf<ListFacts, 'lint/list-type'>): Fix[] {
  const { keys } = problem.facts;
  const { document, path } = problem;
  const atomic = insertKey(document, path, listType, 'atomic', { before: 'items' });
  return [
    ...keys.flatMap((key) => fixOf(`Make the list a map by \`${key}\``, keyedBy(problem, key), keys.length === 1)),
    ...fixOf('Make the list atomic', atomic, false),
  ];
}

function keyedBy(problem: Problem, key: string) {
  const { document, path } = problem;
  const node = mapIn(problem, path);
  const required = mapIn(problem, [...path, 'items'])?.get('required');
  const isRequired = Array.isArray(required) && required.includes(key);
  const hasDefault = mapIn(problem, [...path, 'items', 'properties', key])?.has('default') === true;
  const edits = [listType, mapKeys].flatMap((keyword) => {
    const value = keyword === listType ? 'map' : [key];
    if (node?.has(keyword)) return setValue(document, [...path, keyword], value);
    return insertKey(document, path, keyword, value, { before: 'items' });
  });
  if (isRequired || hasDefault) return edits;
  const all = [...(Array.isArray(required) ? required : []), key];
  return [...edits, ...putKey(problem, [...path, 'items'], 'required', all, { after: 'type' })];
}
