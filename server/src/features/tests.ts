import { casesIn, runFile, type Subject, type TestResult } from '../crdtest/runFile.ts';
import type { Files } from '../workspace/files.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';

/** The cases of a file of tests, for a view of all of them. */
export function testsIn(file: SourceFile): readonly Subject[] {
  return casesIn(file);
}

/** What comes of the cases of a file: of all of them, or of those that are named. */
export async function runTests(
  snapshot: Snapshot,
  files: Files,
  file: SourceFile,
  ids: readonly string[] | undefined,
): Promise<readonly TestResult[]> {
  const { uri } = file;
  const usual = versionsFor(snapshot, uri);
  const wanted = ({ id }: Subject) => ids === undefined || ids.includes(id);
  const results: TestResult[] = [];
  const around = { files, uri, definitions: snapshot.definitions };
  for await (const result of runFile(file, { ...around, usual, wanted })) results.push(result);
  return results;
}
