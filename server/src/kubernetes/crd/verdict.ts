import type { Value } from '../../base/value.ts';
import type { LeftOutRule } from '../cel/findings.ts';
import type { DecodeError, StrictProblem } from '../decode.ts';
import type { CrdFinding } from './findings.ts';
import type { Panic } from './panic.ts';

/** What the API server answers to a CRD. */
export interface Verdict {
  /** What ended decoding; then there is nothing else. */
  readonly decode?: DecodeError;
  readonly strict: readonly StrictProblem[];
  readonly errors: readonly CrdFinding[];
  readonly warnings: readonly CrdFinding[];
  /** Rules that were not evaluated to their end over a default. */
  readonly leftOut: readonly LeftOutRule[];
  /** The object as it would be stored, also where there are errors. */
  readonly stored?: Value;
  /** The API server's own code crashed. */
  readonly panic?: Panic;
}

export const nothing: Verdict = { strict: [], errors: [], warnings: [], leftOut: [] };
