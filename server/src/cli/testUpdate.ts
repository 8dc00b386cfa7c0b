import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lineIndex, movedRange } from '../base/text.ts';
import { evaluatedOnce } from '../crdtest/evaluateRun.ts';
import { type Change, changesFor, editsOf } from '../crdtest/expecting.ts';
import { askedOnce } from '../crdtest/policyRun.ts';
import { type Answer, runCase } from '../crdtest/run.ts';
import type { CaseRun, TestResult } from '../crdtest/runFile.ts';
import { changeText } from '../files/change.ts';
import { editedText } from '../rules/fixing/fixes.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { nameOf } from './report.ts';

/** Writes into a file what came of its cases that failed, and gives the file as it is then. */
export async function updatedFile(
  file: SourceFile,
  results: AsyncIterable<TestResult>,
  say: (line: string) => void,
): Promise<SourceFile> {
  const lines = lineIndex(file.text);
  let now = file;
  for await (const { run, failures = [], name, range } of results) {
    if (!run || failures.length === 0) continue;
    const place = `${nameOf(file.uri)}:${lines.lineAt(range.start) + 1}: ${name}`;
    const changes = changesOf(run, now);
    if (typeof changes === 'string') say(`${place}: not updated, since ${changes}`);
    else {
      now = changes.reduce((before, change) => withChange(before, run.nth, change), now);
      const keys = new Set(changes.map(({ path }) => String(path[run.one.path.length])));
      say(`${place}: ${[...keys].join(', ')} updated`);
    }
  }
  if (now === file) return file;
  const onDisk = fileURLToPath(file.uri);
  await changeText(onDisk, file.text, now.text, path.dirname(onDisk));
  return now;
}

function changesOf(run: CaseRun, { stream }: SourceFile): readonly Change[] | string {
  return changesFor(run.one, answersTo(run), stream.documents[run.nth]!.document);
}

function answersTo({ one, given, served, policies, expressions }: CaseRun): readonly (Answer | undefined)[] {
  if (expressions) return [...expressions.asked.values()].map((all) => evaluatedOnce(one, all).result.answer);
  return policies
    ? [...policies.servers].map(([version, server]) => askedOnce(one, given, server, version).answer)
    : [...served].map(([version, crd]) => runCase(one, given, crd, version).answer);
}

/** One after the other: what a key is put beside may have been put there just before. */
function withChange(file: SourceFile, nth: number, change: Change): SourceFile {
  const { document, start } = file.stream.documents[nth]!;
  const edits = editsOf(document, change).map(({ range, text }) => ({
    range: movedRange(range, start),
    text,
  }));
  return sourceFile(file.uri, editedText(file.text, edits), { named: true, previous: file });
}
