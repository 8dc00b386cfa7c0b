import { capitalized, type Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { documentRun } from '../../crdtest/documentRun.ts';
import type { CaseResult } from '../../crdtest/run.ts';
import { readSuite } from '../../crdtest/suite.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { TestFileFacts } from '../yaml/testFile.ts';
import { placeOf } from './mistakes.ts';

/** What in a file of tests means nothing, and which of its cases fail. */
export function judgeTests(
  uri: string,
  document: YamlDocument,
  definitions: Definitions,
  usual: KubernetesVersion,
): ProblemOf<TestFileFacts>[] {
  const { suite, mistakes } = readSuite(document);
  if (mistakes.length > 0 || !suite) {
    return mistakes.map((one) => {
      return { code: 'test/meaning', message: capitalized(one.message), ...placeOf(document, one) };
    });
  }
  const run = documentRun(document, uri, definitions, usual);
  const failed = (path: Path, range: Range | undefined, { failures, came }: CaseResult): ProblemOf<TestFileFacts>[] => {
    if (failures.length === 0 || !range) return [];
    const message = failures.map(capitalized).join('\n');
    return [{ code: 'test/failed', message, range, document, path, facts: { came } }];
  };
  const cases = [...(run?.results ?? [])].flatMap(([{ path }, result]) => {
    const range = rangeOf(document, [...path, 'name'], 'value') ?? rangeOf(document, path, 'value');
    return result ? failed(path, range, result) : [];
  });
  return [...failed(['crd'], rangeOf(document, ['crd'], 'value'), { failures: run?.refused ?? [] }), ...cases];
}
