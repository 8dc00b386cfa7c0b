import { shortened } from '../../base/text.ts';
import type { LeftOutRule } from '../../kubernetes/cel/findings.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { problemAt } from '../judging/problemAt.ts';
import { family } from '../model/rule.ts';

export type LeftOutFacts = { 'cr/rule-left-out': LeftOutRule; 'crd/default-left-out': LeftOutRule };

/**
 * Rules that were not evaluated to their end: nobody knows here what the API server says of them. What a new object and
 * an update leave out alike is told of once.
 */
export function rulesLeftOut<C extends keyof LeftOutFacts>(
  manifest: Manifest,
  code: C,
  leftOut: readonly LeftOutRule[],
) {
  const each = new Map(leftOut.map((one) => [JSON.stringify([one.rule.rule, one.index, one.self]), one]));
  return [...each.values()].map((facts) => {
    const message = `not evaluated to the end: rule ${onOneLine(facts.rule.rule)} — ${facts.why}`;
    return problemAt(manifest, { code, facts }, message, facts.self, 'value');
  });
}

const onOneLine = (rule: string) => shortened(rule.trim().replace(/\s+/g, ' '), 60);

const explanation = `Most CEL functions do their work before its cost is counted, and some cost less than what they build:
\`flatten()\` pays for the list that it is called on, not for the one that it makes. An API server has the memory for
that. kube-crd stops evaluating a rule after 10,000,000 items or eight times as many characters, or where the rule uses
something that is not implemented; all objects of one file together get 20,000,000. The verdict on the object rests on all
other rules.

Set \`maxItems\` and \`maxLength\` on whatever the rule walks over, or let it do less: use \`all()\` and \`exists()\` on the
lists themselves instead of building a new list first.`;

const roster = (size: number) => `#- use: rosters
apiVersion: example.com/v1
kind: Roster
metadata:
  name: a
spec:
  size: ${size}
`;

const sized = (rule: string) => `#- use: schema
size:
  type: integer
  default: 6000
  x-kubernetes-validations:
    - rule: "${rule}"
`;

export const ruleLeftOut = family<LeftOutFacts & CrdFacts>()({
  'cr/rule-left-out': {
    isLate: true,
    severity: 'warning',
    title: 'A rule whose evaluation was cut short',
    explanation,
    bad: roster(6000),
    good: roster(6),
  },
  'crd/default-left-out': {
    isLate: true,
    severity: 'warning',
    title: 'A default that a rule was not evaluated for',
    explanation,
    bad: sized('[lists.range(self)].all(l, l.map(x, l).flatten().size() >= 0)'),
    good: sized('self >= 0'),
    along: ['crd/rule-cost', 'crd/rule-cost-contributes', 'crd/rule-cost-total'],
  },
});
