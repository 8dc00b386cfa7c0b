import { intDurations } from '../../cel/libraries/conversions.ts';
import { optionals } from '../../cel/libraries/optionals.ts';
import { sets } from '../../cel/libraries/sets.ts';
import { standard } from '../../cel/libraries/standard.ts';
import { join, stringFormat, strings } from '../../cel/libraries/strings.ts';
import { optionalMacros, standardMacros } from '../../cel/macros.ts';
import { authorization, authorizationSelectors } from '../cel/libraries/authorization.ts';
import { namedFormats } from '../cel/libraries/formats.ts';
import { lists } from '../cel/libraries/lists.ts';
import { cidrs, ips } from '../cel/libraries/network.ts';
import { quantities } from '../cel/libraries/quantities.ts';
import { regex } from '../cel/libraries/regex.ts';
import { cidrType, ipType } from '../cel/libraries/types.ts';
import { unsizedUrls } from '../cel/libraries/urls.ts';
import type { KubernetesVersion } from './release.ts';

/** The oldest release that is known: everything that later ones changed, as it was. */
export const v131: KubernetesVersion = {
  name: '1.31',
  compatibility: '1.30',
  schemeName: 'pkg/runtime/scheme.go:100',
  decodeErrorsNameInnerPath: false,
  printsZeroCreationTimestamp: true,
  jsonValues: false,
  tooLongSaysMoreThan: false,
  singularUnits: false,
  omitsRepeatedField: false,
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
  relaxedServiceNames: false,
  ruleErrorsShowValues: false,
  strictUrlColons: false,
  observedGeneration: false,
  matchResourcesField: 'matchResouces',
  staticNames: 'free',
  declaredAdmission: false,
  warnsOfExcludedResources: false,
  boundsDeviceSelectors: false,
  exactDeviceRequests: false,
  sharedDevices: false,
  accessSelectors: false,
  cel: {
    additions: [
      { since: '1.25', libraries: [({ cel }) => standard(cel), regex], macros: standardMacros },
      { since: '1.25', libraries: [lists] },
      { since: '1.25', libraries: [({ cel }) => strings(cel), join] },
      { since: '1.25', libraries: [intDurations] },
      { since: '1.25', libraries: [unsizedUrls] },
      { since: '1.27', libraries: [authorization] },
      { since: '1.28', libraries: [optionals, quantities], macros: optionalMacros, features: ['optionals'] },
      { since: '1.29', libraries: [({ cel }) => stringFormat(cel), sets], features: ['validators'] },
      { since: '1.30', libraries: [ips, cidrs], types: [ipType, cidrType] },
      { since: '1.31', libraries: [namedFormats, authorizationSelectors], features: ['keywordFields'] },
    ],
    quotedIdents: 'unknown',
    accumulator: '__result__',
    guardsAccumulator: false,
    formatsTexts: true,
    celGo020Positions: true,
    pricesEquality: false,
    formatCrashes: true,
    sharesCopies: true,
    leadingDotIsGlobal: false,
    structNamesAreTypes: false,
    untypedSecondVariable: true,
    namesParameters: true,
    plainTypeNames: true,
    namesWrongType: false,
    capsNames: false,
    pricesSemver: false,
    intOrStringLength: false,
    nullsDiffer: true,
    comparesRawSets: true,
    reboxesOptionals: true,
    orPassesNonOptionals: true,
    eagerAccumulators: true,
    ignoresRangeErrors: true,
    formatPointers: true,
    valueTypes: 'unnamed',
    celGo029Prices: false,
    formatsZoneErrors: true,
    spacedExponents: true,
    strictOffsets: true,
    strictEmpty: true,
    emptyAnywhere: true,
    limitsRange: false,
    wrapsNegativeDepth: true,
    cost: { tracksEntries: false, optionalScalars: false },
  },
};
