import { lru } from '../../base/lru.ts';
import { toU64 } from '../../base/u64.ts';
import type { Value } from '../../base/value.ts';
import { type Range, zero } from '../../cel/range.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
  timestampType,
} from '../../cel/types.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { requestBytes } from '../bounds.ts';
import { noValidation, type Structural } from '../schema/structural.ts';
import { escapeName } from './escape.ts';

/** A schema as CEL sees it: its type, and the sizes that costs are estimated by. */
export interface DeclType {
  readonly type: CelType;
  /** The fields of an object, by their names in CEL. */
  readonly fields?: ReadonlyMap<string, DeclType>;
  readonly key?: DeclType;
  /** The items of a list or the values of a map. */
  readonly element?: DeclType;
  /** The most items, entries, characters or bytes; 0 for anything else. */
  readonly maxElements: bigint;
  /** The same as a size for estimates. */
  readonly size: Range;
  /** The fewest bytes that a value takes in JSON. */
  readonly minSize: bigint;
  /** The same number for all types that are alike but for the names of their objects: see `shapeOf`. */
  readonly shape: number;
}

const shapes = lru<number>(10_000);
let lastShape = 0;

/** Types made of the same parts have one number, as long as that is remembered; no number is ever used twice. */
function shapeOf(parts: string): number {
  let shape = shapes.get(parts);
  if (shape === undefined) {
    shape = ++lastShape;
    shapes.set(parts, shape);
  }
  return shape;
}

const maxRequest = BigInt(requestBytes);
const maxText = maxRequest - 2n;
const maxName = 253n;

function sizeOf(maxElements: bigint): Range {
  return { min: 0, max: toU64(maxElements) };
}

function scalar(type: CelType, minSize: bigint, maxElements = 0n): DeclType {
  const shape = shapeOf(`${type.text} ${minSize} ${maxElements}`);
  return { type, minSize, maxElements, size: sizeOf(maxElements), shape };
}

const plainString = scalar(stringType, 2n);
const boolean = scalar(boolType, 4n);
const number = scalar(doubleType, 1n);
const integer = scalar(intType, 1n);

/** What of the conversion differs between releases. */
export interface DeclOptions {
  /** The names of root and embedded objects are at most 253 long (1.37). */
  readonly capsNames: boolean;
  /** maxLength of an int-or-string counts (1.34). */
  readonly intOrStringLength: boolean;
}

interface Known extends DeclOptions {
  readonly isRoot: boolean;
  readonly name: string;
  readonly decl: DeclType | undefined;
}

/**
 * By schema: its type as it was last made, newest first. Schemas that an edit leaves alone are the same objects, in the
 * same place. Their objects have two names: from the root of the schema, and from the first schema that has rules.
 * Not a memo: only the last few are kept.
 */
const made = new WeakMap<Structural, readonly Known[]>();
const mostNames = 2;

/**
 * The CEL type of a schema; undefined where the schema is not visible to rules. Objects are named by where they stand,
 * under `name`.
 */
export function declType(
  schema: Structural,
  isRoot: boolean,
  options: DeclOptions,
  name = 'selfType',
): DeclType | undefined {
  // What holds no other is made anew as fast as it is looked up.
  if (schema.type !== 'object' && schema.type !== 'array') return makeDecl(schema, isRoot, options, name);
  const known = made.get(schema) ?? [];
  const same = known.find((one) => isMadeFor(one, isRoot, options, name));
  if (same) return same.decl;
  const decl = makeDecl(schema, isRoot, options, name);
  const { capsNames, intOrStringLength } = options;
  made.set(schema, [{ name, isRoot, capsNames, intOrStringLength, decl }, ...known].slice(0, mostNames));
  return decl;
}

function isMadeFor(known: Known, isRoot: boolean, options: DeclOptions, name: string): boolean {
  return (
    known.name === name &&
    known.isRoot === isRoot &&
    known.capsNames === options.capsNames &&
    known.intOrStringLength === options.intOrStringLength
  );
}

/** Whether CEL has a type for what a schema describes, without making it. */
export function hasType({ extensions, type, items, additionalProperties }: Structural): boolean {
  if (extensions.intOrString) return true;
  if (type === 'array') return items !== undefined && hasType(items);
  if (type === 'object') return !additionalProperties?.schema || hasType(additionalProperties.schema);
  return ['string', 'boolean', 'number', 'integer'].includes(type);
}

function makeDecl(schema: Structural, isRoot: boolean, options: DeclOptions, name: string): DeclType | undefined {
  if (schema.extensions.intOrString) return scalar(dynType, 1n, intOrStringLength(schema, options));
  switch (schema.type) {
    case 'array':
      return listDecl(schema, options, name);
    case 'object':
      if (schema.additionalProperties?.schema)
        return mapDecl(schema, schema.additionalProperties.schema, options, name);
      return objectDecl(schema, isRoot, options, name);
    case 'string':
      return stringDecl(schema);
    case 'boolean':
      return boolean;
    case 'number':
      return number;
    case 'integer':
      return integer;
    default:
      return undefined;
  }
}

function intOrStringLength(schema: Structural, options: DeclOptions): bigint {
  const length = options.intOrStringLength ? schema.validation?.maxLength : undefined;
  return length === undefined ? maxText : atLeastZero(length) * 4n;
}

function atLeastZero(value: bigint): bigint {
  return value < 0n ? 0n : value;
}

function listDecl(schema: Structural, options: DeclOptions, name: string): DeclType | undefined {
  if (!schema.items) return undefined;
  const element = declType(schema.items, schema.items.extensions.embeddedResource, options, `${name}.@idx`);
  if (!element) return undefined;
  const limit = schema.validation?.maxItems;
  const maxElements = limit === undefined ? maxText / (element.minSize + 1n) : atLeastZero(limit);
  const shape = shapeOf(`list ${element.shape} ${maxElements}`);
  return { type: listOf(element.type), element, maxElements, size: sizeOf(maxElements), minSize: 2n, shape };
}

function mapDecl(schema: Structural, values: Structural, options: DeclOptions, name: string): DeclType | undefined {
  const element = declType(values, values.extensions.embeddedResource, options, `${name}.@elem`);
  if (!element) return undefined;
  const limit = schema.validation?.maxProperties;
  const maxElements = limit === undefined ? maxText / (element.minSize + 6n) : atLeastZero(limit);
  return {
    type: mapOf(stringType, element.type),
    key: plainString,
    element,
    maxElements,
    size: sizeOf(maxElements),
    minSize: 2n,
    shape: shapeOf(`map ${element.shape} ${maxElements}`),
  };
}

const utf8 = new TextEncoder();

function objectDecl(schema: Structural, isRoot: boolean, options: DeclOptions, name: string): DeclType {
  const properties = isRoot ? withMetadata(schema, options) : (schema.properties ?? new Map<string, Structural>());
  const required = new Set(schema.validation?.required);
  const fields = new Map<string, DeclType>();
  let parts = 'object';
  let minSize = 2n;
  properties.forEach((property, key) => {
    const escaped = escapeName(key);
    const field = declType(property, property.extensions.embeddedResource, options, `${name}.${escaped ?? key}`);
    if (!field) return;
    if (escaped !== undefined) {
      fields.set(escaped, field);
      parts += ` ${escaped}:${field.shape}`;
    }
    if (required.has(key) && !hasDefault(property)) minSize += BigInt(utf8.encode(key).length) + field.minSize + 4n;
  });
  return {
    type: structType(name),
    fields,
    maxElements: 0n,
    size: zero,
    minSize,
    shape: shapeOf(`${parts} ${minSize}`),
  };
}

function hasDefault(schema: Structural): boolean {
  return schema.default !== undefined && schema.default !== null;
}

function textOf(maxLength: bigint | undefined): Structural {
  return {
    type: 'string',
    title: '',
    description: '',
    nullable: false,
    extensions: {
      preserveUnknownFields: false,
      embeddedResource: false,
      intOrString: false,
      listMapKeys: [],
      validations: [],
    },
    ...(maxLength === undefined ? {} : { validation: { ...noValidation, maxLength } }),
  };
}

/** kind, apiVersion and metadata.name and .generateName can always be asked of a whole object. */
export function withMetadata(
  schema: Structural,
  options: Pick<DeclOptions, 'capsNames'>,
): ReadonlyMap<string, Structural> {
  const declared = schema.properties ?? new Map<string, Structural>();
  const metadata = declared.get('metadata');
  const complete =
    declared.get('kind')?.type === 'string' &&
    declared.get('apiVersion')?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.get('name')?.type === 'string' &&
    metadata.properties.get('generateName')?.type === 'string';
  if (complete) return declared;
  const capped = (key: string, limit: bigint) =>
    textOf(options.capsNames ? cap(metadata?.properties?.get(key), limit) : undefined);
  const names = new Map([
    ['name', capped('name', maxName)],
    ['generateName', capped('generateName', maxName - 1n)],
  ]);
  return new Map<string, Structural>([
    ...declared,
    ['kind', textOf(undefined)],
    ['apiVersion', textOf(undefined)],
    ['metadata', { ...textOf(undefined), type: 'object', properties: names }],
  ]);
}

function cap(schema: Structural | undefined, limit: bigint): bigint {
  const declared = schema?.validation?.maxLength;
  return declared !== undefined && declared < limit ? declared : limit;
}

function stringDecl(schema: Structural): DeclType {
  const length = schema.validation?.maxLength;
  switch (schema.validation?.format) {
    case 'byte':
      return scalar(bytesType, 2n, length === undefined ? maxText : atLeastZero(length));
    case 'duration':
      return scalar(durationType, 3n, 32n);
    case 'date':
      return scalar(timestampType, 12n, 12n);
    case 'date-time':
      return scalar(timestampType, 21n, 32n);
    default:
      return scalar(stringType, 2n, length === undefined ? longestText(schema) : atLeastZero(length) * 4n);
  }
}

/** The longest value of an enum in bytes; without one, whatever fits into a request. */
function longestText(schema: Structural): bigint {
  const values = schema.validation?.enum ?? [];
  if (values.length === 0) return maxText;
  const lengthOf = (value: Value) => (typeof value === 'string' ? byteLength(value) : 0);
  return BigInt(values.reduce<number>((most, value) => Math.max(most, lengthOf(value)), 0));
}

/** How often at most a value of this size can stand in one request. */
export function maxCardinality(decl: DeclType): bigint {
  return maxRequest / (decl.minSize + 1n);
}
