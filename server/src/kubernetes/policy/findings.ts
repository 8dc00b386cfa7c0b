import type { ExpressionFacts } from '../crd/findings.ts';
import type { FindingOf } from '../finding.ts';

/** What is said about the expressions of admission policies and of webhooks. */
export type PolicyFacts = {
  'policy/expression': ExpressionFacts;
  'policy/expression-missing': undefined;
};

export type PolicyFinding = FindingOf<PolicyFacts>;
