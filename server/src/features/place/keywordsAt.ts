import { isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { schemaNode } from '../../kubernetes/api/editor.ts';
import type { SchemaNode } from '../../workspace/schemaNode.ts';

/** What of a schema's keywords is worth writing at a place. */
export interface Allowed {
  /** Only these, where not all of them can stand there. */
  readonly names: readonly string[] | undefined;
  readonly without: ReadonlySet<string>;
  /** What comes before the others, in this order. */
  readonly first: readonly string[];
  /** Keywords that only this place allows. */
  readonly besides: ReadonlyMap<string, SchemaNode>;
}

/** What may be written in a map of a CRD; undefined where there is no more to say than its schema does. */
export function keywordsAt(crd: ValueMap, map: Path): Allowed | undefined {
  const root = map.indexOf('openAPIV3Schema');
  if (root === -1) return undefined;
  const below = map.slice(root + 1).join('/');
  const only = onlyAllowed.get(below);
  const besides = isIntOrStringChoice(crd, map) ? intOrStringType : new Map();
  if (only) return { names: only, without: new Set(), first: [], besides };
  const present = valueAt(crd, map);
  const without = new Set([...(refused.get(below) ?? []), ...excludedBy(present)]);
  return { names: undefined, without, first: firstFor(present), besides };
}

/** In metadata a schema may only restrict how objects are named; not even a description is allowed. */
const onlyAllowed: ReadonlyMap<string, readonly string[]> = new Map([
  ['properties/metadata', ['type', 'properties']],
  ['properties/metadata/properties', ['name', 'generateName']],
]);

const refused: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['additionalProperties', 'default', 'nullable', 'x-kubernetes-list-map-keys', 'x-kubernetes-list-type']],
  ['properties/metadata/properties/name', ['default']],
  ['properties/metadata/properties/generateName', ['default']],
]);

/** Keywords that say something of one type only, those that are used most first. */
const byType: ReadonlyMap<string, readonly string[]> = new Map([
  ['string', ['maxLength', 'pattern', 'minLength']],
  ['integer', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['array', ['items', 'maxItems', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'minItems', 'uniqueItems']],
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'maxProperties',
      'minProperties',
      'x-kubernetes-map-type',
      'x-kubernetes-embedded-resource',
    ],
  ],
]);

const ofScalars: ReadonlySet<string> = new Set(['string', 'integer', 'number']);

function typeOf(present: Value | undefined): string {
  const type = isMap(present) ? present.get('type') : undefined;
  return isString(type) ? type : '';
}

/** What the keywords that are there exclude. */
function excludedBy(present: Value | undefined): string[] {
  if (!isMap(present)) return [];
  const type = typeOf(present);
  const others = type === '' ? [] : [...byType].filter(([name]) => name !== (type === 'number' ? 'integer' : type));
  return [
    ...others.flatMap(([, keywords]) => keywords),
    ...(type === '' || ofScalars.has(type) ? [] : ['format']),
    ...(present.has('properties') ? ['additionalProperties'] : []),
    ...(present.has('additionalProperties') ? ['properties'] : []),
  ];
}

/** The type first; then what authors mostly say of a value of the type. */
function firstFor(present: Value | undefined): string[] {
  const type = typeOf(present);
  if (type === '') return ['type', 'description'];
  const own = byType.get(type === 'number' ? 'integer' : type) ?? [];
  const isKeyed = isMap(present) && present.get('x-kubernetes-list-type') === 'map';
  return [
    ...(isKeyed ? ['x-kubernetes-list-map-keys'] : []),
    'description',
    ...own.slice(0, 2),
    ...(ofScalars.has(type) || type === 'boolean' ? ['default'] : []),
    ...(type === 'string' ? ['enum'] : []),
    ...own.slice(2),
    ...(ofScalars.has(type) ? ['format'] : []),
    'x-kubernetes-validations',
  ];
}

/** The two choices of an int-or-string are the only schemas inside a junctor that may name a type. */
export function isIntOrStringChoice(crd: ValueMap, map: Path): boolean {
  if (map.at(-2) !== 'anyOf' || typeof map.at(-1) !== 'number') return false;
  const around = valueAt(crd, map.slice(0, -2));
  const outer = map.at(-4) === 'allOf' ? valueAt(crd, map.slice(0, -4)) : undefined;
  return [around, outer].some((schema) => isMap(schema) && schema.get('x-kubernetes-int-or-string') === true);
}

const intOrStringType: ReadonlyMap<string, SchemaNode> = new Map([
  [
    'type',
    {
      schema: schemaNode('string', {
        text: 'One of the two types of an int-or-string.',
        choices: ['integer', 'string'],
      }),
      path: undefined,
      definition: undefined,
    },
  ],
]);

const types = ['string', 'integer', 'object', 'array', 'boolean', 'number'];
const columnTypes = ['string', 'integer', 'date', 'boolean', 'number'];

/** Which values of a CRD's field come before others: types as they are used, and as the keywords beside them want. */
export function valuesFirst(crd: ValueMap, path: Path): readonly string[] {
  if (path.at(-1) !== 'type') return [];
  if (path.includes('additionalPrinterColumns')) return columnTypes;
  const beside = valueAt(crd, path.slice(0, -1));
  const meant = isMap(beside) ? types.filter((type) => byType.get(type)?.some((keyword) => beside.has(keyword))) : [];
  return [...new Set([...meant, ...types])];
}

/** Whether the last step of a way into a schema is the name of a property, and not a keyword. */
export function isPropertyName(path: Path): boolean {
  const root = path.indexOf('openAPIV3Schema');
  let isName = false;
  for (const step of root === -1 ? [] : path.slice(root + 1, -1)) isName = step === 'properties' && !isName;
  return isName;
}
