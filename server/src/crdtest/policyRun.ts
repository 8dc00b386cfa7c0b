import type { ValueMap } from '../base/value.ts';
import { denialText } from '../kubernetes/policy/dispatch.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Admission, admitted, type PolicyServer } from './admission.ts';
import type { AdmitRequest, ExpectedAdmission, ExpectedDenial } from './policySuite.ts';
import { acrossVersions, broken, type CaseResult, comparedStored, shown } from './run.ts';
import { type Given, type SaidError, unlike } from './said.ts';
import type { Expected, TestCase } from './suite.ts';

/** Runs a case of policies in the versions that take them. */
export function runAdmission(
  one: TestCase,
  given: Given,
  servers: ReadonlyMap<KubernetesVersion, PolicyServer>,
  see?: (evaluated: Admission['evaluated']) => void,
): CaseResult {
  return acrossVersions(servers, (server, version) => {
    const result = askedOnce(one, given, server, version);
    if (result.answer && 'admission' in result.answer) see?.(result.answer.admission.evaluated);
    return result;
  });
}

/** The same in one version, with what came. */
export function askedOnce(
  { request, expected }: TestCase,
  given: Given,
  server: PolicyServer,
  version: KubernetesVersion,
): CaseResult {
  const came = admitted(request as AdmitRequest, given, server, version);
  return 'why' in came ? broken([came.why]) : judgedAdmission(came, expected);
}

// What is expected

/** What came of a case of a policy, beside what is expected. */
function judgedAdmission(came: Admission, expected: Expected): CaseResult {
  const { admission } = expected;
  const failures = [
    ...came.unknown.map(dependsOn),
    ...unlike(expected.errors, came.errors, expected.more, 'error'),
    ...(admission ? [...denialsUnlike(admission, came), ...matchUnlike(admission, expected, came)] : []),
    ...(admission?.audit ? auditUnlike(admission.audit, came.annotations) : []),
    ...(admission?.called ? calledUnlike(admission.called, came) : []),
    ...(expected.warnings ? unlike(expected.warnings, came.warnings.map(asWarning), false, 'warning') : []),
    ...(expected.cost !== undefined && came.cost > expected.cost
      ? [`costs ${came.cost}, more than ${expected.cost}`]
      : []),
  ];
  if (failures.length > 0 || expected.stored === undefined) return { failures, answer: { admission: came } };
  return { ...comparedStored(expected, came.stored), answer: { admission: came } };
}

export const asWarning = (message: string): SaidError => ({ field: '', message, code: 'policy/warning' });

const hints: readonly (readonly [of: string, hint: string])[] = [
  ['what the authorizer says', 'say it with `access`'],
  ['who makes the request', 'say it with `user`'],
  ['the namespace', 'write the namespace under `objects`'],
  ['the labels', 'write the namespace under `objects`'],
];

function dependsOn(what: string): string {
  return `it depends on what is not known here: ${what}${hintFor(what)}`;
}

function hintFor(what: string): string {
  const found = hints.find(([of]) => what.includes(of));
  return found ? ` (${found[1]})` : '';
}

export function denialsUnlike({ denied, more }: ExpectedAdmission, { denials }: Admission): string[] {
  const left = [...denials];
  const missing = denied.filter((one) => {
    const at = left.findIndex((denial) => isExpected(one, denial));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((one) => `expected denial did not come: ${wantedText(one)}`),
    ...(more ? [] : left).map((denial) => `unexpected denial: ${denialText(denial, denial.isMutating)}`),
  ];
}

function isExpected(wanted: ExpectedDenial, denial: Admission['denials'][number]): boolean {
  const { policy, binding, message, contains, reason } = wanted;
  const whole = denialText(denial, denial.isMutating);
  return (
    (policy === undefined || denial.policy === policy) &&
    (binding === undefined || denial.binding === binding) &&
    (reason === undefined || denial.reason === reason) &&
    (message === undefined || denial.message === message || whole === message) &&
    (contains === undefined || whole.includes(contains))
  );
}

function wantedText({ policy, binding, message, contains, reason }: ExpectedDenial): string {
  const by = [policy && `by ${policy}`, binding && `with ${binding}`, reason && `as ${reason}`]
    .filter(Boolean)
    .join(' ');
  const said = message ?? (contains === undefined ? '' : `… ${contains} …`);
  return [by, said].filter(Boolean).join(': ') || 'any';
}

/** Whether no policy has looked at a request that came as far as that. */
export function isUnlookedAt({ matched, errors, unknown }: Admission): boolean {
  return matched.length === 0 && errors.length === 0 && unknown.length === 0;
}

/** A request that no policy looks at is admitted whatever they say: a case that wants that has to say so. */
function matchUnlike({ unmatched, called }: ExpectedAdmission, expected: Expected, came: Admission): string[] {
  if (unmatched) return came.matched.map((policy) => `expected no policy to be for it, but ${policy} is`);
  if (!isUnlookedAt(came) || called || expected.errors.length > 0) return [];
  const why = came.unmatched.map((one) => `${one.policy}: ${one.why}`).join('; ');
  return [`no policy is for it${why === '' ? '' : ` (${why})`}; where that is meant, say \`expect: not matched\``];
}

function auditUnlike(wanted: ValueMap, found: ReadonlyMap<string, string>): string[] {
  return [...wanted].flatMap(([key, value]) => {
    const is = found.get(key);
    if (value === null ? is === undefined : is === value) return [];
    return [`audit annotation ${key}: expected ${shown(value ?? undefined)}, is ${shown(is)}`];
  });
}

function calledUnlike(wanted: readonly string[], { called: found, calledIf }: Admission): string[] {
  if (calledIf.length > 0) return calledIf.map(dependsOn);
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `expected the webhook ${name} to be called`),
    ...found.filter((name) => !wanted.includes(name)).map((name) => `the webhook ${name} is called`),
  ];
}
