import type { CelBehaviour } from '../../cel/environment.ts';
import type { CostRules } from '../../cel/estimate.ts';
import type { ListOptions } from '../../cel/libraries/lists.ts';
import type { StandardOptions } from '../../cel/libraries/standard.ts';
import type { StringOptions } from '../../cel/libraries/strings.ts';
import type { Macro } from '../../cel/macros.ts';
import type { Library } from '../../cel/overload.ts';
import type { CelType } from '../../cel/types.ts';

/** What an environment for expressions has beside functions, macros and types. */
export type CelFeature =
  /** Optional values, and comparisons of numbers of different types. */
  | 'optionals'
  /** Written arguments of duration(), timestamp(), matches() and format() are checked. */
  | 'validators'
  /** A reserved word finds the field that is escaped for it. */
  | 'keywordFields';

/** A library, or how it depends on the release. */
export type Family = Library | ((kubernetes: KubernetesVersion) => Library);

/** What came to the environment of expressions with one release. */
export interface CelAddition {
  /** The release, such as `1.28`. New rules can use it from the next one on, stored ones at once. */
  readonly since: string;
  /** The first release whose environment no longer has it, or has it elsewhere. */
  readonly before?: string;
  readonly libraries?: readonly Family[];
  readonly macros?: readonly Macro[];
  /** Types whose names are values. */
  readonly types?: readonly CelType[];
  readonly features?: readonly CelFeature[];
}

/**
 * What differs in CEL: mostly the release of cel-go that a server is built with. What its families of functions do
 * differently is documented with them, in `cel/libraries`.
 */
export interface CelVersion extends CelBehaviour, StandardOptions, StringOptions, ListOptions {
  /** What its server knows, oldest first: environments of older releases are built from it as well. */
  readonly additions: readonly CelAddition[];
  /** The names `duration` and `timestamp` are values of those types instead of types. */
  readonly plainTypeNames: boolean;
  /** Of a policy's expression that has the wrong type it is said which one it has. */
  readonly namesWrongType: boolean;
  /** metadata.name and .generateName are at most 253 and 252 long. */
  readonly capsNames: boolean;
  /** A declared property that is null makes two objects unequal. */
  readonly nullsDiffer: boolean;
  /** The items of a set are told apart as the document has them: an integer in a set of numbers is like none. */
  readonly comparesRawSets: boolean;
  /** An optional that is read again holds what Go had for its value: without a schema, types as texts. */
  readonly reboxesOptionals: boolean;
  /** `or` and `orValue` hand on what is not an optional. */
  readonly orPassesNonOptionals: boolean;
  /** Accumulators of comprehensions are made before they are asked for. */
  readonly eagerAccumulators: boolean;
  /** A comprehension over two variables does not look for an error in its range. */
  readonly ignoresRangeErrors: boolean;
  /** A named format is a pointer in Go, which tells each from any other. */
  readonly formatPointers: boolean;
  /** What semver's functions cost is known. */
  readonly pricesSemver: boolean;
  /** maxLength of an int-or-string counts in costs. */
  readonly intOrStringLength: boolean;
  readonly cost: CostRules;
}

/** What differs between Kubernetes releases, asked by name. Feature gates are at their defaults. */
export interface KubernetesVersion {
  /** Such as `1.37`. */
  readonly name: string;
  /** The release whose CEL environment compiles new expressions: the one before. */
  readonly compatibility: string;

  /** The source line that names the scheme in "no kind is registered". */
  readonly schemeName: string;
  /**
   * Decoding errors inside `items` and `additionalProperties` name the whole path, not only its first part, and so
   * do those in structs without a name in JSON.
   */
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
  /** Names of Services may begin with a digit. */
  readonly relaxedServiceNames: boolean;
  /** A failed rule shows the scalar it judged, and no value for objects and lists. */
  readonly ruleErrorsShowValues: boolean;
  /** A host in a URL holds at most one colon. */
  readonly strictUrlColons: boolean;
  /** The status of a CRD carries the generation it was computed from. */
  readonly observedGeneration: boolean;

  /** A binding's matchResources, as errors name it. */
  readonly matchResourcesField: string;
  /** Names that end in .static.k8s.io, of policies and webhooks. */
  readonly staticNames: 'free' | 'warned' | 'refused';
  /** Policies and webhooks are validated by what their types declare too: what is said twice is merged. */
  readonly declaredAdmission: boolean;
  /** Rules of webhooks for requests that never reach webhooks give a warning. */
  readonly warnsOfExcludedResources: boolean;
  /** What selects devices is bounded in its length and cost. */
  readonly boundsDeviceSelectors: boolean;
  /** Errors name the selectors of device requests in `exactly`, those of older versions too. */
  readonly exactDeviceRequests: boolean;
  /** A device can be allocated to several requests. */
  readonly sharedDevices: boolean;
  /** Requests for access carry the selectors that they are limited to. */
  readonly accessSelectors: boolean;
  readonly cel: CelVersion;
}
