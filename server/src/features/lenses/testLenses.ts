import type { Steps } from '../../base/steps.ts';
import { counted, type Range } from '../../base/text.ts';
import { isMap, isString, type Path, type Value, valueAt } from '../../base/value.ts';
import { type DocumentRun, documentRun } from '../../crdtest/documentRun.ts';
import { evaluateDocumentRun } from '../../crdtest/evaluateDocumentRun.ts';
import { givenHere } from '../../crdtest/load.ts';
import { aroundPolicies, policyDocumentRun } from '../../crdtest/policyDocumentRun.ts';
import { rulePathOf, rulesIn, rulesKey } from '../../crdtest/rulePath.ts';
import type { CaseResult } from '../../crdtest/run.ts';
import { idOf } from '../../crdtest/runFile.ts';
import { readSuite, type TestCase } from '../../crdtest/suite.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { fileAt, kubernetesFor, type Snapshot, settingsFor, versionsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Location } from '../place/location.ts';
import { crdsOf } from '../place/rulePaths.ts';
import { inFile, type Lens } from './lens.ts';

/** Over each case "Run", "Debug" and how it stands; over a document of tests the same for all of its cases. */
export function caseLenses(snapshot: Snapshot, uri: string): Lens[] {
  const file = fileAt(snapshot, uri);
  if (!file || settingsFor(snapshot, uri).codeLens.has('cases')) return [];
  return file.stream.documents.flatMap((placed, nth) => {
    const { suite, mistakes } = readSuite(placed.document);
    if (!suite || suite.cases.length === 0) return [];
    const results = mistakes.length > 0 ? undefined : resultsIn(snapshot, uri, placed);
    const byCase = new Map<unknown, TestCase[]>();
    for (const one of suite.cases) {
      const known = byCase.get(one.path[1]);
      if (known) known.push(one);
      else byCase.set(one.path[1], [one]);
    }
    return [
      ...documentLenses(placed, suite.cases, results, file.stream.documents.length === 1 ? 'all' : nth),
      ...[...byCase.values()].flatMap((cases) => ofCase(placed, nth, cases, results)),
    ];
  });
}

type Results = ReadonlyMap<string, CaseResult | undefined>;

/** What came of the cases in all versions that the file is judged for, by their places; undefined where they were not run. */
function resultsIn(snapshot: Snapshot, uri: string, { document }: PlacedDocument): Results | undefined {
  const around = aroundPolicies(snapshot, uri, document);
  const runs = versionsFor(snapshot, uri).map(
    (version) =>
      documentRun(document, uri, snapshot.definitions, version) ??
      policyDocumentRun(document, around, version) ??
      evaluateDocumentRun(document, around.policyFiles, version),
  );
  if (runs.some((run) => run === undefined || run.refused.length > 0)) return undefined;
  const all = new Map<string, CaseResult | undefined>();
  for (const run of runs) {
    for (const [{ path }, result] of run?.results ?? []) {
      const key = path.join('/');
      if (!all.has(key) || (result?.failures.length ?? 0) > 0) all.set(key, result);
    }
  }
  return all;
}

function documentLenses(
  placed: PlacedDocument,
  cases: readonly TestCase[],
  results: Results | undefined,
  nth: number | 'all',
): Lens[] {
  const first = ['policy', 'expressions', 'crd', 'cases'].map((key) => rangeOf(placed.document, [key], 'key'));
  const at = first.find((range) => range !== undefined);
  const ids = nth === 'all' ? nth : cases.map(({ path }) => idOf(nth, path));
  return at ? [{ title: 'Run all', does: { run: ids } }, stateOf(cases, results)].map(inFile(placed, at)) : [];
}

function ofCase(placed: PlacedDocument, nth: number, cases: readonly TestCase[], results: Results | undefined): Lens[] {
  const path = cases[0]!.path.slice(0, 2);
  const at = rangeOf(placed.document, [...path, 'name'], 'key') ?? rangeOf(placed.document, path, 'value');
  const fails = cases.find((one) => (results?.get(one.path.join('/'))?.failures.length ?? 0) > 0);
  const debug = idOf(nth, (fails ?? cases[0]!).path);
  const lenses = [
    { title: 'Run', does: { run: cases.map((one) => idOf(nth, one.path)) } },
    { title: 'Debug', does: { debug } },
    stateOf(cases, results),
  ];
  return at ? lenses.map(inFile(placed, at)) : [];
}

/** How cases stand, in words. */
function stateOf(cases: readonly TestCase[], results: Results | undefined): Omit<Lens, 'range'> {
  const known = cases.map(({ path }) => results?.get(path.join('/')));
  const run = known.filter((one) => one !== undefined);
  const failed = run.filter(({ failures }) => failures.length > 0).length;
  return {
    title: run.length === 0 ? 'not run while you type' : inWords(cases.length, run.length, failed),
    does: undefined,
  };
}

function inWords(all: number, run: number, failed: number): string {
  if (all === 1) return failed > 0 ? 'failed' : 'passed';
  const words = failed === 0 ? `${run} passed` : `${failed} of ${run} failed`;
  return run === all ? words : `${words}, ${all - run} not run while you type`;
}

/** Over each rule of a CRD how many cases of tests are about it, with the way to them. */
export function* ruleLenses(snapshot: Snapshot, uri: string, tests: readonly SourceFile[]): Steps<Lens[]> {
  if (settingsFor(snapshot, uri).codeLens.has('rules')) return [];
  const lenses: Lens[] = [];
  for (const { manifest, placed } of crdsOf(snapshot, uri)) {
    const rules = rulesOf(manifest);
    const found = yield* testsOf(snapshot, manifest, tests, rules);
    for (const path of found ? rules : []) {
      const at = rangeOf(placed.document, [...inDocument(manifest, path), 'rule'], 'key');
      const of = found?.get(path.join('/')) ?? [];
      const does = of.length === 0 ? undefined : { show: of.map(({ place }) => place) };
      if (at) lenses.push(inFile(placed, at)({ title: countText(of), does }));
    }
  }
  return lenses;
}

function rulesOf({ value }: Manifest): Path[] {
  const versions = valueAt(value, ['spec', 'versions']);
  return (Array.isArray(versions) ? versions : []).flatMap((version: Value, i) => {
    const root = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
    return rulesIn(valueAt(version, ['schema', 'openAPIV3Schema'])).map(({ path }) => [...root, ...path]);
  });
}

interface TestOfRule {
  readonly place: Location;
  readonly failed: boolean;
}

function countText(tests: readonly TestOfRule[]): string {
  if (tests.length === 0) return 'no tests';
  const failed = tests.filter((one) => one.failed).length;
  const fails = failed === 0 ? '' : `, ${failed} ${failed === 1 ? 'fails' : 'fail'}`;
  return `${counted(tests.length, 'test')}${fails}`;
}

/** The cases that are about the rules of a CRD, by the path of the rule; undefined where nothing tests it. */
function* testsOf(
  snapshot: Snapshot,
  crd: Manifest,
  tests: readonly SourceFile[],
  rules: readonly Path[],
): Steps<ReadonlyMap<string, readonly TestOfRule[]> | undefined> {
  const byRule = new Map<string, TestOfRule[]>();
  let isTested = false;
  for (const file of tests) {
    const version = kubernetesFor(snapshot, file.uri);
    for (const placed of file.stream.documents) {
      yield;
      const run = documentRun(placed.document, file.uri, snapshot.definitions, version);
      if (run?.definition.manifest !== crd) continue;
      isTested = true;
      for (const [one, result] of run.results) {
        const test = {
          place: { uri: file.uri, range: placeOf(placed, one) },
          failed: (result?.failures.length ?? 0) > 0,
        };
        for (const rule of rulesAbout(one, result, run, rules)) byRule.set(rule, [...(byRule.get(rule) ?? []), test]);
      }
    }
  }
  return isTested ? byRule : undefined;
}

function placeOf({ document, start }: PlacedDocument, { path }: TestCase): Range {
  const at = rangeOf(document, [...path, 'name'], 'value') ?? rangeOf(document, path, 'value');
  return { start: (at?.start ?? document.rootStart) + start, end: (at?.end ?? document.rootStart) + start };
}

/** A case is about the rule that it names, those that refuse its object, and those whose message it expects. */
function rulesAbout(
  one: TestCase,
  result: CaseResult | undefined,
  { suite, definition }: DocumentRun,
  rules: readonly Path[],
): Set<string> {
  const keyOf = (path: Path) => path.join('/');
  if (one.request.verb === 'rule') {
    const named = rulePathOf(one.request.rule);
    const wanted = named && `/openAPIV3Schema/${keyOf([...named.schema, rulesKey, named.nth])}`;
    return new Set(rules.map(keyOf).filter((key) => wanted !== undefined && key.endsWith(wanted)));
  }
  const object = givenHere(one, suite)?.object;
  const root = isMap(object) ? rootSchema(definition, String(object.get('apiVersion'))) : undefined;
  const broken = (result?.broke ?? []).flatMap(({ self, index }) => {
    const node = root && schemaAt(root, self);
    return node?.path ? [keyOf([...node.path, rulesKey, index])] : [];
  });
  const words = one.expected.errors.flatMap(({ message, contains }) => message ?? contains ?? []);
  const crd = definition.manifest.value;
  const expected = words.length === 0 ? [] : rules.filter((path) => saysOneOf(crd, path, words)).map(keyOf);
  return new Set([...broken, ...expected]);
}

function saysOneOf(crd: Value, path: Path, words: readonly string[]): boolean {
  const message = valueAt(crd, [...path, 'message']);
  const text = isString(message) ? message.trim() : '';
  return text !== '' && words.some((one) => one.includes(text) || text.includes(one));
}
