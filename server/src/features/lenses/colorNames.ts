/** What a part of an expression is, in the protocol's standard words. */
export const colorNames = [
  'variable',
  'parameter',
  'property',
  'function',
  'method',
  'macro',
  'type',
  'namespace',
  'string',
  'number',
  'keyword',
  'operator',
  'comment',
] as const;
