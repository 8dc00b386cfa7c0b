import { onOneLine } from '../../base/text.ts';
import { fixOf, mapIn, putKey } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { Problem } from '../model/rule.ts';

/** The entry of `x-kubernetes-validations` that a problem is in. */
export function entryOf({ path }: Problem) {
  return path.slice(0, path.lastIndexOf('x-kubernetes-validations') + 2);
}

/** A message for a rule that has none: for the usual ones in words, for others with the rule itself. */
export function messageFixes(problem: Problem): Fix[] {
  const entry = entryOf(problem);
  const rule = mapIn(problem, entry)?.get('rule');
  if (typeof rule !== 'string') return [];
  const text = onOneLine(rule.trim());
  return fixOf('Add a `message`', putKey(problem, entry, 'message', wordedRule(text), { after: 'rule' }), false);
}

const wordings: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^self == oldSelf$|^oldSelf == self$/, () => 'cannot be changed'],
  [/^self\.(\w+) == oldSelf\.\1$/, (field) => `${field} cannot be changed`],
  [/^has\(self\.(\w+)\)$/, (field) => `${field} is required`],
  [/^!has\(oldSelf\.(\w+)\) \|\| has\(self\.\1\)$/, (field) => `${field} cannot be removed once it is set`],
  [/^self\.(\w+) <= self\.(\w+)$/, (a, b) => `${a} must be at most ${b}`],
  [/^self\.(\w+) < self\.(\w+)$/, (a, b) => `${a} must be less than ${b}`],
  [/^self\.(\w+) >= self\.(\w+)$/, (a, b) => `${a} must be at least ${b}`],
  [/^self\.(\w+) > self\.(\w+)$/, (a, b) => `${a} must be greater than ${b}`],
  [/^has\(self\.(\w+)\) != has\(self\.(\w+)\)$/, (a, b) => `exactly one of ${a} and ${b} must be set`],
  [/^!\(has\(self\.(\w+)\) && has\(self\.(\w+)\)\)$/, (a, b) => `${a} and ${b} cannot both be set`],
];

function wordedRule(rule: string): string {
  for (const [form, worded] of wordings) {
    const match = form.exec(rule);
    if (match) return worded(...match.slice(1));
  }
  return `must satisfy ${rule}`;
}
