import type { Range } from '../../base/text.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { isTooDeep, tooMuchIn } from '../../workspace/manifest.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type NotJudgedFacts = { 'file/too-deep': undefined; 'file/too-much': undefined; 'file/not-judged': undefined };

/** A document in which no objects are looked for, since everything that walks through them goes down by recursion. */
export function tooDeep(document: YamlDocument): ProblemOf<NotJudgedFacts, 'file/too-deep'>[] {
  if (!isTooDeep(document)) return [];
  const message = `Nested more than ${defaultLimits.levels} levels deep: the document is not judged.`;
  return [{ code: 'file/too-deep', message, range: firstLine(document), document, path: [] }];
}

/** A document in which no objects are looked for, since compiling its rules or patterns would take minutes. */
export function tooMuch(document: YamlDocument): ProblemOf<NotJudgedFacts, 'file/too-much'>[] {
  const what = isTooDeep(document) ? undefined : tooMuchIn(document);
  if (what === undefined) return [];
  const message = `It has ${what}, which is more than is looked at: the document is not judged.`;
  return [{ code: 'file/too-much', message, range: firstLine(document), document, path: [] }];
}

/** What is said of a document over which judging itself has failed. */
export function notJudged(document: YamlDocument, why: string): ProblemOf<NotJudgedFacts, 'file/not-judged'> {
  const range = firstLine(document);
  const message = `kube-crd itself failed over this and says nothing of it: ${why}. Please report it with the file.`;
  return { code: 'file/not-judged', message, range, document, path: [] };
}

function firstLine({ text }: YamlDocument): Range {
  const start = Math.max(0, text.search(/\S/));
  const end = text.indexOf('\n', start);
  return { start, end: end < 0 ? text.length : end };
}

const nested = (levels: number) => `apiVersion: v1
kind: Example
spec: ${'['.repeat(levels)}${']'.repeat(levels)}
`;

const rules = (text: string) => `x-kubernetes-validations:
  - rule: ${text}
`;

export const notJudgedRules = family<NotJudgedFacts>()({
  'file/too-deep': {
    severity: 'warning',
    title: 'A document that is nested too deep to be judged',
    explanation: `The API server reads JSON up to 10,000 levels deep. Here 500 are walked through, which is many times what any
schema asks for; what is deeper is not judged.`,
    bad: nested(500),
    good: nested(10),
  },
  'file/too-much': {
    severity: 'warning',
    title: 'A document with more rules, or a longer pattern, than is looked at',
    explanation: `A document may have 10,000 rules, and a pattern 100,000 characters: hundreds of times what any CRD is known to
have. An API server with enough time compiles them all; here, nothing is said of such a document.`,
    bad: rules('self > 0\n  - rule: self > 1 # and so on …'),
    notShown: 'the example would need 10,001 rules',
    good: rules('self > 0'),
  },
  'file/not-judged': {
    title: 'A document that could not be judged',
    explanation: `A mistake in kube-crd itself. Nothing is known of the document: it may be right or wrong. All others are judged
as ever; the log has what a report of the mistake needs.`,
    bad: nested(1),
    good: nested(1),
    notShown: 'No document is known over which this happens.',
  },
});
