import { multiplyU64, toU64, type U64 } from '../../base/u64.ts';
import type { Path } from '../../base/value.ts';
import type { CompiledRule } from '../../kubernetes/cel/rules.ts';
import { type RuleNode, ruleNode } from '../../kubernetes/cel/ruleTree.ts';
import {
  itemsPlace,
  type Linted,
  type LintedVersion,
  propertyPlace,
  type SchemaPlace,
  schemaPath,
  valuesPlace,
} from './linted.ts';

/** A rule that compiles, with all that is known where it stands. */
export interface LintedRule {
  readonly place: SchemaPlace;
  readonly rule: CompiledRule;
  readonly index: number;
  /** With all rules that are on it, and further in. */
  readonly node: RuleNode;
  /** How often at most the node occurs; undefined below a list or map without a limit. */
  readonly occurs: U64 | undefined;
}

/** The path of a rule's entry in the manifest. */
export function entryPath({ place, index }: LintedRule): Path {
  return [...schemaPath(place), 'x-kubernetes-validations', index];
}

/** All rules of a version that compile. */
export function eachRule(linted: Linted, { root }: LintedVersion, visit: (rule: LintedRule) => void): void {
  const node = ruleNode(root.schema, true, linted.kubernetes);
  if (node) walk(node, root, 1, visit);
}

function walk(node: RuleNode, place: SchemaPlace, occurs: U64 | undefined, visit: (rule: LintedRule) => void): void {
  for (const [index, rule] of node.rules.entries()) {
    if (rule.program && rule.compiled) visit({ place, rule, index, node, occurs });
  }
  for (const name of node.names) walk(node.property(name)!, propertyPlace(place, name)!, occurs, visit);
  const { maxItems, maxProperties } = place.schema.validation ?? {};
  if (node.items) walk(node.items, itemsPlace(place)!, times(occurs, maxItems), visit);
  if (node.values) walk(node.values, valuesPlace(place)!, times(occurs, maxProperties), visit);
}

function times(occurs: U64 | undefined, limit: bigint | undefined): U64 | undefined {
  return occurs === undefined || limit === undefined ? undefined : multiplyU64(occurs, toU64(limit < 0n ? 0n : limit));
}
