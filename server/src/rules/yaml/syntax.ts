import { rule } from '../model/rule.ts';

export const syntax = rule({
  code: 'yaml/syntax',
  severity: 'error',
  title: 'This is no YAML',
  explanation: `The text cannot be read as YAML 1.1, which is what Kubernetes' tools read. Nothing else is said about
the document until this is mended.`,
  bad: `spec: [a, b
`,
  good: `spec: [a, b]
`,
});
