import { append } from '../../base/append.ts';
import { mayBe, type Pieces } from '../../base/pieces.ts';
import {
  equalValues,
  hasUnknown,
  isList,
  isMap,
  isUnknown,
  type Path,
  type Unknown,
  type Value,
  type ValueMap,
} from '../../base/value.ts';
import { runeCount } from '../../gostd/bytes.ts';
import { formatFloat, plainFloat } from '../../gostd/float.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { matchesPieces } from '../../gostd/piecesRegexp.ts';
import { quote } from '../../gostd/quote.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import { mostAlike } from '../finding.ts';
import { isWithinBounds, matchesBounded } from './matching.ts';
import { isGoInteger, truncate } from './numbers.ts';
import type { ValueSchema } from './valueSchema.ts';

/** Which keyword refused a value; `junctor` and `range` errors stand at no field. */
export type Keyword =
  | 'type'
  | 'format'
  | 'required'
  | 'enum'
  | 'maxLength'
  | 'minLength'
  | 'pattern'
  | 'maximum'
  | 'minimum'
  | 'multipleOf'
  | 'maxItems'
  | 'minItems'
  | 'maxProperties'
  | 'minProperties'
  | 'additionalProperties'
  | 'junctor'
  | 'range';

/** One thing that kube-openapi has against a value. */
export interface ValueError {
  readonly keyword: Keyword;
  /** Its name of the place, such as `.spec.a[0]`; junctor and range errors have it only inside their text. */
  readonly name: string;
  readonly path: Path;
  readonly message: string;
  /** The value that is shown, where it is not an empty string. */
  readonly value?: Value;
  /** The limit that was exceeded, or the values that are allowed. */
  readonly limit?: bigint;
  readonly allowed?: readonly Value[];
}

/** The errors, and how many checks passed, which decides whose errors a junctor shows. */
export interface Result {
  readonly errors: readonly ValueError[];
  readonly matches: number;
}

/**
 * The old value that a value is matched with, while an update is judged: what did not change is forgiven. Absent on
 * creation and where nothing can be matched.
 */
export interface Correlation {
  readonly unchanged: () => boolean;
  readonly property: (name: string) => Correlation | undefined;
  readonly item: (index: number) => Correlation | undefined;
}

/** A value in the object, by the name that messages use and by its path. */
interface ValueLocation {
  readonly name: string;
  readonly path: Path;
}

interface Tally {
  readonly errors: ValueError[];
  /** The texts of the errors, as soon as a second one may be the same. */
  texts: Set<string> | undefined;
  /** The keywords of the errors, as soon as there are many. */
  keywords: Set<Keyword> | undefined;
  matches: number;
}

function newTally(): Tally {
  return { errors: [], texts: undefined, keywords: undefined, matches: 0 };
}

/** Whether nobody would read one more of its kind; rules wait for some kinds, of which the first is kept. */
function hasEnough(tally: Tally, keyword: Keyword): boolean {
  if (tally.errors.length < mostAlike) return false;
  tally.keywords ??= new Set(tally.errors.map((one) => one.keyword));
  return tally.keywords.has(keyword);
}

/** Each text counts once. */
function add(tally: Tally, errors: readonly ValueError[]): void {
  if (errors.length === 0) return;
  for (const error of errors) {
    if (hasEnough(tally, error.keyword)) continue;
    tally.texts ??= new Set(tally.errors.map(({ message }) => message));
    if (tally.texts.has(error.message)) continue;
    tally.texts.add(error.message);
    tally.keywords?.add(error.keyword);
    tally.errors.push(error);
  }
}

function addOne(tally: Tally, error: ValueError): void {
  add(tally, [error]);
}

function merge(tally: Tally, result: Result): void {
  // The errors of one result all differ.
  if (tally.errors.length === 0) append(tally.errors, result.errors);
  else add(tally, result.errors);
  tally.matches += result.matches;
}

/** How kube-openapi judges a value. `ranges`: numbers must fit their type and format (since 1.36). */
export function validateValue(
  schema: ValueSchema,
  value: Value,
  options: { readonly ranges: boolean; readonly correlation?: Correlation | undefined },
): Result {
  return correlated(schema, value, { name: '', path: [] }, options.ranges, options.correlation);
}

function correlated(
  schema: ValueSchema,
  value: Value,
  location: ValueLocation,
  ranges: boolean,
  correlation: Correlation | undefined,
): Result {
  const result = judge(schema, value, location, ranges, correlation);
  if (correlation && result.errors.length > 0 && correlation.unchanged())
    return { errors: [], matches: result.matches };
  return result;
}

function judge(
  schema: ValueSchema,
  value: Value,
  location: ValueLocation,
  ranges: boolean,
  correlation: Correlation | undefined,
): Result {
  const tally = newTally();
  if (isUnknown(value)) return inPart(schema, value, location);
  if (value === null) {
    merge(tally, nullType(schema, location));
    merge(tally, enumeration(schema, value, location));
    return tally;
  }
  const step = (result: Result) => {
    merge(tally, result);
    tally.matches++;
  };
  if (schema.types.length > 0 || schema.format !== '') step(typeOf(schema, value, location));
  step(junctors(schema, value, location, ranges));
  if (typeof value === 'string') {
    step(text(schema, value, location));
    if (schema.formatCheck) step(format(schema, schema.formatCheck, value, location));
  }
  if (typeof value === 'number' || typeof value === 'bigint') step(number(schema, value, location, ranges));
  if (isList(value)) step(list(schema, value, location, ranges, correlation));
  step(enumeration(schema, value, location));
  if (isMap(value)) step(object(schema, value, location, ranges, correlation));
  tally.matches++;
  return tally;
}

const passed: Result = { errors: [], matches: 0 };
const matched: Result = { errors: [], matches: 1 };

function failed(...errors: ValueError[]): Result {
  return { errors, matches: 0 };
}

function error(
  keyword: Keyword,
  { name, path }: ValueLocation,
  words: string,
  rest: Partial<Pick<ValueError, 'value' | 'limit' | 'allowed'>> = {},
): ValueError {
  return { keyword, name, path, message: `${name} in body ${words}`, ...rest };
}

function wrongType(
  location: ValueLocation,
  type: string,
  shown: string,
  keyword: 'type' | 'format' = 'type',
): ValueError {
  return error(keyword, location, `must be of type ${type}: ${quote(shown)}`, { value: shown });
}

function nullType(schema: ValueSchema, location: ValueLocation): Result {
  const { types } = schema;
  if (types.length === 0 || types.includes('null') || schema.nullable) return matched;
  return failed(wrongType(location, types.join(','), 'null'));
}

/** The JSON type of a value and, for numbers, the format that goes with it. */
function kindOf(value: Value): { type: string; format: string } {
  if (typeof value === 'bigint') return { type: 'integer', format: 'int64' };
  if (typeof value === 'number') return { type: 'number', format: 'float64' };
  if (typeof value === 'boolean') return { type: 'boolean', format: '' };
  if (typeof value === 'string') return { type: 'string', format: '' };
  return { type: isList(value) ? 'array' : 'object', format: '' };
}

function typeOf({ types, format }: ValueSchema, value: Value, location: ValueLocation): Result {
  const kind = kindOf(value);
  const integral = typeof value === 'number' && types.includes('integer') && isGoInteger(value);
  const widened = kind.type === 'integer' && types.includes('number');
  const fits = types.includes(kind.type) || integral || widened;
  const textual = kind.type === 'string' || kind.type === 'array';
  if (!textual && format !== '' && !fits && format !== kind.format) {
    return failed(wrongType(location, format, kind.format));
  }
  const numeric = types.includes('number') || types.includes('integer');
  if ((textual && format !== '' && !numeric) || fits) return matched;
  return failed(wrongType(location, types.join(','), kind.type));
}

function format(schema: ValueSchema, check: (text: string) => boolean, value: string, location: ValueLocation): Result {
  return check(value) ? passed : failed(wrongType(location, schema.format, value, 'format'));
}

function text(schema: ValueSchema, value: string, location: ValueLocation): Result {
  const length = BigInt(runeCount(value));
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    const words = `should be at most ${schema.maxLength} chars long`;
    return failed(error('maxLength', location, words, { value, limit: schema.maxLength }));
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    const words = `should be at least ${schema.minLength} chars long`;
    return failed(error('minLength', location, words, { value, limit: schema.minLength }));
  }
  if (schema.pattern === '') return passed;
  const compiled = compileGoRegexp(schema.pattern);
  if (!compiled.ok) {
    const words = `should match '${schema.pattern}, but pattern is invalid: ${compiled.error}'`;
    return failed(error('pattern', location, words, { value }));
  }
  if (matchesBounded(compiled, value, location.path)) return passed;
  return failed(error('pattern', location, `should match '${schema.pattern}'`, { value }));
}

/** What holds of a text of which pieces are known, whatever is between them. */
function inPart(schema: ValueSchema, { pieces, text: written }: Unknown, location: ValueLocation): Result {
  if (!pieces) return matched;
  if (schema.types.length > 0 && !schema.types.includes('string')) return typeOf(schema, written, location);
  const known = pieces.join('');
  if (schema.maxLength !== undefined && BigInt(runeCount(known)) > schema.maxLength)
    return text(schema, known, location);
  if (surelyFails(schema.pattern, pieces, location))
    return failed(error('pattern', location, `should match '${schema.pattern}'`, { value: written }));
  const isPossible = (item: Value) => item !== null && (typeof item !== 'string' || mayBe(pieces, item));
  return schema.enum.some(isPossible) ? matched : enumeration(schema, written, location);
}

function surelyFails(pattern: string, pieces: Pieces, { path }: ValueLocation): boolean {
  const compiled = pattern === '' ? undefined : compileGoRegexp(pattern);
  if (!compiled?.ok || !isWithinBounds(compiled, pieces.join(''), path)) return false;
  return matchesPieces(compiled, pieces) === false;
}

function isAmong(value: Value, allowed: Value): boolean {
  return converted(value, allowed).some((candidate) => equalValues(candidate, allowed));
}

/** The value converted to the Go type of an allowed value, where Go can: an integer even to a string, as a character. */
function converted(value: Value, allowed: Value): Value[] {
  if (typeof value === 'bigint' && typeof allowed === 'number') return [Number(value)];
  if (typeof value === 'number' && typeof allowed === 'bigint') return [truncate(value)];
  if (typeof value === 'bigint' && typeof allowed === 'string') return [characterOf(value)];
  return [value];
}

function characterOf(code: bigint): string {
  const valid = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
  return valid ? String.fromCodePoint(Number(code)) : '\ufffd';
}

function enumeration(schema: ValueSchema, value: Value, location: ValueLocation): Result {
  const allowed = schema.enum;
  if (allowed.length === 0 || hasUnknown(value)) return passed;
  if (value !== null && allowed.some((item) => item !== null && isAmong(value, item))) return passed;
  const words = `should be one of [${allowed.map(printJson).join(' ')}]`;
  return failed(error('enum', location, words, { value, allowed }));
}

function fitsRange(value: bigint | number, { types, format }: ValueSchema): boolean {
  if (types.length !== 1) return true;
  if (types[0] === 'integer') {
    const bits = format === 'int32' ? 32 : 64;
    const digits = typeof value === 'bigint' ? value.toString() : plainFloat(value);
    return /^-?[0-9]+$/.test(digits) && BigInt.asIntN(bits, BigInt(digits)) === BigInt(digits);
  }
  return types[0] !== 'number' || format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

const rangeFormats: ReadonlyMap<string, readonly string[]> = new Map([
  ['integer', ['int32', 'int64']],
  ['number', ['float', 'double']],
]);

function range(
  value: bigint | number,
  schema: ValueSchema,
  what: string,
  location: ValueLocation,
): ValueError | undefined {
  if (fitsRange(value, schema)) return undefined;
  const type = schema.types[0]!;
  const known = rangeFormats.get(type)?.includes(schema.format);
  const how = known ? `with format ${schema.format}` : '(default format)';
  return { ...location, keyword: 'range', message: `${what} value must be of type ${type} ${how} in ${location.name}` };
}

type Compare = (limit: bigint | number, location: ValueLocation) => ValueError | undefined;

/**
 * One bound. Integers are compared with the bound's whole part, unless numbers must fit their type and the bound does
 * not: then it is said so, and compared as it is.
 */
function bound(
  limit: number,
  value: bigint | number,
  schema: ValueSchema,
  what: string,
  location: ValueLocation,
  ranges: boolean,
  compare: Compare,
): ValueError[] {
  const misfit = ranges ? range(limit, schema, what, location) : undefined;
  const exact = misfit !== undefined || typeof value === 'number';
  const found = compare(exact ? limit : truncate(limit), location);
  return [misfit, found].filter((item) => item !== undefined);
}

function shownNumber(value: bigint | number): string {
  return typeof value === 'bigint' ? value.toString() : formatFloat(value);
}

function number(schema: ValueSchema, value: bigint | number, location: ValueLocation, ranges: boolean): Result {
  const tally = newTally();
  const misfit = ranges ? range(value, schema, 'Checked', location) : undefined;
  if (misfit) addOne(tally, misfit);
  const { multipleOf, minimum, maximum } = schema;
  if (multipleOf !== undefined) {
    add(
      tally,
      bound(multipleOf, value, schema, 'MultipleOf', location, ranges, (factor) => multiple(value, factor, location)),
    );
  }
  if (minimum !== undefined) {
    const compare: Compare = (limit) => least(value, limit, schema.exclusiveMinimum, location);
    add(tally, bound(minimum, value, schema, 'Minimum boundary', location, ranges, compare));
  }
  if (maximum !== undefined) {
    const compare: Compare = (limit) => most(value, limit, schema.exclusiveMaximum, location);
    add(tally, bound(maximum, value, schema, 'Maximum boundary', location, ranges, compare));
  }
  tally.matches++;
  return tally;
}

/** As Go compares: a whole limit as integers, any other as floats. */
function comparable(value: bigint | number, limit: bigint | number): bigint | number {
  return typeof limit === 'number' ? Number(value) : value;
}

function multiple(value: bigint | number, factor: bigint | number, location: ValueLocation): ValueError | undefined {
  const data = comparable(value, factor);
  if (factor <= 0) {
    const message = `factor MultipleOf declared for ${location.name} must be positive: ${shownNumber(factor)}`;
    return { ...location, keyword: 'multipleOf', message, value: factor };
  }
  const isMultiple =
    typeof factor === 'bigint' ? BigInt(data) % factor === 0n : isGoInteger(quotient(Number(data), factor));
  if (isMultiple) return undefined;
  return error('multipleOf', location, `should be a multiple of ${shownNumber(factor)}`, { value: data });
}

function quotient(value: number, factor: number): number {
  return factor < 1 ? (1 / factor) * value : value / factor;
}

function least(
  value: bigint | number,
  limit: bigint | number,
  exclusive: boolean,
  location: ValueLocation,
): ValueError | undefined {
  const data = comparable(value, limit);
  if (exclusive ? data > limit : data >= limit) return undefined;
  const words = `should be greater than ${exclusive ? '' : 'or equal to '}${shownNumber(limit)}`;
  return error('minimum', location, words, { value: data });
}

function most(
  value: bigint | number,
  limit: bigint | number,
  exclusive: boolean,
  location: ValueLocation,
): ValueError | undefined {
  const data = comparable(value, limit);
  if (exclusive ? data < limit : data <= limit) return undefined;
  const words = `should be less than ${exclusive ? '' : 'or equal to '}${shownNumber(limit)}`;
  return error('maximum', location, words, { value: data });
}

function list(
  schema: ValueSchema,
  value: readonly Value[],
  location: ValueLocation,
  ranges: boolean,
  correlation: Correlation | undefined,
): Result {
  const tally = newTally();
  if (schema.items) {
    for (const [i, item] of value.entries()) {
      const at = { name: `${location.name}[${i}]`, path: [...location.path, i] };
      merge(tally, correlated(schema.items, item, at, ranges, correlation?.item(i)));
    }
  }
  const size = BigInt(value.length);
  const { minItems, maxItems } = schema;
  if (minItems !== undefined && size < minItems) {
    addOne(
      tally,
      error('minItems', location, `should have at least ${minItems} items`, { value: size, limit: minItems }),
    );
  }
  if (maxItems !== undefined && size > maxItems) {
    addOne(
      tally,
      error('maxItems', location, `should have at most ${maxItems} items`, { value: size, limit: maxItems }),
    );
  }
  tally.matches++;
  return tally;
}

function counts(schema: ValueSchema, size: bigint, location: ValueLocation): ValueError[] {
  const { minProperties, maxProperties } = schema;
  const found: ValueError[] = [];
  if (minProperties !== undefined && size < minProperties) {
    const words = `should have at least ${minProperties} properties`;
    found.push(error('minProperties', location, words, { value: size, limit: minProperties }));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const words = `should have at most ${maxProperties} properties`;
    found.push(error('maxProperties', location, words, { value: size, limit: maxProperties }));
  }
  return found;
}

function object(
  schema: ValueSchema,
  value: ValueMap,
  location: ValueLocation,
  ranges: boolean,
  correlation: Correlation | undefined,
): Result {
  const tally = newTally();
  // What is not known may be null, and no property.
  const isCounted = ![...value.values()].some(isUnknown);
  if (isCounted) add(tally, counts(schema, BigInt(value.size), location));
  additional(schema, value, location, ranges, correlation, tally);
  for (const name of schema.properties?.names() ?? []) {
    const item = value.get(name);
    const property = item === undefined ? undefined : schema.properties?.get(name);
    if (item === undefined || !property) continue;
    // The root's properties have no dot before their name, those of maps always do.
    const at = { name: location.name === '' ? name : `${location.name}.${name}`, path: [...location.path, name] };
    merge(tally, correlated(property, item, at, ranges, correlation?.property(name)));
  }
  for (const name of schema.required) {
    if (!value.has(name) && !hasEnough(tally, 'required')) addOne(tally, missing(name, location));
  }
  return tally;
}

function missing(name: string, location: ValueLocation): ValueError {
  const at = `${location.name}.${name}`;
  return { keyword: 'required', name: at, path: [...location.path, name], message: `${at} in body is required` };
}

function additional(
  schema: ValueSchema,
  value: ValueMap,
  location: ValueLocation,
  ranges: boolean,
  correlation: Correlation | undefined,
  tally: Tally,
): void {
  const { additionalProperties } = schema;
  if (!additionalProperties || (additionalProperties.allows && !additionalProperties.schema)) return;
  for (const [name, item] of value) {
    if (schema.properties?.has(name)) continue;
    if (additionalProperties.schema) {
      const at = { name: `${location.name}.${name}`, path: [...location.path, name] };
      merge(tally, correlated(additionalProperties.schema, item, at, ranges, correlation?.property(name)));
    } else if (!hasEnough(tally, 'additionalProperties')) {
      const message = `${location.name}.${name} in body is a forbidden property`;
      addOne(tally, { ...location, keyword: 'additionalProperties', message, value: name });
    }
  }
}

function junctorError(location: ValueLocation, words: string): ValueError {
  return { ...location, keyword: 'junctor', message: `${quote(location.name)} ${words}` };
}

/** Inside junctors nothing is forgiven. */
function junctors(schema: ValueSchema, value: Value, location: ValueLocation, ranges: boolean): Result {
  const tally = newTally();
  // Which branches hold depends on all of the value.
  if (hasUnknown(value)) return matched;
  const results = (list: readonly ValueSchema[]) => list.map((item) => judge(item, value, location, ranges, undefined));
  if (schema.anyOf.length > 0) anyOf(results(schema.anyOf), location, tally);
  if (schema.oneOf.length > 0) oneOf(results(schema.oneOf), location, tally);
  if (schema.allOf.length > 0) allOf(results(schema.allOf), location, tally);
  if (schema.not && judge(schema.not, value, location, ranges, undefined).errors.length === 0) {
    addOne(tally, junctorError(location, 'must not validate the schema (not)'));
  }
  tally.matches++;
  return tally;
}

/** Of several failed branches the one with the most passed checks, the first among equals. */
function bestFailure(results: readonly Result[]): Result | undefined {
  let best: Result | undefined;
  for (const result of results) if (!best || result.matches > best.matches) best = result;
  return best;
}

function anyOf(results: readonly Result[], location: ValueLocation, tally: Tally): void {
  const success = results.find((result) => result.errors.length === 0);
  if (!success) addOne(tally, junctorError(location, 'must validate at least one schema (anyOf)'));
  merge(tally, success ?? bestFailure(results)!);
}

function oneOf(results: readonly Result[], location: ValueLocation, tally: Tally): void {
  const valid = results.filter((result) => result.errors.length === 0);
  if (valid.length === 1) {
    merge(tally, valid[0]!);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  addOne(tally, junctorError(location, `must validate one and only one schema (oneOf). ${found}`));
  const best = valid.length === 0 ? bestFailure(results) : undefined;
  if (best) merge(tally, best);
}

function allOf(results: readonly Result[], location: ValueLocation, tally: Tally): void {
  const valid = results.filter((result) => result.errors.length === 0).length;
  for (const result of results) merge(tally, result);
  if (valid === results.length) return;
  addOne(
    tally,
    junctorError(location, `must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`),
  );
}
