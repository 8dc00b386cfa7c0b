import { isList, isMap, isString, type Path, textAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { isKind, itemsOfList, type Val } from '../../cel/eval/values.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Evaluated } from './evaluate.ts';
import { claimsVal, type UserInfo, userVal } from './inputs.ts';

// What the API server makes of the claims of a token whose signature, issuer, audience and times it has verified.

/** Runs the expression at a path of the configuration. */
export type RunAt = (path: Path, variable: string, input: Val) => Evaluated;

/** Ends authentication with the server's words. */
class Refused extends Error {}

function refuse(why: string): never {
  throw new Refused(why);
}

/** The user that claims are mapped to by the authenticator at a path, or why they are refused. */
export function authenticated(
  jwt: ValueMap,
  at: Path,
  claims: ValueMap,
  run: RunAt,
  kubernetes: KubernetesVersion,
): { readonly user: UserInfo } | { readonly error: string } {
  try {
    return { user: userOf(jwt, at, claims, run, kubernetes) };
  } catch (thrown) {
    if (thrown instanceof Refused) return { error: thrown.message };
    throw thrown;
  }
}

function userOf(jwt: ValueMap, at: Path, claims: ValueMap, run: RunAt, kubernetes: KubernetesVersion): UserInfo {
  const input = claimsVal(claims, kubernetes);
  const ofClaims = (path: Path) => run([...at, ...path], 'claims', input);
  const user: UserInfo = {
    username: usernameOf(jwt, claims, ofClaims),
    groups: groupsOf(jwt, claims, ofClaims),
    uid: uidOf(jwt, claims, ofClaims),
    extra: extraOf(jwt, claims, ofClaims, kubernetes),
  };
  requireClaims(jwt, claims);
  const inClaims = 'oidc: error evaluating claim validation expression: ';
  checkRules(jwt, 'claimValidationRules', ofClaims, inClaims);
  const info = userVal(user, kubernetes);
  const inUser = 'oidc: error evaluating user info validation rule: ';
  checkRules(jwt, 'userValidationRules', (path) => run([...at, ...path], 'user', info), inUser);
  return user;
}

type Run = (path: Path) => Evaluated;

const mapping = (field: string): Path => ['claimMappings', field, 'expression'];

function usernameOf(jwt: ValueMap, claims: ValueMap, run: Run): string {
  if (textAt(jwt, mapping('username')) !== '')
    return usernameFrom(run(mapping('username'))) ?? refuse('oidc: empty username via CEL expression is not allowed');
  const claim = textAt(jwt, ['claimMappings', 'username', 'claim']);
  const name = claimText(claims, claim, (why) => `oidc: parse username claims ${JSON.stringify(claim)}: ${why}`);
  if (claim === 'email') requireVerified(claims);
  return textAt(jwt, ['claimMappings', 'username', 'prefix']) + name;
}

function requireVerified(claims: ValueMap): void {
  if (!claims.has('email_verified')) return;
  const verified = claims.get('email_verified') ?? false;
  if (typeof verified !== 'boolean') refuse(`oidc: parse 'email_verified' claim: ${notGo(verified, 'bool')}`);
  if (!verified) refuse('oidc: email not verified');
}

/** The name that an expression gives; undefined where it is empty. */
function usernameFrom(evaluated: Evaluated): string | undefined {
  const { value } = sound(evaluated, 'oidc: error evaluating username claim expression: ');
  if (typeof value !== 'string')
    return refuse('oidc: error evaluating username claim expression: username claim expression must return a string');
  return value === '' ? undefined : value;
}

function groupsOf(jwt: ValueMap, claims: ValueMap, run: Run): readonly string[] {
  const claim = textAt(jwt, ['claimMappings', 'groups', 'claim']);
  if (claim !== '' && claims.has(claim)) {
    const value = claims.get(claim) ?? [];
    const groups = isString(value) ? [value] : value;
    if (!isList(groups) || !groups.every((one) => isString(one) || one === null))
      return refuse(`oidc: parse groups claim ${JSON.stringify(claim)}: ${notGo(value, 'string')}`);
    const prefix = textAt(jwt, ['claimMappings', 'groups', 'prefix']);
    return groups.map((one) => prefix + (isString(one) ? one : ''));
  }
  if (textAt(jwt, mapping('groups')) === '') return [];
  return groupsFrom(run(mapping('groups')));
}

function groupsFrom(evaluated: Evaluated): readonly string[] {
  const lead = 'oidc: error evaluating group claim expression: ';
  return textsOf(sound(evaluated, lead).value) ?? refuse(lead + notTexts);
}

function uidOf(jwt: ValueMap, claims: ValueMap, run: Run): string {
  const claim = textAt(jwt, ['claimMappings', 'uid', 'claim']);
  if (claim !== '') return claimText(claims, claim, (why) => `oidc: parse uid claim ${JSON.stringify(claim)}: ${why}`);
  return textAt(jwt, mapping('uid')) === '' ? '' : uidFrom(run(mapping('uid')));
}

function uidFrom(evaluated: Evaluated): string {
  const lead = 'oidc: error evaluating uid claim expression: ';
  const { value } = sound(evaluated, lead);
  return typeof value === 'string' ? value : refuse(`${lead}uid claim expression must return a string`);
}

function extraOf(
  jwt: ValueMap,
  claims: ValueMap,
  run: Run,
  { namesCredentials }: KubernetesVersion,
): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  const id = claims.get('jti');
  if (namesCredentials && isString(id) && id !== '')
    extra.set('authentication.kubernetes.io/credential-id', [`JTI=${id}`]);
  const mappings = valueAt(jwt, ['claimMappings', 'extra']);
  const all = (isList(mappings) ? mappings : []).map((one, i) => {
    const evaluated = run(['claimMappings', 'extra', i, 'valueExpression']);
    return [textAt(one, ['key']), sound(evaluated, '')] as const;
  });
  for (const [key, evaluated] of all) {
    const texts = extraFrom(evaluated);
    if (texts.length > 0) extra.set(key, texts);
  }
  return extra;
}

function extraFrom(evaluated: Evaluated): readonly string[] {
  const { value, text } = sound(evaluated, '');
  return textsOf(value) ?? refuse(`oidc: error evaluating extra claim expression: ${text}: ${notTexts}`);
}

function requireClaims(jwt: ValueMap, claims: ValueMap): void {
  const rules = valueAt(jwt, ['claimValidationRules']);
  for (const rule of isList(rules) ? rules : []) {
    const claim = textAt(rule, ['claim']);
    if (claim === '') continue;
    if (!claims.has(claim)) refuse(`oidc: required claim ${claim} not present in ID token`);
    const is = claimText(claims, claim, (why) => `oidc: parse claim ${claim}: ${why}`);
    const wanted = textAt(rule, ['requiredValue']);
    if (is !== wanted) refuse(`oidc: required claim ${claim} value does not match. Got = ${is}, want = ${wanted}`);
  }
}

/** All are evaluated before one of them is looked at. */
function checkRules(jwt: ValueMap, field: string, run: Run, lead: string): void {
  const rules = valueAt(jwt, [field]);
  const all = (isList(rules) ? rules : []).flatMap((rule, i) => {
    if (textAt(rule, ['claim']) !== '') return [];
    return [[rule, sound(run([field, i, 'expression']), lead)] as const];
  });
  for (const [rule, evaluated] of all)
    if (!ruleFrom(evaluated, lead))
      refuse(`${lead}validation expression '${evaluated.text}' failed: ${textAt(rule, ['message'])}`);
}

function ruleFrom(evaluated: Evaluated, lead: string): boolean {
  const { value } = sound(evaluated, lead);
  return typeof value === 'boolean' ? value : refuse(`${lead}validation expression must return a boolean`);
}

/** What has not failed. */
function sound(evaluated: Evaluated, lead: string): Evaluated {
  const { failed, text } = evaluated;
  return failed === undefined ? evaluated : refuse(`${lead}expression '${text}' resulted in error: ${failed}`);
}

const notTexts = 'expression must return a string or a list of strings';

/** Texts, without those that are empty; undefined where it is something else, as are the texts that `split` gives. */
function textsOf(value: Val): readonly string[] | undefined {
  if (value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!isKind(value, 'list') || value.isTexts) return undefined;
  const items = itemsOfList(value);
  return items.every((one) => typeof one === 'string') ? items.filter((one) => one !== '') : undefined;
}

function claimText(claims: ValueMap, claim: string, said: (why: string) => string): string {
  if (!claims.has(claim)) refuse(said('claim not present'));
  const value = claims.get(claim) ?? '';
  return isString(value) ? value : refuse(said(notGo(value, 'string')));
}

function notGo(value: Value, type: string): string {
  const is = isMap(value) ? 'object' : isList(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value;
  return `json: cannot unmarshal ${is === 'boolean' ? 'bool' : is} into Go value of type ${type}`;
}

// One expression by itself: what the server takes of its value.

/** By the field above the expression. */
const takes: Readonly<Record<string, (evaluated: Evaluated) => Value>> = {
  username: (one) => usernameFrom(one) ?? refuse('oidc: empty username via CEL expression is not allowed'),
  groups: groupsFrom,
  uid: uidFrom,
  extra: extraFrom,
  claimValidationRules: (one) => ruleFrom(one, 'oidc: error evaluating claim validation expression: '),
  userValidationRules: (one) => ruleFrom(one, 'oidc: error evaluating user info validation rule: '),
};

/** What of an expression's value is taken, or why it is refused. */
export function takenOf(path: Path, evaluated: Evaluated): { readonly value: Value } | { readonly error: string } {
  const field = path.find((step) => typeof step === 'string' && Object.hasOwn(takes, step));
  try {
    return { value: takes[String(field)]!(evaluated) };
  } catch (thrown) {
    if (thrown instanceof Refused) return { error: thrown.message };
    throw thrown;
  }
}
