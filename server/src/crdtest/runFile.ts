import type { Range } from '../base/text.ts';
import type { Path } from '../base/value.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { type Around, crdOf, givenOf } from './load.ts';
import { type CaseResult, type Ground, groundFor, runInVersions } from './run.ts';
import { readSuite, type Suite } from './suite.ts';

/** A case of a file, or something that a file has to be before its cases can run. */
export interface Subject {
  /** Tells it apart from the others of its file. */
  readonly id: string;
  readonly name: string;
  /** Its name in the file. */
  readonly range: Range;
}

/** What came of it; undefined where it was not run. */
export interface TestResult extends Subject {
  readonly failures: readonly string[] | undefined;
  readonly unlike?: CaseResult['unlike'];
  readonly milliseconds: number;
}

export interface RunOptions extends Around {
  /** The versions of files that name none. */
  readonly usual: readonly KubernetesVersion[];
  /** Whether those count before what files name. */
  readonly above?: boolean;
  readonly wanted: (subject: Subject) => boolean;
}

/** The cases of a file as far as they can be read. */
export function casesIn({ stream }: SourceFile): Subject[] {
  return stream.documents.flatMap((placed, nth) => {
    const { suite } = readSuite(placed.document);
    return (suite?.cases ?? []).map(({ path, name }) => subject(placed, nth, path, name));
  });
}

/** Runs the cases of a file, one after the other. */
export async function* runFile({ stream }: SourceFile, options: RunOptions): AsyncGenerator<TestResult> {
  for (const [nth, placed] of stream.documents.entries()) {
    const about = (path: Path, name: string, failures: readonly string[]): TestResult => {
      return { ...subject(placed, nth, path, name), failures, milliseconds: 0 };
    };
    const [problem] = placed.document.problems;
    const { suite, mistakes } = readSuite(placed.document);
    if (problem) yield about([], 'the file can be read', [problem.message]);
    for (const { path, message } of mistakes) yield about(path, 'the file says what it means', [message]);
    if (!suite || problem || mistakes.length > 0) continue;
    const { served, refused } = await groundOf(suite, options);
    if (refused.length > 0) yield about(['crd'], 'the CRD can be tested', refused);
    yield* runCases(placed, nth, suite, served, options);
  }
}

async function* runCases(
  placed: PlacedDocument,
  nth: number,
  suite: Suite,
  served: Ground['served'],
  options: RunOptions,
): AsyncGenerator<TestResult> {
  for (const one of suite.cases) {
    const began = performance.now();
    const of = subject(placed, nth, one.path, one.name);
    const given = served.size > 0 && options.wanted(of) ? await givenOf(one, suite, options) : undefined;
    const result = given && ('why' in given ? { failures: [given.why] } : runInVersions(one, given, served));
    const milliseconds = performance.now() - began;
    yield { ...of, failures: result?.failures, ...(result?.unlike && { unlike: result.unlike }), milliseconds };
  }
}

/** What tells a case apart from the others of its file: the document that it is in, and its place there. */
export function idOf(nth: number, path: Path): string {
  return [nth, ...path].join('/');
}

function subject({ document, start }: PlacedDocument, nth: number, path: Path, name: string): Subject {
  const found =
    rangeOf(document, [...path, 'name'], 'value') ?? rangeOf(document, path, 'key') ?? rangeOf(document, path, 'value');
  const at = found ?? { start: document.rootStart, end: document.rootStart };
  return { id: idOf(nth, path), name, range: { start: at.start + start, end: at.end + start } };
}

/** What the cases of a suite run against, or why they cannot run. */
async function groundOf(suite: Suite, { usual, above, ...around }: RunOptions): Promise<Ground> {
  const named = above ? undefined : suite.kubernetes;
  const versions = named === undefined ? usual : (versionsNamed(named) ?? []);
  const found = await crdOf(suite.crd, around);
  return 'why' in found ? { served: new Map(), refused: [found.why] } : groundFor(found.crd, versions);
}
