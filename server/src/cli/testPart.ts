import { lineIndex } from '../base/text.ts';
import type { Path, Value } from '../base/value.ts';
import type { CoverageLog } from '../crdtest/coverage.ts';
import { crdsFor, readEnvtestSuite, runEnvtestCase, sizeOfEnvtestRun, suiteFault } from '../crdtest/envtestSuite.ts';
import { readKaptestSuite } from '../crdtest/kaptestSuite.ts';
import { inVersions } from '../crdtest/run.ts';
import { runFile, type Subject } from '../crdtest/runFile.ts';
import { Allowance } from '../crdtest/size.ts';
import { isTestFile } from '../workspace/fileNames.ts';
import type { Listing } from '../workspace/files.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import type { CoverageOptions } from './coverage.ts';
import { importedKaptest } from './importedKaptest.ts';
import { namedBy, readSource } from './inputs.ts';
import type { ClusterOutcome } from './policyCluster.ts';
import { nameOf } from './report.ts';
import { complain, emit, emitBeside, linesText } from './terminal.ts';
import type { ClusterOptions, ClusterRun } from './testCluster.ts';
import type { TestFormatName, TestReport } from './testFormats.ts';
import { type Counted, counted } from './testOutcome.ts';
import { updatedFile } from './testUpdate.ts';
import { knownVersions } from './versions.ts';
import { builtinFile, type CrdOptions, filesNamedIn, openWorkspace } from './workspace.ts';

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
  /** How many threads run the files. */
  readonly jobs: number;
  /** A cluster that is asked the same. */
  readonly cluster: ClusterOptions | undefined;
}

/** Every so many-th of the files of tests, from the nth on. The CRDs of all files are known to each part. */
export interface TestPart {
  readonly listing: Listing;
  readonly nth: number;
  readonly of: number;
}

/** What came of the cases of a file; undefined where it could not be read. */
export type FileOutcome = { readonly name: string; readonly counted: readonly Counted[] | undefined };

/** Runs the cases of files, one file after the other. */
export async function* testPart(
  options: TestOptions,
  { listing, nth, of }: TestPart,
  beside: Beside,
): AsyncGenerator<FileOutcome, undefined> {
  const snapshot = await snapshotFor(options, listing);
  const known = options.imports ? [...snapshot.definitions.values()].flat() : [];
  const crds = known.map(({ manifest }) => manifest.value);
  for (const uri of testUris(options, listing).filter((_, i) => i % of === nth)) {
    const source = await readSource(uri, true);
    if (typeof source === 'string') {
      complain(source);
      yield { name: nameOf(uri), counted: undefined };
      continue;
    }
    const file = options.update ? await updated(source, snapshot, options) : source;
    const all: Counted[] = [];
    const found = options.imports
      ? imported(file, snapshot, crds, options)
      : reportsOf(file, snapshot, options, beside);
    for await (const one of found) all.push(one);
    yield { name: nameOf(uri), counted: all };
  }
  return undefined;
}

export function testUris({ paths, imports }: TestOptions, { uris }: Listing): string[] {
  const named = namedBy(paths);
  return uris.filter((uri) => imports || isTestFile(uri) || named.has(uri));
}

async function snapshotFor(options: TestOptions, listing: Listing): Promise<Snapshot> {
  const { versions } = options;
  const chosen = versions === undefined ? {} : { kubernetesVersion: knownVersions(versions) };
  return (await openWorkspace(listing, options, { chosen })).snapshot;
}

/** The file with what comes of its cases. */
async function updated(file: SourceFile, snapshot: Snapshot, options: TestOptions): Promise<SourceFile> {
  const say = options.format === 'text' ? emit : emitBeside;
  return await updatedFile(file, resultsOf(file, snapshot, options), (line) => say(linesText([line])));
}

function resultsOf(file: SourceFile, snapshot: Snapshot, options: TestOptions, coverage?: CoverageLog) {
  const { filter, versions } = options;
  const { uri } = file;
  const around = { files: filesNamedIn(options), uri, definitions: snapshot.definitions, builtin: builtinFile };
  const usual = versionsFor(snapshot, uri);
  const wanted = ({ name }: Subject) => name.includes(filter);
  return runFile(file, { ...around, usual, above: versions !== undefined, wanted, coverage });
}

/** What else is asked while cases run. */
export interface Beside {
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
  for await (const { name, range, failures, milliseconds, run, isFault } of resultsOf(
    file,
    snapshot,
    options,
    coverage,
  )) {
    const line = lines.lineAt(range.start) + 1;
    const report = { file: nameOf(file.uri), line, name, failures: failures ?? [], milliseconds, isFault };
    if (!failures) yield ['skipped'];
    else yield cluster && run ? await beside(report, await cluster.ask(run)) : counted(report);
  }
}

/** A case beside what a cluster says. */
function beside(report: TestReport, outcome: ClusterOutcome): Counted {
  if (outcome.answers === 'the same') return counted(report);
  if (outcome.answers === 'not asked') {
    complain(`${report.file}:${report.line}: ${report.name}: the cluster is not asked: ${outcome.why}`);
    return report.failures.length > 0 ? counted(report) : ['skipped'];
  }
  const said = outcome.differences.map((one) => `the cluster answers otherwise: ${one}`);
  return ['otherwise', { ...report, failures: [...report.failures, ...said] }];
}

/** The cases of a suite from elsewhere, once for each CRD that it is about. */
async function* imported(
  file: SourceFile,
  snapshot: Snapshot,
  all: readonly Value[],
  options: TestOptions,
): AsyncGenerator<Counted> {
  const { filter, paths } = options;
  const lines = lineIndex(file.text);
  const named = namedBy(paths);
  const allowance = new Allowance();
  for (const placed of file.stream.documents) {
    const kaptest = readKaptestSuite(placed.document);
    if (kaptest) {
      yield* importedKaptest(kaptest, file, placed, snapshot, options, allowance);
      continue;
    }
    const suite = readEnvtestSuite(placed.document);
    const fault = suiteFault(placed.document, named.has(file.uri));
    if (fault) {
      const line = lines.lineAt(placed.start + fault.at) + 1;
      const failures = [fault.message];
      const about = { file: nameOf(file.uri), line, name: 'the file can be read' };
      yield counted({ ...about, failures, milliseconds: 0, isFault: true });
    }
    if (!suite || fault) continue;
    const crds = crdsFor(suite, all);
    for (const one of suite.cases) {
      const line = lines.lineAt(startOf(placed, one.path)) + 1;
      const about = { file: nameOf(file.uri), line, name: one.name, milliseconds: 0 };
      if (!one.name.includes(filter)) yield ['skipped'];
      else if (crds.length === 0)
        yield counted({ ...about, failures: [`no CRD ${suite.crdName} is known; name it with --crds`] });
      else
        for (const crd of crds) {
          const versions = versionsFor(snapshot, file.uri);
          const why = allowance.take(versions.length * sizeOfEnvtestRun(one, crd));
          const run = () => inVersions(versions, (version) => runEnvtestCase(one, crd, version));
          const failures = why === undefined ? allowance.counting(run) : [why];
          yield counted({ ...about, failures });
        }
    }
  }
}

function startOf({ start, document }: PlacedDocument, path: Path): number {
  const range = rangeOf(document, path, 'key') ?? rangeOf(document, path, 'value');
  return start + (range?.start ?? document.rootStart);
}
