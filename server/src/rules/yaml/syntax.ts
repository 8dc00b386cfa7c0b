import { family } from '../model/rule.ts';

export type SyntaxFacts = { 'yaml/syntax': undefined };

export const syntax = family<SyntaxFacts>()({
  'yaml/syntax': {
    title: 'This is no YAML',
    explanation: `The text cannot be read as YAML 1.1, which is what Kubernetes' tools read. Nothing else is said about
the document until this is mended.`,
    bad: `spec: [a, b
`,
    good: `spec: [a, b]
`,
  },
});
