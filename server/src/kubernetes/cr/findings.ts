import type { Value } from '../../base/value.ts';
import type { SchemaProps } from '../api/schema.ts';
import type { RuleFindingFacts } from '../cel/findings.ts';
import type { FindingOf } from '../finding.ts';
import type { MetadataFacts } from '../metadata/findings.ts';
import type { EmbeddedFacts } from '../schema/findings.ts';

import type { Keyword } from '../schema/validate.ts';

/** What fixes and words about a schema's error are made of. */
export interface SchemaFacts {
  readonly keyword: Keyword;
  /** The text without the value before it. */
  readonly message: string;
  readonly limit?: bigint;
  readonly allowed?: readonly Value[];
  /** The schema of the value, as the CRD has it; of the map for what is missing there. */
  readonly schema?: SchemaProps;
}

/** The names that the field's neighbours could have. */
interface FieldFacts {
  readonly known: readonly string[];
}

/** What may be said about a custom resource beside its metadata, and what is known of it. */
export type CrFacts = RuleFindingFacts & {
  // Decoding
  'cr/decode': undefined;
  'cr/unknown-field': FieldFacts;
  'cr/duplicate-field': FieldFacts;
  // The schema
  'cr/type': SchemaFacts;
  'cr/format': SchemaFacts;
  'cr/required': SchemaFacts;
  'cr/enum': SchemaFacts;
  'cr/max-length': SchemaFacts;
  'cr/min-length': SchemaFacts;
  'cr/pattern': SchemaFacts;
  'cr/maximum': SchemaFacts;
  'cr/minimum': SchemaFacts;
  'cr/multiple-of': SchemaFacts;
  'cr/max-items': SchemaFacts;
  'cr/min-items': SchemaFacts;
  'cr/max-properties': SchemaFacts;
  'cr/min-properties': SchemaFacts;
  'cr/additional-properties': SchemaFacts;
  'cr/junctor': SchemaFacts;
  'cr/range': SchemaFacts;
  // Beside the schema
  'cr/scale': { readonly path: string };
  'cr/list-duplicate': { readonly first: number; readonly keys?: readonly string[] };
  'cr/list-map-item': undefined;
  // Rules
  'cr/rules-not-checked': undefined;
  // Warnings
  'cr/finalizer-name': { readonly finalizer: string };
};

export type CrFinding = FindingOf<CrFacts & MetadataFacts & EmbeddedFacts>;
