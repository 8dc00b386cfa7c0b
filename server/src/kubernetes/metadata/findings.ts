import type { FindingOf } from '../finding.ts';

/** What may be wrong with an object's metadata, and what is known of it. */
export type MetadataFacts = {
  'metadata/name-required': undefined;
  'metadata/name': { readonly name: string };
  'metadata/generate-name': { readonly generateName: string };
  'metadata/namespace': { readonly namespace: string };
  'metadata/generation': undefined;
  'metadata/label': { readonly label: string; readonly value: string };
  'metadata/annotation': { readonly annotation: string };
  'metadata/annotations-too-long': { readonly size: number };
  'metadata/owner-reference': { readonly field: string };
  'metadata/owner-event': undefined;
  'metadata/repeated-owner': undefined;
  'metadata/two-controllers': { readonly first: string; readonly second: string };
  'metadata/finalizer': { readonly finalizer: string };
  'metadata/finalizer-conflict': undefined;
  'metadata/managed-fields': { readonly field: string };
  'metadata/resource-version': undefined;
  'metadata/immutable': { readonly field: string };
  'metadata/new-finalizer': { readonly finalizers: readonly string[] };
};

export type MetadataFinding = FindingOf<MetadataFacts>;
