import { capitalized, type Range } from '../../base/text.ts';
import { type Path, valueAt } from '../../base/value.ts';
import { type DocumentRun, documentRun } from '../../crdtest/documentRun.ts';
import { evaluateDocumentRun } from '../../crdtest/evaluateDocumentRun.ts';
import { definitionOf } from '../../crdtest/load.ts';
import { type PolicyAround, policyDocumentRun } from '../../crdtest/policyDocumentRun.ts';
import { rulesIn } from '../../crdtest/rulePath.ts';
import type { CaseResult } from '../../crdtest/run.ts';
import { type CrdRef, freeAmong, readSuite, subjectOf, type TestCase } from '../../crdtest/suite.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definitions } from '../../workspace/definitions.ts';
import { defaultLimits } from '../../workspace/limits.ts';
import type { Mistake } from '../../workspace/mistake.ts';
import { folderOf, relative } from '../../workspace/uri.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { ProblemOf } from '../model/rule.ts';
import type { TestFileFacts } from '../yaml/testFile.ts';
import { placeOf } from './mistakes.ts';

/** What in a file of tests means nothing, and which of its cases fail. */
export function judgeTests(
  document: YamlDocument,
  around: PolicyAround,
  usual: KubernetesVersion,
): ProblemOf<TestFileFacts>[] {
  const { uri, definitions } = around;
  const { suite, mistakes } = readSuite(document);
  if (mistakes.length > 0 || !suite) return meaningless(document, mistakes);
  const unknown = [...unknownCrd(suite.crd, uri, definitions), ...sameNames(suite.cases)];
  const ofCrd = documentRun(document, uri, definitions, usual);
  const run =
    ofCrd ?? policyDocumentRun(document, around, usual) ?? evaluateDocumentRun(document, around.policyFiles, usual);
  const noRules = ofCrd ? unknownRules(ofCrd) : [];
  const failed = (path: Path, range: Range | undefined, { failures, came }: CaseResult): ProblemOf<TestFileFacts>[] => {
    if (!range) return [];
    // One fix serves all of them.
    const facts = (i: number) => ({ came: i === 0 ? came : undefined });
    return failures.map((failure, i) => {
      return { code: 'test/failed', message: capitalized(failure), range, document, path, facts: facts(i) };
    });
  };
  const cases = [...(run?.results ?? [])].flatMap(([{ path }, result]) => {
    if (noRules.some((one) => one.path[1] === path[1])) return [];
    const range = rangeOf(document, [...path, 'name'], 'value') ?? rangeOf(document, path, 'value');
    return result ? failed(path, range, result) : [];
  });
  const { key } = subjectOf(suite);
  const mistaken = meaningless(document, [...unknown, ...noRules]);
  return [...mistaken, ...failed([key], rangeOf(document, [key], 'value'), { failures: run?.refused ?? [] }), ...cases];
}

function meaningless(document: YamlDocument, mistakes: readonly Mistake[]): ProblemOf<TestFileFacts>[] {
  return mistakes.map((one) => {
    const { part, known, lacks } = one;
    // What a whole case lacks is said at its name.
    const named = lacks && rangeOf(document, [...one.path, 'name'], 'value');
    const place = placeOf(document, one);
    const facts = { known, part, ...(lacks && { lacks }) };
    return { code: 'test/meaning', message: capitalized(one.message), ...place, ...(named && { range: named }), facts };
  });
}

/**
 * A CRD may be anywhere on the machine, where nobody looks while somebody types: only what is nearly the name of one that is
 * known is taken for a mistake.
 */
function unknownCrd(ref: CrdRef | undefined, uri: string, definitions: Definitions): Mistake[] {
  if (!ref || definitionOf(ref, uri, definitions)) return [];
  const all = [...definitions.values()].flat();
  const folder = folderOf(uri);
  const isPath = 'path' in ref;
  const names = all.map(({ file, kind }) => (isPath ? relative(folder, file.uri) : kind));
  const written = isPath ? ref.path : ref.kind;
  const near = names.includes(written) ? [] : nearestNames(written, [...new Set(names)]);
  if (near.length === 0) return [];
  const path = isPath ? ['crd'] : ['crd', 'kind'];
  const message = `there is no CRD ${isPath ? 'at' : 'of the kind'} ${written} in the workspace`;
  return [{ path, message, part: 'value', known: near }];
}

/** Cases whose names are those of others could not be told apart where they are listed. */
function sameNames(cases: readonly TestCase[]): Mistake[] {
  const seen = new Map<string, unknown>();
  const taken = new Set(cases.map(({ name }) => name));
  let left = defaultLimits.problems;
  return cases.flatMap(({ name, path }): Mistake[] => {
    const [, nth] = path;
    const isNew = !seen.has(name);
    if (isNew) seen.set(name, nth);
    // Rows of one table may be alike.
    if (isNew || seen.get(name) === nth || left-- <= 0) return [];
    const free = freeAmong(name, taken);
    return [{ path: [...path, 'name'], message: 'another case has this name', part: 'value', known: [free] }];
  });
}

function unknownRules({ suite, definition: { manifest, versions } }: DocumentRun): Mistake[] {
  if (suite.cases.every(({ request }) => request.verb !== 'rule')) return [];
  const schemas = versions.map((_, i) => valueAt(manifest.value, ['spec', 'versions', i, 'schema', 'openAPIV3Schema']));
  const rules = new Set(schemas.flatMap((schema) => rulesIn(schema).map(({ text }) => text)));
  const known = [...rules];
  return suite.cases.flatMap(({ path, request }): Mistake[] => {
    if (request.verb !== 'rule' || rules.has(request.rule)) return [];
    return [{ path: [...path, 'rule'], message: `the CRD has no rule at ${request.rule}`, part: 'value', known }];
  });
}
