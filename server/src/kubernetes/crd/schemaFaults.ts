import type { Path } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import type { CrdFinding } from './findings.ts';

/**
 * What a schema's error leaves open until it is mended: nothing that rules rest on, or whether values are matched with
 * old ones, or the type, which what stands below may tell, or everything at that place.
 */
export type Bearing = 'nothing' | 'matching' | 'type' | 'everything';

/** An error at a node of a schema. */
export interface Fault {
  /** The node's. */
  readonly path: Path;
  readonly bearing: Bearing;
}

/** An error of a schema as what it leaves open; undefined for errors elsewhere, and for those that hide nothing. */
export function faultOf(error: CrdFinding): Fault | undefined {
  const root = error.path.indexOf('openAPIV3Schema');
  if (root === -1 || hidesNothing.has(error.code)) return undefined;
  const path = nodeOf(error.path, root + 1);
  return { path: ofParent.has(error.code) ? path.slice(0, -1) : path, bearing: bearingOf(error, path.length) };
}

/** What is only said once everything else is right. */
const hidesNothing: ReadonlySet<CrdFinding['code']> = new Set<CrdFinding['code']>([
  'crd/rule-compile',
  'crd/rule-message-expression',
  'crd/rule-cost',
  'crd/rule-message-expression-cost',
  'crd/rule-cost-contributes',
  'crd/rule-cost-total',
  'crd/rule-type-info',
  'crd/rule-old-self',
  'crd/rule-optional-old-self',
]);

/** Said at a child that its parent may not have in this way. */
const ofParent: ReadonlySet<CrdFinding['code']> = new Set<CrdFinding['code']>([
  'crd/items-list',
  'crd/properties-and-additional',
  'crd/root-additional-properties',
  'crd/embedded-additional-properties',
]);

/** Whatever is not in here leaves everything open. */
const bearings: ReadonlyMap<CrdFinding['code'], Bearing> = new Map<CrdFinding['code'], Bearing>([
  ['crd/rule-empty', 'nothing'],
  ['crd/rule-message', 'nothing'],
  ['crd/rule-message-required', 'nothing'],
  ['crd/rule-message-expression-empty', 'nothing'],
  ['crd/rule-reason', 'nothing'],
  ['crd/rule-field-path', 'nothing'],
  ['crd/root-nullable', 'nothing'],
  ['crd/unique-items', 'nothing'],
  ['crd/pattern', 'nothing'],
  ['crd/preserve-unknown-fields-false', 'nothing'],
  ['crd/default-forbidden', 'nothing'],
  ['crd/default-rule', 'nothing'],
  ['crd/list-type-unknown', 'matching'],
  ['crd/map-type-unknown', 'matching'],
  ['crd/set-item-atomic', 'matching'],
  ['crd/map-keys-without-map', 'matching'],
  ['crd/map-keys-empty', 'matching'],
  ['crd/map-key-duplicate', 'matching'],
  ['crd/map-key-required', 'matching'],
  ['crd/map-key-nullable', 'matching'],
  ['crd/list-item-nullable', 'matching'],
  ['crd/type-required', 'type'],
  ['crd/type-unknown', 'type'],
  ['crd/root-type', 'type'],
  ['crd/root-type-with-status', 'type'],
  ['crd/items-required', 'type'],
]);

function bearingOf(error: CrdFinding, depth: number): Bearing {
  return error.code === 'crd/forbidden-in-junctor'
    ? inJunctor(error, depth)
    : (bearings.get(error.code) ?? 'everything');
}

/** What these say is only repeated in a junctor; elsewhere it would have to move out of it, and be new there. */
const repeated: ReadonlySet<string> = new Set(['type', 'title', 'description', 'default', 'nullable']);

function inJunctor({ path }: CrdFinding, depth: number): Bearing {
  const isDeeper = path.slice(depth).some((step) => step === 'properties' || step === 'items');
  return !isDeeper && repeated.has(String(path.at(-1))) ? 'nothing' : 'everything';
}

/** The node that a place in a schema belongs to; what is inside a junctor belongs to the node that has it. */
function nodeOf(path: Path, root: number): Path {
  let at = root;
  for (;;) {
    if (path[at] === 'properties' && at + 1 < path.length) at += 2;
    else if (path[at] === 'items' || path[at] === 'additionalProperties') at += 1;
    else return path.slice(0, at);
  }
}

/** A schema without its errors: `standIn` takes the place of what they leave open. What has none stays the same object. */
export function mended(schema: SchemaProps, path: Path, faults: readonly Fault[], standIn: SchemaProps): SchemaProps {
  if (faults.length === 0) return schema;
  const own = faults.filter((fault) => fault.path.length <= path.length).map(({ bearing }) => bearing);
  if (own.includes('everything')) return standIn;
  const type = own.includes('type') ? typeBelow(schema) : schema.type;
  if (type === undefined && own.includes('type')) return standIn;
  const below = (child: SchemaProps, ...steps: Path): SchemaProps => {
    const at = [...path, ...steps];
    return mended(
      child,
      at,
      faults.filter((fault) => steps.every((step, i) => fault.path[path.length + i] === step)),
      standIn,
    );
  };
  const { items, properties, additionalProperties } = schema;
  return {
    ...schema,
    ...withoutMistakes,
    ...(own.length > 0 && withoutJunctors),
    type,
    preserveUnknownFields: schema.preserveUnknownFields || undefined,
    items: items?.schema
      ? { schema: below(items.schema, 'items') }
      : type === 'array'
        ? { schema: standIn }
        : undefined,
    properties: properties && new Map([...properties].map(([name, child]) => [name, below(child, 'properties', name)])),
    additionalProperties: additionalProperties?.schema
      ? { allows: true, schema: below(additionalProperties.schema, 'additionalProperties') }
      : additionalProperties,
  };
}

/** The only type that what stands below leaves; undefined where there may be several. */
function typeBelow({ items, properties, additionalProperties, type }: SchemaProps): string | undefined {
  const isObject = properties !== undefined || additionalProperties !== undefined;
  const isList = items !== undefined || type === 'array';
  if (isObject === isList) return undefined;
  return isObject ? 'object' : 'array';
}

const withoutMistakes = {
  id: undefined,
  schema: undefined,
  ref: undefined,
  additionalItems: undefined,
  patternProperties: undefined,
  definitions: undefined,
  dependencies: undefined,
  uniqueItems: undefined,
} satisfies Partial<SchemaProps>;

const withoutJunctors = {
  not: undefined,
  allOf: undefined,
  anyOf: undefined,
  oneOf: undefined,
} satisfies Partial<SchemaProps>;
