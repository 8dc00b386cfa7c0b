import type { Path } from '../../base/value.ts';
import type { Finding } from '../finding.ts';
import type { ValidationRule } from '../schema/structural.ts';

/** Which rule a finding is about; without one it is about all rules of a value. */
export interface RuleFacts {
  readonly rule?: ValidationRule;
  /** Its place among the rules of its schema. */
  readonly index?: number;
  /** Where the value that it judged stands. */
  readonly self: Path;
  readonly kind: 'failed' | 'error' | 'budget' | 'compile' | 'message';
  readonly detail: string;
  /** It ends all rules, and chance decides where: the API server takes the fields of a map in any order. */
  readonly anywhere?: true;
}

/** A rule whose evaluation was cut short. */
export interface LeftOutRule {
  readonly rule: ValidationRule;
  readonly index: number;
  /** Where the first value stands that it could not judge. */
  readonly self: Path;
  readonly why: string;
}

/** What rules have against an object. */
export type RuleFindingFacts = {
  'cr/rule': RuleFacts;
  'cr/rule-unchanged': RuleFacts;
};

export type RuleFinding = Finding<'cr/rule', RuleFacts>;
export type RuleWarning = Finding<'cr/rule-unchanged', RuleFacts>;
