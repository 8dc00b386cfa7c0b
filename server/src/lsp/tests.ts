import { debugPage } from '../features/crdtests/debugPage.ts';
import { runTests, testsIn } from '../features/tests.ts';
import type { Files } from '../workspace/files.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { isInside } from '../workspace/uri.ts';
import type { Context } from './context.ts';
import { positionsOf } from './position.ts';
import type { DebugTest, RunTests, TestOutcome, TestPlace, Tests } from './protocol.ts';

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
export async function answerRunTests(context: Context, { uri, ids }: RunTests): Promise<TestOutcome[]> {
  await context.session.loaded;
  const file = await testFile(context, uri);
  if (!file) return [];
  const { toRange } = positionsOf(file.text, context.client.encoding);
  const { session } = context;
  const results = await runTests(session.snapshot, filesToRead(context), file, ids);
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

/** What a case evaluates, with the values of the parts of rules. */
export async function answerDebugTest(context: Context, { uri, id }: DebugTest): Promise<string | null> {
  await context.session.loaded;
  const file = await testFile(context, uri);
  return (file && (await debugPage(context.session.snapshot, filesToRead(context), file, id))) ?? null;
}

/** Without trust nothing outside the workspace is read, whatever tests name. */
function filesToRead({ session: { trusted, folders }, files }: Context): Files {
  if (trusted) return files;
  const isOurs = (uri: string) => folders.some((folder) => isInside(uri, folder));
  return {
    ...files,
    read: async (uri, mostBytes) => (isOurs(uri) ? files.read(uri, mostBytes) : undefined),
    expand: async (pattern, folder, most) => {
      const found = await files.expand(pattern, folder, most);
      return { ...found, uris: found.uris.filter(isOurs) };
    },
  };
}
