import { isList, isMap, type Path, type Value } from '../base/value.ts';
import { hasRepeats } from '../kubernetes/cr/listTypes.ts';
import { validateValue } from '../kubernetes/schema/validate.ts';
import type { ValueSchema } from '../kubernetes/schema/valueSchema.ts';
import { hit, type NewPoint, type Point } from './points.ts';

// The bounds of a schema and its fields, as objects meet and set them.

/** A node of a schema with its points. */
export interface CoveredSchema {
  readonly bounds: readonly CoveredBound[];
  readonly properties: ReadonlyMap<string, CoveredField>;
  readonly items: CoveredSchema | undefined;
  readonly values: CoveredSchema | undefined;
}

interface CoveredField {
  /** Undefined of what every object has. */
  readonly point: Point | undefined;
  readonly schema: CoveredSchema;
}

/** Tells what a value does to a bound; undefined where it is of a type that the bound is not about. */
interface CoveredBound {
  readonly point: Point;
  readonly wayOf: (value: Value) => Point['ways'][number]['name'] | undefined;
}

/** All bounds and fields of a version's schema, whose place in the CRD is `at`. */
export function coveredSchema(root: ValueSchema, at: Path, newPoint: NewPoint): CoveredSchema {
  const cover = (schema: ValueSchema, path: Path, name: string): CoveredSchema => ({
    bounds: coveredBounds(schema, path, name, newPoint),
    properties: new Map(
      [...(schema.properties?.names() ?? [])].map((key) => {
        const place = [...path, 'properties', key];
        const field = name === '' ? key : `${name}.${key}`;
        const isGiven = name === '' && ofEveryObject.has(key);
        const point = isGiven
          ? undefined
          : newPoint({ kind: 'field', path: place, part: undefined, what: field, ways: ['set'] });
        return [key, { point, schema: cover(schema.properties!.get(key)!, place, field) }];
      }),
    ),
    items: schema.items && cover(schema.items, [...path, 'items'], `${name}[*]`),
    values:
      schema.additionalProperties?.schema &&
      cover(schema.additionalProperties.schema, [...path, 'additionalProperties'], `${name}.*`),
  });
  return cover(root, at, '');
}

const ofEveryObject = new Set(['apiVersion', 'kind', 'metadata']);

/** Notes the fields that an object sets. */
export function seeGiven({ properties, items, values }: CoveredSchema, value: Value): void {
  if (isList(value)) for (const item of value) if (items) seeGiven(items, item);
  if (!isMap(value)) return;
  for (const [key, item] of value) {
    const field = properties.get(key);
    if (field?.point) hit(field.point, 'set');
    const below = field?.schema ?? values;
    if (below) seeGiven(below, item);
  }
}

/** Notes the bounds that an object meets and crosses, with its defaults. */
export function seeStored({ bounds, properties, items, values }: CoveredSchema, value: Value): void {
  if (value === null) return;
  for (const { point, wayOf } of bounds) {
    const way = wayOf(value);
    if (way) hit(point, way);
  }
  if (isList(value)) for (const item of value) if (items) seeStored(items, item);
  if (!isMap(value)) return;
  for (const [key, item] of value) {
    const below = properties.get(key)?.schema ?? values;
    if (below) seeStored(below, item);
  }
}

const isNumber = (value: Value) => typeof value === 'bigint' || typeof value === 'number';
const isText = (value: Value) => typeof value === 'string';

/** Keywords that bound values, each with what it takes to be asked alone, and the values that it is about. */
const keywords: readonly {
  readonly name: keyof ValueSchema;
  readonly with?: readonly (keyof ValueSchema)[];
  readonly isAbout: (value: Value) => boolean;
}[] = [
  { name: 'minimum', with: ['exclusiveMinimum'], isAbout: isNumber },
  { name: 'maximum', with: ['exclusiveMaximum'], isAbout: isNumber },
  { name: 'multipleOf', isAbout: isNumber },
  { name: 'minLength', isAbout: isText },
  { name: 'maxLength', isAbout: isText },
  { name: 'pattern', isAbout: isText },
  { name: 'format', with: ['formatCheck'], isAbout: isText },
  { name: 'minItems', isAbout: isList },
  { name: 'maxItems', isAbout: isList },
  { name: 'minProperties', isAbout: isMap },
  { name: 'maxProperties', isAbout: isMap },
  { name: 'enum', isAbout: () => true },
  { name: 'not', isAbout: () => true },
];

const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

function coveredBounds(schema: ValueSchema, path: Path, name: string, newPoint: NewPoint): CoveredBound[] {
  const title = (what: string) => `${name} ${what}`.trim();
  const bound = (what: string, place: Path, alone: ValueSchema, isAbout: (value: Value) => boolean): CoveredBound => ({
    point: newPoint({ kind: 'bound', path: [...path, ...place], part: undefined, what: title(what), ways: twoWays }),
    wayOf: (value) => (isAbout(value) ? wayIn(alone, value) : undefined),
  });
  const own = keywords.filter((keyword) => demands(schema, keyword.name));
  const required = schema.required.map((key, i) =>
    bound(`required ${key}`, ['required', i], { ...nothing, required: [key] }, isMap),
  );
  const branches = junctors.flatMap((junctor) =>
    schema[junctor].map((branch, i) => bound(`${junctor}[${i}]`, [junctor, i], branch, () => true)),
  );
  return [
    ...own.map((keyword) => bound(keyword.name, [keyword.name], alone(schema, keyword), keyword.isAbout)),
    ...uniqueItems(schema, path, title, newPoint),
    ...required,
    ...branches,
    ...schema.enum.map((one, i) => enumValue(one, [...path, 'enum', i], title, newPoint)),
  ];
}

const twoWays = ['met', 'crossed'] as const;

function wayIn(schema: ValueSchema, value: Value) {
  return validateValue(schema, value, { ranges: false }).errors.length === 0 ? 'met' : 'crossed';
}

/** Demands nothing. */
const nothing: ValueSchema = {
  types: [],
  nullable: true,
  format: '',
  exclusiveMaximum: false,
  exclusiveMinimum: false,
  pattern: '',
  enum: [],
  required: [],
  allOf: [],
  anyOf: [],
  oneOf: [],
  listMapKeys: [],
};

function demands(schema: ValueSchema, keyword: keyof ValueSchema): boolean {
  // A format that nothing judges demands nothing.
  if (keyword === 'format') return schema.formatCheck !== undefined;
  const said = schema[keyword];
  return said !== undefined && said !== '' && !(isList(said as Value) && (said as readonly Value[]).length === 0);
}

function alone(schema: ValueSchema, { name, with: others = [] }: (typeof keywords)[number]): ValueSchema {
  return { ...nothing, ...Object.fromEntries([name, ...others].map((keyword) => [keyword, schema[keyword]])) };
}

/** The type of a list that takes no item twice, or no two with the same keys. */
function uniqueItems(
  { listType, listMapKeys }: ValueSchema,
  path: Path,
  title: (what: string) => string,
  newPoint: NewPoint,
): CoveredBound[] {
  if (listType !== 'set' && listType !== 'map') return [];
  const key = 'x-kubernetes-list-type';
  const point = newPoint({ kind: 'bound', path: [...path, key], part: undefined, what: title(key), ways: twoWays });
  // What is not a map has no keys, which is another error.
  const isAbout = (list: readonly Value[]) => listType === 'set' || list.every((item) => item === null || isMap(item));
  const wayOf = (value: Value) => {
    if (!isList(value) || !isAbout(value)) return undefined;
    return hasRepeats(value, listType, listMapKeys) ? 'crossed' : 'met';
  };
  return [{ point, wayOf }];
}

function enumValue(one: Value, path: Path, title: (what: string) => string, newPoint: NewPoint): CoveredBound {
  const shown = typeof one === 'string' ? one : String(one);
  const point = newPoint({ kind: 'bound', path, part: undefined, what: title(`enum ${shown}`), ways: ['set'] });
  const only: ValueSchema = { ...nothing, enum: [one] };
  return { point, wayOf: (value) => (wayIn(only, value) === 'met' ? 'set' : undefined) };
}
