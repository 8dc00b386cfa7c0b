import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CrdCoverage, coverageLog } from '../crdtest/coverage.ts';
import { coverageText, percentOf, percentText, shareOf } from '../crdtest/coverageText.ts';
import { readSuite } from '../crdtest/suite.ts';
import { isTestFile, type Listing } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { folderOf } from '../workspace/uri.ts';
import { coverageLcov } from './coverage.ts';
import { expandAll, namedBy, namedSources, readable } from './inputs.ts';
import { inOrder, inWorker } from './jobs.ts';
import { writeWhole } from './outputs.ts';
import { complain, nameOf } from './report.ts';
import { type ClusterRun, withCluster } from './testCluster.ts';
import { type ConvertOptions, convertFile } from './testConvert.ts';
import { testFormats } from './testFormats.ts';
import { type Beside, type FileOutcome, snapshotFor, type TestOptions, testPart, testUris } from './testPart.ts';

/** Runs the tests of CRDs; gives the exit code. */
export async function test(options: TestOptions): Promise<number> {
  if (!options.cluster) return await testIn(options, undefined);
  return await withCluster(options.cluster, (cluster) =>
    testIn({ ...options, versions: cluster.version.name }, cluster),
  );
}

async function testIn(options: TestOptions, cluster: ClusterRun | undefined): Promise<number> {
  const { paths, filter } = options;
  const listing = await expandAll(paths);
  if (testUris(options, listing).length === 0) throw new Error(`no files *.crdtest.yaml found at ${paths.join(', ')}`);
  if (options.convert) return await converted(options, listing, options.convert);
  const coverage = options.coverage && coverageLog();
  const format = testFormats[options.format]();
  const counts = { passed: 0, failed: 0, skipped: 0, unread: 0, ...(cluster && { otherwise: 0 }) };
  process.stdout.write(format.begin?.() ?? '');
  for await (const { name, counted } of outcomesOf(options, listing, { coverage, cluster })) {
    if (!counted) counts.unread++;
    for (const [outcome] of counted ?? []) counts[outcome] = (counts[outcome] ?? 0) + 1;
    const reports = (counted ?? []).flatMap(([, report]) => report ?? []);
    if (counted) process.stdout.write(format.file(name, reports));
  }
  const isEnough = !coverage || (await covered(coverage.all(), options));
  process.stdout.write(format.end?.(counts) ?? '');
  const isNone =
    counts.passed + counts.failed + (counts.otherwise ?? 0) === 0 && (filter !== '' || counts.skipped === 0);
  if (isNone) complain(filter === '' ? `no cases found at ${paths.join(', ')}` : `no case has ${filter} in its name`);
  return counts.unread > 0 || isNone ? 2 : counts.failed > 0 || (counts.otherwise ?? 0) > 0 || !isEnough ? 1 : 0;
}

/** What comes of the files, in their order. */
function outcomesOf(options: TestOptions, listing: Listing, beside: Beside): AsyncGenerator<FileOutcome, unknown> {
  const of = Math.min(options.jobs, testUris(options, listing).length);
  if (of === 1) return testPart(options, { listing, nth: 0, of }, beside);
  const parts = Array.from({ length: of }, (_, nth) =>
    inWorker<FileOutcome, undefined>({ kind: 'test', options, part: { listing, nth, of } }),
  );
  return inOrder(parts, 1);
}

/** Writes suites in the form of ours; gives the exit code. */
async function converted(options: TestOptions, listing: Listing, convert: ConvertOptions): Promise<number> {
  const snapshot = await snapshotFor(options, listing);
  const uris = testUris(options, listing);
  const named = namedBy(options.paths);
  let [cases, left, unread] = [0, 0, 0];
  for await (const file of readable(namedSources(uris), () => unread++)) {
    const outcome = await convertFile(file, snapshot, { ...convert, isNamed: named.has(file.uri) });
    cases += outcome.cases;
    left += outcome.left;
  }
  const isNone = cases + left + unread === 0;
  if (isNone) complain(`no cases found at ${options.paths.join(', ')}`);
  return isNone ? 2 : unread > 0 ? 2 : left > 0 ? 1 : 0;
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
  if (shown) (format === 'text' ? process.stdout : process.stderr).write(coverageText(all, nameOf));
  if (lcov !== undefined) await writeLcov(lcov, coverageLcov(all));
  if (least === undefined) return true;
  const percent = all.length === 0 ? 0 : percentOf(shareOf(all.flatMap((one) => one.points())));
  if (percent >= least) return true;
  complain(`the cases cover ${percentText(percent)} of their CRDs, less than the ${least}% of --min-coverage`);
  return false;
}

/** What a file says already is not written again: a run that watches would take it for a change. */
async function writeLcov(file: string, text: string): Promise<void> {
  const known = await fs.readFile(file, 'utf8').catch(() => undefined);
  if (known !== text) await writeWhole(file, text);
}
