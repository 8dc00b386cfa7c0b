import type { Path, Value } from '../base/value.ts';

/** Something in a file of ours, a config or tests, that means nothing. */
export interface Mistake {
  readonly message: string;
  readonly path: Path;
  readonly part: 'key' | 'value';
  /** The names that could be meant. */
  readonly known: readonly string[];
  /** Set where there was too much: what it is about is left out, and the rest holds. */
  readonly leftOut?: true;
  /** What the map there lacks, with the values that it may have. */
  readonly lacks?: { readonly key: string; readonly values: readonly Value[] };
}
