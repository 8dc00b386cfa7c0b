import type { YamlDocument } from '../../yaml/parse.ts';
import { documentVerdict, scalarHints } from '../../yaml/value.ts';
import type { Problem } from '../model/rule.ts';
import { locate } from './locate.ts';

/** What is wrong with the text itself, and what in it reads otherwise than it looks. */
export function judgeYaml(document: YamlDocument): Problem[] {
  const { error, strict } = documentVerdict(document);
  const problems = document.problems.map((problem): Problem => ({ ...problem, document, path: [], facts: problem }));
  const refused = problems.some(({ severity }) => severity === 'error');
  if (error !== undefined && !refused) problems.push(unfit(document, error));
  const duplicates = strict.map(
    ({ text, range }): Problem => ({ code: 'yaml/duplicate-key', message: text, range, document, path: [] }),
  );
  const hints = scalarHints(document).map(
    (hint): Problem => ({
      code: 'yaml/reads-as',
      message: `Kubernetes reads YAML 1.1: this is ${hint.reads}.`,
      range: hint.range,
      document,
      path: hint.path,
      facts: hint,
    }),
  );
  return [...problems, ...duplicates, ...hints];
}

/** Good YAML that JSON cannot hold, such as a number that is infinite. */
function unfit(document: YamlDocument, message: string): Problem {
  return { code: 'yaml/syntax', message, range: locate(document, [], 'key'), document, path: [], severity: 'error' };
}
