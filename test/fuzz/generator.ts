import type { Random } from '../support/random.ts';

/** A request of the oracle's protocol as plain JSON-like content (maps, bigints and raw JSON allowed). */
export type Ask = { readonly op: string; readonly [member: string]: unknown };

/** Makes requests of one kind: valid by construction first, then mutated. */
export interface Generator {
  readonly name: string;
  /** The oracle that is asked, where that is not the one of a Kubernetes release. */
  readonly oracle?: string;
  generate(random: Random): Ask;
  /** One request with all of these, for an oracle that takes long to begin; it answers each of them in `answers`. */
  together?(asks: readonly Ask[]): Ask;
  /** Smaller requests, where not every cut into a text makes sense. */
  smaller?(ask: Ask): Iterable<Ask>;
  /** What is the same of two disagreements of one kind, where their first rows without values do not say it. */
  kindOf?(rows: readonly string[]): string;
  /** Differences that are known and explained: such a disagreement is counted apart under this reason. */
  explain?(ask: Ask, rows: readonly string[]): string | undefined;
}
