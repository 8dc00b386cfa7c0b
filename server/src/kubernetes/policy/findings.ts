import type { ExpressionFacts } from '../crd/findings.ts';
import type { FindingOf } from '../finding.ts';

/** A mistake that shows where the kinds are known that a policy looks at. */
export interface TypeFacts {
  /** The words of the status of the policy; undefined where type checking does not look. */
  readonly warning: string | undefined;
  /** The fields that may have been meant. */
  readonly near: readonly string[];
}

/** What is said about admission policies, their bindings, and webhooks. */
export type PolicyFacts = {
  'policy/expression': ExpressionFacts;
  'policy/expression-missing': undefined;
  'policy/expression-repeated': undefined;
  'policy/expression-limit': undefined;
  'policy/expression-email': undefined;
  'policy/health-check': ExpressionFacts;
  /** `choices`: values to begin with, the likeliest first. */
  'policy/required': { readonly choices: readonly string[]; readonly isList: boolean };
  'policy/unsupported': { readonly supported: readonly string[] };
  'policy/wildcard': { readonly wildcard: string };
  'policy/duplicate': { readonly name: string };
  'policy/name': { readonly name: string };
  'policy/param-kind': undefined;
  'policy/param-ref': undefined;
  'policy/selector': { readonly supported: readonly string[] };
  'policy/too-many': { readonly most: number };
  'policy/message': { readonly text: string };
  'policy/actions': undefined;
  'policy/nothing-to-do': undefined;
  'policy/patch': { readonly extra: string | undefined };
  'policy/static-name': undefined;
  'policy/static-name-warning': undefined;
  'policy/excluded-resource': undefined;
  'policy/webhook-client': { readonly both: boolean };
  'policy/webhook-url': undefined;
  'policy/webhook-service': undefined;
  'policy/webhook-timeout': undefined;
  'policy/review-versions': { readonly recognized: readonly string[] };
};

/** What is said beyond the API server's verdict. */
export type PolicyTypeFacts = {
  'policy/type-check': TypeFacts;
  'policy/health-check-field': TypeFacts;
};

export type PolicyFinding = FindingOf<PolicyFacts>;
