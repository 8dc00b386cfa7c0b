import type { ManifestPath, Path } from '../base/value.ts';

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
export type Anchor = 'value' | 'key' | 'missing';

/** The facts about something; where there may be nothing to know, they may be left out. */
export type WithFacts<Facts> = undefined extends Facts ? { readonly facts?: Facts } : { readonly facts: Facts };

/** A code and the facts that belong to it. */
export type About<Code extends string = string, Facts = unknown> = { readonly code: Code } & WithFacts<Facts>;

/** What a message tells beside the facts of its code, for whoever would otherwise have to read it. */
export interface Aside {
  /** A selector without anything in it. */
  readonly isEmptySelector?: true;
  /** A label or an annotation that is out of use, and whether it selects nodes. */
  readonly outOfUse?: { readonly name: string; readonly isSelector: boolean };
  /** The key for want of which a rule ends. */
  readonly missingKey?: string;
  /** What is no base64. */
  readonly isOfBase64?: true;
}

/** What the API server says and where; `field` and `message` are its own, to the letter. */
export interface Said {
  readonly type: ErrorType;
  readonly field: string;
  readonly message: string;
  /** The message without the value that it shows, where it shows one. */
  readonly detail?: string;
  /** The value, as the message shows it. */
  readonly shown?: string;
  readonly aside?: Aside;
  /** Where a person finds it in the document they wrote. */
  readonly path: ManifestPath;
  readonly anchor: Anchor;
  /** The names that the map at the path lacks, where something is missing. */
  readonly missing?: Path;
}

/**
 * What the API server has against a document, as an engine reports it. `code` names the rule that explains it and
 * `facts` is what that rule's words and fixes are made of. Each area says in its `findings.ts` which facts belong to
 * which of its codes.
 */
export type Finding<Code extends string = string, Facts = unknown> = About<Code, Facts> & Said;

/** Any finding of an area, from its table of facts by code. */
export type FindingOf<FactsByCode> = {
  [Code in keyof FactsByCode & string]: Finding<Code, FactsByCode[Code]>;
}[keyof FactsByCode & string];

/** How many findings are made of one kind in one place: nobody reads more, and the verdict is the same. */
export const mostAlike = 2_000;
