import { capitalized, type Range } from '../../base/text.ts';
import type { Path, Value } from '../../base/value.ts';
import { crdsOfKind, objectHere } from '../../crdtest/load.ts';
import { type CaseResult, groundFor, runInVersions } from '../../crdtest/run.ts';
import { type CrdRef, readSuite, type Suite, type TestCase } from '../../crdtest/suite.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import { globOf } from '../../workspace/glob.ts';
import { folderOf, resolve } from '../../workspace/uri.ts';
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
  const crd = crdOf(suite.crd, uri, definitions);
  if (!crd || suite.cases.length * versions.length > mostRuns) return [];
  const { served, refused } = groundFor(crd, versions);
  const failed = (path: Path, range: Range | undefined, { failures, came }: CaseResult): ProblemOf<TestFileFacts>[] => {
    if (!range) return [];
    // One fix serves all of them.
    const facts = (i: number) => ({ came: i === 0 ? came : undefined });
    return failures.map((failure, i) => {
      return { code: 'test/failed', message: capitalized(failure), range, document, path, facts: facts(i) };
    });
  };
  const cases = suite.cases.flatMap((one) => {
    const given = givenOf(one, suite);
    const result = given ? runInVersions(one, given, served) : { failures: [] };
    const range = rangeOf(document, [...one.path, 'name'], 'value') ?? rangeOf(document, one.path, 'value');
    return failed(one.path, range, result);
  });
  return [...failed(['crd'], rangeOf(document, ['crd'], 'value'), { failures: refused }), ...cases];
}

/** The CRD, if it is one of the workspace. */
function crdOf(ref: CrdRef, uri: string, definitions: Definitions): Value | undefined {
  if (!('path' in ref)) return crdsOfKind(ref, { uri, definitions })[0]?.manifest.value;
  const matches = globOf(resolve(folderOf(uri), ref.path).replaceAll('%2A', '*').replaceAll('%3F', '?'));
  const found = [...definitions.values()].flat().filter(({ file }) => matches(file.uri));
  return found.length > 1 ? undefined : found[0]?.manifest.value;
}

/** The objects of a case; undefined where they are in files, which are not read while somebody types. */
function givenOf({ request }: TestCase, suite: Suite) {
  if (request.verb === 'rule') return {};
  const object = objectHere(request.object, suite);
  if (object === undefined) return undefined;
  if (request.verb === 'create') return { object };
  const from = objectHere(request.from, suite);
  return from === undefined ? undefined : { object, from };
}
