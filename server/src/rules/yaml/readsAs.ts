import type { ScalarHint } from '../../yaml/value.ts';
import { family } from '../model/rule.ts';

export type ReadsAsFacts = { 'yaml/reads-as': ScalarHint };

export const readsAs = family<ReadsAsFacts>()({
  'yaml/reads-as': {
    severity: 'hint',
    title: 'A word or number that is read as something else than it looks like',
    explanation: `Kubernetes' tools read YAML 1.1. There \`on\`, \`off\`, \`yes\`, \`no\`, \`y\` and \`n\` are booleans, numbers with a
leading zero are octal, and \`1_000\` is a number. Quotes make it the text that it looks like.`,
    bad: `country: no
`,
    good: `country: "no"
`,
    fixes: ({ range, facts }) => [{ title: 'Quote it', safe: false, edits: [{ range, text: facts.quoted }] }],
  },
});
