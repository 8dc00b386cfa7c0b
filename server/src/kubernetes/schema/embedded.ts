import { append } from '../../base/append.ts';
import {
  hasUnknown,
  isList,
  isMap,
  isString,
  isUnknown,
  type Path,
  type Unknown,
  type Value,
  type ValueMap,
} from '../../base/value.ts';
import { jsonFloat } from '../../gostd/float.ts';
import { type Json, numberOf } from '../../gostd/json.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import type { ObjectMeta } from '../api/objectMeta.ts';
import { objectMetaStruct } from '../api/objectMeta.ts';
import { decodeInto } from '../decode.ts';
import { child, type FieldPath, fieldOf, index, invalid, key, required } from '../field.ts';
import { goTypeOf } from '../goValue.ts';
import type { MetadataFinding } from '../metadata/findings.ts';
import { metadataValue } from '../metadata/print.ts';
import { validateMetadata } from '../metadata/validate.ts';
import { dns1035Label, lowerCase, parseGroupVersion, pathSegment } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { EmbeddedFinding } from './findings.ts';
import { asResource, pathText } from './prune.ts';
import type { Structural } from './structural.ts';

/** What metadata says of who an object is. */
export const nameFields: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace']);

/** The metadata of an object as decoded, or why it cannot be. */
export type ReadMetadata =
  | { readonly meta: ObjectMeta; readonly unknown: readonly { readonly text: string; readonly path: Path }[] }
  | { readonly error: string; readonly path: Path };

export function readMetadata(metadata: Value, version: KubernetesVersion): ReadMetadata {
  const meta: ObjectMeta = {};
  const decoded = decodeInto(objectMetaStruct.decoding, meta, printed(metadata), version);
  if (decoded.error) return { error: decoded.error.message, path: decoded.error.path };
  return { meta, unknown: decoded.strict.map(({ path }) => ({ text: pathText(path), path })) };
}

/** What rules can see of metadata that is not known. The rest of it is judged as it is written, each field for itself. */
export type UnknownNames = readonly (readonly [name: string, value: Unknown])[];

export function unknownNames(metadata: Value | undefined): UnknownNames {
  if (!isMap(metadata)) return [];
  return ['name', 'generateName'].flatMap((name) => {
    const value = metadata.get(name);
    return isUnknown(value) ? [[name, value] as const] : [];
  });
}

export function withUnknownNames(metadata: ValueMap, names: UnknownNames): ValueMap {
  return names.length === 0 ? metadata : new Map([...metadata, ...names]);
}

/** The metadata of an object in the store: what cannot be decoded of a map is dropped, field by field. */
export function readStoredMetadata(metadata: Value, version: KubernetesVersion): ReadMetadata {
  const read = readMetadata(metadata, version);
  if (!('error' in read)) return read;
  if (isMap(metadata)) return readMetadata(decodableMetadata(metadata, version), version);
  return { error: `invalid metadata: expected object, got ${goTypeOf(metadata)}`, path: [] };
}

/**
 * The API server prints metadata and reads it again: keys come sorted, and so does what is first wrong with them; a
 * whole float has become an integer. Of what is not known, only names matter to the rest: they are there.
 */
function printed(value: Value): Json {
  if (isUnknown(value)) return value.text;
  if (typeof value === 'number') return numberOf(jsonFloat(value));
  if (isList(value)) return value.filter((item) => !hasUnknown(item)).map(printed);
  if (!isMap(value)) return value as Json;
  const known = [...value].filter(([name, item]) => !isUnknown(item) || nameFields.has(name));
  const sorted = known.sort(([a], [b]) => compareStrings(a, b));
  return new Map(sorted.map(([name, item]) => [name, printed(item)]));
}

export interface Coerced {
  readonly value: Value;
  /** What stopped it; then the value is as far as it came. */
  readonly error?: EmbeddedFinding;
  readonly unknown: readonly { readonly text: string; readonly path: Path }[];
}

export interface CoerceOptions {
  /** The value itself counts as a resource. */
  readonly isRoot: boolean;
  /** What cannot be decoded is dropped and is not an error. */
  readonly drop?: boolean;
  readonly version: KubernetesVersion;
}

interface Walk {
  readonly version: KubernetesVersion;
  readonly drop: boolean;
  readonly unknown: { text: string; path: Path }[];
  error: EmbeddedFinding | undefined;
}

/** Brings the type and metadata of embedded resources into form: metadata loses what it does not know. */
export function coerceEmbedded(value: Value, schema: Structural, spot: FieldPath, options: CoerceOptions): Coerced {
  const walk: Walk = { version: options.version, drop: options.drop ?? false, unknown: [], error: undefined };
  const coerced = coerce(value, options.isRoot ? asResource(schema) : schema, spot, walk, []);
  return { value: coerced, unknown: walk.unknown, ...(walk.error && { error: walk.error }) };
}

function coerce(value: Value, schema: Structural | undefined, spot: FieldPath, walk: Walk, path: Path): Value {
  if (!schema || walk.error) return value;
  if (isList(value)) {
    const items = value.map((item, i) => coerce(item, schema.items, index(spot, i), walk, [...path, i]));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  return isMap(value) ? coerceMap(value, schema, spot, walk, path) : value;
}

function coerceMap(map: ValueMap, schema: Structural, spot: FieldPath, walk: Walk, path: Path): ValueMap {
  let out: Map<string, Value> | undefined;
  for (const [name, item] of map) {
    const resource = schema.extensions.embeddedResource ? resourceField(name, item, spot, walk, path) : item;
    const property = schema.properties?.get(name);
    const below = property ?? schema.additionalProperties?.schema;
    const at = property ? child(spot, name) : key(spot, name);
    // Declared properties of metadata see it as it was written, and what they change is lost.
    const inner = coerce(item, below, at, walk, [...path, name]);
    const next = resource === item ? inner : resource;
    if (next === item) continue;
    out ??= new Map(map);
    if (next === undefined) out.delete(name);
    else out.set(name, next);
  }
  return out ?? map;
}

/** Undefined takes the field out. */
function resourceField(name: string, item: Value, spot: FieldPath, walk: Walk, path: Path): Value | undefined {
  if (walk.error) return item;
  if (name === 'apiVersion' || name === 'kind') {
    if (isString(item) || isUnknown(item)) return item;
    if (walk.drop) return undefined;
    const code = name === 'kind' ? 'embedded/kind' : 'embedded/api-version';
    walk.error = invalid(child(spot, name), item, 'must be a string', walk.version, { code });
    return item;
  }
  return name === 'metadata' ? coerceMetadata(item, child(spot, name), walk, [...path, name]) : item;
}

function coerceMetadata(item: Value, spot: FieldPath, walk: Walk, path: Path): Value {
  if (isUnknown(item)) return item;
  const read = readMetadata(item, walk.version);
  if ('error' in read) {
    if (walk.drop) return isMap(item) ? decodableMetadata(item, walk.version) : item;
    walk.error = invalid(spot, item, read.error, walk.version, { code: 'embedded/metadata' });
    return item;
  }
  // Here a map's keys stand in brackets, elsewhere they do not.
  for (const field of read.unknown) {
    walk.unknown.push({ text: `${fieldOf(spot)}.${field.text}`, path: [...path, ...field.path] });
  }
  return withUnknownNames(metadataValue(read.meta), unknownNames(item));
}

/** Metadata of the fields that can be decoded each for itself. */
function decodableMetadata(metadata: ValueMap, version: KubernetesVersion): Value {
  const kept = new Map<string, Value>();
  for (const [name, item] of metadata) {
    const read = readMetadata(new Map([[name, item]]), version);
    if ('meta' in read) for (const [key, value] of metadataValue(read.meta)) kept.set(key, value);
  }
  return kept;
}

/** What the API server has against the type and metadata of embedded resources. */
export function validateEmbedded(
  value: Value,
  schema: Structural,
  spot: FieldPath,
  isRoot: boolean,
  version: KubernetesVersion,
): (EmbeddedFinding | MetadataFinding)[] {
  const found: (EmbeddedFinding | MetadataFinding)[] = [];
  visit(value, isRoot ? asResource(schema) : schema, spot, version, found);
  return found;
}

function visit(
  value: Value,
  schema: Structural | undefined,
  spot: FieldPath,
  version: KubernetesVersion,
  found: (EmbeddedFinding | MetadataFinding)[],
): void {
  if (!schema) return;
  if (isList(value)) {
    for (const [i, item] of value.entries()) visit(item, schema.items, index(spot, i), version, found);
    return;
  }
  if (!isMap(value)) return;
  if (schema.extensions.embeddedResource) append(found, resource(value, spot, version));
  for (const [name, item] of value) {
    const property = schema.properties?.get(name);
    if (property) visit(item, property, child(spot, name), version, found);
    else visit(item, schema.additionalProperties?.schema, key(spot, name), version, found);
  }
}

function resource(map: ValueMap, spot: FieldPath, version: KubernetesVersion): (EmbeddedFinding | MetadataFinding)[] {
  const missing = version.omitsRepeatedField ? '' : 'must not be empty';
  const found: (EmbeddedFinding | MetadataFinding)[] = [];
  const apiVersion = map.get('apiVersion');
  const kind = map.get('kind');
  const metadata = map.get('metadata');
  if (apiVersion === undefined)
    found.push(required(child(spot, 'apiVersion'), missing, { code: 'embedded/api-version' }));
  else append(found, apiVersionTexts(apiVersion, child(spot, 'apiVersion'), version));
  if (kind === undefined) found.push(required(child(spot, 'kind'), missing, { code: 'embedded/kind' }));
  else append(found, kindTexts(kind, child(spot, 'kind'), version));
  if (metadata !== undefined) append(found, metadataFindings(metadata, child(spot, 'metadata'), version));
  return found;
}

function apiVersionTexts(value: Value, spot: FieldPath, version: KubernetesVersion): EmbeddedFinding[] {
  if (isUnknown(value)) return [];
  const about = { code: 'embedded/api-version' as const };
  if (!isString(value)) return [invalid(spot, value, 'must be a string', version, about)];
  if (value === '') return [invalid(spot, value, 'must not be empty', version, about)];
  const parsed = parseGroupVersion(value);
  return 'error' in parsed ? [invalid(spot, value, parsed.error, version, about)] : [];
}

function kindTexts(value: Value, spot: FieldPath, version: KubernetesVersion): EmbeddedFinding[] {
  if (isUnknown(value)) return [];
  const about = { code: 'embedded/kind' as const };
  if (!isString(value)) return [invalid(spot, value, 'must be a string', version, about)];
  if (value === '') return [invalid(spot, value, 'must not be empty', version, about)];
  const texts = dns1035Label(lowerCase(value));
  if (texts.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${texts.join(',')}`;
  return [invalid(spot, value, detail, version, about)];
}

function metadataFindings(
  metadata: Value,
  spot: FieldPath,
  version: KubernetesVersion,
): (EmbeddedFinding | MetadataFinding)[] {
  if (isUnknown(metadata)) return [];
  const read = readMetadata(metadata, version);
  if ('error' in read) return [invalid(spot, metadata, read.error, version, { code: 'embedded/metadata' })];
  const { meta } = read;
  const named = meta.name ? meta : { ...meta, name: 'fakename' };
  const namespaced = (meta.namespace ?? '') !== '';
  return validateMetadata(named, spot, { version, namespaced, checkName: pathSegment, embedded: true });
}
