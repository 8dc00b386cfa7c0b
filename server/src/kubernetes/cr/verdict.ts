import type { Value } from '../../base/value.ts';
import type { LeftOutRule } from '../cel/findings.ts';
import type { DecodeError, StrictProblem } from '../decode.ts';
import type { CrFinding } from './findings.ts';

/** A field that strict decoding refuses, with the fields that its neighbours could have. */
export interface StrictField extends StrictProblem {
  readonly known: readonly string[];
}

/** What the API server answers to a custom resource. */
export interface ResourceVerdict {
  /** What ended decoding; then there is nothing else. */
  readonly decode?: DecodeError;
  readonly strict: readonly StrictField[];
  readonly errors: readonly CrFinding[];
  readonly warnings: readonly CrFinding[];
  /** The object as it would be stored, but for what the server itself adds to its metadata; also where there are errors. */
  readonly stored?: Value;
  /** Rules that were not evaluated to their end: of them the verdict says nothing. */
  readonly leftOut: readonly LeftOutRule[];
}

export const nothing: ResourceVerdict = { strict: [], errors: [], warnings: [], leftOut: [] };
