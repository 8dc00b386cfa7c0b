import type { CelBehaviour } from './environment.ts';
import type { CostRules } from './estimate.ts';
import type { EvalRules } from './eval/implementation.ts';
import type { ListOptions } from './libraries/lists.ts';
import type { StandardOptions } from './libraries/standard.ts';
import type { StringOptions } from './libraries/strings.ts';

/** The newest cel-go that is known, for those who want CEL and nothing of Kubernetes. */
export const newestOptions: CelBehaviour &
  StandardOptions &
  StringOptions &
  ListOptions & { readonly cost: CostRules } = {
  quotedIdents: 'read',
  accumulator: '@result',
  guardsAccumulator: true,
  formatsTexts: false,
  celGo020Positions: false,
  formatCrashes: false,
  sharesCopies: false,
  leadingDotIsGlobal: true,
  structNamesAreTypes: true,
  untypedSecondVariable: false,
  namesParameters: false,
  pricesEquality: true,
  valueTypes: 'parametrised',
  celGo029Prices: true,
  formatsZoneErrors: false,
  spacedExponents: false,
  strictOffsets: false,
  strictEmpty: false,
  emptyAnywhere: false,
  limitsRange: true,
  wrapsNegativeDepth: false,
  cost: { tracksEntries: true, optionalScalars: true },
};

export const newestRules: EvalRules = {
  orPassesNonOptionals: false,
  reboxOptional: undefined,
  eagerAccumulators: false,
  ignoresRangeErrors: false,
  valueTypes: 'parametrised',
};
