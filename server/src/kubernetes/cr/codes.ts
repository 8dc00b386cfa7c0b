import type { Finding } from '../finding.ts';
import { metadataCodes } from '../metadata/validate.ts';

/** What may be said about a custom resource, each with a rule that explains it. */
export const crCodes = [
  ...metadataCodes,
  // Decoding
  'cr/decode',
  'cr/unknown-field',
  'cr/duplicate-field',
  // The schema
  'cr/type',
  'cr/format',
  'cr/required',
  'cr/enum',
  'cr/max-length',
  'cr/min-length',
  'cr/pattern',
  'cr/maximum',
  'cr/minimum',
  'cr/multiple-of',
  'cr/max-items',
  'cr/min-items',
  'cr/max-properties',
  'cr/min-properties',
  'cr/additional-properties',
  'cr/junctor',
  'cr/range',
  // Beside the schema
  'cr/scale',
  'cr/list-duplicate',
  'cr/list-map-item',
  'embedded/api-version',
  'embedded/kind',
  'embedded/metadata',
  // Rules
  'cr/rule',
  'cr/rules-not-checked',
  // Warnings
  'cr/rule-unchanged',
  'cr/finalizer-name',
] as const;

export type CrCode = (typeof crCodes)[number];
export type CrFinding = Finding<CrCode>;
