import { insertKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, putKey } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';
import { isAskedFor, type Linted, lintAt, type SchemaPlace, schemaPath } from './linted.ts';

const listType = 'x-kubernetes-list-type';
const mapKeys = 'x-kubernetes-list-map-keys';

export function lintList(linted: Linted, place: SchemaPlace): Problem[] {
  const { schema, name } = place;
  if (schema.type !== 'array' || schema.items?.type !== 'object') return [];
  const { listType: type, listMapKeys } = schema.extensions;
  if (name === 'conditions' && schema.items.properties?.has('type')) {
    if ((type === 'map' && listMapKeys.includes('type')) || !isAskedFor(linted, 'lint/conditions-type')) return [];
    const message = 'Whoever applies one condition replaces all: conditions are a list map by `type`.';
    return [lintAt(linted, 'lint/conditions-type', message, schemaPath(place), 'key')];
  }
  if (type !== undefined || !isAskedFor(linted, 'lint/list-type')) return [];
  const message = 'Without a list type the list is atomic: whoever applies a part of it replaces all of it.';
  return [lintAt(linted, 'lint/list-type', message, schemaPath(place), 'key', { facts: keysOf(place) })];
}

/** What can be the key of a list map: scalars that are required or have a default. */
function keysOf({ schema }: SchemaPlace): string[] {
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

export const listLints = family({
  'lint/list-type': {
    severity: 'off',
    title: 'A list of objects without a list type',
    explanation: `Under server-side apply a list without \`${listType}\` belongs as a whole to whoever applied it last. With \`map\` and
the keys that tell items apart, several appliers can own an item each, rules can compare an item with its old self, and no key can stand
twice. Say \`atomic\` where one list is one value. Off unless it is asked for: adding a list type to a kind in use changes how
its objects merge.`,
    bad: list('parts', 'name'),
    good: list('parts', 'name', keyed('name')),
    fixes: listTypes,
  },
  'lint/conditions-type': {
    severity: 'off',
    title: 'Conditions that are not keyed by their type',
    explanation: `Every Kubernetes kind has its conditions as a list map by \`type\`: then several controllers can own a condition each
under server-side apply, and no type can stand twice. Off unless it is asked for.`,
    bad: list('conditions', 'type'),
    good: list('conditions', 'type', keyed('type')),
    fixes: (problem) => fixOf('Key the conditions by `type`', keyedBy(problem, 'type'), true),
  },
});

function listTypes(problem: Problem): Fix[] {
  const keys = problem.facts as readonly string[];
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
