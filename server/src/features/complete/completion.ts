import type { Range } from '../../base/text.ts';
import type { Markdown } from '../words/markdown.ts';

export type CompletionKind = 'field' | 'value' | 'keyword' | 'snippet' | 'kind' | 'function' | 'variable';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** One line beside the label, such as the type. */
  readonly detail?: string;
  readonly documentation?: Markdown;
  readonly range: Range;
  readonly text: string;
  readonly snippet: boolean;
  /** Completions are shown in the order of these. */
  readonly order: string;
  readonly deprecated?: boolean;
  readonly preselect?: boolean;
  /** What is typed for it, where that is not its label. */
  readonly typed?: string;
}
