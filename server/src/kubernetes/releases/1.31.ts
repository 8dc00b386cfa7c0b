import { optionals } from '../../cel/ext/optionals.ts';
import { sets } from '../../cel/ext/sets.ts';
import { join, stringFormat, strings } from '../../cel/ext/strings.ts';
import { optionalMacros, standardMacros } from '../../cel/macros.ts';
import { intDurations } from '../../cel/stdlib/functions.ts';
import { standardLibrary } from '../../cel/stdlib/standard.ts';
import { authorization, authorizationSelectors } from '../cel/libraries/authorization.ts';
import { lists } from '../cel/libraries/lists.ts';
import { cidrs, ips } from '../cel/libraries/network.ts';
import { namedFormats, regex, unsizedUrls } from '../cel/libraries/text.ts';
import { cidrType, ipType } from '../cel/libraries/types.ts';
import { quantities } from '../cel/libraries/values.ts';
import type { KubernetesVersion } from './release.ts';

/** The oldest release that is known: everything that later ones changed, as it was. */
export const v131: KubernetesVersion = {
  name: '1.31',
  minor: 31,
  compatibility: '1.30',
  schemeName: 'pkg/runtime/scheme.go:100',
  decodeErrorsNameInnerPath: false,
  printsZeroCreationTimestamp: true,
  jsonValues: false,
  tooLongSaysMoreThan: false,
  singularUnits: false,
  shortTexts: false,
  labelKeyTexts: false,
  storedVersionText: 'must appear',
  unknownFormatWarnings: 'none',
  setItemWarnings: false,
  knowsNameFormats: false,
  nameFormats: false,
  typedFormats: false,
  structuralKeepsDocs: false,
  forgivesTooManySelectableFields: false,
  itemizedMetadata: false,
  finalizerWarningNamesPath: false,
  statusRatchets: false,
  ruleErrorsShowValues: false,
  strictUrlColons: false,
  observedGeneration: false,
  cel: {
    additions: [
      { since: '1.25', libraries: [standardLibrary, regex], macros: standardMacros },
      { since: '1.25', libraries: [lists] },
      { since: '1.25', libraries: [strings, join] },
      { since: '1.25', libraries: [intDurations] },
      { since: '1.25', libraries: [unsizedUrls] },
      { since: '1.27', libraries: [authorization] },
      { since: '1.28', libraries: [optionals, quantities], macros: optionalMacros, features: ['optionals'] },
      { since: '1.29', libraries: [stringFormat, sets], features: ['validators'] },
      { since: '1.30', libraries: [ips, cidrs], types: [ipType, cidrType] },
      { since: '1.31', libraries: [namedFormats, authorizationSelectors], features: ['keywordFields'] },
    ],
    quotedIdents: 'unknown',
    accumulator: '__result__',
    guardsAccumulator: false,
    formatsTexts: true,
    oldTexts: true,
    formatCrashes: true,
    sharesCopies: true,
    leadingDotIsGlobal: false,
    structNamesAreTypes: false,
    untypedSecondVariable: true,
    namesParameters: true,
    plainTypeNames: true,
    pricesEquality: false,
    capsNames: false,
    intOrStringLength: false,
    nullsDiffer: true,
    comparesRawSets: true,
    rereadsOptionals: true,
    cost: { pricesGlobalMatches: false, tracksEntries: false, optionalScalars: false },
  },
};
