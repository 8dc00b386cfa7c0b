import type { Value } from '../../base/value.ts';
import { type CoverageLog, coverageLog, type PlacedPoint } from '../../crdtest/coverage.ts';
import { coverageText, type Share, shareOf } from '../../crdtest/coverageText.ts';
import { casesIn, runFile, type Subject, type TestResult } from '../../crdtest/runFile.ts';
import type { Files } from '../../workspace/files.ts';
import { type Snapshot, versionsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { renderBlock } from '../../yaml/render.ts';

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

/** Is called after each case: a file may have many, and others want something meanwhile. */
type Pause = () => Promise<void>;

/** What comes of the cases of a file: of all of them, or of those that are named. What they try goes into a log. */
export async function runTests(
  snapshot: Snapshot,
  files: Files,
  file: SourceFile,
  ids: readonly string[] | undefined,
  { coverage, pause }: { readonly coverage?: CoverageLog; readonly pause?: Pause } = {},
): Promise<readonly ShownResult[]> {
  const { uri } = file;
  const usual = versionsFor(snapshot, uri);
  const named = ids && new Set(ids);
  const wanted = ({ id }: Subject) => named === undefined || named.has(id);
  const results: ShownResult[] = [];
  const around = { files, uri, definitions: snapshot.definitions, builtin: async () => snapshot.builtin };
  for await (const result of runFile(file, { ...around, usual, wanted, coverage })) {
    results.push(shownResult(result));
    await pause?.();
  }
  return results;
}

/** What cases made of the CRDs of a file. */
export interface CoveredFile {
  readonly file: SourceFile;
  readonly points: readonly PlacedPoint[];
  /** How much of the rules, bounds and fields was tried, and how much of the branches of rules. */
  readonly statements: Share;
  readonly branches: Share;
}

/** What comes of the cases of some files, with what they all try of their CRDs; `text` is for people. */
export interface CoveredRun {
  readonly runs: readonly (readonly ShownResult[])[];
  readonly crds: readonly CoveredFile[];
  readonly text: string;
}

export async function coverTests(
  snapshot: Snapshot,
  files: Files,
  tests: readonly { readonly file: SourceFile; readonly ids: readonly string[] | undefined }[],
  nameOf: (uri: string) => string,
  pause?: Pause,
): Promise<CoveredRun> {
  const coverage = coverageLog();
  const runs: (readonly ShownResult[])[] = [];
  for (const { file, ids } of tests)
    runs.push(await runTests(snapshot, files, file, ids, { coverage, ...(pause && { pause }) }));
  return { runs, crds: coveredFiles(coverage), text: coverageText(coverage.all(), nameOf) };
}

function coveredFiles(log: CoverageLog): CoveredFile[] {
  const byUri = new Map<string, Pick<CoveredFile, 'file' | 'points'>>();
  for (const one of log.all()) {
    const known = byUri.get(one.file.uri) ?? { file: one.file, points: [] };
    byUri.set(one.file.uri, { ...known, points: [...known.points, ...one.points()] });
  }
  return [...byUri.values()].map(({ file, points }) => ({
    file,
    points,
    statements: shareOf(points.filter(({ kind }) => kind !== 'branch')),
    branches: shareOf(points.filter(({ kind }) => kind === 'branch')),
  }));
}
