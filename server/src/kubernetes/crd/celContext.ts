import { addU64, multiplyU64, type U64 } from '../../base/u64.ts';
import type { SchemaProps } from '../api/schema.ts';
import { crdCostLimit } from '../bounds.ts';
import type { DeclType } from '../cel/declType.ts';
import { escapeName } from '../cel/escape.ts';
import { schemaDeclType } from '../cel/rules.ts';
import type { FieldPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { lowerSchema } from '../schema/lower.ts';
import type { Structural } from '../schema/structural.ts';

/** A node as its rules see it. */
export interface TypeInfo {
  readonly schema: Structural;
  readonly type: DeclType | undefined;
}

export type TypeInfoResult = { readonly info: TypeInfo | undefined } | { readonly error: string };

/** Costs of all rules below one schema. */
export interface TotalCost {
  total: U64;
  /** How many expressions cost so much that they may be named. */
  dear: number;
  /** The most expensive of those that matter, dearest first. */
  readonly expensive: { readonly spot: FieldPath; readonly cost: U64; readonly message: boolean }[];
}

export type Step = 'property' | 'additionalProperties' | 'items';

/** What CEL needs to know about a node: its type, and how often it may occur. */
export interface CelContext {
  readonly parent: CelContext | undefined;
  readonly step: Step | undefined;
  readonly name: string;
  readonly schema: SchemaProps;
  readonly version: KubernetesVersion;
  /** Rules stand here or above. */
  readonly withinRules: boolean;
  /** How often this node may occur; undefined where a list or map above has no limit. */
  readonly cardinality: U64 | undefined;
  readonly totalCost: TotalCost;
  typeInfo: TypeInfoResult | undefined;
}

export function rootContext(schema: SchemaProps, version: KubernetesVersion): CelContext {
  return {
    parent: undefined,
    step: undefined,
    name: '',
    schema,
    version,
    withinRules: (schema.validations?.length ?? 0) > 0,
    cardinality: 1,
    totalCost: { total: 0, dear: 0, expensive: [] },
    typeInfo: undefined,
  };
}

export function childContext(parent: CelContext, schema: SchemaProps, step: Step, name = ''): CelContext {
  const elements = maxElements(parent.schema);
  const { cardinality } = parent;
  return {
    parent,
    step,
    name,
    schema,
    version: parent.version,
    withinRules: parent.withinRules || (schema.validations?.length ?? 0) > 0,
    cardinality: cardinality === undefined || elements === undefined ? undefined : multiplyU64(cardinality, elements),
    totalCost: parent.totalCost,
    typeInfo: undefined,
  };
}

function limit(value: bigint | undefined): U64 | undefined {
  if (value === undefined) return undefined;
  if (value < 0n) return 0;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** By how much a schema multiplies what stands below it; undefined without limit. */
function maxElements(schema: SchemaProps): U64 | undefined {
  if (schema.type === 'array') return limit(schema.maxItems);
  if (schema.type === 'object' && schema.additionalProperties) return limit(schema.maxProperties);
  return 1;
}

/** Thrown where the API server looks into a type that is not there. */
export class MissingType extends Error {}

/** A node's type: taken from its parent's where that has rules above, made from the schema otherwise. */
export function typeInfoOf(context: CelContext): TypeInfoResult {
  if (!context.withinRules) return { info: undefined };
  context.typeInfo ??= findTypeInfo(context);
  return context.typeInfo;
}

/** The type of a node with rules on it or above, where it has one and so has all above it. */
export function plainTypeOf(context: CelContext): DeclType | undefined {
  const { parent } = context;
  if (parent?.withinRules && !plainTypeOf(parent)) return undefined;
  const found = typeInfoOf(context);
  return 'error' in found ? undefined : found.info?.type;
}

function findTypeInfo(context: CelContext): TypeInfoResult {
  if (context.parent) {
    const above = typeInfoOf(context.parent);
    if ('error' in above) return above;
    const found = above.info && fromParent(context, above.info);
    if (found) return { info: found };
  }
  return convert(context);
}

function convert({ schema, parent, version }: CelContext): TypeInfoResult {
  const lowered = lowerSchema(schema);
  if ('error' in lowered) return lowered;
  const isRoot = parent === undefined || (schema.embeddedResource ?? false);
  const type = schemaDeclType(lowered.structural, isRoot, version);
  if (!type) return { error: 'unable to convert structural schema to CEL declarations' };
  return { info: { schema: lowered.structural, type } };
}

/** A parent without a type, below a misplaced `items`, is where the API server crashes. */
function typeAbove(above: TypeInfo): DeclType {
  if (!above.type) throw new MissingType('no type');
  return above.type;
}

function fromParent({ step, name }: CelContext, above: TypeInfo): TypeInfo | undefined {
  const { schema } = above;
  switch (step) {
    case 'property': {
      const property = schema.properties?.get(name);
      const escaped = escapeName(name);
      if (!schema.properties || escaped === undefined) return undefined;
      const type = typeAbove(above).fields?.get(escaped);
      return type && property && { schema: property, type };
    }
    case 'items':
      return schema.items && { schema: schema.items, type: typeAbove(above).element };
    case 'additionalProperties': {
      const additional = schema.additionalProperties;
      return additional?.schema && { schema: additional.schema, type: typeAbove(above).element };
    }
    default:
      return undefined;
  }
}

const mostReported = 4;

/** Adds one expression's cost; the dearest are kept to be named. */
export function observeCost(context: CelContext, spot: FieldPath, cost: U64, message: boolean): void {
  const { totalCost } = context;
  totalCost.total = addU64(totalCost.total, cost);
  if (cost < crdCostLimit / 100) return;
  totalCost.dear++;
  totalCost.expensive.push({ spot, cost, message });
  totalCost.expensive.sort((a, b) => (a.cost === b.cost ? 0 : a.cost > b.cost ? -1 : 1));
  totalCost.expensive.splice(mostReported);
}

export function exceedsTotal(cost: TotalCost): boolean {
  return cost.total > crdCostLimit;
}
