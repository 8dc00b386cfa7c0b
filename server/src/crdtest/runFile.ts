import type { Range } from '../base/text.ts';
import type { Path } from '../base/value.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import type { CoverageLog, CrdCoverage } from './coverage.ts';
import { type Around, crdOf, givenOf } from './load.ts';
import { type CaseResult, type Given, type Ground, groundFor, runInVersions } from './run.ts';
import { readSuite, type Suite, type TestCase } from './suite.ts';

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
  /** Of a case that was run: what it takes to ask it again. */
  readonly run?: CaseRun;
}

export interface CaseRun {
  readonly one: TestCase;
  readonly given: Given;
  readonly served: Ground['served'];
  /** The document of the file that it is in, counted from 0. */
  readonly nth: number;
}

export interface RunOptions extends Around {
  /** The versions of files that name none. */
  readonly usual: readonly KubernetesVersion[];
  /** Whether those count before what files name. */
  readonly above?: boolean;
  readonly wanted: (subject: Subject) => boolean;
  /** Where it is noted what cases make of their CRDs, if somebody wants to know. */
  readonly coverage?: CoverageLog | undefined;
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
    const found = await groundOf(suite, options);
    if (found.refused.length > 0) yield about(['crd'], 'the CRD can be tested', found.refused);
    yield* runCases(placed, nth, suite, found, options);
  }
}

async function* runCases(
  placed: PlacedDocument,
  nth: number,
  suite: Suite,
  found: TestGround,
  options: RunOptions,
): AsyncGenerator<TestResult> {
  for (const one of suite.cases) {
    const began = performance.now();
    const of = subject(placed, nth, one.path, one.name);
    const given = options.wanted(of) ? await givenOf(one, suite, options) : undefined;
    const result = given && resultOf(one, given, found);
    const { served } = found;
    const run = given && !('why' in given) && served.size > 0 ? { one, given, served, nth } : undefined;
    const milliseconds = performance.now() - began;
    const { failures, unlike } = result ?? { failures: undefined };
    yield { ...of, failures, milliseconds, ...(unlike && { unlike }), ...(run && { run }) };
  }
}

function resultOf(
  one: TestCase,
  given: Given | { readonly why: string },
  { served, coverage }: TestGround,
): CaseResult {
  if (served.size === 0) return { failures: ['not run: the CRD cannot be tested'] };
  return 'why' in given ? { failures: [given.why] } : runInVersions(one, given, served, coverage);
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

interface TestGround extends Ground {
  readonly coverage?: CrdCoverage | undefined;
}

/** What the cases of a suite run against, or why they cannot run. */
async function groundOf(suite: Suite, { usual, above, coverage, ...around }: RunOptions): Promise<TestGround> {
  const named = above ? undefined : suite.kubernetes;
  const versions = named === undefined ? usual : (versionsNamed(named) ?? []);
  const found = await crdOf(suite.crd, around);
  if ('why' in found) return { served: new Map(), refused: [found.why] };
  return { ...groundFor(found.manifest.value, versions), coverage: coverage?.of(found) };
}
