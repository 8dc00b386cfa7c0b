import type { Range } from '../../base/text.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import { isTooDeep, tooMuchIn } from '../../workspace/manifest.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { family, type ProblemOf } from '../model/rule.ts';

type NotJudgedFacts = {
  'file/too-deep': undefined;
  'file/too-much': undefined;
  'file/left-out': undefined;
  'file/not-judged': undefined;
};

/** With these something was not looked at, or not told: a file without other findings may be wrong all the same. */
export const incomplete: ReadonlySet<string> = new Set<keyof NotJudgedFacts>([
  'file/too-deep',
  'file/too-much',
  'file/left-out',
  'file/not-judged',
]);

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
  const message = `The document has ${what}, more than kube-crd checks: it is not judged.`;
  return [{ code: 'file/too-much', message, range: firstLine(document), document, path: [] }];
}

/** What is said of a document over which judging itself has failed. */
export function notJudged(document: YamlDocument, why: string): ProblemOf<NotJudgedFacts, 'file/not-judged'> {
  const range = firstLine(document);
  const message = `kube-crd itself failed on this, so it is not judged: ${why}. Please report it with the file.`;
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
    explanation: `The API server reads JSON up to 10,000 levels deep. kube-crd goes 500 levels deep, many times what any schema asks
for; anything deeper is not judged.`,
    bad: nested(500),
    good: nested(10),
  },
  'file/too-much': {
    severity: 'warning',
    title: 'A document with more rules, or a longer pattern, than are checked',
    explanation: `A document may have 10,000 rules, and a pattern 100,000 characters: hundreds of times what any known CRD has. An API
server with enough time compiles them all; kube-crd does not judge such a document.`,
    bad: rules('self > 0\n  - rule: self > 1 # and so on …'),
    notShown: 'the example would need 10,001 rules',
    good: rules('self > 0'),
  },
  'file/left-out': {
    severity: 'warning',
    title: 'A file with more documents or problems than are looked at',
    explanation: `In each file, the first 20,000 documents are judged and the first 5,000 problems are shown. Anything after that is
not judged or not shown: split the file, or fix the first problems and check again.`,
    bad: nested(1),
    good: nested(1),
    notShown: 'the example would need 20,001 documents',
  },
  'file/not-judged': {
    title: 'A document that could not be judged',
    explanation: `This is a bug in kube-crd. The document may be right or wrong; all others are judged as usual. The log has the
details that a bug report needs.`,
    bad: nested(1),
    good: nested(1),
    notShown: 'No document is known over which this happens.',
  },
});
