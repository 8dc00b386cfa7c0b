import type { Origin } from '../origin.ts';

/** What tells the language of a file: an editor says it in words, elsewhere only the address is known. */
export interface FileName {
  readonly uri: string;
  readonly languageId?: string | undefined;
}

/** A file as it is in the editor. */
export interface OpenText extends FileName {
  readonly text: string;
  /** Where it comes from, unless it is one of the workspace. */
  readonly origin?: Origin | undefined;
}
