import type { FindingOf } from '../finding.ts';

/** What may be wrong with the type of a resource inside another. */
export type EmbeddedFacts = {
  'embedded/api-version': undefined;
  'embedded/kind': undefined;
  'embedded/metadata': undefined;
};

export type EmbeddedFinding = FindingOf<EmbeddedFacts>;
