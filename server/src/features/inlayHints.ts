import type { Range } from '../base/text.ts';
import type { U64 } from '../base/u64.ts';
import type { Expr } from '../cel/ast.ts';
import { explainCost } from '../cel/explain.ts';
import { inDocument } from '../workspace/manifest.ts';
import { type RulePlace, rulePlace } from '../workspace/rulePlace.ts';
import { kubernetesFor, type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import { rangeOf } from '../yaml/place.ts';
import { budgetShare, costNumber, percent } from './cel/hoverRule.ts';
import { type RuleCost, ruleCost } from './cel/ruleCost.ts';
import { crdsOf, rulePaths } from './cel/rulePaths.ts';

export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  /** Of what one rule may cost, in percent. */
  readonly share: number;
  /** Markdown. */
  readonly tooltip: string;
}

/** At each rule in a range of a file that is not cheap: its share of what one rule may cost. */
export function inlayHints(snapshot: Snapshot, uri: string, within: Range): InlayHint[] {
  const kubernetes = kubernetesFor(snapshot, uri);
  const { costHintThreshold } = settingsFor(snapshot, uri);
  return crdsOf(snapshot, uri).flatMap(({ manifest, placed }) =>
    rulePaths(manifest.value, ['rule']).flatMap((path): InlayHint[] => {
      const at = inDocument(manifest, path);
      const key = rangeOf(placed.document, at, 'key');
      if (!key || key.end + placed.start < within.start || key.start + placed.start > within.end) return [];
      const place = rulePlace(manifest, at, kubernetes);
      const costs = ruleCost(place);
      if (!place || !costs) return [];
      const { all: cost } = costs;
      const share = budgetShare(cost);
      if (share < costHintThreshold) return [];
      const lineEnd = placed.document.text.slice(key.end).search(/[\r\n]|$/) + key.end;
      const tooltip = costExplained(place, costs);
      return [{ offset: lineEnd + placed.start, label: `${percent(cost)} of budget`, share, tooltip }];
    }),
  );
}

/** How a rule comes to what it may cost, and what would help, in Markdown. */
export function costExplained(place: RulePlace, { once, all }: RuleCost): string {
  return [summary(once, place.repeats, all), ...(all > worthExplaining ? explanation(place) : [])].join('\n\n');
}

function summary(once: U64, repeats: U64, cost: U64): string {
  const often = repeats === 1 ? '' : `, and the rule may run ${costNumber(repeats)} times in one object`;
  return `One evaluation costs at most ${costNumber(once)}${often}: ${costNumber(cost)} of 10,000,000.`;
}

/** A rule that costs less is not worth a second look. */
const worthExplaining = 100_000;

/** What makes a rule expensive, from the whole down to the most expensive part, and which limits would help most. */
function explanation({ compiled, schemaEnv }: RulePlace): string[] {
  const { chain, bounds } = explainCost(compiled.expr, schemaEnv.model);
  const textOf = (expr: Expr) => compiled.text.slice(expr.start, expr.end).replace(/\s+/g, ' ').slice(0, 60);
  // A macro's inner steps have no text of their own.
  const written = chain.filter(({ expr }, i) => i === 0 || textOf(expr) !== textOf(chain[i - 1]!.expr));
  const links = written.slice(0, 5).map(({ expr, cost, rounds }) => {
    const text = textOf(expr);
    return `- \`${text}\`: ${costNumber(cost.max)}${rounds ? `, up to ${costNumber(rounds.max)} times` : ''}`;
  });
  const limits = bounds.slice(0, 3).map(({ path, assumed, limit, maxWithLimit }) => {
    return `- \`${pathText(path)}\` has no limit, so ${costNumber(assumed)} is assumed; with at most ${limit} one evaluation would cost ${costNumber(maxWithLimit)}`;
  });
  const part = (title: string, rows: readonly string[]) =>
    rows.length === 0 ? [] : [`${title}\n\n${rows.join('\n')}`];
  return [...part('Where the cost comes from:', links), ...part('What would help:', limits)];
}

function pathText(path: readonly string[]): string {
  return `self${path.map((step) => (step.startsWith('@') ? '[]' : `.${step}`)).join('')}`;
}
