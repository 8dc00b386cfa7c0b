import { memo } from '../base/memo.ts';
import type { ValueMap } from '../base/value.ts';
import { countingWork } from '../cel/eval/work.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Definition, Definitions } from '../workspace/definitions.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { definitionOf, givenHere, sizeOfRun } from './load.ts';
import { type CaseResult, groundFor, runInVersions } from './run.ts';
import { mostValuesWhileTyping } from './size.ts';
import { readSuite, type Suite, type TestCase, versionsOf } from './suite.ts';

/** How many runs of cases a document gets while it is typed. */
export const mostRuns = 500;

/** What came of the cases of a document, as far as that can be told without reading other files. */
export interface DocumentRun {
  readonly suite: Suite;
  readonly definition: Definition;
  /** What the server says that refuses the CRD. */
  readonly refused: readonly string[];
  /** Undefined for cases whose objects are in files. */
  readonly results: ReadonlyMap<TestCase, CaseResult | undefined>;
}

/**
 * Undefined where the CRD is not in the workspace, the document means nothing, or there is too much to run. Everybody who
 * asks gets the same run as long as neither the document nor its CRD changes.
 */
export function documentRun(
  document: YamlDocument,
  uri: string,
  definitions: Definitions,
  usual: KubernetesVersion,
): DocumentRun | undefined {
  const { suite, mistakes } = readSuite(document);
  const definition = suite?.crd && !suite.policy ? definitionOf(suite.crd, uri, definitions) : undefined;
  if (!suite || !definition || mistakes.length > 0) return undefined;
  const results = resultsOf(document, definition.manifest.value, usual);
  return results && { definition, ...results };
}

const resultsOf = memo((document: YamlDocument, crd: ValueMap, usual: KubernetesVersion) => {
  const { suite } = readSuite(document);
  const versions = suite ? versionsOf(suite, [usual]) : [];
  if (!suite || suite.cases.length * versions.length > mostRuns) return undefined;
  const { served, refused } = groundFor(crd, versions);
  const size = suite.cases.reduce((sum, one) => sum + sizeOfRun(one, suite, served), 0);
  if (size > mostValuesWhileTyping) return undefined;
  const results = new Map<TestCase, CaseResult | undefined>();
  // Whoever asks first, the answer is the same: nothing that was judged before counts.
  countingWork(0, () => {
    for (const one of suite.cases) {
      const given = givenHere(one, suite);
      results.set(one, given && runInVersions(one, given, served));
    }
  });
  return { suite, refused, results };
});
