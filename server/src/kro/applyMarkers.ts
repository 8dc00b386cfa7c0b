import { listAt, type Value } from '../base/value.ts';
import { jsonFloat } from '../gostd/float.ts';
import { plainValue, readJson } from '../gostd/json.ts';
import { parseGoFloat } from '../gostd/parseFloat.ts';
import { parseGoInt } from '../gostd/parseInt.ts';
import { quote } from '../gostd/quote.ts';
import { compileGoRegexp } from '../gostd/regexp.ts';
import { trimSpace } from '../gostd/trim.ts';
import { type Marker, type MarkerName, SimpleSchemaError } from './markers.ts';

/** A schema that is being made. */
export type Draft = Map<string, Value>;

/** What a marker is applied to. */
interface Target {
  readonly schema: Draft;
  readonly field: string;
  /** Required fields of what is around it. */
  readonly required: string[];
  /** By keyword: what kro puts into the CRD as it is, where it has to be JSON. Without that, it cannot send the CRD. */
  readonly notJson: Map<string, string>;
}

/** Writes the markers of a field into its schema, and into what is around it whether it is required. */
export function applyMarkers(markers: readonly Marker[], target: Target): void {
  for (const { name, value } of markers) effects[name](value, target);
  const { schema } = target;
  const listType = schema.get('x-kubernetes-list-type');
  if (!schema.has('x-kubernetes-list-map-keys') || listType === 'map') return;
  const is = listType === undefined ? 'listType is unset' : `listType is set to ${listType}`;
  throw new SimpleSchemaError(`listMapKey set while ${is}, listType must be set to map`);
}

type Effect = (value: string, target: Target) => void;

const effects: Readonly<Record<MarkerName, Effect>> = {
  required: (value, { field, required }) => {
    if (bool(value, 'failed to parse required marker value: ')) required.push(field);
  },
  default: (value, target) => {
    put(target, 'default', jsonOf(value, target.schema.get('type')));
  },
  description: (value, { schema }) => {
    if (value !== '') schema.set('description', value);
    else schema.delete('description');
  },
  minimum: (value, target) => {
    put(target, 'minimum', float(value, 'failed to parse minimum enum value: '));
  },
  maximum: (value, target) => {
    put(target, 'maximum', float(value, 'failed to parse maximum enum value: '));
  },
  validation: (value, { schema }) => {
    if (trimSpace(value) === '') throw new SimpleSchemaError('validation failed');
    addRule(schema, value, 'validation failed');
  },
  immutable: (value, { schema }) => {
    if (bool(value, 'failed to parse immutable marker value: '))
      addRule(schema, 'self == oldSelf', 'field is immutable');
  },
  enum: (value, target) => {
    const all = value.split(',').map((one) => enumValue(trimSpace(one), target.schema.get('type')));
    put(target, 'enum', `[${all.join(',')}]`);
  },
  minLength: lengthOf('minLength', 'string'),
  maxLength: lengthOf('maxLength', 'string'),
  minItems: lengthOf('minItems', 'array'),
  maxItems: lengthOf('maxItems', 'array'),
  pattern: (value, { schema }) => {
    if (value === '') throw new SimpleSchemaError('pattern marker value cannot be empty');
    demandType('pattern', 'string', schema);
    const compiled = compileGoRegexp(value);
    if (!compiled.ok) throw new SimpleSchemaError(`invalid pattern regex: ${compiled.error}`);
    schema.set('pattern', value);
  },
  uniqueItems: (value, { schema }) => {
    const isUnique = bool(value, 'failed to parse uniqueItems marker value: ');
    demandType('uniqueItems', 'array', schema);
    if (!isUnique) return;
    const listType = schema.get('x-kubernetes-list-type') ?? 'set';
    if (listType !== 'set') throw new SimpleSchemaError(`cannot set unique when listType is set to ${listType}`);
    schema.set('x-kubernetes-list-type', 'set');
  },
  listType: (value, { schema }) => {
    if (schema.get('type') !== 'array') throw new SimpleSchemaError('listType marker only applies to array types');
    if (!/^(?:atomic|set|map)$/.test(value))
      throw new SimpleSchemaError(`unsupported value for listType ${value}, needs to be one of atomic, set, or map`);
    const known = schema.get('x-kubernetes-list-type') ?? value;
    if (known !== value)
      throw new SimpleSchemaError(
        `listType attempting to overwrite set type of ${known}, this can happen if you set contradictory markers like unique=true | listType=map`,
      );
    schema.set('x-kubernetes-list-type', value);
  },
  listMapKey: (value, { schema }) => {
    if (schema.get('type') !== 'array') throw new SimpleSchemaError('listMapKey marker only applies to array types');
    const known = listAt(schema, ['x-kubernetes-list-map-keys']);
    if (known.includes(value)) throw new SimpleSchemaError(`duplicate listMapKey marker, value ${value}`);
    schema.set('x-kubernetes-list-map-keys', [...known, value]);
  },
};

function addRule(schema: Draft, rule: string, message: string): void {
  const one = new Map([
    ['rule', rule],
    ['message', message],
  ]);
  schema.set('x-kubernetes-validations', [...listAt(schema, ['x-kubernetes-validations']), one]);
}

function demandType(marker: string, type: string, schema: Draft): void {
  const has = schema.get('type');
  if (has === type) return;
  throw new SimpleSchemaError(`${marker} marker is only valid for ${type} types, got type: ${has}`);
}

function lengthOf(name: 'minLength' | 'maxLength' | 'minItems' | 'maxItems', type: 'string' | 'array'): Effect {
  return (value, { schema }) => {
    demandType(name, type, schema);
    schema.set(name, int(value, `failed to parse ${name} value: `));
  };
}

const bools: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function bool(text: string, before: string): boolean {
  const found = bools.get(text);
  if (found === undefined) throw new SimpleSchemaError(`${before}${notParsed('ParseBool', text)}`);
  return found;
}

function int(text: string, before: string): bigint {
  const read = parseGoInt(text, 10);
  if ('error' in read) throw new SimpleSchemaError(`${before}${notParsed('ParseInt', text, read.error)}`);
  return read.value;
}

/** A float64 as Go prints it; infinite ones it cannot print. */
function float(text: string, before: string): string {
  const value = parseGoFloat(text);
  if (value === undefined) throw new SimpleSchemaError(`${before}${notParsed('ParseFloat', text)}`);
  return Number.isFinite(value) ? jsonFloat(value) : text;
}

function notParsed(by: string, text: string, why = 'invalid syntax'): string {
  return `strconv.${by}: parsing ${quote(text)}: ${why}`;
}

const checks: ReadonlyMap<Value | undefined, (text: string) => boolean> = new Map([
  ['integer', (text: string) => !('error' in parseGoInt(text, 10))],
  ['number', (text: string) => parseGoFloat(text) !== undefined],
  ['boolean', (text: string) => bools.has(text)],
]);

function jsonOf(text: string, type: Value | undefined): string {
  if (type === 'string') return `"${text}"`;
  const check = checks.get(type);
  if (check && !check(text)) throw new SimpleSchemaError(`default value must be a valid ${type}, got: ${text}`);
  return text;
}

function enumValue(text: string, type: Value | undefined): string {
  if (text === '') throw new SimpleSchemaError('empty enum values are not allowed');
  if (type === 'string') return quote(text);
  if (type !== 'integer')
    throw new SimpleSchemaError(`enum values only supported for string and integer types, got type: ${type ?? ''}`);
  int(text, 'failed to parse integer enum value: ');
  return text;
}

/** Puts JSON under a keyword, or notes that it is none. No text at all is printed as null. */
function put({ schema, notJson }: Target, keyword: string, text: string): void {
  const read = text === '' ? { json: null } : readJson(text);
  const isRead = 'json' in read;
  if (isRead) notJson.delete(keyword);
  else notJson.set(keyword, text);
  schema.set(keyword, isRead ? plainValue(read.json) : null);
}
