import { memo } from '../base/memo.ts';
import { isList, isMap, mapAt, type Path, stringAt, textAt, type Value, type ValueMap } from '../base/value.ts';
import { pluralOf } from '../controllergen/crd/plural.ts';
import { quote } from '../gostd/quote.ts';
import type { Mistake } from './markers.ts';
import { namingMistakes } from './naming.ts';
import { anything, schemaOf } from './simpleSchema.ts';
import { rgdGroup } from './version.ts';

// The CRD that kro makes of a ResourceGraphDefinition (RGD), without the types of what the status holds: those depend on the
// kinds of the resources, so that everything in the status may be anything.

export interface MadeOfRgd {
  /** The CRD; where kro makes none, as far as it can be told what was meant. */
  readonly value: ValueMap;
  /** Why kro makes none, in its own words where it has some: one of them at a time. */
  readonly mistakes: readonly Mistake[];
  /** What of the RGD holds more than is looked at, so that nothing is known of it. */
  readonly tooLarge?: Path;
}

export const madeOfRgd = memo((rgd: ValueMap): MadeOfRgd => {
  const schema = mapAt(rgd, ['spec', 'schema']);
  const made = schemaOf(mapAt(schema, ['spec']), mapAt(schema, ['types']));
  const naming = namingMistakes(rgd);
  const name = quote(textAt(rgd, ['metadata', 'name']));
  const inSchema = (key: string) => (mistake: Mistake) => ({
    ...mistake,
    path: ['spec', 'schema', key, ...mistake.path],
    message: `failed to build resourcegraphdefinition ${name}: failed to build OpenAPI schema for instance: ${mistake.message}`,
  });
  const ofSchema = [...made.ofTypes.map(inSchema('types')), ...made.mistakes.map(inSchema('spec'))];
  const tooLarge = made.tooLarge && { tooLarge: ['spec', 'schema', ...made.tooLarge] };
  return { value: crdOf(schema, made.schema), mistakes: naming.length > 0 ? naming : ofSchema, ...tooLarge };
});

function crdOf(schema: ValueMap, spec: ValueMap): ValueMap {
  const text = (key: string) => textAt(schema, [key]);
  const [kind, group] = [text('kind'), stringAt(schema, ['group']) ?? rgdGroup];
  const plural = pluralOf(kind.toLowerCase());
  const metadata = mapAt(schema, ['metadata']);
  return withoutEmpty([
    ['apiVersion', 'apiextensions.k8s.io/v1'],
    ['kind', 'CustomResourceDefinition'],
    [
      'metadata',
      withoutEmpty([
        ['name', `${plural}.${group}`],
        ['labels', metadata.get('labels')],
        ['annotations', metadata.get('annotations')],
      ]),
    ],
    [
      'spec',
      withoutEmpty([
        ['group', group],
        [
          'names',
          withoutEmpty([
            ['kind', kind],
            ['listKind', `${kind}List`],
            ['plural', plural],
            ['singular', kind.toLowerCase()],
            ['shortNames', schema.get('shortNames')],
            ['categories', schema.get('categories')],
          ]),
        ],
        ['scope', text('scope') === 'Cluster' ? 'Cluster' : 'Namespaced'],
        ['versions', [versionOf(schema, spec)]],
      ]),
    ],
  ]);
}

function versionOf(schema: ValueMap, spec: ValueMap): ValueMap {
  const columns = schema.get('additionalPrinterColumns');
  return new Map<string, Value>([
    ['name', textAt(schema, ['apiVersion'])],
    ['served', true],
    ['storage', true],
    ['schema', new Map([['openAPIV3Schema', rootOf(spec, statusOf(mapAt(schema, ['status'])))]])],
    ['subresources', new Map([['status', new Map()]])],
    ['additionalPrinterColumns', isList(columns) && columns.length > 0 ? columns : ownColumns],
  ]);
}

const typed = (type: string): ValueMap => new Map([['type', type]]);

const rootOf = memo((spec: ValueMap, status: ValueMap): ValueMap => {
  const properties = [
    ['apiVersion', typed('string')],
    ['kind', typed('string')],
    ['metadata', typed('object')],
    ['spec', spec],
    ['status', status],
  ] as const;
  return object(new Map<string, Value>(properties));
});

function object(properties: ValueMap): ValueMap {
  return new Map<string, Value>([
    ['type', 'object'],
    ['properties', properties],
  ]);
}

/** Which fields the status has is known, and of what kro adds also the types. */
const statusOf = memo((status: ValueMap): ValueMap => {
  const written = [...status].filter(([name]) => name !== 'conditions');
  return object(new Map([...ownStatus, ...written.map(([name, one]) => [name, statusField(one)] as const)]));
});

function statusField(written: Value): ValueMap {
  if (!isMap(written)) return anything;
  return object(new Map([...written].map(([name, one]) => [name, statusField(one)])));
}

const ownStatus: ValueMap = new Map<string, Value>([
  ['state', typed('string')],
  [
    'conditions',
    new Map<string, Value>([
      ['type', 'array'],
      [
        'items',
        object(
          new Map([
            ['type', typed('string')],
            ['status', typed('string')],
            ['reason', typed('string')],
            ['message', typed('string')],
            ['lastTransitionTime', typed('string')],
            ['observedGeneration', typed('integer')],
          ]),
        ),
      ],
    ]),
  ],
]);

const column = (name: string, description: string, type: string, jsonPath: string): ValueMap =>
  new Map(Object.entries({ name, type, description, jsonPath }));

/** The columns of definitions that name none. */
const ownColumns: readonly Value[] = [
  column('State', 'The state of a ResourceGraphDefinition instance', 'string', '.status.state'),
  column(
    'Ready',
    'Whether a ResourceGraphDefinition instance is ready',
    'string',
    '.status.conditions[?(@.type=="Ready")].status',
  ),
  column('Age', 'Age of the resource', 'date', '.metadata.creationTimestamp'),
];

function withoutEmpty(entries: readonly (readonly [string, Value | undefined])[]): ValueMap {
  const isThere = (value: Value | undefined) =>
    value !== undefined && value !== null && !(isMap(value) && value.size === 0);
  return new Map(entries.filter((entry): entry is [string, Value] => isThere(entry[1])));
}
