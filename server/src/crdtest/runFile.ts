import { movedRange, type Range } from '../base/text.ts';
import type { Path } from '../base/value.ts';
import type { EvaluatedIn } from '../kubernetes/policy/dispatch.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { documentVerdict } from '../yaml/value.ts';
import type { CoverageLog, CrdCoverage } from './coverage.ts';
import { type EvaluateGround, evaluateGround, runEvaluation } from './evaluateRun.ts';
import { type Around, crdOf, givenOf, sizeOfCase, sizeOfRun, sizeOfServing } from './load.ts';
import { policyCoverage } from './policyCoverage.ts';
import { type PolicyGround, policyGround } from './policyGround.ts';
import { runAdmission } from './policyRun.ts';
import { type CaseResult, type Ground, groundFor, runInVersions } from './run.ts';
import type { Given } from './said.ts';
import { Allowance } from './size.ts';
import { readSuite, type Suite, subjectOf, type TestCase, versionsOf } from './suite.ts';

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
  /** It is not a case: something is wrong with the file, of which a part was not run. */
  readonly isFault?: true;
  readonly milliseconds: number;
  /** Of a case that was run: what it takes to ask it again. */
  readonly run?: CaseRun;
}

export interface CaseRun {
  readonly one: TestCase;
  readonly given: Given;
  /** The CRD of the case, by version; empty in tests of policies. */
  readonly served: Ground['served'];
  /** What policies are asked about; undefined in tests of CRDs. */
  readonly policies?: PolicyGround | undefined;
  /** What expressions outside of both are asked. */
  readonly expressions?: EvaluateGround | undefined;
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
  return judged(stream).flatMap((placed, nth) => {
    const { suite } = readSuite(placed.document);
    return (suite?.cases ?? []).map(({ path, name }) => subject(placed, nth, path, name));
  });
}

function judged({ documents }: SourceFile['stream']): readonly PlacedDocument[] {
  return documents.slice(0, defaultLimits.documents);
}

/** Runs the cases of a file, one after the other. */
export async function* runFile({ stream, template }: SourceFile, options: RunOptions): AsyncGenerator<TestResult> {
  if (template) {
    const failures = ['the text is a template: nothing of it can be run before it is filled in'];
    const range = { start: 0, end: 0 };
    yield { id: 'template', name: 'the file can be read', range, failures, milliseconds: 0, isFault: true };
    return;
  }
  const allowance = new Allowance();
  for (const [nth, placed] of judged(stream).entries()) {
    const about = (path: Path, name: string, failures: readonly string[]): TestResult => {
      return { ...subject(placed, nth, path, name), failures, milliseconds: 0 };
    };
    const unread = placed.document.problems[0]?.message ?? documentVerdict(placed.document).error;
    const { suite, mistakes } = readSuite(placed.document);
    if (unread !== undefined) yield { ...about([], 'the file can be read', [unread]), isFault: true };
    for (const { path, message } of mistakes) yield { ...about(path, 'the file is a test', [message]), isFault: true };
    if (!suite || unread !== undefined || mistakes.length > 0) continue;
    const found = await groundOf(suite, options, allowance);
    const { key, what } = subjectOf(suite);
    if (found.refused.length > 0) yield about([key], `the ${what} can be tested`, found.refused);
    yield* runCases(placed, nth, suite, found, options);
  }
  const more = stream.documents[defaultLimits.documents];
  if (more)
    yield {
      ...subject(more, defaultLimits.documents, [], 'the file is not too long'),
      failures: [`only the first ${defaultLimits.documents} documents of the file are run`],
      milliseconds: 0,
      isFault: true,
    };
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
    const given = options.wanted(of) ? await allowed(one, suite, found, options) : undefined;
    const result = given && resultOf(one, given, found, subjectOf(suite).what);
    const { served, policies, expressions } = found;
    const run =
      given && !('why' in given) && isReady(found) ? { one, given, served, policies, expressions, nth } : undefined;
    const milliseconds = performance.now() - began;
    const { failures, unlike } = result ?? { failures: undefined };
    yield { ...of, failures, milliseconds, ...(unlike && { unlike }), ...(run && { run }) };
  }
}

/** The objects of a case, if there is enough left to run it. */
async function allowed(one: TestCase, suite: Suite, ground: TestGround, options: RunOptions) {
  const { served, policies, expressions, allowance } = ground;
  const beside = policies ?? expressions;
  const size = beside
    ? (policies?.servers ?? expressions!.asked).size * (beside.size + sizeOfCase(one, suite).values)
    : sizeOfRun(one, suite, served);
  const why = allowance.take(size);
  return why === undefined ? await givenOf(one, suite, options, (size) => allowance.take(size)) : { why };
}

function resultOf(
  one: TestCase,
  given: Given | { readonly why: string },
  ground: TestGround,
  what: string,
): CaseResult {
  const { served, policies, expressions, coverage, allowance } = ground;
  if (!isReady(ground)) return { failures: [`not run: the ${what} cannot be tested`] };
  if ('why' in given) return { failures: [given.why] };
  if (expressions) return allowance.counting(() => runEvaluation(one, expressions, ground.see));
  if (policies) return allowance.counting(() => runAdmission(one, given, policies.servers, ground.see));
  return allowance.counting(() => runInVersions(one, given, served, coverage));
}

/** What tells a case apart from the others of its file: the document that it is in, and its place there. */
export function idOf(nth: number, path: Path): string {
  return [nth, ...path].join('/');
}

function subject({ document, start }: PlacedDocument, nth: number, path: Path, name: string): Subject {
  const found =
    rangeOf(document, [...path, 'name'], 'value') ?? rangeOf(document, path, 'key') ?? rangeOf(document, path, 'value');
  const at = found ?? { start: document.rootStart, end: document.rootStart };
  return { id: idOf(nth, path), name, range: movedRange(at, start) };
}

function isReady({ served, policies, expressions }: TestGround): boolean {
  return (policies?.servers ?? expressions?.asked ?? served).size > 0;
}

interface TestGround extends Ground {
  /** Of tests of policies. */
  readonly policies?: PolicyGround;
  /** Of tests of expressions outside of both. */
  readonly expressions?: EvaluateGround;
  /** Is told what their expressions came to. */
  readonly see?: ((evaluated: readonly EvaluatedIn[]) => void) | undefined;
  /** What is left for the cases of the file. */
  readonly allowance: Allowance;
  readonly coverage?: CrdCoverage | undefined;
}

/** Notes in the coverage of each object what its expressions come to. */
function seeing(
  { places }: Pick<PolicyGround, 'places'>,
  kubernetes: KubernetesVersion,
  coverage: CoverageLog,
): TestGround['see'] {
  const covers = new Map(
    [...places].map(([policy, found]) => [policy, coverage.made(found, (one) => policyCoverage(one, kubernetes))]),
  );
  return (evaluated) => {
    for (const one of evaluated) covers.get(one.policy)?.see([one]);
  };
}

/** What the cases of a suite run against, or why they cannot run. */
async function groundOf(suite: Suite, options: RunOptions, allowance: Allowance): Promise<TestGround> {
  const { usual, above, coverage, ...around } = options;
  const versions = above ? usual : versionsOf(suite, usual);
  if (suite.expressions) {
    const expressions = await evaluateGround(suite, around, versions);
    const see = coverage && seeing(expressions, versions.at(-1)!, coverage);
    return { served: new Map(), refused: expressions.refused, expressions, see, allowance };
  }
  if (suite.policy) {
    const policies = await policyGround(suite, around, versions);
    const see = coverage && seeing(policies, versions.at(-1)!, coverage);
    return { served: new Map(), refused: policies.refused, policies, see, allowance };
  }
  const found = suite.crd ? await crdOf(suite.crd, around) : { why: 'no CRD is named' };
  if ('why' in found) return { served: new Map(), refused: [found.why], allowance };
  const crd = found.manifest.value;
  const why = allowance.take(versions.length * sizeOfServing(crd));
  const ground = why === undefined ? groundFor(crd, versions) : { served: new Map(), refused: [why] };
  return { ...ground, allowance, coverage: coverage?.of(found) };
}
