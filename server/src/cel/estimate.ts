import { type CelPath, extend, noPath } from './path.ts';
import { oneUnit, type Range, unknownSize } from './range.ts';
import type { CelType } from './types.ts';

/** What one call costs beyond its arguments, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
  /** The result's items are those of both arguments. */
  readonly keepsItems?: true;
}

/** An argument or target as an estimator sees it: a node of the tree, or the items of one. */
export interface CostNode {
  readonly type: CelType;
  readonly path: CelPath;
  /** Its size as far as the expression itself tells. */
  readonly computed: Range | undefined;
  /** The int that is written here. */
  readonly written: bigint | undefined;
}

/** A call whose arguments are estimated already. */
export interface CostCall {
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly model: CostModel;
}

/** A call's worst-case cost beyond that of its arguments; undefined is 1. */
export type Estimator = (call: CostCall) => CallEstimate | undefined;

/** Where sizes come from that the expression does not tell, and what releases price differently. */
export interface CostModel {
  sizeOf(path: CelPath, type: CelType): Range | undefined;
  /** The cost of `==` on types of one's own. */
  equality(left: CostNode, right: CostNode): CallEstimate | undefined;
  readonly rules: CostRules;
}

/** What releases of cel-go know of sizes. */
export interface CostRules {
  /** Sizes are known through list and map literals, dyn() and ?: (cel-go 0.23). */
  readonly tracksEntries: boolean;
  /** An optional of a scalar has the size of a scalar (cel-go 0.23). */
  readonly optionalScalars: boolean;
}

/** The size of an argument, from the expression or its path. */
export function nodeSize(node: CostNode, model: CostModel): Range {
  return node.computed ?? model.sizeOf(node.path, node.type) ?? unknownSize;
}

/** The size that cel-go itself reckons with. */
export function knownSize(node: CostNode, model: CostModel): Range {
  if (node.computed) return node.computed;
  if (model.rules.tracksEntries) return unknownSize;
  return model.sizeOf(node.path, node.type) ?? (isScalar(node.type, model.rules) ? oneUnit : unknownSize);
}

export function isScalar(type: CelType, rules: CostRules): boolean {
  switch (type.kind) {
    case 'bool':
    case 'double':
    case 'duration':
    case 'int':
    case 'timestamp':
    case 'uint':
      return true;
    case 'opaque':
      return rules.optionalScalars && type.name === 'optional_type' && isScalar(type.params[0]!, rules);
    default:
      return false;
  }
}

/** The items of a list as an estimator sees them; undefined for a type without parameters. */
export function itemsOf(list: CostNode): CostNode | undefined {
  const type = list.type.params[0];
  if (!type) return undefined;
  const { steps, length } = list.path;
  // A copy: this path must not take the place of another one.
  const copy = { steps: steps.slice(0, length), length, capacity: length };
  const path = length > 0 ? extend(copy, '@items') : noPath;
  return { type, path, computed: undefined, written: undefined };
}
