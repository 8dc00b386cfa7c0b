import type { Range } from '../../base/text.ts';
import type { Severity } from '../../workspace/settings.ts';
import type { FetchSource } from '../../workspace/sources/lock.ts';

/** Another place that a diagnostic refers to. */
export interface Related {
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
}

/** What a person sees: a worded finding at its place in a file, in offsets. */
export interface Diagnostic {
  /** The rule's code, such as `crd/type-required`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: Range;
  readonly related: readonly Related[];
  /** The place has no effect and can be shown faded. */
  readonly unnecessary: boolean;
  /** Distinguishes this diagnostic from others with its code in the same document; fixes are requested by it. */
  readonly key: string;
  /** The Kubernetes versions that it is true of, where not of all that the file is judged for. */
  readonly kubernetes?: readonly string[];
}

/** A change of text: the range is replaced with the new text. */
export interface TextEdit {
  readonly range: Range;
  readonly text: string;
}

/** A marker for controller-gen, and what it belongs above in the Go source. */
export interface Marker {
  readonly text: string;
  /** A field as JSON names it, or the type of the kind. */
  readonly on: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The fix is what anyone would do: it may be applied without looking, and to all of its kind at once. */
  readonly safe: boolean;
}

/** What settles a problem outside of the document: a file or folder to name, a kind to note, a place to fetch from. */
export interface Ask {
  readonly title: string;
  readonly ask: 'name-crds' | 'known-kind' | 'copy' | 'fetch';
  /** What the settings take in, or what is copied; absent where the user is asked. */
  readonly about?: string;
  /** What is fetched from; without a context, the user is asked for one. */
  readonly source?: FetchSource | { readonly from: 'cluster' };
}
