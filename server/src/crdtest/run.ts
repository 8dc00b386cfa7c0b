import { memo } from '../base/memo.ts';
import { shortened } from '../base/text.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { tryExpression } from '../kubernetes/cel/tryExpression.ts';
import { createResource } from '../kubernetes/cr/create.ts';
import { structuralAt } from '../kubernetes/cr/schemaAt.ts';
import { type ServedCrd, serveCrd } from '../kubernetes/cr/served.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import type { Came } from '../kubernetes/policy/evaluations.ts';
import { rangeText } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import type { Admission } from './admission.ts';
import type { CaseWatch, CrdCoverage } from './coverage.ts';
import { differences, patched } from './objects.ts';
import { rulePathOf, rulesKey } from './rulePath.ts';
import { type BrokenRule, type Given, isOwn, type SaidError, textOf, unlike, wrongWith } from './said.ts';
import { crdPatchOf, type Expected, type TestCase, type TestRequest } from './suite.ts';

/** What came of a case in one version. */
export interface CaseResult {
  /** What is not as expected, one line each; none where the case passes. */
  readonly failures: readonly string[];
  /** Whether the case says nothing, since something around it is wrong. */
  readonly broken?: true;
  /** The errors that came; of several versions, where they are the same in all. */
  readonly came?: readonly SaidError[];
  /** The rules that were broken in any version. */
  readonly broke?: readonly BrokenRule[];
  /** What was to be stored and what is, as far as that is compared, where both are not the same. */
  readonly unlike?: { readonly wanted: Value; readonly found: Value };
  readonly answer?: Answer;
}

/** What a server answers to a case in one version. */
export type Answer =
  | { readonly verdict: ResourceVerdict }
  | { readonly admission: Admission }
  | { readonly came: Came }
  | RuleAnswer;

export interface RuleAnswer {
  readonly outcome: 'true' | 'false' | 'error';
  /** What the rule says where it is not true, as far as that is asked. */
  readonly message: Value | undefined;
  readonly cost: bigint;
}

/** A CRD as a version's server serves it. */
export interface Served {
  readonly crd: ServedCrd;
  readonly document: ValueMap;
}

/** The same, or why it does not. */
type Serving = Served | { readonly refused: readonly string[] };

/** What a server makes of a CRD: it is created first, and what is refused serves nothing. */
export function serving(document: Value, kubernetes: KubernetesVersion): Serving {
  return isMap(document) ? remembered(document, kubernetes) : { refused: ['it is not a map'] };
}

/** Every case asks for it, and every key in a file of tests. */
const remembered = memo((document: ValueMap, kubernetes: KubernetesVersion): Serving => {
  const { result, unmatched } = boundedMatching(() => createCrd(document, { kubernetes }));
  const { decode, errors, panic } = result;
  const refused = [
    ...(decode ? [decode.message] : []),
    ...(panic ? [panic.message] : []),
    ...errors.map(({ field, message }) => `${field}: ${message}`),
    ...tooLong(unmatched),
  ];
  if (refused.length > 0) return { refused };
  const crd = serveCrd(document, kubernetes);
  return 'error' in crd ? { refused: [crd.error] } : { crd, document };
});

export function tooLong(unmatched: readonly Path[]): string[] {
  return unmatched.map((path) => `${path.join('.')} is too long to be matched with its pattern here`);
}

/** A CRD as the servers of several versions serve it, and what those say that refuse it. */
export interface Ground {
  readonly served: ReadonlyMap<KubernetesVersion, Served>;
  readonly refused: readonly string[];
}

export function groundFor(crd: Value, versions: readonly KubernetesVersion[]): Ground {
  const served = new Map<KubernetesVersion, Served>();
  const refused = inVersions(versions, (version) => {
    const found = serving(crd, version);
    if ('crd' in found) served.set(version, found);
    return 'crd' in found ? [] : found.refused.map((why) => `the CRD is refused: ${why}`);
  });
  return { served, refused };
}

/** What is wrong with a case in the versions that serve its CRD. */
export function runInVersions(
  one: TestCase,
  given: Given,
  served: Ground['served'],
  coverage?: CrdCoverage,
): CaseResult {
  return acrossVersions(served, (crd, version) => runCase(one, given, crd, version, coverage));
}

/** What comes of a case in several versions, as one. */
export function acrossVersions<T>(
  by: ReadonlyMap<KubernetesVersion, T>,
  run: (of: T, version: KubernetesVersion) => CaseResult,
): CaseResult {
  const results = new Map([...by].map(([version, of]) => [version, run(of, version)]));
  const failures = few(inVersions([...results.keys()], (version) => results.get(version)!.failures));
  const [came, ...others] = [...results.values()].map((result) => result.came);
  const isSame = came !== undefined && others.every((one) => JSON.stringify(one) === JSON.stringify(came));
  const unlike = [...results.values()].find((result) => result.unlike)?.unlike;
  const broke = [...results.values()].flatMap((result) => result.came ?? []).flatMap(({ rule }) => rule ?? []);
  return { failures, ...(isSame && { came }), broke, ...(unlike && { unlike }) };
}

/** Nobody reads more lines of one case, or more characters of a line. */
export const mostFailures = 200;
const mostCharacters = 10_000;

export function few(failures: readonly string[]): string[] {
  const shown = failures.slice(0, mostFailures).map((line) => cut(line, mostCharacters));
  return failures.length > shown.length ? [...shown, `… (${failures.length - shown.length} more)`] : shown;
}

function cut(text: string, most: number): string {
  return shortened(text, most);
}

/** What several versions say, each once, with the versions where not all say it. */
export function inVersions(
  versions: readonly KubernetesVersion[],
  said: (version: KubernetesVersion) => readonly string[],
): string[] {
  const bySaid = new Map<string, string[]>();
  for (const version of versions) {
    for (const text of said(version)) bySaid.set(text, [...(bySaid.get(text) ?? []), version.name]);
  }
  return [...bySaid].map(([text, names]) =>
    names.length === versions.length ? text : `${text} (Kubernetes ${rangeText(names)} only)`,
  );
}

/** Runs a case. */
export function runCase(
  one: TestCase,
  given: Given,
  served: Served,
  kubernetes: KubernetesVersion,
  coverage?: CrdCoverage,
): CaseResult {
  const { result, unmatched } = boundedMatching(() => judgedCase(one, given, served, { kubernetes, coverage }));
  return unmatched.length === 0 ? result : broken([...result.failures, ...tooLong(unmatched)]);
}

interface RunOf {
  readonly kubernetes: KubernetesVersion;
  readonly coverage: CrdCoverage | undefined;
}

function judgedCase(one: TestCase, given: Given, served: Served, run: RunOf): CaseResult {
  const { request, expected } = one;
  if (request.verb === 'rule') return runRule(request, expected, served, run);
  if (request.verb === 'admit' || request.verb === 'evaluate') return broken(['this is asked elsewhere']);
  const { object = null, from = null } = given;
  if (request.verb === 'create') return answered(created(object, served, run), expected);
  const before = wrongWith(created(from, served, run));
  if (before.length > 0) return broken(before.map((said) => `the object to start from is refused: ${textOf(said)}`));
  const patch = crdPatchOf(request);
  const now = patch ? serving(patched(served.document, patch), run.kubernetes) : served;
  if ('refused' in now) return broken(now.refused.map((why) => `the patched CRD is refused: ${why}`));
  return answered(updated(from, object, request.verb === 'status' ? 'status' : undefined, now, run), expected);
}

function answered(verdict: ResourceVerdict, expected: Expected): CaseResult {
  return { ...compared(verdict, expected), answer: { verdict } };
}

function created(object: Value, served: Served, run: RunOf): ResourceVerdict {
  const { kubernetes } = run;
  const watch = watchOf(served, run);
  const verdict = createResource(object, served.crd, { kubernetes, evaluateRules: watch?.evaluateRules });
  watch?.object(object, verdict.stored);
  return verdict;
}

function updated(
  from: Value,
  object: Value,
  subresource: 'status' | undefined,
  served: Served,
  run: RunOf,
): ResourceVerdict {
  const { kubernetes } = run;
  const watch = watchOf(served, run);
  const options = { kubernetes, subresource, evaluateRules: watch?.evaluateRules };
  const verdict = updateResource(from, object, served.crd, options);
  watch?.object(object, verdict.stored);
  return verdict;
}

function watchOf({ crd, document }: Served, { kubernetes, coverage }: RunOf): CaseWatch | undefined {
  return coverage?.watch(crd, document, kubernetes);
}

export function broken(failures: readonly string[]): CaseResult {
  return { failures, broken: true };
}

/** What a server says to a new object; nothing where it does not serve the CRD. */
export function saidTo(object: Value, document: Value, kubernetes: KubernetesVersion): readonly SaidError[] {
  const served = serving(document, kubernetes);
  if ('refused' in served) return [];
  const { result } = boundedMatching(() => createResource(object, served.crd, { kubernetes }));
  return wrongWith(result).filter(isOwn);
}

function compared(verdict: ResourceVerdict, expected: Expected): CaseResult {
  const errors = wrongWith(verdict);
  const failures = [
    ...unlike(expected.errors, errors, expected.more, 'error'),
    ...(expected.warnings ? unlike(expected.warnings, verdict.warnings, false, 'warning') : []),
    ...verdict.leftOut.map(({ why }) => `a rule was not evaluated to its end: ${why}`),
  ];
  if (failures.length > 0 || expected.stored === undefined) return { failures, came: errors.filter(isOwn) };
  return { came: errors.filter(isOwn), ...comparedStored(expected, errors.length === 0 ? verdict.stored : undefined) };
}

/** What is stored beside what is to be. */
export function comparedStored(expected: Expected, stored: Value | undefined): Pick<CaseResult, 'failures' | 'unlike'> {
  if (expected.stored === undefined) return { failures: [] };
  const unequal = differences(expected.stored, stored, !expected.exactly, mostFailures);
  const found = stored === undefined || expected.exactly ? (stored ?? null) : asFarAs(expected.stored, stored);
  return {
    ...(unequal.length > 0 && { unlike: { wanted: expected.stored, found } }),
    failures: unequal.map(
      ({ path, wanted, found }) => `${`stored ${path}`.trim()}: expected ${shown(wanted)}, is ${shown(found)}`,
    ),
  };
}

/** What is compared of a value: what the other one names. */
function asFarAs(named: Value, value: Value): Value {
  if (isList(named) && isList(value))
    return value.map((item, i) => (named[i] === undefined ? item : asFarAs(named[i], item)));
  if (!isMap(named) || !isMap(value)) return value;
  return new Map([...named].flatMap(([key, one]) => (value.has(key) ? [[key, asFarAs(one, value.get(key)!)]] : [])));
}

const longest = 200;

export function shown(value: Value | undefined): string {
  return cut(value === undefined ? 'nothing' : json(value), longest);
}

function json(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`;
  if (isMap(value)) return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}: ${json(item)}`).join(', ')}}`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

type RuleRequest = Extract<TestRequest, { verb: 'rule' }>;

function runRule({ rule, self, oldSelf }: RuleRequest, expected: Expected, served: Served, run: RunOf): CaseResult {
  const { kubernetes } = run;
  const found = ruleAt(rule, served.crd, served.document);
  if (typeof found === 'string') return broken([found]);
  const { schema, isRoot, written, nth } = found;
  watchOf(served, run)?.judged({
    schema,
    isRoot,
    rule: schema.extensions.validations[nth]!,
    value: self,
    old: oldSelf ?? null,
  });
  const of = { schema, isRoot, value: self, old: oldSelf, optionalOld: written.get('optionalOldSelf') === true };
  const tried = tryExpression(String(written.get('rule') ?? ''), of, kubernetes);
  if ('problem' in tried) return broken([tried.problem]);
  const { result, cost } = tried;
  const outcome = 'error' in result ? 'error' : result.value === true ? 'true' : 'false';
  const why = 'error' in result ? ` (${result.error})` : '';
  const message = outcome === 'true' || expected.message === undefined ? undefined : messageOf(written, of, kubernetes);
  return {
    answer: { outcome, message, cost: BigInt(cost) },
    failures: [
      ...(outcome === expected.outcome ? [] : [`expected ${expected.outcome}, is ${outcome}${why}`]),
      ...(expected.message === undefined || message === expected.message
        ? []
        : [`expected the message ${JSON.stringify(expected.message)}, is ${JSON.stringify(message)}`]),
      ...(expected.cost === undefined || cost <= expected.cost ? [] : [`costs ${cost}, more than ${expected.cost}`]),
    ],
  };
}

/** What a broken rule says: what its expression gives, or its text. */
function messageOf(written: ValueMap, of: Parameters<typeof tryExpression>[1], kubernetes: KubernetesVersion) {
  const expression = written.get('messageExpression');
  const tried = typeof expression === 'string' ? tryExpression(expression, of, kubernetes) : undefined;
  const value = tried && 'result' in tried && 'value' in tried.result ? tried.result.value : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : written.get('message');
}

export function ruleAt(text: string, { versions }: ServedCrd, document: Value) {
  const named = rulePathOf(text);
  if (!named) return `${text} is not a rule: expected a path that ends with ${rulesKey}[0]`;
  const all = valueAt(document, ['spec', 'versions']);
  for (const [i, version] of (Array.isArray(all) ? all : []).entries()) {
    const at = ['spec', 'versions', i, 'schema', 'openAPIV3Schema', ...named.schema, rulesKey, named.nth];
    const written = valueAt(document, at);
    const root = versions.get(String(valueAt(version, ['name'])))?.structural;
    const schema = root && structuralAt(root, named.object);
    if (isMap(written) && schema)
      return {
        schema,
        isRoot: named.object.length === 0 || schema.extensions.embeddedResource,
        written,
        nth: named.nth,
      };
  }
  return `the CRD has no rule at ${text}`;
}
