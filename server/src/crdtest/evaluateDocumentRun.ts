import { countingWork } from '../cel/eval/work.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { mostRuns } from './documentRun.ts';
import { groundOfExpressions, runEvaluation } from './evaluateRun.ts';
import { lastRuns } from './lastRun.ts';
import { sizeOfCase } from './load.ts';
import type { CaseResult } from './run.ts';
import { mostValuesWhileTyping } from './size.ts';
import { readSuite, type Suite, type TestCase, versionsOf } from './suite.ts';

/** What came of the cases of a document of tests of expressions. */
export interface EvaluateDocumentRun {
  readonly suite: Suite;
  /** Why the expressions cannot be tested. */
  readonly refused: readonly string[];
  readonly results: ReadonlyMap<TestCase, CaseResult>;
}

const lastRun = lastRuns<EvaluateDocumentRun>();

/** Undefined where they are no such tests, mean nothing, or where a file that they name is not known. */
export function evaluateDocumentRun(
  document: YamlDocument,
  files: readonly SourceFile[] | undefined,
  usual: KubernetesVersion,
): EvaluateDocumentRun | undefined {
  return files && lastRun(document, usual, files, () => runNow(document, files, usual));
}

function runNow(
  document: YamlDocument,
  files: readonly SourceFile[],
  usual: KubernetesVersion,
): EvaluateDocumentRun | undefined {
  const { suite, mistakes } = readSuite(document);
  if (!suite?.expressions || mistakes.length > 0) return undefined;
  const versions = versionsOf(suite, [usual]);
  if (suite.cases.length * versions.length > mostRuns) return undefined;
  const ground = groundOfExpressions(files, versions);
  const cases = suite.cases.reduce((sum, one) => sum + sizeOfCase(one, suite).values, 0);
  if (ground.asked.size * (ground.size + cases) > mostValuesWhileTyping) return undefined;
  const results = new Map<TestCase, CaseResult>();
  // Whoever asks first, the answer is the same: nothing that was judged before counts.
  countingWork(0, () => {
    for (const one of suite.cases) if (ground.asked.size > 0) results.set(one, runEvaluation(one, ground));
  });
  return { suite, refused: ground.refused, results };
}
