import { lineIndex } from '../base/text.ts';
import { crdsFor, readEnvtestSuite, runEnvtestCase } from '../crdtest/envtestSuite.ts';
import { type Around, crdOf, givenOf } from '../crdtest/load.ts';
import { type Ground, groundFor, runInVersions } from '../crdtest/run.ts';
import { readSuite, type Suite, type TestCase } from '../crdtest/suite.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
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
      const around = { files: promptFiles, uri: file.uri, definitions: snapshot.definitions };
      const usual = versionsFor(snapshot, file.uri);
      const asked = options.versions === undefined ? suite : { ...suite, kubernetes: undefined };
      const { served, refused } = await groundOf(asked, around, usual);
      if (refused.length > 0) yield report(['crd'], 'the CRD can be tested', refused);
      for (const one of suite.cases) {
        const began = performance.now();
        const isAsked = served.size > 0 && one.name.includes(options.filter);
        const given = isAsked ? await givenOf(one, suite, around) : undefined;
        if (!given) yield 'skipped';
        else {
          const failures = 'why' in given ? [given.why] : runInVersions(one, given, served);
          yield report(one.path, one.name, failures, performance.now() - began);
        }
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

/** What the cases of a suite run against, or why they cannot run. */
async function groundOf(suite: Suite, around: Around, usual: readonly KubernetesVersion[]): Promise<Ground> {
  const versions = suite.kubernetes === undefined ? usual : versionsNamed(suite.kubernetes);
  if (!versions) return { served: new Map(), refused: [`Kubernetes ${suite.kubernetes} is not known`] };
  const found = await crdOf(suite.crd, around);
  return 'why' in found ? { served: new Map(), refused: [found.why] } : groundFor(found.crd, versions);
}
