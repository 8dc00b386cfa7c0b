import { unknownMark } from '../../base/value.ts';
import type { YamlProblem } from '../../yaml/document.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { documentVerdict, type ScalarHint, scalarHints } from '../../yaml/value.ts';
import type { ProblemOf } from '../model/rule.ts';
import { type DuplicateKeyFacts, isRepeated } from '../yaml/duplicateKey.ts';
import type { ReadsAsFacts } from '../yaml/readsAs.ts';
import type { SyntaxFacts } from '../yaml/syntax.ts';
import { locate } from './locate.ts';

/** What the reader remarks on; beside syntax errors no rule explains it. */
type ReaderFacts = { [Code in YamlProblem['code']]: undefined };

type TextProblem = ProblemOf<ReaderFacts & SyntaxFacts & DuplicateKeyFacts & ReadsAsFacts>;

/** What is wrong with the text itself, and what in it reads differently from how it looks. */
export function judgeYaml(document: YamlDocument): TextProblem[] {
  const { error, strict } = documentVerdict(document);
  const problems = document.problems.map((problem): TextProblem => ({ ...problem, document, path: [] }));
  const refused = problems.some(({ severity }) => severity === 'error');
  if (error !== undefined && !refused) problems.push(unfit(document, error));
  // Strict decoding complains of a key that overrides a merged one, which is what `<<` is for. Made-up keys may differ.
  const twice = strict.filter(
    ({ range }) => isRepeated(document, range) && !document.text.slice(range.start, range.end).includes(unknownMark),
  );
  const duplicates = duplicateKeys(document.text, twice).map(
    ({ text, range }): TextProblem => ({ code: 'yaml/duplicate-key', message: text, range, document, path: [] }),
  );
  const unmeant = scalarHints(document).filter((hint) => !isMode(hint));
  const hints = unmeant.map(
    (hint): TextProblem => ({
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

/** Whether a document is two objects without a line between them, of which the second has the keys of both. */
export function lacksSeparator(document: YamlDocument): boolean {
  return areTwo(document.text, documentVerdict(document).strict);
}

/** Nobody writes both of these again for one object. */
function areTwo(text: string, all: readonly ReaderRemark[]): boolean {
  return ['apiVersion', 'kind'].every((key) => all.some((one) => isAgain(text, one, key)));
}

/** Whether a problem is that the line between them is missing. */
export function saysSeparator({ code, message }: Pick<TextProblem, 'message'> & { readonly code: string }): boolean {
  return code === 'yaml/duplicate-key' && message.endsWith(isSeparatorMissing);
}

const isSeparatorMissing = '; is a `---` missing above it?';

function isAtRoot(text: string, { range }: ReaderRemark): boolean {
  return range.start === 0 || /[\r\n]/.test(text[range.start - 1]!);
}

function isAgain(text: string, one: ReaderRemark, key: string): boolean {
  return isAtRoot(text, one) && one.text.includes(`key "${key}" already`);
}

/** Two objects without a line between them have all of their keys twice: that is said once. */
function duplicateKeys(text: string, all: readonly ReaderRemark[]): ReaderRemark[] {
  if (!areTwo(text, all)) return [...all];
  return all.flatMap((one) => {
    if (isAgain(text, one, 'apiVersion')) return [{ ...one, text: `${one.text}${isSeparatorMissing}` }];
    return isAtRoot(text, one) ? [] : [one];
  });
}

type ReaderRemark = ReturnType<typeof documentVerdict>['strict'][number];

/** The bits of a file's mode are octal wherever they are written. */
function isMode({ path, text, key }: ScalarHint): boolean {
  return !key && /mode$/i.test(String(path.at(-1))) && /^0[0-7]{3,4}$/.test(text);
}

/** Good YAML that JSON cannot hold, such as a number that is infinite. */
function unfit(document: YamlDocument, message: string): TextProblem {
  return { code: 'yaml/syntax', message, range: locate(document, [], 'key'), document, path: [], severity: 'error' };
}
