import { capitalized, type Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { definitionOf, givenHere } from '../../crdtest/load.ts';
import { type CaseResult, groundFor, runInVersions } from '../../crdtest/run.ts';
import { readSuite } from '../../crdtest/suite.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { TestFileFacts } from '../yaml/testFile.ts';
import { placeOf } from './mistakes.ts';

/** How many runs of cases a document gets while it is typed. */
const mostRuns = 500;

/** What in a file of tests means nothing, and which of its cases fail. */
export function judgeTests(
  uri: string,
  document: YamlDocument,
  definitions: Definitions,
  usual: readonly KubernetesVersion[],
): ProblemOf<TestFileFacts>[] {
  const { suite, mistakes } = readSuite(document);
  if (mistakes.length > 0 || !suite) {
    return mistakes.map((one) => {
      return { code: 'test/meaning', message: capitalized(one.message), ...placeOf(document, one) };
    });
  }
  const versions = suite.kubernetes === undefined ? usual : (versionsNamed(suite.kubernetes) ?? []);
  const crd = definitionOf(suite.crd, uri, definitions)?.manifest.value;
  if (!crd || suite.cases.length * versions.length > mostRuns) return [];
  const { served, refused } = groundFor(crd, versions);
  const failed = (path: Path, range: Range | undefined, { failures, came }: CaseResult): ProblemOf<TestFileFacts>[] => {
    if (failures.length === 0 || !range) return [];
    const message = failures.map(capitalized).join('\n');
    return [{ code: 'test/failed', message, range, document, path, facts: { came } }];
  };
  const cases = suite.cases.flatMap((one) => {
    const given = givenHere(one, suite);
    const result = given ? runInVersions(one, given, served) : { failures: [] };
    const range = rangeOf(document, [...one.path, 'name'], 'value') ?? rangeOf(document, one.path, 'value');
    return failed(one.path, range, result);
  });
  return [...failed(['crd'], rangeOf(document, ['crd'], 'value'), { failures: refused }), ...cases];
}
