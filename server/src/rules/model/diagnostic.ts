import type { Range } from '../../base/text.ts';
import type { DocumentPath } from '../../base/value.ts';
import type { Severity } from '../../workspace/settings.ts';
import type { FetchSource } from '../../workspace/sources/lock.ts';
import type { Says } from './says.ts';

/** Another place that a diagnostic refers to. */
export interface Related {
  readonly uri: string;
  readonly range: Range;
  readonly message: string;
}

/**
 * Which problem of a file a diagnostic is about, by what it is one of: a document that begins somewhere, in one of the
 * versions that it is judged for; the markers of a Go file; a generated CRD; the file itself, of which nothing is asked.
 * Editors keep it, and send it back to have fixes computed.
 */
export type ProblemKey =
  | { readonly of: 'document'; readonly start: number; readonly nth: number; readonly version?: string }
  | { readonly of: 'markers'; readonly nth: number }
  | { readonly of: 'crd'; readonly name: string }
  | { readonly of: 'file' };

/** What a problem is asked for by. */
export interface ProblemId {
  /** The rule's code, such as `crd/type-required`. */
  readonly code: string;
  readonly key: ProblemKey;
}

export function isSameProblem(a: ProblemId, b: ProblemId): boolean {
  const [one, other] = [a.key, b.key].map((key) => new Map<string, unknown>(Object.entries(key)));
  return (
    a.code === b.code && one!.size === other!.size && [...one!].every(([name, value]) => other!.get(name) === value)
  );
}

/** What a person sees: a worded finding at its place in a file, in offsets. */
export interface Diagnostic extends ProblemId {
  readonly severity: Severity;
  readonly message: string;
  readonly range: Range;
  readonly related: readonly Related[];
  /** The place has no effect and can be shown faded. */
  readonly unnecessary: boolean;
  /**
   * What is said, and where in its document that is: without these it is of the file as a whole. `listed` stands for it where
   * a log lists all of its rule in one line. `whole` is the map or list that it is about, where the range is its key.
   */
  readonly about?: {
    readonly words: string;
    readonly path: DocumentPath;
    readonly listed?: string;
    readonly whole?: Range;
  };
  /** The object and the path in it, where that is in no file as such. */
  readonly place?: string;
  /** The Kubernetes versions that it is true of, where not of all that the file is judged for. */
  readonly kubernetes?: readonly string[];
  /** What it says, in parts: whoever decides something by a finding asks these. */
  readonly says: Says;
}

/** A finding as whoever decides something by it has it: its words are for people, and change. */
export type Wordless = Omit<Diagnostic, 'message' | 'about'> & {
  readonly about?: Omit<NonNullable<Diagnostic['about']>, 'words'>;
};

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

/** The fields that a finding says are missing. */
export function fieldsMissing({ says }: Pick<Diagnostic, 'says'>): readonly string[] {
  return says.required ?? [];
}
