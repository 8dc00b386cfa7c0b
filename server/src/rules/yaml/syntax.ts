import { family } from '../model/rule.ts';
import { syntaxFixes } from './syntaxFixes.ts';

export type SyntaxFacts = { 'yaml/syntax': undefined };

export const syntax = family<SyntaxFacts>()({
  'yaml/syntax': {
    followed: true,
    ofText: true,
    hides: true,
    title: 'The text is not valid YAML',
    explanation: `The text cannot be read as YAML 1.1, which is what Kubernetes tools read. Nothing else is reported
about the document until this is fixed.`,
    bad: `spec: [a, b
`,
    good: `spec: [a, b]
`,
    fixes: syntaxFixes,
  },
});
