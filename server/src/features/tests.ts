import type { Value } from '../base/value.ts';
import { casesIn, runFile, type Subject, type TestResult } from '../crdtest/runFile.ts';
import type { Files } from '../workspace/files.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { renderBlock } from '../yaml/render.ts';

/** The cases of a file of tests, for a view of all of them. */
export function testsIn(file: SourceFile): readonly Subject[] {
  return casesIn(file);
}

/** What came of a case, as it is shown: what was to be stored, and what is, as YAML. */
interface ShownResult extends Omit<TestResult, 'unlike'> {
  readonly unlike?: { readonly wanted: string; readonly found: string };
}

function shownResult({ unlike, ...result }: TestResult): ShownResult {
  return unlike ? { ...result, unlike: { wanted: asYaml(unlike.wanted), found: asYaml(unlike.found) } } : result;
}

function asYaml(value: Value): string {
  return renderBlock(value, 0, { eol: '\n', step: 2, indentLists: true });
}

/** What comes of the cases of a file: of all of them, or of those that are named. */
export async function runTests(
  snapshot: Snapshot,
  files: Files,
  file: SourceFile,
  ids: readonly string[] | undefined,
): Promise<readonly ShownResult[]> {
  const { uri } = file;
  const usual = versionsFor(snapshot, uri);
  const wanted = ({ id }: Subject) => ids === undefined || ids.includes(id);
  const results: ShownResult[] = [];
  const around = { files, uri, definitions: snapshot.definitions };
  for await (const result of runFile(file, { ...around, usual, wanted })) results.push(shownResult(result));
  return results;
}
