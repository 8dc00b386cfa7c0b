import type { Path, Value } from '../base/value.ts';
import type { ResourceVerdict } from '../kubernetes/cr/verdict.ts';
import type { ExpectedError } from './suite.ts';

// What a server said to a case, beside what is expected.

/** The objects of a case, read and patched. */
export interface Given {
  readonly object?: Value;
  readonly from?: Value;
}

/** Something that a server said, in the form that expectations have. */
export interface SaidError {
  readonly field: string;
  readonly message: string;
  readonly code: string;
  readonly rule?: BrokenRule;
}

/** A rule by the value that it judged, and its place among the rules of that. */
export interface BrokenRule {
  readonly self: Path;
  readonly index: number;
}

export function wrongWith({ decode, strict, errors }: ResourceVerdict): SaidError[] {
  if (decode) return [{ field: '', message: decode.message, code: 'cr/decode' }];
  return [
    ...strict.map(({ message }) => ({ field: '', message, code: 'cr/unknown-field' })),
    ...errors.map((error) => ({ field: error.field, message: error.message, code: error.code, ...ruleIn(error) })),
  ];
}

function ruleIn(error: ResourceVerdict['errors'][number]): Pick<SaidError, 'rule'> {
  if (error.code !== 'cr/rule' || error.facts.index === undefined) return {};
  return { rule: { self: error.facts.self, index: error.facts.index } };
}

/** What the server adds to other errors: nobody has to expect it. */
export const isOwn = ({ code }: SaidError) => code !== 'cr/rules-not-checked';

/** Each error that is expected has to come, and no other unless there may be more. */
export function unlike(
  expected: readonly ExpectedError[],
  said: readonly SaidError[],
  more: boolean,
  what: string,
): string[] {
  const left = said.map((one) => ({ one, whole: textOf(one) }));
  const characters = left.reduce((sum, { whole }) => sum + whole.length, 0);
  if (expected.length * characters > mostCompared)
    return [`${expected.length} expected and ${said.length} ${what}s are too much to compare`];
  const missing = expected.filter((one) => {
    const at = left.findIndex((each) => fits(one, each.one, each.whole));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const others = more ? [] : left.filter(({ one }) => isOwn(one));
  return [
    ...missing.map((one) => `expected ${what} did not come: ${wantedText(one)}`),
    ...others.map(({ one, whole }) => `unexpected ${what}: ${whole} [${one.code}]`),
  ];
}

/** How many characters of what came are compared with what is expected, once for each that is. */
const mostCompared = 50_000_000;

function fits({ field, message, contains, code }: ExpectedError, said: SaidError, whole: string): boolean {
  return (
    (field === undefined || said.field === field) &&
    (message === undefined || said.message === message || whole === message) &&
    (contains === undefined || whole.includes(contains)) &&
    (code === undefined || said.code === code)
  );
}

export function textOf({ field, message }: SaidError): string {
  return field === '' ? message : `${field}: ${message}`;
}

function wantedText({ field, message, contains, code }: ExpectedError): string {
  const parts = [field, message ?? (contains === undefined ? undefined : `… ${contains} …`)].filter(
    (one) => one !== undefined,
  );
  return [parts.join(': '), code === undefined ? '' : `[${code}]`].filter(Boolean).join(' ');
}
