import { compile } from '../../cel/compile.ts';
import { parse } from '../../cel/parse.ts';
import type { CelProblem } from '../../cel/source.ts';
import type { PolicyExpression } from '../../kubernetes/policy/expressions.ts';
import type { PolicyTypeFacts } from '../../kubernetes/policy/findings.ts';
import type { NoProblem } from '../../kubernetes/policy/kindAsked.ts';
import { type ExpressionWarning, type Misfit, typeCheck, typeCheckRest } from '../../kubernetes/policy/typeCheck.ts';
import { typedWatched } from '../../kubernetes/policy/typedExpression.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { PolicyTypes, WatchedKind } from '../../workspace/policyTypes.ts';
import { type ObjectNode, objectNamed } from '../../workspace/rulePlace.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { ProblemOf, RelatedProblem } from '../model/rule.ts';
import { rangeIn } from './celProblems.ts';
import { few } from './few.ts';
import { locateInFile } from './locate.ts';
import { problemAt } from './problemAt.ts';

type TypeProblem = ProblemOf<Pick<PolicyTypeFacts, 'policy/type-check'>>;
type HealthProblem = ProblemOf<Pick<PolicyTypeFacts, 'policy/health-check-field'>>;

/** What of a policy does not fit the kinds that it looks at. `refused` are the expressions that do not even compile. */
export function judgePolicyTypes(
  manifest: Manifest,
  types: PolicyTypes,
  version: KubernetesVersion,
  refused: ReadonlySet<string>,
): TypeProblem[] {
  if (types.objects.length === 0) return [];
  const fits = ({ path }: ExpressionWarning) => !refused.has(path.join('/'));
  const said = typeCheck(manifest.value, types.objects, types.params, version).filter(fits);
  const own = typeCheckRest(manifest.value, types.objects, types.params, version).filter(fits);
  return [
    ...few(said).flatMap((one) => problemsOf(manifest, types, one, one.warning)),
    ...few(own).flatMap((one) => problemsOf(manifest, types, one, undefined)),
  ];
}

/**
 * What an expression about objects of a kind names that they do not have. Values have types only when the expression runs,
 * so that nothing else is certain.
 */
export function judgeWatched(
  manifest: Manifest,
  one: PolicyExpression,
  types: PolicyTypes,
  version: KubernetesVersion,
): HealthProblem[] {
  const [kind] = types.objects;
  const typed = kind && typedWatched(one, kind, version);
  if (!kind || !typed || one.text === '') return [];
  const compiled = compile(one.text, typed.schemaEnv.env);
  if (compiled.unparsed || parse(one.text, typed.schemaEnv.env.syntax).problems.length > 0) return [];
  const problems = compiled.problems.filter(
    ({ fact }) => fact?.kind === 'undefined-field' || fact?.kind === 'undeclared',
  );
  if (problems.length === 0) return [];
  const misfit: Misfit = { kind, compiled: { ...compiled, problems }, issues: '', none: new Map() };
  const found = problemsOf(manifest, types, { path: one.path, misfits: [misfit] }, undefined);
  return found.map((problem) => ({ ...problem, code: 'policy/health-check-field' }));
}

/** One mistake, with the kinds that it is one for. */
interface Mistake {
  readonly problem: CelProblem;
  /** It is none when the policy runs. */
  readonly none: NoProblem | undefined;
  readonly misfits: Misfit[];
}

function problemsOf(
  manifest: Manifest,
  types: PolicyTypes,
  { path, misfits }: Pick<ExpressionWarning, 'path' | 'misfits'>,
  warning: string | undefined,
): TypeProblem[] {
  const map = scalarMap(manifest.document, [...manifest.at, ...path]);
  if (!map) return [];
  return mistakesIn(misfits).map(({ problem, none, misfits: of }) => {
    const { compiled } = of[0]!;
    const within = rangeIn(compiled.text, problem);
    const range = { start: map.toText(within.start), end: map.toTextEnd(Math.max(within.start, within.end - 1)) };
    const why = none ? whyNone(of, none) : whyMisfit(types, of, problem);
    const kinds = of.map(({ kind }) => kind.kind).join(', ');
    const message = `${kinds}: ${problem.message}${why.text}`;
    return problemAt(
      manifest,
      { code: 'policy/type-check', facts: { warning, near: why.near } },
      message,
      path,
      'value',
      {
        range,
        ...(why.isThere ? { severity: 'information' } : {}),
        ...(why.related.length > 0 ? { related: why.related } : {}),
      },
    );
  });
}

function mistakesIn(misfits: readonly Misfit[]): readonly Mistake[] {
  const found = new Map<string, Mistake>();
  for (const misfit of misfits) {
    for (const problem of misfit.compiled.problems) {
      const none = misfit.none.get(problem);
      const key = `${none} ${problem.at} ${problem.start} ${problem.end} ${problem.message}`;
      const known = found.get(key);
      if (known) known.misfits.push(misfit);
      else found.set(key, { problem, none, misfits: [misfit] });
    }
  }
  return [...found.values()];
}

interface Why {
  /** What is added to the words of type checking. */
  readonly text: string;
  readonly near: readonly string[];
  /** It is there when the policy runs: type checking knows too little. */
  readonly isThere?: true;
  readonly related: readonly RelatedProblem[];
}

const noMore: Why = { text: '', near: [], related: [] };

function whyNone(misfits: readonly Misfit[], none: NoProblem): Why {
  const texts: Readonly<Record<NoProblem, string>> = {
    untyped: 'this works when the policy runs, where values have no types',
    asked: 'the policy asks whether it is there, and other kinds have it',
    unreached: `the policy asks first, so that this is never evaluated for ${misfits.length === 1 ? 'that kind' : 'those kinds'}`,
  };
  return { ...noMore, text: `; ${texts[none]}`, isThere: true };
}

function whyMisfit(types: PolicyTypes, misfits: readonly Misfit[], { fact, message }: CelProblem): Why {
  if (message.startsWith('unexpected failed resolution')) {
    const text = '; type checking does not know `authorizer.requestResource`, which is there when the policy runs';
    return { ...noMore, text, isThere: true };
  }
  if (fact?.kind !== 'undefined-field') return noMore;
  const kinds: readonly WatchedKind[] = [...types.objects, ...(types.params ? [types.params] : [])];
  const objects = kinds
    .filter(({ kind }) => misfits.some((one) => one.kind.kind === kind) || types.params?.kind === kind)
    .flatMap((kind) => objectOf(kind, fact.type.name) ?? []);
  const [first] = objects;
  if (!first) return noMore;
  if (first.object.structural.properties?.has(fact.field)) {
    const text = '; the field is there when the policy runs, but type checking does not know what it holds';
    return { ...noMore, text, isThere: true };
  }
  const near = nearestNames(fact.field, [...(first.object.decl?.fields?.keys() ?? [])]);
  const hint = near.length === 0 ? '' : `, did you mean ${near.map((name) => `\`${name}\``).join(' or ')}?`;
  return { text: hint, near, related: objects.flatMap((one) => placeOf(one)) };
}

interface Found {
  readonly kind: WatchedKind;
  readonly object: ObjectNode;
}

function objectOf(kind: WatchedKind, type: string): Found | undefined {
  const { structural, decl } = kind;
  // Parameters of the same kind as the objects have a number in the names of their types.
  const isNumbered = `${type}.`.startsWith(`${kind.kind}1.`);
  const name = isNumbered ? kind.kind + type.slice(kind.kind.length + 1) : type;
  const object = decl && objectNamed(structural, decl, kind.kind, name);
  return object && { kind, object };
}

function placeOf({ kind, object }: Found): RelatedProblem[] {
  const { definition, path } = kind;
  if (!definition) return [];
  const place = locateInFile(definition.file, definition.manifest, [...path, ...object.path], 'key');
  return [{ ...place, message: `the CRD says here which fields there are in a ${kind.kind}` }];
}
