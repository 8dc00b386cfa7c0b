/** What we say of a CRD that the API server accepts, each with a rule that explains it. */
export const lintCodes = [
  'lint/keyword-dropped',
  'lint/column-path',
  'lint/column-type',
  'lint/scale-path',
  'lint/scale-selector',
  'lint/status-subresource',
  'lint/conversion-lossy',
  'lint/webhook-url',
  'lint/deprecation-text',
  'lint/rule-optional-field',
  'lint/transition-evaded',
  'lint/rule-cost-high',
  'lint/function-too-new',
  'lint/refused-by-minimum',
  'lint/rule-message',
  'lint/pattern-unanchored',
  'lint/size-apply',
  'lint/size-etcd',
  'lint/size-request',
  'lint/list-type',
  'lint/conditions-type',
] as const;

export type LintCode = (typeof lintCodes)[number];
