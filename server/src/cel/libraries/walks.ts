import { type Estimator, knownSize, nodeSize } from '../estimate.ts';
import { walk } from '../eval/costs.ts';
import { actualSize } from '../eval/size.ts';
import type { Price } from '../overload.ts';
import { regexFactor, stringFactor } from '../prices.ts';
import { add, multiply, oneUnit, type Range, scale } from '../range.ts';

/** The worst case of walking over so much text. */
export const traverse = (size: Range): Range => scale(size, stringFactor);

/** One walk over the target. */
export const walkTarget: Price = {
  estimate: ({ target, model }) => ({ cost: traverse(knownSize(target!, model)) }),
  cost: (a) => walk(a),
  paidFirst: true,
};

/** One walk over the only argument; `size` says how large the result is. */
export function walkArgument(size: (text: Range) => Range): Price {
  return {
    estimate: ({ args, model }) => {
      const text = knownSize(args[0]!, model);
      return { cost: traverse(text), size: size(text) };
    },
    cost: (a) => walk(a),
    paidFirst: true,
  };
}

/** Kubernetes' price of so many walks over what a function is called on, or else over its first argument. */
export function walks(times: number, estimate: Estimator = argumentWalks(times)): Price {
  return { estimate, cost: (a) => Math.ceil(actualSize(a) * times * stringFactor), paidFirst: true };
}

function argumentWalks(times: number): Estimator {
  return ({ args, model }) =>
    args.length === 0 ? undefined : { cost: scale(nodeSize(args[0]!, model), times * stringFactor) };
}

/**
 * The worst case of searching for a pattern; one is added to the text, so that a pattern against the empty string still
 * costs. What a search came to is `regexWalk`.
 */
export function regexCost(text: Range, pattern: Range): Range {
  return multiply(traverse(add(text, oneUnit)), scale(pattern, regexFactor));
}
