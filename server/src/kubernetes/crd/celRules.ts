import { multiplyU64, type U64 } from '../../base/u64.ts';
import { fixedFloat } from '../../gostd/float.ts';
import { printStruct } from '../api/print.ts';
import { ruleStruct, type SchemaProps } from '../api/schema.ts';
import { crdCostLimit, ruleCostLimit } from '../bounds.ts';
import { type CompiledRule, compileRules, noDeclType } from '../cel/rules.ts';
import { child, type FieldPath, fieldOf, forbidden, index, internalError, invalid } from '../field.ts';
import {
  type CelContext,
  exceedsTotal,
  MissingType,
  observeCost,
  type TypeInfoResult,
  typeInfoOf,
} from './celContext.ts';
import type { CrdFinding } from './findings.ts';
import type { CrdOptions } from './options.ts';
import { serverPanic } from './panic.ts';

/** One node's rules, compiled and counted. */
export function validateRules(
  context: CelContext,
  schema: SchemaProps,
  spot: FieldPath,
  uncorrelatable: FieldPath | undefined,
  options: CrdOptions,
): CrdFinding[] {
  const list = child(spot, 'x-kubernetes-validations');
  const typed = typeOrCrash(context, spot);
  const about = { code: 'crd/rule-type-info' as const };
  if ('error' in typed) {
    const prefix = 'internal error: failed to construct type information for x-kubernetes-validations rules: ';
    return [internalError(list, prefix + typed.error, about)];
  }
  if (!typed.info?.type) return [internalError(list, noDeclType, about)];
  const isStored = (text: string) => options.oldRules.has(text) || options.oldMessageExpressions.has(text);
  const compiled = compileRules(typed.info.schema, typed.info.type, { kubernetes: options.version, isStored });
  return compiled.flatMap((rule, i) => {
    const at: RuleAt = { spot: index(list, i), rule, props: schema.validations![i]!, context, options };
    return [...ruleFindings(at), ...messageFindings(at), ...oldSelfFindings(at, uncorrelatable)];
  });
}

function typeOrCrash(context: CelContext, spot: FieldPath): TypeInfoResult {
  try {
    return typeInfoOf(context);
  } catch (error) {
    if (error instanceof MissingType) return serverPanic('rule-below-misplaced', spot);
    throw error;
  }
}

interface RuleAt {
  readonly spot: FieldPath;
  readonly rule: CompiledRule;
  readonly props: NonNullable<SchemaProps['validations']>[number];
  readonly context: CelContext;
  readonly options: CrdOptions;
}

function totalRuleCost({ rule, context }: RuleAt): U64 {
  return multiplyU64(rule.maxCost, context.cardinality ?? rule.maxCardinality);
}

function ruleFindings(at: RuleAt): CrdFinding[] {
  const { rule, context, options } = at;
  const spot = child(at.spot, 'rule');
  if (rule.panic !== undefined) serverPanic('rule-expression', spot, rule.panic);
  const cost = totalRuleCost(at);
  const found: CrdFinding[] = [];
  if (cost > ruleCostLimit && !options.suppressRuleCost) {
    const facts = { cost: String(cost), once: String(rule.maxCost), limit: ruleCostLimit };
    found.push(forbidden(spot, costText('estimated rule cost', cost, ruleCostLimit), { code: 'crd/rule-cost', facts }));
  }
  observeCost(context, spot, cost, false);
  if (rule.error) {
    const about = { code: 'crd/rule-compile' as const, facts: { detail: rule.error.detail, compiled: rule.compiled } };
    found.push(invalid(spot, printStruct(ruleStruct, at.props), rule.error.detail, options.version, about));
  }
  return found;
}

function messageFindings(at: RuleAt): CrdFinding[] {
  const { rule, context, options } = at;
  const spot = child(at.spot, 'messageExpression');
  if (rule.messageError) {
    const facts = { detail: rule.messageError.detail, compiled: rule.message };
    const about = { code: 'crd/rule-message-expression' as const, facts };
    return [invalid(spot, printStruct(ruleStruct, at.props), rule.messageError.detail, options.version, about)];
  }
  if (!rule.message) return [];
  const cost = rule.messageMaxCost;
  observeCost(context, spot, cost, true);
  if (cost <= ruleCostLimit || options.suppressRuleCost) return [];
  const about = {
    code: 'crd/rule-message-expression-cost' as const,
    facts: { cost: String(cost), limit: ruleCostLimit },
  };
  return [forbidden(spot, costText('estimated messageExpression cost', cost, ruleCostLimit), about)];
}

function oldSelfFindings(at: RuleAt, uncorrelatable: FieldPath | undefined): CrdFinding[] {
  const { rule, props, options } = at;
  if (!rule.usesOldSelf) {
    if (props.optionalOldSelf === undefined) return [];
    const detail = 'may not be set if oldSelf is not used in rule';
    const about = { code: 'crd/rule-optional-old-self' as const };
    return [invalid(child(at.spot, 'optionalOldSelf'), props.optionalOldSelf, detail, options.version, about)];
  }
  if (!uncorrelatable) return [];
  const within = fieldOf(uncorrelatable);
  const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`;
  const about = { code: 'crd/rule-old-self' as const, facts: { within } };
  return [invalid(child(at.spot, 'rule'), props.rule ?? '', detail, options.version, about)];
}

const advice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${fixedFloat(factor, factor < 1.5 ? 6 : 1)}x`;
}

function costText(what: string, cost: U64, limit: number): string {
  return `${what} exceeds budget by factor of ${factorText(Number(cost) / limit)} ${advice}`;
}

/** All rules of a schema together. */
export function validateTotalCost(context: CelContext, spot: FieldPath): CrdFinding[] {
  const { totalCost } = context;
  if (!exceedsTotal(totalCost)) return [];
  const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const found: CrdFinding[] = totalCost.expensive.map(({ spot: at, cost }) =>
    forbidden(at, detail, { code: 'crd/rule-cost-contributes' as const, facts: { cost: String(cost) } }),
  );
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  const about = { code: 'crd/rule-cost-total' as const, facts: { cost: String(totalCost.total), limit: crdCostLimit } };
  return [...found, forbidden(spot, costText(what, totalCost.total, crdCostLimit), about)];
}
