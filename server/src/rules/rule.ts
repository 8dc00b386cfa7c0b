import type { Range } from '../base/text.ts';
import type { DocumentPath, Value } from '../base/value.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Manifest } from '../workspace/manifest.ts';
import type { Severity } from '../workspace/settings.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import type { Fix } from './diagnostic.ts';

/** What an engine found, on its way to a person. Ranges are offsets in the document. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly range: Range;
  readonly document: YamlDocument;
  readonly manifest?: Manifest | undefined;
  /** Where in the manifest; empty for problems of the text. */
  readonly path: DocumentPath;
  readonly facts?: unknown;
  /** The API server's own name of the place, where a reader of the document would not know it again. */
  readonly field?: string | undefined;
  /** The Kubernetes version that judged; the newest where it is not given. */
  readonly kubernetes?: KubernetesVersion | undefined;
  /** Set where the rule's own severity does not fit this case. */
  readonly severity?: Severity;
  readonly unnecessary?: boolean;
  /** What the committed object has at the path, where the update may not change it. */
  readonly restores?: { readonly ref: string; readonly value: Value };
  readonly related?: readonly RelatedProblem[];
}

export interface RelatedProblem {
  /** The file's, and the range is in it; without one the range is in the problem's own document. */
  readonly uri?: string;
  readonly range: Range;
  readonly message: string;
}

/** What fixes a problem; edits are in the document's offsets. */
export type MakeFixes = (problem: Problem) => readonly Fix[];

/** All there is to know about one code: how severe it is, what it means, examples that are run as tests, and its fix. */
export interface Rule<Code extends string = string> {
  readonly code: Code;
  /** `off` where the rule has to be asked for. */
  readonly severity: Severity | 'off';
  /** What is wrong, in one line. */
  readonly title: string;
  /** Why the API server (or we) object, and what to do, as one would tell a colleague. Markdown. */
  readonly explanation: string;
  /** YAML that gives exactly this code, and YAML that gives nothing, in the notation of the Markdown suites. */
  readonly bad: string;
  readonly good: string;
  /** The examples are two documents: the object that is stored, and the one that replaces it. */
  readonly onUpdate?: true;
  /** Other codes that the wrong example cannot help giving. */
  readonly along?: readonly string[];
  /** The problem needs more than one document holds: why the wrong example shows it and no test can give it. */
  readonly notShown?: string;
  readonly fixes?: MakeFixes;
}

/** Lets TypeScript check a rule while its code keeps its literal type. */
export function rule<const R extends Rule>(row: R): R {
  return row;
}

type Sibling = Omit<Rule, 'code' | 'severity'> & { readonly severity?: Severity | 'off' };

/** Small rules of one family, by code; errors unless they say otherwise. */
export function family<const Rows extends Readonly<Record<string, Sibling>>>(
  rows: Rows,
): { readonly [Code in keyof Rows & string]: Rule<Code> } {
  const entries = Object.entries<Sibling>(rows).map(([code, row]) => [code, { severity: 'error', ...row, code }]);
  return Object.fromEntries(entries);
}
