import type { Range } from '../../base/text.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { isTooDeep } from '../../workspace/manifest.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type NotJudgedFacts = { 'file/too-deep': undefined; 'file/not-judged': undefined };

/** A document in which no objects are looked for, since everything that walks through them goes down by recursion. */
export function tooDeep(document: YamlDocument): ProblemOf<NotJudgedFacts, 'file/too-deep'>[] {
  if (!isTooDeep(document)) return [];
  const message = `Nested more than ${defaultLimits.levels} levels deep: the document is not judged.`;
  return [{ code: 'file/too-deep', message, range: firstLine(document), document, path: [] }];
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

export const notJudgedRules = family<NotJudgedFacts>()({
  'file/too-deep': {
    severity: 'warning',
    title: 'A document that is nested too deep to be judged',
    explanation: `The API server reads JSON up to 10,000 levels deep. Here 500 are walked through, which is many times what any
schema asks for; what is deeper is not judged.`,
    bad: nested(500),
    good: nested(10),
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
