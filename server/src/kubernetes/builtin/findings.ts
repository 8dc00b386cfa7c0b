import type { FindingOf } from '../finding.ts';

/** What the API server validates of an object of a built-in kind, after decoding. */
export type ValidationFacts = {
  'builtin/required': undefined;
  'builtin/choose': { readonly choices: readonly string[]; readonly isThere: boolean };
  'builtin/invalid': undefined;
  'builtin/unsupported': { readonly supported: readonly string[] };
  'builtin/forbidden': undefined;
  'builtin/duplicate': undefined;
  'builtin/too-long': undefined;
  'builtin/name': undefined;
  'builtin/port': undefined;
  'builtin/one-of': undefined;
  'builtin/selector': { readonly selector: ReadonlyMap<string, string> };
  'builtin/no-such-name': { readonly names: readonly string[] };
  'builtin/resources': undefined;
  'builtin/schedule': undefined;
  'builtin/immutable': undefined;
  'builtin/follows': undefined;
  'builtin/warning': undefined;
};

export type ValidationFinding = FindingOf<ValidationFacts>;
