import type { Value } from '../../base/value.ts';
import { evaluateSchemaRules } from '../cel/evaluate.ts';
import type { LeftOutRule, RuleFinding } from '../cel/findings.ts';
import type { FieldPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Structural } from '../schema/structural.ts';

/** Rules on a node and below it, to be run over a value. */
export interface RuleEvaluation {
  readonly schema: Structural;
  readonly value: Value;
  /** Absent where the value is new. */
  readonly old: Value | undefined;
  readonly spot: FieldPath;
  readonly isRoot: boolean;
  readonly budget: number;
  readonly version: KubernetesVersion;
}

/** Runs rules over a value; gives what failed and what is left of the budget. */
export type EvaluateRules = (evaluation: RuleEvaluation) => {
  readonly findings: readonly RuleFinding[];
  readonly leftOut: readonly LeftOutRule[];
  readonly budget: number;
};

/** What is demanded of a CRD. On update less is, where the old object already fell short. */
export interface CrdOptions {
  readonly version: KubernetesVersion;
  readonly requireRecognizedReviewVersion: boolean;
  readonly requireSchema: boolean;
  readonly requireValidTypes: boolean;
  readonly requireStructuralSchema: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapKeys: boolean;
  readonly allowInvalidCaBundle: boolean;
  /** Texts of rules and message expressions that the old object has, which compile with what newer servers know. */
  readonly oldRules: ReadonlySet<string>;
  readonly oldMessageExpressions: ReadonlySet<string>;
  /** Versions whose whole schema is unchanged: there single rules may cost what they like. */
  readonly unchangedSchemas: ReadonlySet<string>;
  /** Set on the way down into such a version. */
  readonly suppressRuleCost: boolean;
  /** Versions (or '' for the top) that may keep more selectable fields than allowed. */
  readonly tooManySelectableFields: ReadonlySet<string>;
  /** Rules and defaults are looked at although something else is wrong, to know what will be said later. */
  readonly looksBehindErrors?: true;
  readonly evaluateRules: EvaluateRules;
  /** Gathers rules that were not evaluated to their end. */
  readonly leftOut: LeftOutRule[];
}

const none: ReadonlySet<string> = new Set();

/** The rules of the schema, as they would judge an object. */
export const evaluateSchema: EvaluateRules = (evaluation) => {
  const { errors, budget, leftOut } = evaluateSchemaRules(evaluation);
  return { findings: errors, budget, leftOut };
};

export function createOptions(version: KubernetesVersion, evaluateRules = evaluateSchema): CrdOptions {
  return {
    version,
    evaluateRules,
    leftOut: [],
    requireRecognizedReviewVersion: true,
    requireSchema: true,
    requireValidTypes: true,
    requireStructuralSchema: true,
    requirePrunedDefaults: true,
    requireAtomicSets: true,
    requireMapKeys: true,
    allowInvalidCaBundle: true,
    oldRules: none,
    oldMessageExpressions: none,
    unchangedSchemas: none,
    suppressRuleCost: false,
    tooManySelectableFields: none,
  };
}

/** Single rules of an unchanged schema may cost what they like. */
export function forVersion(options: CrdOptions, name: string): CrdOptions {
  return options.unchangedSchemas.has(name) ? { ...options, suppressRuleCost: true } : options;
}
