import type { Range } from '../../base/text.ts';
import type { Path, Value } from '../../base/value.ts';
import { patched } from '../../crdtest/objects.ts';
import { type CaseResult, groundFor, runInVersions } from '../../crdtest/run.ts';
import { type CrdRef, type ObjectSpec, readSuite, type Suite, type TestCase } from '../../crdtest/suite.ts';
import { versionsNamed } from '../../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definition, Definitions } from '../../workspace/definitions.ts';
import { globOf } from '../../workspace/glob.ts';
import { folderOf, nearness, resolve } from '../../workspace/uri.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { TestFileFacts } from '../yaml/testFile.ts';

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
    return mistakes.map(({ message, path, part, known }) => {
      const range = rangeOf(document, path, part) ?? { start: document.rootStart, end: document.rootStart };
      return { code: 'test/meaning', message: sentence(message), range, document, path, facts: { known } };
    });
  }
  const versions = suite.kubernetes === undefined ? usual : (versionsNamed(suite.kubernetes) ?? []);
  const crd = crdOf(suite.crd, uri, definitions);
  if (!crd || suite.cases.length * versions.length > mostRuns) return [];
  const { served, refused } = groundFor(crd, versions);
  const failed = (path: Path, range: Range | undefined, { failures, came }: CaseResult): ProblemOf<TestFileFacts>[] => {
    if (failures.length === 0 || !range) return [];
    const message = failures.map(sentence).join('\n');
    return [{ code: 'test/failed', message, range, document, path, facts: { came } }];
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
  const all = [...definitions.values()].flat();
  const matches = 'path' in ref ? fileMatch(ref.path, uri) : kindMatch(ref);
  const found = all.filter(matches).sort((a, b) => nearness(b.file.uri, uri) - nearness(a.file.uri, uri));
  return 'path' in ref && found.length > 1 ? undefined : found[0]?.manifest.value;
}

function fileMatch(path: string, uri: string): (one: Definition) => boolean {
  const matches = globOf(resolve(folderOf(uri), path).replaceAll('%2A', '*').replaceAll('%3F', '?'));
  return ({ file }) => matches(file.uri);
}

function kindMatch({ kind, group }: Extract<CrdRef, { kind: string }>): (one: Definition) => boolean {
  return (one) => one.kind === kind && (group === undefined || one.group === group);
}

/** The objects of a case; undefined where they are in files, which are not read while somebody types. */
function givenOf({ request }: TestCase, suite: Suite) {
  if (request.verb === 'rule') return {};
  const object = objectOf(request.object, suite);
  if (object === undefined) return undefined;
  if (request.verb === 'create') return { object };
  const from = objectOf(request.from, suite);
  return from === undefined ? undefined : { object, from };
}

function objectOf({ of, patches }: ObjectSpec, { bases }: Suite): Value | undefined {
  const whole = 'whole' in of ? of.whole : 'base' in of ? bases.get(of.base ?? '') : undefined;
  return whole === undefined ? undefined : patches.reduce<Value>(patched, whole);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
