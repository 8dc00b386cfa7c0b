import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { renderBlock } from '../../yaml/render.ts';
import type { WantedKind } from '../kinds.ts';

/** A version of a kind with the JSON schema that a catalogue has of it. */
export interface CatalogueVersion {
  readonly version: string;
  readonly schema: ValueMap;
}

const style = { eol: '\n', step: 2, indentLists: true };

/**
 * The text of a CRD whose schemas are turned back from the JSON schemas that somebody made of them. What these do not
 * tell is filled in so that it leads to no error: with a status subresource the server takes no status here, and who is
 * namespaced may have a namespace or not.
 */
export function turnedBack(
  { group, kind }: Pick<WantedKind, 'group' | 'kind'>,
  versions: readonly CatalogueVersion[],
): string {
  const plural = `${kind.toLowerCase()}s`;
  const crd: Value = new Map<string, Value>([
    ['apiVersion', 'apiextensions.k8s.io/v1'],
    ['kind', 'CustomResourceDefinition'],
    ['metadata', new Map([['name', `${plural}.${group}`]])],
    [
      'spec',
      new Map<string, Value>([
        ['group', group],
        ['scope', 'Namespaced'],
        [
          'names',
          new Map([
            ['kind', kind],
            ['plural', plural],
          ]),
        ],
        ['versions', versions.map(versionOf)],
      ]),
    ],
  ]);
  return `${head}${renderBlock(crd, 0, style)}\n`;
}

const head = `# Made from schemas that a catalogue or a cluster publishes. They do not tell the scope, the other names, the subresources
# and all versions of the kind: nothing that depends on these is checked.
`;

function versionOf({ version, schema }: CatalogueVersion, i: number): Value {
  const properties = schema.get('properties');
  const hasStatus = isMap(properties) && properties.has('status');
  return new Map<string, Value>([
    ['name', version],
    ['served', true],
    ['storage', i === 0],
    ...(hasStatus ? [['subresources', new Map([['status', new Map()]])] as const] : []),
    ['schema', new Map([['openAPIV3Schema', schemaOf(schema)]])],
  ]);
}

/** Keywords by what they hold: a schema, a map of schemas, a list of schemas. */
const keywords: ReadonlyMap<string, (value: Value) => Value> = new Map([
  ['items', schemaOf],
  ['additionalProperties', schemaOf],
  ['not', schemaOf],
  ['properties', schemasByName],
  ['allOf', schemasInOrder],
  ['anyOf', schemasInOrder],
  ['oneOf', schemasInOrder],
]);

/**
 * Makers of JSON schemas forbid further properties wherever there are some, which a CRD cannot do, write what is an
 * integer or a string as `oneOf`, and some let every type be null as well.
 */
function schemaOf(value: Value): Value {
  if (!isMap(value)) return value;
  const schema = new Map<string, Value>();
  for (const [key, inner] of value) {
    if (key === 'additionalProperties' && inner === false) continue;
    if (key === '$schema' || key === '$id') continue;
    const turn = keywords.get(key);
    schema.set(key, turn ? turn(inner) : inner);
  }
  const either = eitherOf(schema);
  if (either) {
    schema.delete('oneOf');
    schema.set('x-kubernetes-int-or-string', true);
    if (either.includes('null')) schema.set('nullable', true);
  }
  for (const [bound, flag] of exclusive) {
    const value = schema.get(flag);
    if (typeof value === 'boolean' || value === undefined) continue;
    schema.set(bound, value).set(flag, true);
  }
  const type = schema.get('type');
  if (isList(type)) {
    const [only, ...others] = type.filter((one) => one !== 'null');
    if (isString(only) && others.length === 0) schema.set('type', only);
    schema.set('nullable', true);
  }
  return schema;
}

/** Newer JSON Schema writes an excluded bound as a number of its own. */
const exclusive = [
  ['maximum', 'exclusiveMaximum'],
  ['minimum', 'exclusiveMinimum'],
] as const;

/** A property that is called `properties` makes some of them forbid further ones among the names. */
function schemasByName(value: Value): Value {
  return isMap(value)
    ? new Map([...value].filter(([, schema]) => isMap(schema)).map(([name, schema]) => [name, schemaOf(schema)]))
    : value;
}

function schemasInOrder(value: Value): Value {
  return isList(value) ? value.map(schemaOf) : value;
}

/** The types of `oneOf` a string and an integer, or null, with no type of its own. */
function eitherOf(schema: ValueMap): readonly Value[] | undefined {
  const choices = schema.get('oneOf');
  if (schema.has('type') || !isList(choices)) return undefined;
  const types = choices.flatMap((one) => (isMap(one) && one.size === 1 ? (one.get('type') ?? []) : []));
  const isWhole = types.length === choices.length && types.every((type) => type !== undefined);
  const others = types.filter((type) => type !== 'null');
  return isWhole && others.length === 2 && others.includes('string') && others.includes('integer') ? types : undefined;
}
