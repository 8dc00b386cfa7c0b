import { type CelEnv, type Dialect, joinLibraries, rootsOf } from './env.ts';
import { standardTypes } from './libraries/standard.ts';
import type { Macro } from './macros.ts';
import type { Library } from './overload.ts';
import type { Syntax } from './syntax.ts';
import { type CelType, dynType, listOf, mapOf, opaqueType, optionalOf, typeOf, typeParam } from './types.ts';
import { wellKnownStructs } from './wellKnown.ts';

/** How releases of cel-go read and check: asked by name. */
export interface CelBehaviour {
  /** Names in backquotes: read, refused, or not even a token. */
  readonly quotedIdents: 'read' | 'refused' | 'unknown';
  /** The variable that comprehensions accumulate in. */
  readonly accumulator: '@result' | '__result__';
  /** A comprehension's variable must not have the accumulator's name. */
  readonly guardsAccumulator: boolean;
  /** A `%` in a syntax error is taken for a formatting verb. */
  readonly formatsTexts: boolean;
  /** Places at the start of a line, and of an empty expression, are those of cel-go 0.20. */
  readonly celGo020Positions: boolean;
  /** The server panics on format() where the format is not written out. */
  readonly formatCrashes: boolean;
  /** What optMap and optFlatMap repeat of their target must not have a type that is open. */
  readonly sharesCopies: boolean;
  readonly leadingDotIsGlobal: boolean;
  readonly structNamesAreTypes: boolean;
  /** The second variable of a comprehension over anything dynamic has no type. */
  readonly untypedSecondVariable: boolean;
  /** The names `list` and `map` have type parameters in texts. */
  readonly namesParameters: boolean;
}

/** What an environment knows beside the language itself. */
export interface CelParts {
  readonly libraries: readonly Library[];
  readonly macros: readonly Macro[];
  /** Types whose names are values. */
  readonly types: readonly CelType[];
  readonly optionals: boolean;
  readonly validators: boolean;
}

/** An environment without variables. */
export function environmentOf(behaviour: CelBehaviour, parts: CelParts): CelEnv {
  const { optionals } = parts;
  const functions = joinLibraries(parts.libraries);
  const named = parts.types.map((type): [string, CelType] => [type.name, typeOf(type)]);
  const idents = new Map([...typeNames(behaviour, optionals), ...named]);
  return {
    syntax: syntaxOf(behaviour, parts),
    dialect: dialectOf(behaviour, parts),
    functions,
    idents,
    structs: wellKnownStructs,
    qualified: {
      idents: rootsOf([...idents.keys(), 'google.protobuf', 'selfType.']),
      functions: rootsOf(functions.keys()),
    },
  };
}

function syntaxOf(behaviour: CelBehaviour, { macros, optionals }: CelParts): Syntax {
  return {
    macros: byName(macros),
    optionals,
    quotedIdents: behaviour.quotedIdents,
    accumulator: behaviour.accumulator,
    guardsAccumulator: behaviour.guardsAccumulator,
    formatsTexts: behaviour.formatsTexts,
    emptyHasColumn: behaviour.celGo020Positions,
    lineStartEndsLine: behaviour.celGo020Positions,
    lenientEscapes: behaviour.formatsTexts,
  };
}

function dialectOf(behaviour: CelBehaviour, { optionals, validators }: CelParts): Dialect {
  return {
    crossTypeComparisons: optionals,
    validators,
    formatValidator: validators,
    formatCrashes: validators && behaviour.formatCrashes,
    sharesCopies: behaviour.sharesCopies,
    leadingDotIsGlobal: behaviour.leadingDotIsGlobal,
    structNamesAreTypes: behaviour.structNamesAreTypes,
    untypedSecondVariable: behaviour.untypedSecondVariable,
  };
}

const bareOptional = opaqueType('optional_type');

/** The names of types, and of `list` and `map` with the parameters they have in texts. */
function typeNames({ namesParameters }: CelBehaviour, optionals: boolean): ReadonlyMap<string, CelType> {
  const names = new Map(standardTypes);
  if (optionals) names.set('optional_type', typeOf(namesParameters ? bareOptional : optionalOf(dynType)));
  if (!namesParameters) return names;
  const [a, b] = [typeParam('A'), typeParam('B')];
  return names.set('list', typeOf(listOf(a))).set('map', typeOf(mapOf(a, b)));
}

function byName(macros: readonly Macro[]): Map<string, Macro[]> {
  const named = new Map<string, Macro[]>();
  for (const macro of macros) named.set(macro.name, [...(named.get(macro.name) ?? []), macro]);
  return named;
}
