import type { TextEdit } from '../base/text.ts';
import { equalValues, isMap, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import type { Came } from '../kubernetes/policy/evaluations.ts';
import { insertKey, removeAt, setValue } from '../yaml/edit.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import type { Admission } from './admission.ts';
import { errorsOf, valueUnlike } from './evaluateRun.ts';
import { differences } from './objects.ts';
import { asWarning, denialsUnlike, isUnlookedAt } from './policyRun.ts';
import type { Answer, RuleAnswer } from './run.ts';
import { isOwn, type SaidError, textOf, unlike, wrongWith } from './said.ts';
import type { Expected, TestCase } from './suite.ts';

// What a case would have to expect to pass. Whether that is right is for a person to say.

/** A value that the case would have to have at a path of the document; undefined where nothing may be there. */
export interface Change {
  readonly path: Path;
  readonly value: Value | undefined;
}

/** The changes under which a case passes in all versions, or why there are none. */
export function changesFor(
  { path, expected }: TestCase,
  answers: readonly (Answer | undefined)[],
  document: YamlDocument,
): readonly Change[] | string {
  const written = valueAt(valueOf(document), path);
  if (!isMap(written)) return 'it is not written as a map';
  const all = answers.map((answer) => answer && changesIn(written, expected, answer));
  const [first, ...others] = all;
  if (first === undefined || others.includes(undefined)) return 'something that it takes is wrong';
  if (typeof first === 'string') return first;
  if (others.some((other) => typeof other === 'string' || !equalValues(asValue(first), asValue(other!))))
    return 'the Kubernetes versions answer differently';
  return first.map((change) => ({ ...change, path: [...path, ...change.path] }));
}

function asValue(changes: readonly Change[]): Value {
  return changes.map(({ path, value }) => [path, value === undefined ? [] : [value]]);
}

function changesIn(written: ValueMap, expected: Expected, answer: Answer): readonly Change[] | string {
  if ('came' in answer) return changesOfValue(written, expected, answer.came);
  if ('admission' in answer) return changesOfAdmission(written, expected, answer.admission);
  return 'verdict' in answer
    ? changesOfObject(written, expected, answer.verdict)
    : changesOfRule(written, expected, answer);
}

/** What an expression came to, where the case or the row says it. */
function changesOfValue(written: ValueMap, expected: Expected, came: Came): readonly Change[] {
  const { error, value = null, cost } = came;
  const isError = unlike(expected.errors, errorsOf(came), false, 'error').length > 0;
  const isOther = error === undefined && (isError || valueUnlike(expected, came).length > 0);
  const changes: readonly (readonly [isAnother: boolean, key: string, value: Value | undefined])[] = [
    [isError, 'error', error],
    [isOther || (error !== undefined && written.has('value')), 'value', error === undefined ? value : undefined],
    [expected.cost !== undefined && cost > expected.cost, 'cost', BigInt(cost)],
  ];
  return changes
    .filter(([isAnother, key, now]) => isAnother && (now !== undefined || written.has(key)))
    .map(([, key, now]) => ({ path: [key], value: now }));
}

function changesOfAdmission(written: ValueMap, expected: Expected, came: Admission): readonly Change[] | string {
  if (came.unknown.length > 0) return 'it depends on what is not known here';
  const { admission, cost } = expected;
  const isUnmatched = isUnlookedAt(came);
  const parts: readonly (readonly [isAnother: boolean, key: string, value: Value | undefined])[] = [
    [isUnmatched !== admission!.unmatched, 'expect', isUnmatched ? 'not matched' : undefined],
    [denialsUnlike(admission!, came).length > 0, 'denied', listOrNothing(came.denials.map(deniedBy))],
    [
      unlike(expected.errors, came.errors, expected.more, 'error').length > 0,
      'errors',
      listOrNothing(came.errors.map(asExpected)),
    ],
    [
      expected.warnings !== undefined &&
        unlike(expected.warnings, came.warnings.map(asWarning), false, 'warning').length > 0,
      'warnings',
      came.warnings,
    ],
    [admission!.called !== undefined, 'called', came.called],
    [cost !== undefined && came.cost > cost, 'cost', BigInt(came.cost)],
  ];
  const audit = auditChanges(written, admission!.audit, came);
  const said = parts.filter(([isAnother]) => isAnother).map(([, key, value]) => ({ path: [key], value }));
  // Of a table, `denied` stands in the row.
  return [...said, ...audit, ...storedChanges(written, expected, came.stored)].filter(({ path, value }) => {
    return value !== undefined || valueAt(written, path) !== undefined;
  });
}

function listOrNothing(list: readonly Value[]): Value | undefined {
  return list.length > 0 ? list : undefined;
}

function deniedBy({ policy, message }: Admission['denials'][number]): Value {
  return new Map([
    ['policy', policy],
    ['message', message],
  ]);
}

function auditChanges(written: ValueMap, audit: ValueMap | undefined, { annotations }: Admission): Change[] {
  return [...(audit ?? [])].flatMap(([key, value]) => {
    const is = annotations.get(key) ?? null;
    return is === value || !written.has('audit') ? [] : [{ path: ['audit', key], value: is }];
  });
}

function changesOfRule(written: ValueMap, expected: Expected, { outcome, message, cost }: RuleAnswer): Change[] {
  const changes: Change[] = [];
  if (outcome !== expected.outcome)
    changes.push({ path: ['expect'], value: outcome === 'error' ? outcome : outcome === 'true' });
  if (written.has('message') && message !== expected.message) changes.push({ path: ['message'], value: message });
  if (expected.cost !== undefined && cost > expected.cost) changes.push({ path: ['cost'], value: cost });
  return changes;
}

function changesOfObject(written: ValueMap, expected: Expected, verdict: ResourceVerdict): readonly Change[] | string {
  const said = wrongWith(verdict);
  const isUnlike = unlike(expected.errors, said, expected.more, 'error').length > 0;
  const own = said.filter(isOwn);
  const errors = isUnlike ? errorChanges(written, own) : [];
  const stored = own.length > 0 ? undefined : verdict.stored;
  const others = [
    ...(expected.warnings && unlike(expected.warnings, verdict.warnings, false, 'warning').length > 0
      ? [{ path: ['warnings'], value: verdict.warnings.map(asExpected) }]
      : []),
    ...storedChanges(written, expected, stored),
  ];
  if (others.some(({ path }) => !written.has(String(path[0])))) return 'what is stored is said for the whole table';
  return [...errors, ...others];
}

/** A row of a table may say `error`, with one text, instead of `errors`. */
function errorChanges(written: ValueMap, own: readonly SaidError[]): Change[] {
  const [first, ...more] = own;
  const isText = written.has('error') && more.length === 0;
  const key = isText ? 'error' : 'errors';
  const gone = ['error', 'errors', 'expect'].filter((one) => written.has(one) && (one !== key || !first));
  return [
    ...gone.map((one) => ({ path: [one], value: undefined })),
    ...(first ? [{ path: [key], value: isText ? textOf(first) : own.map(asExpected) }] : []),
  ];
}

function asExpected({ field, message }: Pick<SaidError, 'field' | 'message'>): Value {
  return new Map<string, Value>(
    field === ''
      ? [['message', message]]
      : [
          ['field', field],
          ['message', message],
        ],
  );
}

function storedChanges(written: ValueMap, expected: Expected, stored: Value | undefined): Change[] {
  if (expected.stored === undefined) return [];
  const key = expected.exactly ? 'exactly' : 'stored';
  // What a table says is stored does not hold for rows that are refused.
  if (stored === undefined) return written.has(key) ? [{ path: [key], value: undefined }] : [];
  return differences(expected.stored, stored, !expected.exactly).map(({ steps, found }) => ({
    path: [key, ...steps],
    // In a part of an object, null says that a field is not there.
    value: found ?? (expected.exactly ? undefined : null),
  }));
}

/** The edits of one change. */
export function editsOf(document: YamlDocument, { path, value }: Change): TextEdit[] {
  if (value === undefined) return removeAt(document, path);
  const key = path.at(-1);
  return typeof key === 'string' && valueAt(valueOf(document), path) === undefined
    ? insertKey(document, path.slice(0, -1), key, value)
    : setValue(document, path, value);
}
