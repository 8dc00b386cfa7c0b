import type { ScalarHint } from '../../yaml/value.ts';
import { fixOf } from '../fixing/fixes.ts';
import { family } from '../model/rule.ts';

export type ReadsAsFacts = { 'yaml/reads-as': ScalarHint };

export const readsAs = family<ReadsAsFacts>()({
  'yaml/reads-as': {
    severity: 'hint',
    title: 'A word or number that YAML 1.1 reads as something else',
    explanation: `Kubernetes tools read YAML 1.1, where \`on\`, \`off\`, \`yes\`, \`no\`, \`y\` and \`n\` are booleans,
numbers with a leading zero are octal, and \`1_000\` is a number. Add quotes to get the text as written.`,
    bad: `country: no
`,
    good: `country: "no"
`,
    fixes: ({ range, facts: { quoted, plain, key } }) => [
      { title: 'Quote the value', safe: false, edits: [{ range, text: quoted }] },
      ...(plain === undefined || key ? [] : fixOf(`Write it as \`${plain}\``, [{ range, text: plain }], false)),
    ],
  },
});
