import { memo } from '../../base/memo.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';
import type { DeclType } from './declType.ts';
import { escapeName } from './escape.ts';
import { type CompiledRule, compileRules, noDeclType, schemaDeclType } from './rules.ts';

/** A schema node that has rules on it or below. They are compiled when the first value meets them. */
export interface RuleNode {
  readonly schema: Structural;
  readonly isRoot: boolean;
  readonly rules: readonly CompiledRule[];
  /** Why the rules of this node could not be compiled at all. */
  readonly problem: string | undefined;
  readonly items: RuleNode | undefined;
  readonly values: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
}

/**
 * The rules of a schema; undefined where it has none, or only such below what CEL has no type for: those are never
 * reached. Made once for a schema and version.
 */
export const ruleNode = memo((schema: Structural, isRoot: boolean, version: KubernetesVersion) => {
  return hasRules(schema) ? build(schema, isRoot, schemaDeclType(schema, isRoot, version), version) : undefined;
});

/** Whether it or anything below it has rules. */
export function hasRules(schema: Structural): boolean {
  if (schema.extensions.validations.length > 0) return true;
  if (schema.items && hasRules(schema.items)) return true;
  if (schema.additionalProperties?.schema && hasRules(schema.additionalProperties.schema)) return true;
  for (const property of schema.properties?.values() ?? []) if (hasRules(property)) return true;
  return false;
}

interface Built {
  readonly isRoot: boolean;
  readonly decl: DeclType | undefined;
  readonly version: KubernetesVersion;
  readonly node: RuleNode | undefined;
}

/**
 * By schema: its node as it was last built. Schemas that an edit leaves alone are the same objects, and so are their types.
 * Not a memo: what it rests on is compared part by part.
 */
const lastBuilt = new WeakMap<Structural, Built>();

function build(
  schema: Structural,
  isRoot: boolean,
  decl: DeclType | undefined,
  version: KubernetesVersion,
): RuleNode | undefined {
  const known = lastBuilt.get(schema);
  if (known?.version === version && known.isRoot === isRoot && known.decl === decl) return known.node;
  const node = buildNode(schema, isRoot, decl, version);
  lastBuilt.set(schema, { isRoot, decl, version, node });
  return node;
}

function buildNode(
  schema: Structural,
  isRoot: boolean,
  decl: DeclType | undefined,
  version: KubernetesVersion,
): RuleNode | undefined {
  const own = schema.extensions.validations.length > 0;
  const below = schema.additionalProperties?.schema;
  const items = schema.items && build(schema.items, schema.items.extensions.embeddedResource, decl?.element, version);
  const values = below && build(below, below.extensions.embeddedResource, decl?.element, version);
  const properties = propertyNodes(schema, decl, version);
  if (!own && !items && !values && properties.size === 0) return undefined;
  let rules: readonly CompiledRule[] | undefined;
  return {
    ...{ schema, isRoot, problem: own && !decl ? noDeclType : undefined, items, values, properties },
    get rules() {
      rules ??= own && decl ? compileRules(schema, decl, { kubernetes: version, isStored: () => true }) : [];
      return rules;
    },
  };
}

function propertyNodes(
  schema: Structural,
  decl: DeclType | undefined,
  version: KubernetesVersion,
): ReadonlyMap<string, RuleNode> {
  const nodes = new Map<string, RuleNode>();
  for (const [name, property] of schema.properties ?? []) {
    const isRoot = property.extensions.embeddedResource;
    const escaped = escapeName(name);
    // What cannot be named inside CEL still has rules of its own.
    const type = escaped === undefined ? schemaDeclType(property, isRoot, version) : decl?.fields?.get(escaped);
    const node = type && build(property, isRoot, type, version);
    if (node) nodes.set(name, node);
  }
  return nodes;
}
