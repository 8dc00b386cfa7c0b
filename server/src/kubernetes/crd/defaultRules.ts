import { append } from '../../base/append.ts';
import { equalValues, isMap, type Value, type ValueMap } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import { objectCostLimit } from '../bounds.ts';
import { hasRules } from '../cel/ruleTree.ts';
import { child, type FieldPath, invalid, key, rootPath } from '../field.ts';
import type { Finding } from '../finding.ts';
import type { MetadataFinding } from '../metadata/findings.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { coerceEmbedded, validateEmbedded } from '../schema/embedded.ts';
import type { EmbeddedFinding } from '../schema/findings.ts';
import { lowerSchema } from '../schema/lower.ts';
import { asResource, prune } from '../schema/prune.ts';
import { pruneDefaults } from '../schema/pruneDefaults.ts';
import type { Structural } from '../schema/structural.ts';
import { validateValue } from '../schema/validate.ts';
import { valueFinding } from '../schema/valueFinding.ts';
import { valueSchema } from '../schema/valueSchema.ts';
import type { CrdFinding } from './findings.ts';
import type { CrdOptions } from './options.ts';
import { holdsSchemas } from './schemaHas.ts';
import { coerceDefault, isInsideMeta } from './storedDefaults.ts';

/** What the way down to a default decides about it. */
interface Around {
  /** The nearest resource above, or the root. */
  readonly resource: Structural;
  /** The way from there to this place. */
  readonly way: Way | undefined;
  /** Inside apiVersion, kind or metadata of that resource. */
  readonly insideMeta: boolean;
}

/** A step down: into a property, or into an item of a list. */
interface Way {
  readonly before: Way | undefined;
  readonly property: string | undefined;
}

/** A value at a place of an otherwise empty resource. */
function surrounded(value: Value, way: Way | undefined): ValueMap {
  let around = value;
  for (let at = way; at; at = at.before)
    around = at.property === undefined ? [around] : new Map([[at.property, around]]);
  return surroundResource(around);
}

/** Defaults must be what a stored object could hold. */
export function validateDefaults(schema: SchemaProps, spot: FieldPath, options: CrdOptions): CrdFinding[] {
  const found: CrdFinding[] = [];
  const root = lowered(schema);
  const around: Around = { resource: asResource(root), way: undefined, insideMeta: false };
  const budget: Budget = { left: objectCostLimit };
  visit(schema, asResource(root), spot, { around, options, budget, root: asResource(root) }, found);
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

/** What all rules that judge the defaults of one schema may cost together; below zero nothing more is judged. */
interface Budget {
  left: number;
}

interface Visit {
  readonly around: Around;
  readonly options: CrdOptions;
  readonly budget: Budget;
  readonly root: Structural;
}

/** Whether there may be a default in a schema or below it. */
function mayHoldDefaults(schema: SchemaProps): boolean {
  return schema.default !== undefined || holdsSchemas(schema);
}

function visit(schema: SchemaProps, structural: Structural, spot: FieldPath, above: Visit, found: CrdFinding[]): void {
  if (above.budget.left < 0 || wasSound(schema, above)) return;
  const [findings, left] = [found.length, above.budget.left];
  visitNode(schema, structural, spot, above, found);
  if (found.length === findings && above.budget.left >= 0) rememberSound(schema, above, left - above.budget.left);
}

function visitNode(
  schema: SchemaProps,
  structural: Structural,
  spot: FieldPath,
  above: Visit,
  found: CrdFinding[],
): void {
  const isResource = structural.extensions.embeddedResource;
  const around = isResource ? { resource: structural, way: undefined, insideMeta: false } : above.around;
  if (schema.default !== undefined) {
    const at: DefaultAt = { ...above, schema, structural, value: schema.default, spot: child(spot, 'default'), around };
    append(found, around.insideMeta ? insideMetadata(at) : plainDefault(at));
  }
  const { resource, way, insideMeta } = around;
  const { options, budget, root } = above;
  if (schema.items?.schema && structural.items && mayHoldDefaults(schema.items.schema)) {
    const inside = { resource, way: { before: way, property: undefined }, insideMeta };
    const at = child(spot, 'items');
    visit(schema.items.schema, structural.items, at, { around: inside, options, budget, root }, found);
  }
  const spots = child(spot, 'properties');
  schema.properties?.forEach((property, name) => {
    const below = structural.properties?.get(name);
    if (!below || !mayHoldDefaults(property)) return;
    const inside = {
      resource,
      way: { before: way, property: name },
      insideMeta: isInsideMeta(name, structural, insideMeta),
    };
    visit(property, below, key(spots, name), { around: inside, options, budget, root }, found);
  });
}

/**
 * By schema: under which demands its defaults and all below were found sound, and what their rules have cost. Not a memo:
 * only what is sound is kept.
 */
const sound = new WeakMap<SchemaProps, Pick<Visit, 'options'> & { readonly spent: number }>();

/** Most schemas of a CRD are the same after a keystroke; outside of metadata nothing above a default matters to it. */
function wasSound(schema: SchemaProps, { options, budget, around }: Visit): boolean {
  const known = sound.get(schema);
  if (!known || around.insideMeta || !sameDemands(known.options, options) || known.spent > budget.left) return false;
  budget.left -= known.spent;
  return true;
}

function rememberSound(schema: SchemaProps, { options, around }: Visit, spent: number): void {
  if (!around.insideMeta) sound.set(schema, { options, spent });
}

function sameDemands(a: CrdOptions, b: CrdOptions): boolean {
  return (
    a.version === b.version &&
    a.requirePrunedDefaults === b.requirePrunedDefaults &&
    a.evaluateRules === b.evaluateRules
  );
}

/** Whether some default would lose something at serving, when defaults are pruned as part of a whole object. */
export function hasUnprunedDefaults(schema: SchemaProps, version: KubernetesVersion): boolean {
  const structural = lowered(schema);
  const pruned = pruneDefaults(structural, version);
  return pruned !== undefined && pruned !== structural;
}

interface DefaultAt extends Visit {
  readonly schema: SchemaProps;
  readonly structural: Structural;
  readonly value: Value;
  readonly spot: FieldPath;
}

/** Inside a resource's metadata the default is judged as part of a whole resource. */
function insideMetadata(at: DefaultAt): CrdFinding[] {
  const { value, spot, around } = at;
  const { version } = at.options;
  const object = surrounded(value, around.way);
  const coerced = coerceEmbedded(object, around.resource, rootPath, { isRoot: true, version });
  const problems = coerced.error
    ? [coerced.error]
    : validateEmbedded(coerced.value, around.resource, rootPath, true, version);
  if (problems.length === 0) return judged(at, value);
  const detail = `must result in valid metadata: ${aggregate(problems)}`;
  return [invalid(spot, value, detail, version, { code: 'crd/default-metadata', facts: { problems } })];
}

/** Go's aggregate of errors: each text once, in brackets where there are several. */
function aggregate(problems: readonly Finding[]): string {
  const texts = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

function plainDefault(at: DefaultAt): CrdFinding[] {
  const { structural, value, spot, options } = at;
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
  const coerced = coerceDefault(value, structural, spot, version);
  const problems = coerced.error ? [coerced.error] : validateEmbedded(coerced.value, structural, spot, isRoot, version);
  if (problems.length > 0) return [...found, ...problems.map(asDefaultFinding)];
  return [...found, ...judged(at, coerced.value)];
}

function asDefaultFinding(problem: EmbeddedFinding | MetadataFinding): CrdFinding {
  return { ...problem, code: 'crd/default-embedded', facts: { about: problem.code } };
}

function judged(at: DefaultAt, value: Value): CrdFinding[] {
  const { version } = at.options;
  const result = validateValue(valueSchema(at.schema, 'default', version), value, { ranges: version.typedFormats });
  if (result.errors.length === 0) return rulesOver(at, value);
  return result.errors.map((error) => {
    const facts = { keyword: error.keyword, message: error.message };
    return valueFinding(error, at.spot, { code: 'crd/default-invalid', facts }, version);
  });
}

/** A default must pass the rules on it and below as an unchanged value, and, if it does, as a new one. */
function rulesOver({ structural, spot, root, options, budget }: DefaultAt, value: Value): CrdFinding[] {
  if (!hasRules(structural)) return [];
  const { evaluateRules, version } = options;
  const isRoot = structural === root;
  const request = { schema: structural, value, spot, isRoot, budget: budget.left, version };
  const unchanged = evaluateRules({ ...request, old: value });
  const fresh = unchanged.findings.length === 0 ? evaluateRules({ ...request, old: undefined }) : undefined;
  budget.left = Math.min(unchanged.budget, fresh?.budget ?? unchanged.budget);
  const leftOut = [...unchanged.leftOut, ...(fresh?.leftOut ?? [])];
  if (leftOut.length > 0) {
    // What one default could not afford, the others are not tried with.
    options.leftOut.push(leftOut[0]!);
    budget.left = -1;
  }
  return [...unchanged.findings, ...(fresh?.findings ?? [])].map((finding) => ({
    ...finding,
    code: 'crd/default-rule' as const,
  }));
}
