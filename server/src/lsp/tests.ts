import type { CancellationToken } from 'vscode-languageserver';
import { type CoveredFile, type CoveredRun, coverTests, runTests, testsIn } from '../features/tests/runTests.ts';
import { debugPage } from '../features/views/debugPage.ts';
import type { Files } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { nameIn } from '../workspace/uri.ts';
import type { Context } from './context.ts';
import { readBuiltin } from './kinds.ts';
import { testFiles } from './lenses.ts';
import { positionsOf } from './position.ts';
import type {
  CoverTests,
  CrdFileCoverage,
  DebugTest,
  RunTests,
  TestCoverage,
  TestOutcome,
  TestPlace,
  Tests,
} from './protocol.ts';
import { filesNamedIn } from './session.ts';
import { pauses } from './steps.ts';

// The view of tests: which there are, and what comes of them.

/** The file of tests as it is in the editor, or on disk. */
async function testFile({ session, files }: Context, uri: string): Promise<SourceFile | undefined> {
  const open = session.snapshot.open.get(uri);
  if (open) return open;
  const text = textOf(await files.read(uri, defaultLimits.fileBytes));
  return text === undefined ? undefined : sourceFile(uri, text);
}

export async function answerTests(context: Context, { uri }: Tests): Promise<TestPlace[]> {
  const file = await testFile(context, uri);
  if (!file) return [];
  const { toRange } = positionsOf(file.text, context.client.encoding);
  return testsIn(file).map(({ id, name, range }) => ({ id, name, range: toRange(range) }));
}

/** Tests are run against the CRDs of the whole workspace: it has to be read. */
export async function answerRunTests(
  context: Context,
  { uri, ids }: RunTests,
  token?: CancellationToken,
): Promise<TestOutcome[]> {
  await context.session.loaded;
  const file = await testFile(context, uri);
  if (!file) return [];
  await readBuiltinFor(context, file);
  const results = await runTests(context.session.snapshot, filesToRead(context), file, ids, { pause: pausesOf(token) });
  return toOutcomes(context, file, results);
}

/** Policies are asked about built-in kinds as well. */
async function readBuiltinFor(context: Context, { text }: SourceFile): Promise<void> {
  if (/^policy:/m.test(text)) await readBuiltin(context);
}

function pausesOf(token: CancellationToken | undefined): () => Promise<void> {
  return pauses(() => token?.isCancellationRequested);
}

function toOutcomes({ client }: Context, { text }: SourceFile, results: CoveredRun['runs'][number]): TestOutcome[] {
  const { toRange } = positionsOf(text, client.encoding);
  return results.map(({ id, name, range, failures, unlike, milliseconds }) => {
    return {
      id,
      name,
      range: toRange(range),
      milliseconds,
      ...(failures && { failures }),
      ...(unlike && { unlike }),
    };
  });
}

export const nothingCovered: TestCoverage = { runs: [], crds: [], text: '' };

/** What the cases of some files try of their CRDs, all of them taken together. */
export async function answerCoverTests(
  context: Context,
  { files }: CoverTests,
  token?: CancellationToken,
): Promise<TestCoverage> {
  await context.session.loaded;
  const tests: { file: SourceFile; ids: readonly string[] | undefined }[] = [];
  const asked: readonly RunTests[] = files ?? (await testFiles(context));
  for (const { uri, ids } of asked) {
    const file = await testFile(context, uri);
    if (file) {
      await readBuiltinFor(context, file);
      tests.push({ file, ids });
    }
  }
  const { snapshot, folders } = context.session;
  const found = await coverTests(snapshot, filesToRead(context), tests, nameIn(folders), pausesOf(token));
  return {
    runs: tests.map(({ file }, i) => ({ uri: file.uri, outcomes: toOutcomes(context, file, found.runs[i] ?? []) })),
    crds: found.crds.map((one) => toFileCoverage(context, one)),
    text: found.text,
  };
}

function toFileCoverage({ client }: Context, { file, points, ...shares }: CoveredFile): CrdFileCoverage {
  const { toRange } = positionsOf(file.text, client.encoding);
  const placed = points.map(({ kind, what, range, ways }) => ({ kind, what, range: toRange(range), ways }));
  return { uri: file.uri, ...shares, points: placed };
}

/** What a case evaluates, with the values of the parts of rules. */
export async function answerDebugTest(context: Context, { uri, id }: DebugTest): Promise<string | null> {
  await context.session.loaded;
  const file = await testFile(context, uri);
  if (file) await readBuiltinFor(context, file);
  const page = file && (await debugPage(context.session.snapshot, filesToRead(context), file, id));
  return page?.source ?? null;
}

/** Files as they are in the editor, or on disk. */
function filesToRead({ session, files }: Context): Files {
  const { snapshot } = session;
  const read: Files['read'] = async (uri, mostBytes) => {
    const open = snapshot.open.get(uri);
    return open ? new TextEncoder().encode(open.text) : files.read(uri, mostBytes);
  };
  return { ...filesNamedIn(session, files), read };
}
