import { equalValues, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { printJson } from '../../go/jsonPrint.ts';
import {
  type BadValue,
  child,
  invalid,
  key,
  notSupported,
  required,
  rootSpot,
  type Spot,
  tooLong,
  tooMany,
  typeInvalid,
} from '../field.ts';
import type { Finding } from '../finding.ts';
import { coerceEmbedded, validateEmbedded } from '../schema/embedded.ts';
import { lowerSchema } from '../schema/lower.ts';
import type { SchemaProps } from '../schema/props.ts';
import { asResource, prune } from '../schema/prune.ts';
import type { Structural } from '../schema/structural.ts';
import { type ValueError, validateValue } from '../schema/validate.ts';
import { valueSchema } from '../schema/valueSchema.ts';
import type { KubernetesVersion } from '../versions.ts';
import type { CrdCode, CrdFinding } from './codes.ts';
import type { CrdOptions } from './options.ts';

/** What the way down to a default decides about it. */
interface Around {
  /** The nearest resource above, or the root. */
  readonly resource: Structural;
  /** Puts a value at this place into an otherwise empty resource. */
  readonly surround: (value: Value) => ValueMap;
  /** Inside apiVersion, kind or metadata of that resource. */
  readonly insideMeta: boolean;
}

/** Defaults must be what a stored object could hold. */
export function validateDefaults(schema: SchemaProps, spot: Spot, options: CrdOptions): CrdFinding[] {
  const found: CrdFinding[] = [];
  const root = lowered(schema);
  const around: Around = { resource: asResource(root), surround: surroundResource, insideMeta: false };
  visit(schema, asResource(root), spot, around, options, found);
  return found;
}

function lowered(schema: SchemaProps): Structural {
  const result = lowerSchema(schema);
  if ('error' in result) throw new Error(`bug: a schema of no structure: ${result.error}`);
  return result.structural;
}

function surroundResource(value: Value): ValueMap {
  const object = new Map(isMap(value) ? value : []);
  if (!object.has('kind')) object.set('kind', 'Validation');
  if (!object.has('apiVersion')) object.set('apiVersion', 'validation/v1');
  return object;
}

const metaFields = new Set(['metadata', 'apiVersion', 'kind']);

function visit(
  schema: SchemaProps,
  structural: Structural,
  spot: Spot,
  above: Around,
  options: CrdOptions,
  found: CrdFinding[],
): void {
  const isResource = structural.extensions.embeddedResource;
  const around = isResource ? { resource: structural, surround: surroundResource, insideMeta: false } : above;
  if (schema.default !== undefined) {
    const at: DefaultAt = { schema, structural, value: schema.default, spot: child(spot, 'default'), around, options };
    found.push(...(around.insideMeta ? insideMetadata(at) : plainDefault(at)));
  }
  if (schema.items?.schema && structural.items) {
    const surround = (value: Value) => around.surround([value]);
    visit(schema.items.schema, structural.items, child(spot, 'items'), { ...around, surround }, options, found);
  }
  for (const [name, property] of schema.properties ?? []) {
    const below = structural.properties?.get(name);
    if (!below) continue;
    const surround = (value: Value) => around.surround(new Map([[name, value]]));
    const insideMeta = around.insideMeta || (isResource && metaFields.has(name));
    const at = key(child(spot, 'properties'), name);
    visit(property, below, at, { ...around, surround, insideMeta }, options, found);
  }
}

/** Whether some default would lose something at serving, when defaults are pruned as part of a whole object. */
export function hasUnprunedDefaults(schema: SchemaProps, version: KubernetesVersion): boolean {
  const root = lowered(schema);
  return losesSomething(schema, root, asResource(root), [], version);
}

/** Where a value stands in an object: keys, and -1 for some item of a list. */
type Steps = readonly (string | -1)[];

function wrap(value: Value, steps: Steps): Value {
  return steps.reduceRight<Value>((inner, step) => (step === -1 ? [inner] : new Map([[step, inner]])), value);
}

function unwrap(value: Value | undefined, steps: Steps): Value | undefined {
  let at = value;
  for (const step of steps) at = step === -1 ? (at as readonly Value[])[0] : isMap(at) ? at.get(step) : undefined;
  return at;
}

function losesSomething(
  schema: SchemaProps,
  structural: Structural,
  root: Structural,
  steps: Steps,
  version: KubernetesVersion,
): boolean {
  if (schema.default !== undefined) {
    const object = wrap(schema.default, steps);
    const coerced = coerceEmbedded(object, root, rootSpot, true, version);
    const kept = unwrap(prune(coerced.value, root, true).value, steps);
    if (!equalValues(kept, schema.default)) return true;
  }
  const below = (child: SchemaProps | undefined, of: Structural | undefined, step: string | -1): boolean =>
    child !== undefined && of !== undefined && losesSomething(child, of, root, [...steps, step], version);
  const { properties = new Map<string, SchemaProps>() } = schema;
  return (
    below(schema.additionalProperties?.schema, structural.additionalProperties?.schema, '*') ||
    below(schema.items?.schema, structural.items, -1) ||
    [...properties].some(([name, property]) => below(property, structural.properties?.get(name), name))
  );
}

interface DefaultAt {
  readonly schema: SchemaProps;
  readonly structural: Structural;
  readonly value: Value;
  readonly spot: Spot;
  readonly around: Around;
  readonly options: CrdOptions;
}

/** Inside a resource's metadata the default is judged as part of a whole resource. */
function insideMetadata({ schema, value, spot, around, options }: DefaultAt): CrdFinding[] {
  const { version } = options;
  const object = around.surround(value);
  const coerced = coerceEmbedded(object, around.resource, rootSpot, true, version);
  const problems = coerced.error
    ? [coerced.error]
    : validateEmbedded(coerced.value, around.resource, rootSpot, true, version);
  if (problems.length === 0) return judged(schema, value, spot, version);
  const detail = `must result in valid metadata: ${aggregate(problems)}`;
  return [invalid(spot, value, detail, version, { code: 'crd/default-metadata', facts: { problems } })];
}

/** Go's aggregate of errors: each text once, in brackets where there are several. */
function aggregate(problems: readonly Finding[]): string {
  const texts = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

function plainDefault(at: DefaultAt): CrdFinding[] {
  const { schema, structural, value, spot, options } = at;
  const { version } = options;
  const isRoot = structural.extensions.embeddedResource;
  const found: CrdFinding[] = [];
  if (options.requirePrunedDefaults) {
    const pruned = prune(value, structural, isRoot);
    if (!equalValues(pruned.value, value)) {
      const about = { code: 'crd/default-unknown-fields' as const, facts: { unknown: pruned.unknown } };
      found.push(invalid(spot, value, 'must not have unknown fields', version, about));
    }
  }
  const coerced = coerceEmbedded(value, structural, spot, isRoot, version);
  // The API server stores the default as it was brought into form here.
  schema.default = coerced.value;
  const problems = coerced.error ? [coerced.error] : validateEmbedded(coerced.value, structural, spot, isRoot, version);
  if (problems.length > 0) return [...found, ...problems.map(asDefaultFinding)];
  return [...found, ...judged(schema, coerced.value, spot, version)];
}

function asDefaultFinding(problem: Finding): CrdFinding {
  const { facts, ...rest } = problem;
  return { ...rest, code: 'crd/default-embedded', facts: { about: problem.code, facts } };
}

function judged(schema: SchemaProps, value: Value, spot: Spot, version: KubernetesVersion): CrdFinding[] {
  const result = validateValue(valueSchema(schema, 'default', version), value, { ranges: version.typedFormats });
  return result.errors.map((error) => valueFinding(error, spot, 'crd/default-invalid', version));
}

/** The place of a value error below another place, under the name that kube-openapi gives it. */
function errorSpot({ name, path }: ValueError, spot: Spot): Spot {
  const trimmed = name.replace(/^\./, '');
  return trimmed === '' ? spot : { parent: spot, field: `.${trimmed}`, steps: path };
}

/** A value error as the API server reports it. */
export function valueFinding<Code extends CrdCode>(
  error: ValueError,
  base: Spot,
  code: Code,
  version: KubernetesVersion,
): Finding<Code> {
  const about = { code, facts: { keyword: error.keyword, message: error.message } };
  const spot = errorSpot(error, base);
  const shown: BadValue = error.value === undefined ? '' : error.value;
  switch (error.keyword) {
    case 'required':
      return required(spot, '', about);
    case 'enum':
      return notSupported(spot, error.value ?? null, (error.allowed ?? []).map(allowedText), version, about);
    case 'maxLength':
      return tooLong(spot, error.limit ?? -1n, version, about);
    case 'maxItems':
    case 'maxProperties':
      return tooMany(spot, (error.value as bigint | undefined) ?? -1n, error.limit ?? -1n, version, about);
    case 'type':
    case 'format':
      return typeInvalid(spot, shown, error.message, version, about);
    case 'junctor':
    case 'range':
      return invalid(base, '', error.message, version, about);
    default:
      return invalid(spot, shown, error.message, version, about);
  }
}

function allowedText(value: Value): string {
  return typeof value === 'string' ? value : printJson(value);
}
