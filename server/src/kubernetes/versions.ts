import type { CostRules } from '../cel/cost.ts';

/** What differs in CEL: mostly the release of cel-go that a server is built with. */
export interface CelVersion {
  /** Names in backquotes: read, refused, or not even a token. */
  readonly quotedIdents: 'read' | 'refused' | 'unknown';
  /** The variable that comprehensions accumulate in. */
  readonly accumulator: '@result' | '__result__';
  /** A comprehension's variable must not have the accumulator's name. */
  readonly guardsAccumulator: boolean;
  /** A `%` in a syntax error is taken for a formatting verb. */
  readonly formatsTexts: boolean;
  /** Places at the start of a line, and of an empty expression, are those of cel-go 0.20. */
  readonly oldTexts: boolean;
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
  /** The names `duration` and `timestamp` are values of those types instead of types. */
  readonly plainTypeNames: boolean;
  /** Comparing Kubernetes' own types has a cost of its own. */
  readonly pricesEquality: boolean;
  /** metadata.name and .generateName are at most 253 and 252 long. */
  readonly capsNames: boolean;
  /** A declared property that is null makes two objects unequal. */
  readonly nullsDiffer: boolean;
  /** The items of a set are told apart as the document has them: an integer in a set of numbers is like none. */
  readonly comparesRawSets: boolean;
  /** An optional that is read again holds what Go had for its value: without a schema, types as texts. */
  readonly rereadsOptionals: boolean;
  /** maxLength of an int-or-string counts in costs. */
  readonly intOrStringLength: boolean;
  readonly cost: CostRules;
}

/** What differs between Kubernetes releases, asked by name. Feature gates are at their defaults. */
export interface KubernetesVersion {
  /** Such as `1.37`. */
  readonly name: string;
  readonly minor: number;
  /** The minor whose CEL environment compiles new expressions: one below the server's. */
  readonly compatibility: number;

  /** The source line that names the scheme in "no kind is registered". */
  readonly schemeName: string;
  /** Decoding errors inside `items` and `additionalProperties` name the whole path, not only its first part. */
  readonly decodeErrorsNameInnerPath: boolean;
  /** An unset creationTimestamp is stored as null. */
  readonly printsZeroCreationTimestamp: boolean;

  /** Values in errors print as JSON; before, as Go's %#v, and nil as a quoted `null`. */
  readonly jsonValues: boolean;
  /** "Too long: may not be more than N bytes"; before 1.32 "longer than N". */
  readonly tooLongSaysMoreThan: boolean;
  /** "1 byte", "1 item". */
  readonly singularUnits: boolean;
  /** Some texts no longer repeat the name of their field, or what "Required value" says already. */
  readonly omitsRepeatedField: boolean;
  /** "a valid label key" and "bytes" in label and annotation texts. */
  readonly labelKeyTexts: boolean;
  readonly storedVersionText: 'must appear' | 'missing';

  /** Unknown formats are warned about: not at all, on strings, on every type. */
  readonly unknownFormatWarnings: 'none' | 'strings' | 'all';
  /** A warning for lists of type set whose items are objects or lists. */
  readonly setItemWarnings: boolean;
  /** `k8s-short-name` and `k8s-long-name` are enforced on defaults. */
  readonly knowsNameFormats: boolean;
  /** And on values of custom resources. */
  readonly nameFormats: boolean;
  /** A format only acts on the type it belongs to, and numeric formats and ranges are enforced. */
  readonly typedFormats: boolean;
  /** A structural schema keeps `externalDocs` and `example`, which then count where nothing else may stand. */
  readonly structuralKeepsDocs: boolean;
  /** More than eight selectable fields are forgiven where they are unchanged. */
  readonly forgivesTooManySelectableFields: boolean;

  /** Owner references and managed fields are reported item by item. */
  readonly itemizedMetadata: boolean;
  /** The warning about a finalizer with a domain asks for a path as well. */
  readonly finalizerWarningNamesPath: boolean;
  /** The status endpoint forgives unchanged failures as the main one does. */
  readonly statusRatchets: boolean;
  /** A failed rule shows the scalar it judged, and no value for objects and lists. */
  readonly ruleErrorsShowValues: boolean;
  /** A host in a URL holds at most one colon. */
  readonly strictUrlColons: boolean;
  /** The status of a CRD carries the generation it was computed from. */
  readonly observedGeneration: boolean;

  readonly cel: CelVersion;
}

const cel131: CelVersion = {
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
};

const cel132: CelVersion = {
  ...cel131,
  oldTexts: false,
  formatCrashes: false,
  sharesCopies: false,
  plainTypeNames: false,
  pricesEquality: true,
};

const cel133: CelVersion = {
  ...cel132,
  untypedSecondVariable: false,
  formatsTexts: false,
  quotedIdents: 'refused',
  accumulator: '@result',
  guardsAccumulator: true,
  cost: { pricesGlobalMatches: false, tracksEntries: true, optionalScalars: true },
};

const cel134: CelVersion = { ...cel133, intOrStringLength: true, nullsDiffer: false };

const cel137: CelVersion = {
  ...cel134,
  quotedIdents: 'read',
  leadingDotIsGlobal: true,
  structNamesAreTypes: true,
  namesParameters: false,
  capsNames: true,
  comparesRawSets: false,
  rereadsOptionals: false,
  cost: { ...cel134.cost, pricesGlobalMatches: true },
};

const v131: KubernetesVersion = {
  name: '1.31',
  minor: 31,
  compatibility: 30,
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
  ruleErrorsShowValues: false,
  strictUrlColons: false,
  observedGeneration: false,
  cel: cel131,
};

const v132: KubernetesVersion = {
  ...v131,
  name: '1.32',
  minor: 32,
  compatibility: 31,
  tooLongSaysMoreThan: true,
  finalizerWarningNamesPath: true,
  cel: cel132,
};

const v133: KubernetesVersion = {
  ...v132,
  name: '1.33',
  minor: 33,
  compatibility: 32,
  schemeName: 'pkg/runtime/scheme.go:110',
  storedVersionText: 'missing',
  statusRatchets: true,
  cel: cel133,
};

const v134: KubernetesVersion = {
  ...v133,
  name: '1.34',
  printsZeroCreationTimestamp: false,
  minor: 34,
  compatibility: 33,
  jsonValues: true,
  cel: cel134,
  singularUnits: true,
  omitsRepeatedField: true,
  unknownFormatWarnings: 'strings',
  knowsNameFormats: true,
};

const v135: KubernetesVersion = {
  ...v134,
  name: '1.35',
  schemeName: 'pkg/runtime/scheme.go:111',
  minor: 35,
  compatibility: 34,
  decodeErrorsNameInnerPath: true,
  labelKeyTexts: true,
  nameFormats: true,
  forgivesTooManySelectableFields: true,
  ruleErrorsShowValues: true,
  observedGeneration: true,
};

const v136: KubernetesVersion = {
  ...v135,
  name: '1.36',
  minor: 36,
  compatibility: 35,
  unknownFormatWarnings: 'all',
  typedFormats: true,
  structuralKeepsDocs: true,
  strictUrlColons: true,
};

const v137: KubernetesVersion = {
  ...v136,
  name: '1.37',
  minor: 37,
  compatibility: 36,
  setItemWarnings: true,
  itemizedMetadata: true,
  cel: cel137,
};

/** All that are known, newest first. */
export const kubernetesVersions: readonly KubernetesVersion[] = [v137, v136, v135, v134, v133, v132, v131];

export const newestVersion: KubernetesVersion = v137;

const byName = new Map(kubernetesVersions.map((version) => [version.name, version]));

/** The row of a version such as `1.34`, or undefined for one we know nothing of. */
export function kubernetesVersion(name: string): KubernetesVersion | undefined {
  return byName.get(name);
}
