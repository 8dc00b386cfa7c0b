import type { CelParts } from './environment.ts';
import { mapInsert } from './libraries/comprehensions.ts';
import { lists } from './libraries/lists.ts';
import { newerOptionals, optionals } from './libraries/optionals.ts';
import { sets } from './libraries/sets.ts';
import { standard } from './libraries/standard.ts';
import { join, stringFormat, strings } from './libraries/strings.ts';
import { optionalMacros, sortByMacro, standardMacros, twoVariableMacros } from './macros.ts';
import { newestOptions } from './newestOptions.ts';

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
