import { append } from '../../base/append.ts';
import type { SchemaOrList, SchemaProps } from '../api/schema.ts';
import { child, type FieldPath, forbidden, index, invalid, key, notSupported } from '../field.ts';
import { describesSingleValue } from '../schema/singleValue.ts';
import { type CelContext, childContext, type Step } from './celContext.ts';
import { validateRules } from './celRules.ts';
import { costsSoFar, isKnownClean, rememberClean } from './cleanNodes.ts';
import type { CrdFinding } from './findings.ts';
import { validateListTypes } from './listTypes.ts';
import type { Inherited, Node } from './node.ts';
import type { CrdOptions } from './options.ts';
import { validateRuleTexts } from './ruleTexts.ts';
import { holdsSchemas } from './schemaHas.ts';

/** Schema errors and CEL errors apart: a node's rules are compiled only where the schema below it is clean. */
export interface NodeFindings {
  readonly schema: CrdFinding[];
  readonly cel: CrdFinding[];
}

export function validateNode(node: Node, options: CrdOptions): NodeFindings {
  const found: NodeFindings = { schema: [], cel: [] };
  judgeNode(node, options, found);
  return found;
}

function judgeNode(node: Node, options: CrdOptions, found: NodeFindings): void {
  const before = found.schema.length;
  const { schema, spot } = node;
  keywords(node, options, found.schema);
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    found.schema.push(forbidden(child(spot, 'uniqueItems'), detail, { code: 'crd/unique-items' }));
  }
  descend(node, options, found);
  if (schema.preserveUnknownFields === false) {
    const about = { code: 'crd/preserve-unknown-fields-false' as const };
    const at = child(spot, 'x-kubernetes-preserve-unknown-fields');
    found.schema.push(invalid(at, false, 'must be true or undefined', options.version, about));
  }
  append(found.schema, validateListTypes(schema, spot, options));
  if (schema.validations?.length) {
    append(found.schema, validateRuleTexts(schema, spot, options.version));
    if (node.context && (found.schema.length === before || options.looksBehindErrors)) {
      append(found.cel, validateRules(node.context, schema, spot, node.inherited.uncorrelatable, options));
    }
  }
}

function visit(node: Node, options: CrdOptions, found: NodeFindings): void {
  if (!holdsSchemas(node.schema)) {
    judgeNode(node, options, found);
    return;
  }
  if (isKnownClean(node, options)) return;
  const before = found.schema.length + found.cel.length;
  const { total, dear } = costsSoFar(node);
  judgeNode(node, options, found);
  if (found.schema.length + found.cel.length === before) rememberClean(node, options, total, dear);
}

const metaFields = new Set(['metadata', 'kind', 'apiVersion']);

function descend(node: Node, options: CrdOptions, found: NodeFindings): void {
  additional(node, options, found);
  if (node.schema.properties) properties(node, node.schema.properties, options, found);
  if (hasJunctors(node.schema)) junctors(node, options, found);
  if (node.schema.items) items(node, node.schema.items, options, found);
}

function properties(node: Node, map: ReadonlyMap<string, SchemaProps>, options: CrdOptions, found: NodeFindings): void {
  const spots = child(node.spot, 'properties');
  map.forEach((schema, name) => {
    if (describesSingleValue(schema)) return;
    const context = contextBelow(node, schema, 'property', name);
    const inherited = belowProperty(node, name);
    visit({ schema, spot: key(spots, name), inherited, isRoot: false, context }, options, found);
  });
}

/** None for a schema without rules on it or below: nobody would ask. */
function contextBelow({ context }: Node, schema: SchemaProps, step: Step, name?: string): CelContext | undefined {
  const isAsked = schema.validations !== undefined || holdsSchemas(schema);
  return context && isAsked ? childContext(context, schema, step, name) : undefined;
}

/** Rules about old values need maps that are matched key by key. */
function belowProperty({ schema, spot, inherited, isRoot }: Node, name: string): Inherited {
  const correlates = schema.mapType === undefined || schema.mapType === 'granular' || schema.mapType === 'atomic';
  const uncorrelatable = correlates ? inherited.uncorrelatable : (inherited.uncorrelatable ?? spot);
  const isMeta = (isRoot || (schema.embeddedResource ?? false)) && metaFields.has(name);
  if (!isMeta && uncorrelatable === inherited.uncorrelatable) return inherited;
  return {
    noDefault: isMeta && isRoot ? `in top-level ${name}` : inherited.noDefault,
    insideMeta: inherited.insideMeta || isMeta,
    uncorrelatable,
  };
}

function additional(node: Node, options: CrdOptions, found: NodeFindings): void {
  const { schema, spot, inherited } = node;
  const { additionalProperties } = schema;
  if (!additionalProperties) return;
  const at = child(spot, 'additionalProperties');
  if (schema.properties?.size && (!additionalProperties.allows || additionalProperties.schema)) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    found.schema.push(forbidden(at, detail, { code: 'crd/properties-and-additional' }));
  }
  if (!additionalProperties.schema) return;
  const context = contextBelow(node, additionalProperties.schema, 'additionalProperties');
  const noDefault = inherited.insideMeta
    ? 'inside additionalProperties applying to object metadata'
    : inherited.noDefault;
  const below = { schema: additionalProperties.schema, spot: at, isRoot: false, context };
  visit({ ...below, inherited: { ...inherited, noDefault } }, options, found);
}

/** What stands in a junctor is looked at without CEL. */
function junctors(node: Node, options: CrdOptions, found: NodeFindings): void {
  const { schema, spot, inherited } = node;
  const nested = (below: SchemaProps, at: FieldPath) =>
    visit({ schema: below, spot: at, inherited, isRoot: false, context: undefined }, options, found);
  const branch = (name: string, list: readonly SchemaProps[] | undefined) => {
    for (const [i, below] of (list ?? []).entries()) nested(below, index(child(spot, name), i));
  };
  if (schema.not) nested(schema.not, child(spot, 'not'));
  branch('allOf', schema.allOf);
  branch('oneOf', schema.oneOf);
  branch('anyOf', schema.anyOf);
  for (const [name, below] of schema.definitions ?? []) nested(below, key(child(spot, 'definitions'), name));
  for (const [name, below] of schema.dependencies ?? []) {
    if (below.schema) nested(below.schema, key(child(spot, 'dependencies'), name));
  }
}

function hasJunctors({ not, allOf, oneOf, anyOf, definitions, dependencies }: SchemaProps): boolean {
  return (not ?? allOf ?? oneOf ?? anyOf ?? definitions ?? dependencies) !== undefined;
}

/** Items of a list are matched by their keys in lists of type map, and not at all in others. */
function items(node: Node, { schema: all, schemas }: SchemaOrList, options: CrdOptions, found: NodeFindings): void {
  const { schema, spot } = node;
  const isMatched = schema.listType === 'map' || node.inherited.uncorrelatable !== undefined;
  const inherited = isMatched ? node.inherited : { ...node.inherited, uncorrelatable: spot };
  const below = (item: SchemaProps, at: FieldPath) => {
    const context = contextBelow(node, item, 'items');
    visit({ schema: item, spot: at, inherited, isRoot: false, context }, options, found);
  };
  const at = child(spot, 'items');
  if (all) below(all, at);
  for (const [i, item] of (schemas ?? []).entries()) below(item, index(at, i));
}

/** Whether `type` is one that a schema may have. */
export function isSchemaType(type: string): boolean {
  return types.includes(type);
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Keywords of JSON Schema that a CRD may not use, whether they are set. */
const unsupported: readonly (readonly [string, (schema: SchemaProps) => boolean])[] = [
  ['id', (s) => s.id !== undefined],
  ['additionalItems', (s) => s.additionalItems !== undefined],
  ['patternProperties', (s) => (s.patternProperties?.size ?? 0) > 0],
  ['definitions', (s) => (s.definitions?.size ?? 0) > 0],
  ['dependencies', (s) => s.dependencies !== undefined],
  ['$ref', (s) => s.ref !== undefined],
];

function keywords({ schema, spot, inherited }: Node, options: CrdOptions, found: CrdFinding[]): void {
  const { type = '' } = schema;
  if (options.requireValidTypes && type !== '' && !isSchemaType(type)) {
    const about = { code: 'crd/type-unknown' as const, facts: { type, supported: types } };
    found.push(notSupported(child(spot, 'type'), type, types, options.version, about));
  }
  if (schema.default !== undefined && inherited.noDefault !== undefined) {
    const about = { code: 'crd/default-forbidden' as const, facts: { where: inherited.noDefault } };
    found.push(forbidden(child(spot, 'default'), `must not be set ${inherited.noDefault}`, about));
  }
  for (const [keyword, isSet] of unsupported) {
    if (!isSet(schema)) continue;
    const about = { code: 'crd/keyword-unsupported' as const, facts: { keyword } };
    found.push(forbidden(child(spot, keyword), `${keyword} is not supported`, about));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    found.push(forbidden(child(spot, 'type'), detail, { code: 'crd/type-null' }));
  }
  if (schema.items?.schemas?.length) {
    const detail = 'items must be a schema object and not an array';
    found.push(forbidden(child(spot, 'items'), detail, { code: 'crd/items-list' }));
  }
  if (inherited.insideMeta && schema.embeddedResource) {
    const at = child(spot, 'x-kubernetes-embedded-resource');
    found.push(forbidden(at, 'must not be used inside of resource meta', { code: 'crd/embedded-in-metadata' }));
  }
}
