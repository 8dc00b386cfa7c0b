import { append } from '../base/append.ts';
import { isMap, type Value, type ValueMap } from '../base/value.ts';
import { nameOf } from '../kubernetes/policy/admit.ts';
import type { EvaluatedIn } from '../kubernetes/policy/dispatch.ts';
import { type Came, type Evaluation, evaluationsOf, isEvaluated, typeOf } from '../kubernetes/policy/evaluations.ts';
import { validateInWorlds } from '../kubernetes/policy/inWorlds.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { FoundCrd } from './coverage.ts';
import type { EvaluateRequest } from './evaluateSuite.ts';
import type { Around } from './load.ts';
import { differences, patched } from './objects.ts';
import { namedFiles, placesIn } from './policyGround.ts';
import { acrossVersions, broken, type CaseResult, inVersions, mostFailures, shown } from './run.ts';
import { type SaidError, unlike } from './said.ts';
import { sizeOf } from './size.ts';
import type { Expected, Suite, TestCase } from './suite.ts';

// Cases of expressions outside of CRDs and admission: what is asked, and what is made of what comes.

/** Something that can be asked, and the object that it belongs to. */
interface AskedOf {
  readonly object: ValueMap;
  readonly evaluation: Evaluation;
}

/** What can be asked in the versions that take the objects. */
export interface EvaluateGround {
  readonly asked: ReadonlyMap<KubernetesVersion, readonly AskedOf[]>;
  readonly refused: readonly string[];
  readonly size: number;
  /** Where the objects are. */
  readonly places: ReadonlyMap<ValueMap, FoundCrd>;
}

/** Reads the files of a suite. */
export async function evaluateGround(
  suite: Suite,
  around: Around,
  versions: readonly KubernetesVersion[],
): Promise<EvaluateGround> {
  const { files, why } = await namedFiles(suite.expressions ?? [], around);
  if (why !== undefined) return { asked: new Map(), refused: [why], size: 0, places: new Map() };
  return groundOfExpressions(files, versions);
}

export function groundOfExpressions(
  files: readonly SourceFile[],
  versions: readonly KubernetesVersion[],
): EvaluateGround {
  const places = placesIn(files, isEvaluated);
  const objects = [...places.keys()];
  const refused = [
    ...(objects.length > 0 ? [] : ['there is nothing with expressions in the files that `expressions` names']),
    ...inVersions(versions, (version) => objects.flatMap((one) => refusals(one, version))),
  ];
  const asked = refused.length > 0 ? [] : versions.map((version) => [version, askedIn(objects, version)] as const);
  return {
    asked: new Map(asked),
    refused,
    size: objects.reduce((sum, one) => sum + sizeOf(one).values, 0),
    places,
  };
}

function askedIn(objects: readonly ValueMap[], version: KubernetesVersion): AskedOf[] {
  const all: AskedOf[] = [];
  for (const object of objects)
    append(
      all,
      evaluationsOf(object, version).map((evaluation) => ({ object, evaluation })),
    );
  return all;
}

function refusals(object: ValueMap, version: KubernetesVersion): string[] {
  const { group, kind } = typeOf(object);
  return validateInWorlds(object, group, kind, version).map(({ field, message }) => {
    return `${`${kind} ${nameOf(object)}`.trim()} is refused: ${field}: ${message}`;
  });
}

/** Runs a case in the versions that take its objects. */
export function runEvaluation(
  one: TestCase,
  { asked }: EvaluateGround,
  see?: (evaluated: readonly EvaluatedIn[]) => void,
): CaseResult {
  return acrossVersions(asked, (all) => {
    const { result, came, object } = evaluatedOnce(one, all);
    if (came && object) see?.(came.evaluated.map((each) => ({ policy: object, one: each })));
    return result;
  });
}

/** The same in one version, with what came. */
export function evaluatedOnce(
  { request, expected }: TestCase,
  all: readonly AskedOf[],
): { readonly result: CaseResult; readonly came?: Came; readonly object?: ValueMap } {
  const asking = request as EvaluateRequest;
  const found = meant(asking, all);
  if ('why' in found) return { result: broken([found.why]) };
  const input = inputOf(asking);
  if (!isMap(input)) return { result: broken([`expected \`${asking.input}\` to be a map`]) };
  const came = found.evaluation.ask(input);
  const result = { failures: unlikeCame(expected, came), answer: { came } };
  return { result, came, object: found.object };
}

function inputOf({ given, patches, input }: EvaluateRequest): Value {
  const whole = patches.reduce<Value>(patched, given.has(input) ? given : new Map([[input, new Map()]]));
  return isMap(whole) ? (whole.get(input) ?? new Map()) : null;
}

/** What is asked about, or why that is not clear. */
function meant({ at, of, input }: EvaluateRequest, all: readonly AskedOf[]): AskedOf | { readonly why: string } {
  const here = of === undefined ? all : all.filter(({ object }) => nameOf(object) === of);
  if (here.length === 0) return { why: `there is no object ${of} in the files that \`expressions\` names` };
  const fits = here.filter(({ evaluation }) =>
    at === undefined ? evaluation.isWhole && evaluation.input === input : isAt(evaluation, at),
  );
  const [found, ...more] = fits;
  if (!found)
    return { why: at === undefined ? `nothing is asked about \`${input}\`` : `there is no expression at ${at}` };
  if (found.evaluation.input !== input)
    return { why: `${at} is asked about \`${found.evaluation.input}\`, not \`${input}\`` };
  return more.length === 0 ? found : { why: severalText(fits) };
}

/** The name of the field can be left out behind what holds it. */
function isAt({ at, path }: Evaluation, named: string): boolean {
  return at === named || at === `${named}.${path.at(-1)}`;
}

function severalText(all: readonly AskedOf[]): string {
  const places = [...new Set(all.map(({ evaluation }) => evaluation.at))];
  return places.length > 1
    ? `there are several: name one with \`evaluate\`: ${places.slice(0, 20).join(', ')}`
    : `there are several: name the object with \`of\`: ${all
        .slice(0, 20)
        .map(({ object }) => nameOf(object))
        .join(', ')}`;
}

// What is expected

function unlikeCame(expected: Expected, came: Came): string[] {
  const failures = unlike(expected.errors, errorsOf(came), false, 'error');
  const cost = expected.cost !== undefined && came.cost > expected.cost;
  return [
    ...failures,
    ...(failures.length === 0 && expected.errors.length === 0 ? valueUnlike(expected, came) : []),
    ...(cost ? [`costs ${came.cost}, more than ${expected.cost}`] : []),
  ];
}

export function errorsOf({ error }: Came): SaidError[] {
  return error === undefined ? [] : [{ field: '', message: error, code: 'expression/error' }];
}

/** Where nothing is said, what can be false is to be true. */
export function valueUnlike({ value: wanted }: Expected, { value = null }: Came): string[] {
  if (wanted === undefined) return value === false ? ['expected true, is false'] : [];
  return differences(wanted, value, true, mostFailures).map(({ path, wanted, found }) => {
    return `${path === '' ? '' : `${path}: `}expected ${shown(wanted)}, is ${shown(found)}`;
  });
}
