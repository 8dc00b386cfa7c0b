import type { ManifestPath } from '../base/value.ts';

/** The reason of a Kubernetes `Status` cause. */
export type ErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/**
 * Which part of the document a finding is about: the `value` at its path, the `key` of that value, or something
 * `missing` from the map at its path.
 */
export type Place = 'value' | 'key' | 'missing';

/**
 * What the API server has against a document, as an engine reports it. `field` and `message` are the server's own, to
 * the letter; `path` is where a person finds it in the document they wrote. `code` names the rule that explains it and
 * `facts` is what that rule's words and fixes are made of.
 */
export interface Finding<Code extends string = string, Facts = unknown> {
  readonly code: Code;
  readonly type: ErrorType;
  readonly field: string;
  readonly message: string;
  readonly path: ManifestPath;
  readonly place: Place;
  readonly facts?: Facts;
}
