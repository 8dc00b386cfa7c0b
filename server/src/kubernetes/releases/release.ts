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

/** What differs in what is warned of in objects of built-in kinds. */
export interface BuiltinWarnings {
  /**
   * Addresses that are not written as they should be: of Services alone, and in other words, or everywhere, as what will be
   * invalid or as what is.
   */
  readonly addresses: 'early' | 'future' | 'invalid';
  /** What is said of a volume that is a Git repository. */
  readonly gitRepo: string;
  /** Files of a volume that are in each other's place; one release repeats those of the source before. */
  readonly overlappingPaths: 'unknown' | 'repeats' | 'compared';
  /** Values of labels that nodes should have, and cannot. */
  readonly preferredValues: boolean;
  /** Names of ports that several containers have. */
  readonly portNames: boolean;
  /** How many revisions a StatefulSet keeps. */
  readonly revisions: boolean;
  /** An annotation of a template counts for nothing beside the same profile alone. */
  readonly comparesAppArmor: boolean;
  /** Fields that have no effect on a Service without an address. */
  readonly headless: boolean;
  readonly preferClose: boolean;
  readonly externalIPs: boolean;
  /** Requests above their limits in a quota. */
  readonly quotas: boolean;
  readonly mountableSecrets: boolean;
}

/** What differs in how objects of built-in kinds are validated. Fields behind a feature that is off are dropped. */
export interface BuiltinVersion {
  /** Names of environment variables may have all that can be printed but `=`. */
  readonly relaxedEnvironmentNames: boolean;
  /** Variables can be read from files. */
  readonly environmentFiles: boolean;
  /** A profile for AppArmor is noted in an annotation of a pod for each of its containers. */
  readonly notesAppArmor: boolean;
  /** Addresses may not have leading zeros, nor ranges bits behind their prefix. */
  readonly strictAddresses: boolean;
  /** Domains that names are searched in may have underscores, and may be a dot; an error shows that pattern or the strict one. */
  readonly relaxedSearches: 'shown' | 'shownStrict' | undefined;
  readonly podLevelResources: boolean;
  readonly hostnameOverride: boolean;
  /** Pods with users of their own may not use devices. */
  readonly refusesDevicesOfUsers: boolean;
  /** Containers that say when they start again. */
  readonly restartRules: 'refused' | 'dropped' | 'validated';
  readonly restartsAllContainers: boolean;
  /** Who may say how it is resized: nobody, containers, or sidecars as well. */
  readonly resizePolicy: 'dropped' | 'containers' | 'sidecars';
  /** A container may sleep for no time at all. */
  readonly sleepsZero: boolean;
  /** What the server says behind that, if it knows how. */
  readonly sleepHint: string;
  /** Containers have signals that stop them, which are dropped as long as their feature is off. */
  readonly stopSignals: boolean;
  /** Conditions of pods in the failure policy of a CronJob's template have a status by default. */
  readonly defaultsCronConditions: boolean;
  /** Where the resource of a metric of containers is not a name at all, it is shown as a text. */
  readonly plainMetricNames: boolean;
  /** Of images as volumes: whether there are any, and whether they need a reference. */
  readonly imageVolumes: 'dropped' | 'ofPods' | 'referenced';
  readonly trustBundles: boolean;
  readonly podCertificates: boolean;
  readonly supplementalGroupsPolicy: boolean;
  /** What SELinux may be told of changes; nothing where that is dropped. */
  readonly linuxChangePolicies: readonly string[];
  /** Where errors find that a pod shares its processes. */
  readonly sharedProcesses: 'spec' | 'securityContext';
  readonly resizePolicyText: string;
  readonly procMount: boolean;
  /** The values that nodes have to have are validated. */
  readonly nodeAffinityValues: boolean;
  readonly matchLabelKeys: boolean;
  /** The keys of a topology spread become a part of its selector. */
  readonly mergesSpreadKeys: boolean;
  /** Operators that compare numbers are named among those of tolerations. */
  readonly comparesTaints: 'unknown' | 'named';
  readonly volumeAttributes: boolean;
  readonly volumeAttributesQuota: boolean;
  /** StatefulSets validate the claims that they make, and the name of their service. */
  readonly statefulTemplates: boolean;
  readonly claimTemplates: boolean;
  readonly statefulServiceNames: boolean;
  readonly statefulUnavailable: 'dropped' | 'validated';
  readonly jobManagedBy: boolean;
  readonly trafficDistributions: readonly string[];
  /** The ranges of a load balancer that an annotation has are validated whatever the type is. */
  readonly rangesOfAnnotation: boolean;
  readonly mostSlicePorts: number;
  /** Nothing is said of the endpoints of a slice that stay as they are. */
  readonly keepsEndpoints: boolean;
  readonly ingressServiceNames: 'labels' | 'dns1035';
  readonly scalesToZero: boolean;
  readonly maxReplicasTexts: 'positive' | 'required';
  readonly scaleTargetVersions: boolean;
  readonly scalingTolerance: boolean;
  /** What is required is declared with the types, and said without a reason. */
  readonly declaresRequired: boolean;
  /** Which number an error about the end of a range of ports shows. */
  readonly endPortShows: 'port' | 'endPort';
  /** Pods can claim devices. */
  readonly resourceClaims: boolean;
  /** Addresses of slices are told by their family at once. */
  readonly sliceAddresses: 'ofFamily' | 'any';
  /** Pods can have users of their own. */
  readonly userNamespaces: boolean;
  readonly nodeHints: boolean;
  readonly warnings: BuiltinWarnings;
  /** Errors that read the same are said once. */
  readonly mergesErrors: boolean;
  /** What is said where a StatefulSet's fields change that it keeps; undefined where each is told of by itself. */
  readonly statefulSetKeeps: string | undefined;
  /** Whether changes of a StorageClass are forbidden, instead of invalid. */
  readonly forbidsClassChanges: boolean;
  /** Whether rules of types say what is immutable, which show no value. */
  readonly immutableIsDeclared: boolean;
  /** Whether an error about a toleration's operator shows all of the toleration. */
  readonly showsToleration: boolean;
  /** What is said where a binding is to be of another role. */
  readonly roleRefKept: string;
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
  /** A patch that cannot be made JSON is refused before anything else is looked at. */
  readonly transcodesPatches: boolean;
  /** Rules of webhooks for requests that never reach webhooks give a warning. */
  readonly warnsOfExcludedResources: boolean;
  /** What selects devices is bounded in its length and cost. */
  readonly boundsDeviceSelectors: boolean;
  /** Errors name the selectors of device requests in `exactly`, those of older versions too. */
  readonly exactDeviceRequests: boolean;
  /** A device can be allocated to several requests. */
  readonly sharedDevices: boolean;
  /** Claims and users are plain maps: whole numbers are ints, names are looked for as they are written, `in` and `size` work. */
  readonly plainClaims: boolean;
  /** The identifier of a token is among the extra of its user. */
  readonly namesCredentials: boolean;
  /** Requests for access carry the selectors that they are limited to. */
  readonly accessSelectors: boolean;
  readonly builtin: BuiltinVersion;
  readonly cel: CelVersion;
}
