import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineIndex } from '../base/text.ts';
import type { Path } from '../base/value.ts';
import { type CoverageLog, type CrdCoverage, coverageLog } from '../crdtest/coverage.ts';
import { crdsFor, readEnvtestSuite, runEnvtestCase } from '../crdtest/envtestSuite.ts';
import { inVersions } from '../crdtest/run.ts';
import { runFile, type Subject } from '../crdtest/runFile.ts';
import { readSuite } from '../crdtest/suite.ts';
import { isTestFile } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { folderOf } from '../workspace/uri.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { type CoverageOptions, coverageLcov, coverageText, percentOf, percentText, shareOf } from './coverage.ts';
import { expandAll, namedBy, namedSources, readable } from './inputs.ts';
import { writeWhole } from './outputs.ts';
import { complain, nameOf, printable } from './report.ts';
import { type ClusterOptions, type ClusterOutcome, type ClusterRun, withCluster } from './testCluster.ts';
import { type ConvertOptions, convertFile } from './testConvert.ts';
import { type TestFormatName, type TestReport, testFormats } from './testFormats.ts';
import { updatedFile } from './testUpdate.ts';
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
  /** Undefined where nobody asks for it: then nothing is counted. */
  readonly coverage: CoverageOptions | undefined;
  /** Whether what comes is written into the files as expected. */
  readonly update: boolean;
  /** Where imported suites are written in the form of ours instead of being run. */
  readonly convert: ConvertOptions | undefined;
  /** A cluster that is asked the same. */
  readonly cluster: ClusterOptions | undefined;
}

/** Runs the tests of CRDs; gives the exit code. */
export async function test(options: TestOptions): Promise<number> {
  if (!options.cluster) return await testIn(options, undefined);
  return await withCluster(options.cluster, (cluster) =>
    testIn({ ...options, versions: cluster.version.name }, cluster),
  );
}

async function testIn(options: TestOptions, cluster: ClusterRun | undefined): Promise<number> {
  const { paths, versions, filter } = options;
  const listing = await expandAll(paths);
  const named = namedBy(paths);
  const uris = listing.uris.filter((uri) => options.imports || isTestFile(uri) || named.has(uri));
  if (uris.length === 0) throw new Error(`no files *.crdtest.yaml found at ${paths.join(', ')}`);
  const chosen = versions === undefined ? {} : { kubernetesVersion: knownVersions(versions) };
  const { snapshot } = await openWorkspace(listing, options, { chosen });
  if (options.convert) return await converted(uris, snapshot, options.convert);
  const coverage = options.coverage && coverageLog();
  const format = testFormats[options.format]();
  const counts = { passed: 0, failed: 0, skipped: 0, unread: 0, ...(cluster && { otherwise: 0 }) };
  process.stdout.write(format.begin?.() ?? '');
  for await (const source of readable(namedSources(uris), () => counts.unread++)) {
    const file = options.update ? await updated(source, snapshot, options) : source;
    const reports: TestReport[] = [];
    for await (const [outcome, report] of options.imports
      ? imported(file, snapshot, options)
      : reportsOf(file, snapshot, options, { coverage, cluster })) {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      if (report) reports.push(report);
    }
    process.stdout.write(format.file(nameOf(file.uri), reports));
  }
  const isEnough = !coverage || (await covered(coverage.all(), options));
  process.stdout.write(format.end?.(counts) ?? '');
  const isNone = filter !== '' && counts.passed + counts.failed === 0;
  if (isNone) complain(`no case has ${filter} in its name`);
  return counts.unread > 0 || isNone ? 2 : counts.failed > 0 || (counts.otherwise ?? 0) > 0 || !isEnough ? 1 : 0;
}

/** Writes suites in the form of ours; gives the exit code. */
async function converted(uris: readonly string[], snapshot: Snapshot, options: ConvertOptions): Promise<number> {
  let [left, unread] = [0, 0];
  for await (const file of readable(namedSources(uris), () => unread++))
    left += await convertFile(file, snapshot, options);
  return unread > 0 ? 2 : left > 0 ? 1 : 0;
}

/** The folders of the CRDs that tests name by their files: a test is run again when its CRD changes. */
export async function crdFolders(paths: readonly string[]): Promise<string[]> {
  const { uris } = await expandAll(paths);
  const folders = new Set<string>();
  for await (const file of readable(namedSources(uris.filter(isTestFile)), () => {})) {
    for (const { document } of file.stream.documents) {
      const crd = readSuite(document).suite?.crd;
      if (!crd || !('path' in crd)) continue;
      const { uris: found } = await promptFiles.expand(crd.path, folderOf(file.uri), defaultLimits.files);
      for (const uri of found) folders.add(path.dirname(fileURLToPath(uri)));
    }
  }
  return [...folders];
}

/** Prints and writes the coverage as it is asked for; false where it is not enough. */
async function covered(all: readonly CrdCoverage[], { coverage, format }: TestOptions): Promise<boolean> {
  const { shown, lcov, least } = coverage!;
  // Programs read the other formats.
  if (shown) (format === 'text' ? process.stdout : process.stderr).write(coverageText(all));
  if (lcov !== undefined) await writeWhole(lcov, coverageLcov(all));
  if (least === undefined) return true;
  const percent = all.length === 0 ? 0 : percentOf(shareOf(all.flatMap((one) => one.points())));
  if (percent >= least) return true;
  complain(`the cases cover ${percentText(percent)} of their CRDs, less than the ${least}% of --min-coverage`);
  return false;
}

/** The file with what comes of its cases. */
async function updated(file: SourceFile, snapshot: Snapshot, options: TestOptions): Promise<SourceFile> {
  const out = options.format === 'text' ? process.stdout : process.stderr;
  return await updatedFile(file, resultsOf(file, snapshot, options), (line) => void out.write(`${line}\n`));
}

function resultsOf(file: SourceFile, snapshot: Snapshot, { filter, versions }: TestOptions, coverage?: CoverageLog) {
  const { uri } = file;
  const around = { files: promptFiles, uri, definitions: snapshot.definitions };
  const usual = versionsFor(snapshot, uri);
  const wanted = ({ name }: Subject) => name.includes(filter);
  return runFile(file, { ...around, usual, above: versions !== undefined, wanted, coverage });
}

/** What a case counts as, and what there is to say of it. */
type Counted = readonly ['skipped'] | readonly ['passed' | 'failed' | 'otherwise', TestReport];

function counted(report: TestReport): Counted {
  return [report.failures.length > 0 ? 'failed' : 'passed', report];
}

interface Beside {
  readonly coverage: CoverageLog | undefined;
  readonly cluster: ClusterRun | undefined;
}

async function* reportsOf(
  file: SourceFile,
  snapshot: Snapshot,
  options: TestOptions,
  { coverage, cluster }: Beside,
): AsyncGenerator<Counted> {
  const lines = lineIndex(file.text);
  for await (const { name, range, failures, milliseconds, run } of resultsOf(file, snapshot, options, coverage)) {
    const line = lines.lineAt(range.start) + 1;
    const report = { file: nameOf(file.uri), line, name, failures: (failures ?? []).map(printable), milliseconds };
    if (!failures) yield ['skipped'];
    else yield cluster && run ? await beside(report, await cluster.ask(run)) : counted(report);
  }
}

/** A case beside what a cluster says. */
function beside(report: TestReport, outcome: ClusterOutcome): Counted {
  if (outcome.answers === 'the same') return counted(report);
  if (outcome.answers === 'not asked') {
    complain(
      `${report.file}:${report.line}: ${printable(report.name)}: the cluster is not asked: ${printable(outcome.why)}`,
    );
    return report.failures.length > 0 ? counted(report) : ['skipped'];
  }
  const said = outcome.differences.map((one) => printable(`the cluster answers otherwise: ${one}`));
  return ['otherwise', { ...report, failures: [...report.failures, ...said] }];
}

/** The cases of a suite from elsewhere, once for each CRD that it is about. */
function* imported(file: SourceFile, snapshot: Snapshot, { filter, paths }: TestOptions): Generator<Counted> {
  const lines = lineIndex(file.text);
  const named = namedBy(paths);
  const all = [...snapshot.definitions.values()].flat().map(({ manifest }) => manifest.value);
  for (const placed of file.stream.documents) {
    const suite = readEnvtestSuite(placed.document);
    const [problem] = placed.document.problems;
    // A folder may hold other files as well.
    const isMeant = named.has(file.uri) || placed.document.text.includes('crdName:');
    if (isMeant && (problem || !suite)) {
      const line = lines.lineAt(placed.start + (problem?.range.start ?? placed.document.rootStart)) + 1;
      const failures = [problem?.message ?? 'expected `crdName` and `tests`'];
      yield counted({ file: nameOf(file.uri), line, name: 'the file can be read', failures, milliseconds: 0 });
    }
    if (!suite || problem) continue;
    const crds = crdsFor(suite, all);
    for (const one of suite.cases) {
      const line = lines.lineAt(startOf(placed, one.path)) + 1;
      const about = { file: nameOf(file.uri), line, name: one.name, milliseconds: 0 };
      if (!one.name.includes(filter)) yield ['skipped'];
      else if (crds.length === 0)
        yield counted({ ...about, failures: [`no CRD ${suite.crdName} is known; name it with --crds`] });
      else
        for (const crd of crds) {
          const failures = inVersions(versionsFor(snapshot, file.uri), (version) => runEnvtestCase(one, crd, version));
          yield counted({ ...about, failures: failures.map(printable) });
        }
    }
  }
}

function startOf({ start, document }: PlacedDocument, path: Path): number {
  const range = rangeOf(document, path, 'key') ?? rangeOf(document, path, 'value');
  return start + (range?.start ?? document.rootStart);
}
