import type { Path } from '../base/value.ts';

/** Something in a file of ours, a config or tests, that means nothing. */
export interface Mistake {
  readonly message: string;
  readonly path: Path;
  readonly part: 'key' | 'value';
  /** The names that could be meant. */
  readonly known: readonly string[];
}
