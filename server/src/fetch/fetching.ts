import { type FetchedCrd, FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import type { FetchSource } from '../workspace/sources/lock.ts';

// Only this folder runs programs and uses the network for CRDs, and only when a user asked for it.

/**
 * One kind of place that CRDs are fetched from: gives all that it has, or, where it cannot list what it has, those of the
 * kinds that are used.
 */
export type Fetcher<From extends FetchSource['from']> = (
  source: Extract<FetchSource, { readonly from: From }>,
  used: readonly WantedKind[],
  tools: FetchTools,
) => Promise<readonly FetchedCrd[]>;

/** A server answered that there is nothing at an address. */
export class NotThere extends FetchFailure {}

/** How much is taken from outside, and how long is waited for it. */
export interface FetchLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

export const fetchLimits: FetchLimits = { milliseconds: 60_000, bytes: 64_000_000 };
