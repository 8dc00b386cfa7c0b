import { lineIndex } from '../base/text.ts';
import type { Value } from '../base/value.ts';
import { crdsFor, readEnvtestSuite, runEnvtestCase } from '../crdtest/envtestSuite.ts';
import { crdOf, givenOf } from '../crdtest/load.ts';
import { type CaseResult, runCase, type Serving, serving } from '../crdtest/run.ts';
import { readSuite, type Suite, type TestCase } from '../crdtest/suite.ts';
import { rangeText, versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { isTestFile } from '../workspace/files.ts';
import { kubernetesFor, type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { expandAll, namedBy, namedSources, readable } from './inputs.ts';
import { complain, nameOf, printable } from './report.ts';
import { type TestFormatName, type TestReport, testFormats } from './testFormats.ts';
import { knownVersions } from './versions.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface TestOptions extends CrdOptions {
  readonly paths: readonly string[];
  /** As `kubeCrd.kubernetesVersion`; holds above what the files say. */
  readonly versions: string | undefined;
  /** A part of the name of the cases to run; '' for all. */
  readonly filter: string;
  readonly format: TestFormatName;
  /** Whether the files are suites as openshift/api has them. */
  readonly imports: boolean;
}

/** Runs the tests of CRDs; gives the exit code. */
export async function test(options: TestOptions): Promise<number> {
  const { paths, versions, filter } = options;
  const listing = await expandAll(paths);
  const named = namedBy(paths);
  const uris = listing.uris.filter((uri) => options.imports || isTestFile(uri) || named.has(uri));
  if (uris.length === 0) throw new Error(`no files *.crdtest.yaml found at ${paths.join(', ')}`);
  const chosen = versions === undefined ? {} : { kubernetesVersion: knownVersions(versions) };
  const { snapshot } = await openWorkspace(listing, options, { chosen });
  const format = testFormats[options.format]();
  const counts = { passed: 0, failed: 0, skipped: 0, unread: 0 };
  process.stdout.write(format.begin?.() ?? '');
  for await (const file of readable(namedSources(uris), () => counts.unread++)) {
    const reports: TestReport[] = [];
    for await (const report of options.imports
      ? imported(file, snapshot, options)
      : reportsOf(file, snapshot, options)) {
      if (report === 'skipped') counts.skipped++;
      else {
        counts[report.failures.length > 0 ? 'failed' : 'passed']++;
        reports.push(report);
      }
    }
    process.stdout.write(format.file(nameOf(file.uri), reports));
  }
  process.stdout.write(format.end?.(counts) ?? '');
  if (filter !== '' && counts.passed + counts.failed === 0) complain(`no case has ${filter} in its name`);
  return counts.unread > 0 ? 2 : counts.failed > 0 ? 1 : 0;
}

async function* reportsOf(
  file: SourceFile,
  snapshot: Snapshot,
  options: TestOptions,
): AsyncGenerator<TestReport | 'skipped'> {
  const lines = lineIndex(file.text);
  for (const placed of file.stream.documents) {
    const { suite, mistakes } = readSuite(placed.document);
    const report = (
      path: TestCase['path'],
      name: string,
      failures: readonly string[],
      milliseconds = 0,
    ): TestReport => {
      const line = lines.lineAt(startOf(placed, path)) + 1;
      return { file: nameOf(file.uri), line, name, failures: failures.map(printable), milliseconds };
    };
    const [problem] = placed.document.problems;
    if (problem) yield report([], 'the file can be read', [problem.message]);
    for (const { path, message } of mistakes) yield report(path, 'the file says what it means', [message]);
    if (suite && mistakes.length === 0 && !problem) {
      for await (const { one, failures, milliseconds } of resultsOf(suite, file, snapshot, options)) {
        yield failures ? report(one.path, one.name, failures, milliseconds) : 'skipped';
      }
    }
  }
}

/** The cases of a suite from elsewhere, once for each CRD that it is about. */
function* imported(file: SourceFile, snapshot: Snapshot, { filter }: TestOptions): Generator<TestReport | 'skipped'> {
  const lines = lineIndex(file.text);
  const all = [...snapshot.definitions.values()].flat().map(({ manifest }) => manifest.value);
  for (const placed of file.stream.documents) {
    const suite = readEnvtestSuite(placed.document);
    if (!suite) continue;
    const crds = crdsFor(suite, all);
    for (const one of suite.cases) {
      const line = lines.lineAt(startOf(placed, one.path)) + 1;
      const about = { file: nameOf(file.uri), line, name: one.name, milliseconds: 0 };
      if (!one.name.includes(filter)) yield 'skipped';
      else if (crds.length === 0)
        yield { ...about, failures: [`no CRD ${suite.crdName} is known; name it with --crds`] };
      else
        for (const crd of crds)
          yield { ...about, failures: runEnvtestCase(one, crd, kubernetesFor(snapshot, file.uri)).map(printable) };
    }
  }
}

function startOf({ start, document }: PlacedDocument, path: TestCase['path']): number {
  const range = rangeOf(document, path, 'key') ?? rangeOf(document, path, 'value');
  return start + (range?.start ?? document.rootStart);
}

interface Result {
  readonly one: TestCase;
  /** Undefined where the case was not asked for. */
  readonly failures: readonly string[] | undefined;
  readonly milliseconds: number;
}

async function* resultsOf(
  suite: Suite,
  file: SourceFile,
  snapshot: Snapshot,
  { filter, versions: asked }: TestOptions,
): AsyncGenerator<Result> {
  const around = { files: promptFiles, uri: file.uri, definitions: snapshot.definitions };
  const versions =
    suite.kubernetes === undefined || asked !== undefined
      ? versionsFor(snapshot, file.uri)
      : versionsNamed(suite.kubernetes);
  const found = await crdOf(suite.crd, around);
  const why = 'why' in found ? found.why : versions ? undefined : `Kubernetes ${suite.kubernetes} is not known`;
  const served = new Map('why' in found ? [] : (versions ?? []).map((one) => [one, serving(found.crd as Value, one)]));
  for (const one of suite.cases) {
    const began = performance.now();
    const given = one.name.includes(filter) ? await givenOf(one, suite, around) : undefined;
    const failures =
      why !== undefined ? [why] : given && ('why' in given ? [given.why] : inVersions(one, given, served));
    yield { one, failures: one.name.includes(filter) ? failures : undefined, milliseconds: performance.now() - began };
  }
}

/** What is wrong with a case, each once, with the versions where it is not so in all. */
function inVersions(
  one: TestCase,
  given: Parameters<typeof runCase>[1],
  served: ReadonlyMap<KubernetesVersion, Serving>,
): string[] {
  const byFailure = new Map<string, string[]>();
  for (const [version, crd] of served) {
    const { failures }: CaseResult = runCase(one, given, crd, version);
    for (const failure of failures) byFailure.set(failure, [...(byFailure.get(failure) ?? []), version.name]);
  }
  return [...byFailure].map(([failure, names]) =>
    names.length === served.size ? failure : `${failure} (Kubernetes ${rangeText(names)} only)`,
  );
}
