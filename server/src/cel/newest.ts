import type { CelBehaviour, CelParts } from './environment.ts';
import type { CostRules } from './estimate.ts';
import type { EvalRules } from './eval/implementation.ts';
import { mapInsert } from './libraries/comprehensions.ts';
import { type ListOptions, lists } from './libraries/lists.ts';
import { newerOptionals, optionals } from './libraries/optionals.ts';
import { sets } from './libraries/sets.ts';
import { type StandardOptions, standard } from './libraries/standard.ts';
import { join, type StringOptions, stringFormat, strings } from './libraries/strings.ts';
import { optionalMacros, sortByMacro, standardMacros, twoVariableMacros } from './macros.ts';

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

/** The language with all of cel-go's own libraries that are known. */
export const everything: CelParts = {
  libraries: [
    standard(newestOptions),
    strings(newestOptions),
    join,
    stringFormat(newestOptions),
    optionals,
    newerOptionals,
    sets,
    mapInsert,
    lists(newestOptions),
  ],
  macros: [...standardMacros, ...optionalMacros, ...twoVariableMacros, sortByMacro],
  types: [],
  optionals: true,
  validators: true,
};

export const newestRules: EvalRules = {
  orPassesNonOptionals: false,
  reboxOptional: undefined,
  eagerAccumulators: false,
  ignoresRangeErrors: false,
  valueTypes: 'parametrised',
};
