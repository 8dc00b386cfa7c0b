import { multiplyU64, type U64 } from '../../base/u64.ts';
import { estimateCost } from '../../cel/cost.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';

/** What a rule may cost: once, and for all that an object may hold. */
export interface RuleCost {
  readonly once: U64;
  readonly all: U64;
}

/** Undefined where it does not compile. */
export function ruleCost(place: RulePlace | undefined): RuleCost | undefined {
  if (!place?.decl || place.compiled.unparsed || place.compiled.problems.length > 0) return undefined;
  const once = estimateCost(place.compiled.expr, place.schemaEnv.model).total.max;
  return { once, all: multiplyU64(once, place.repeats) };
}
