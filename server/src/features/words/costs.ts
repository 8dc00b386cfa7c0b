import { grouped } from '../../base/text.ts';
import { maxU64, multiplyU64, type U64 } from '../../base/u64.ts';
import type { Expr } from '../../cel/ast.ts';
import { estimateCost } from '../../cel/cost.ts';
import { explainCost } from '../../cel/explain.ts';
import { ruleCostLimit } from '../../kubernetes/bounds.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { blocks, code, list, type Markdown, md, own } from './markdown.ts';

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

export function costNumber(cost: U64): string {
  return cost >= maxU64 ? 'unbounded' : grouped(cost);
}

/** A cost's share of what one rule may cost, in percent. */
export function budgetShare(cost: U64): number {
  return (Number(cost) / ruleCostLimit) * 100;
}

/** The same in words. */
export function percent(cost: U64): string {
  return shareText(budgetShare(cost));
}

/** A share in percent, in words. */
export function shareText(share: number): string {
  if (share > 10_000) return 'over 10,000%';
  return share > 0 && share < 1 ? 'under 1%' : `${Math.round(share)}%`;
}

/** How a rule comes to what it may cost, and what would help, in Markdown. */
export function costExplained(place: RulePlace, { once, all }: RuleCost): Markdown {
  return blocks(own(summary(once, place.repeats, all)), ...(all > worthExplaining ? explanation(place) : []));
}

function summary(once: U64, repeats: U64, cost: U64): string {
  const often = repeats === 1 ? '' : `, and the rule may run ${costNumber(repeats)} times in one object`;
  return `One evaluation costs at most ${costNumber(once)}${often}: ${costNumber(cost)} of 10,000,000.`;
}

/** A rule that costs less is not worth a second look. */
const worthExplaining = 100_000;

/** What makes a rule expensive, from the whole down to the most expensive part, and which limits would help most. */
function explanation({ compiled, schemaEnv }: RulePlace): Markdown[] {
  const { chain, bounds } = explainCost(compiled.expr, schemaEnv.model);
  const textOf = (expr: Expr) => compiled.text.slice(expr.start, expr.end).replace(/\s+/g, ' ').slice(0, 60);
  // A macro's inner steps have no text of their own.
  const written = chain.filter(({ expr }, i) => i === 0 || textOf(expr) !== textOf(chain[i - 1]!.expr));
  const links = written.slice(0, 5).map(({ expr, cost, rounds }) => {
    const text = textOf(expr);
    return md`${code(text)}: ${costNumber(cost.max)}${rounds ? `, up to ${costNumber(rounds.max)} times` : ''}`;
  });
  const limits = bounds.slice(0, 3).map(({ path, assumed, limit, maxWithLimit }) => {
    return md`${code(pathText(path))} has no limit, so ${costNumber(assumed)} is assumed; with at most ${limit} one evaluation would cost ${costNumber(maxWithLimit)}`;
  });
  const part = (title: string, rows: readonly Markdown[]) =>
    rows.length === 0 ? [] : [md`${own(title)}\n\n${list(rows)}`];
  return [...part('Where the cost comes from:', links), ...part('What would help:', limits)];
}

function pathText(path: readonly string[]): string {
  return `self${path.map((step) => (step.startsWith('@') ? '[]' : `.${step}`)).join('')}`;
}
