import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Coverage, coverageLog } from '../crdtest/coverage.ts';
import { coverageText } from '../crdtest/coverageText.ts';
import { mostCrdFiles } from '../crdtest/load.ts';
import { readSuite } from '../crdtest/suite.ts';
import { readRegular } from '../files/read.ts';
import { writeWhole } from '../files/write.ts';
import { isTestFile } from '../workspace/fileNames.ts';
import type { Listing } from '../workspace/files.ts';
import { textOf } from '../workspace/scan.ts';
import { folderOf } from '../workspace/uri.ts';
import { coverageLcov, coverageOf, lessThan } from './coverage.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { inOrder, inWorker } from './jobs.ts';
import { nameOf } from './report.ts';
import { complain, emit, emitBeside } from './terminal.ts';
import { type ClusterRun, withCluster } from './testCluster.ts';
import { testFormats } from './testFormats.ts';
import { type Beside, type FileOutcome, type TestOptions, testPart, testUris } from './testPart.ts';
import { filesNamedIn } from './workspace.ts';

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
  const coverage = options.coverage && coverageLog();
  const format = testFormats[options.format]();
  const counts = { passed: 0, failed: 0, skipped: 0, unread: 0, ...(cluster && { otherwise: 0 }) };
  let faults = 0;
  emit(format.begin?.() ?? '');
  for await (const { name, counted } of outcomesOf(options, listing, { coverage, cluster })) {
    if (!counted) counts.unread++;
    for (const [outcome] of counted ?? []) counts[outcome] = (counts[outcome] ?? 0) + 1;
    const reports = (counted ?? []).flatMap(([, report]) => report ?? []);
    faults += reports.filter(({ isFault }) => isFault).length;
    if (counted) emit(format.file(name, reports));
  }
  const isEnough = !coverage || (await covered(coverage.all(), options));
  emit(format.end?.(counts) ?? '');
  const isNone =
    counts.passed + counts.failed + (counts.otherwise ?? 0) === 0 && (filter !== '' || counts.skipped === 0);
  if (isNone) complain(filter === '' ? `no cases found at ${paths.join(', ')}` : `no case has ${filter} in its name`);
  return counts.unread > 0 || faults > 0 || isNone
    ? 2
    : counts.failed > 0 || (counts.otherwise ?? 0) > 0 || !isEnough
      ? 1
      : 0;
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

/** The folders of the CRDs that tests name by their files: a test is run again when its CRD changes. */
export async function crdFolders(options: TestOptions): Promise<string[]> {
  const { uris } = await expandAll(options.paths);
  const files = filesNamedIn(options);
  const folders = new Set<string>();
  for await (const file of readable(namedSources(uris.filter(isTestFile)), () => {})) {
    for (const { document } of file.stream.documents) {
      const crd = readSuite(document).suite?.crd;
      if (!crd || !('path' in crd)) continue;
      const { uris: found } = await files.expand(crd.path, folderOf(file.uri), mostCrdFiles);
      for (const uri of found) folders.add(path.dirname(fileURLToPath(uri)));
    }
  }
  return [...folders];
}

/** Prints and writes the coverage as it is asked for; false where it is not enough. */
async function covered(found: readonly Coverage[], { coverage, format }: TestOptions): Promise<boolean> {
  const { shown, lcov, least, of } = coverage!;
  const all = coverageOf(found, of);
  // Programs read the other formats.
  if (shown) (format === 'text' ? emit : emitBeside)(coverageText(all, nameOf));
  if (lcov !== undefined) await writeLcov(lcov, coverageLcov(all));
  const tooLittle = least.flatMap((minimum) => lessThan(minimum, all));
  for (const what of tooLittle) complain(what);
  return tooLittle.length === 0;
}

/** What a file says already is not written again: a run that watches would take it for a change. */
async function writeLcov(file: string, text: string): Promise<void> {
  const known = textOf(await readRegular(file, text.length * 4));
  if (known !== text) await writeWhole(file, text, path.dirname(file));
}
