import { divideU64, minU64, wrappingAddU64, wrappingMultiplyU64 } from '../../base/u64.ts';
import { type Estimator, knownSize } from '../cost.ts';
import { add, multiply, oneUnit, type Range, scale } from '../range.ts';

const stringFactor = 0.1;
const regexFactor = 0.25;

const traverse = (size: Range) => scale(size, stringFactor);

/** One walk over the target. */
export const walkTarget: Estimator = ({ target, model }) => ({ cost: traverse(knownSize(target!, model)) });

/** One walk over the first argument. */
export const walkArgument: Estimator = ({ args, model }) => ({ cost: traverse(knownSize(args[0]!, model)) });

/** A character takes up to four bytes. */
export const encode: Estimator = ({ args, model }) => {
  const size = knownSize(args[0]!, model);
  return { cost: traverse(size), size: { min: size.min, max: wrappingMultiplyU64(size.max, 4) } };
};

export const decode: Estimator = ({ args, model }) => {
  const size = knownSize(args[0]!, model);
  return { cost: traverse(size), size: { min: divideU64(size.min, 4), max: size.max } };
};

/** Every character may need a backslash. */
export const quoting: Estimator = ({ args, model }) => {
  const size = knownSize(args[0]!, model);
  const max = wrappingAddU64(wrappingMultiplyU64(size.max, 2), 2);
  return { cost: traverse(size), size: { min: wrappingAddU64(size.min, 2), max } };
};

const joined: (isList: boolean) => Estimator =
  (isList) =>
  ({ args, model }) => {
    const size = add(knownSize(args[0]!, model), knownSize(args[1]!, model));
    return { cost: isList ? oneUnit : traverse(size), size, keepsItems: true };
  };

export const concatenate = joined(false);
export const concatenateLists = joined(true);

/** Comparing takes as long as the shorter side, and equality of anything with a size at least 1. */
export const compare: Estimator = ({ args, model, call }) => {
  const own = call.name === '_==_' ? model.equality(args[0]!, args[1]!) : undefined;
  if (own) return own;
  const shorter = minU64(knownSize(args[0]!, model).max, knownSize(args[1]!, model).max);
  return { cost: traverse({ min: shorter > 0 ? 1 : 0, max: shorter }) };
};

export const searchList: Estimator = ({ args, model }) => ({ cost: scale(knownSize(args[1]!, model), 1) });

export const searchText: Estimator = ({ target, args, model }) => ({
  cost: multiply(traverse(knownSize(target!, model)), traverse(knownSize(args[0]!, model))),
});

/** Text times pattern; one is added to the text, so that a pattern against the empty string still costs. */
export function regexCost(text: Range, pattern: Range): Range {
  return multiply(traverse(add(text, oneUnit)), scale(pattern, regexFactor));
}

export const matchTarget: Estimator = ({ target, args, model }) => ({
  cost: regexCost(knownSize(target!, model), knownSize(args[0]!, model)),
});

export const matchArgument: Estimator = ({ args, model }) =>
  model.rules.pricesGlobalMatches
    ? { cost: regexCost(knownSize(args[0]!, model), knownSize(args[1]!, model)) }
    : undefined;
