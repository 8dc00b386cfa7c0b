import type { Aside, ErrorType } from '../../kubernetes/finding.ts';

/**
 * What a finding says, in parts, for whoever decides something by it: its words are for people. Each is set where the finding is made, and
 * goes with it to the end.
 */
export interface Says extends Aside {
  /** What the API server has against a field. */
  readonly error?: SaidError;
  /** The fields that are missing, as the server names them, where that is what the finding begins with. */
  readonly required?: readonly string[];
  /** Names that it shows in backticks. */
  readonly names?: readonly string[];
  /** A key that nothing knows: the way to it, and whether another one may be meant. */
  readonly unknown?: { readonly field: string; readonly isMisspelled: boolean };
  /** A kind in a version that is not served, and the versions that are, where it names them. */
  readonly unserved?: Unserved;
  /** Versions that it names and that are not stable, such as `v1beta1`. */
  readonly versions?: readonly string[];
  /** Why a value cannot be decoded: another type is there. */
  readonly undecoded?: { readonly found: string; readonly wanted: string; readonly isInStruct: boolean };
  /** What is of another type than is wanted, and the boolean that is there instead. */
  readonly mistyped?: { readonly field?: string; readonly wanted?: string; readonly boolean?: boolean };
  /** A field that a rule reads although it may be missing. */
  readonly unread?: string;
  /** The marker in the Go source that it is about. */
  readonly marker?: string;
  /** A mutating webhook may add what is missing. */
  readonly isLeftToWebhook?: true;
  /** Another CRD that is as near to the object does not say so. */
  readonly isOfOneCrd?: true;
  /** Why a kustomization cannot be built: the file that is missing, or that a file is not YAML. */
  readonly missingFile?: string;
  readonly isNoYaml?: true;
  /** It has nothing to build. */
  readonly isEmptyBuild?: true;
  /** A patch is for what has another value of a label than all that is here. */
  readonly isForOtherValue?: true;
  /** A schema of values is in another file. */
  readonly isElsewhere?: true;
  /** The version of a chart that Helm refuses. */
  readonly chartVersion?: string;
  /** Why a template is not rendered. */
  readonly failed?: FailedFor;
  /** The action in another file of templates that has printed the text that it is about, by its place. */
  readonly printedBy?: string;
  /** The action of a template that has printed the key that it is about, by its place. */
  readonly printedAt?: string;
  /** The values that it holds with. */
  readonly under?: Under;
}

export interface SaidError {
  readonly type: ErrorType;
  readonly field: string;
  /** The value, as the server shows it, and what it says of that. */
  readonly shown?: string;
  readonly detail?: string;
  /** It says no more than of which sort it is. */
  readonly isBare?: true;
  /** The message begins with it, and not with a plain line or the place. */
  readonly isFirst: boolean;
}

export interface Unserved {
  readonly kind: string;
  readonly apiVersion: string;
  readonly served?: readonly string[];
  /** Kubernetes has the kind no more, in any version. */
  readonly isGone?: true;
}

export interface FailedFor {
  /** The chart itself says so, by `fail` or `required`. */
  readonly isWished: boolean;
  /** A template that is not there. */
  readonly template?: string;
  /** What Helm says, with templates named as in their own chart: one that takes that chart says the same of them. */
  readonly words: string;
  /** What it comes of, which may be a helper that several templates call. */
  readonly cause: string;
}

export interface Under {
  /** What is said without these values. */
  readonly words: string;
  /** The file of values, where nothing else was given or made up. */
  readonly values?: string;
  /** Nobody wrote all of these values. */
  readonly isMadeUp: boolean;
  /** Many charts in the chart are turned on, which are others for each of them. */
  readonly isOfManyCharts: boolean;
}

/** What the server refuses a value for, from the value on; undefined where no value is refused. */
export function refusal({ error }: Says): string | undefined {
  if (error?.shown === undefined || !refuses.has(error.type)) return undefined;
  return error.detail === undefined ? error.shown : `${error.shown}: ${error.detail}`;
}

const refuses: ReadonlySet<ErrorType> = new Set<ErrorType>([
  ...(['FieldValueInvalid', 'FieldValueTypeInvalid', 'FieldValueNotSupported'] as const),
]);

/** The value that is refused, as the server shows it, where nothing is said before that. */
export function refusedFirst({ error }: Says): string | undefined {
  const isInvalid = error?.type === 'FieldValueInvalid' || error?.type === 'FieldValueTypeInvalid';
  return isInvalid && error.isFirst ? error.shown : undefined;
}

/** The names that a message has in backticks. */
export function namesIn(message: string): Pick<Says, 'names'> {
  const names = Array.from(message.matchAll(/`([\w-]{1,100})`/g), ([, name]) => name!);
  return names.length === 0 ? {} : { names };
}
