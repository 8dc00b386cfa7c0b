import { isMap, isString, type Path, type ValueMap, valueAt } from '../../base/value.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import { type Compiled, issuesOf } from '../../cel/compile.ts';
import { estimateCost } from '../../cel/cost.ts';
import { parse } from '../../cel/parse.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { child, duplicate, type FieldPath, forbidden, index, invalid, required, rootPath, tooLong } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { compiledOnce, compileFindings, type PolicyExpression, policyExpressions } from './expressions.ts';
import type { PolicyFinding } from './findings.ts';
import { hostGroup, hostsOf, type WorldHost } from './hosts.ts';
import { claims, type World } from './worlds.ts';

interface WorldExpression extends PolicyExpression {
  readonly host: WorldHost;
}

/** What is said about the expressions of an object that are none of admission. */
export function validateInWorlds(
  object: ValueMap,
  group: string,
  kind: string,
  kubernetes: KubernetesVersion,
): PolicyFinding[] {
  if (group === hostGroup || hostsOf(group, kind).length === 0) return [];
  const seen = new Set<string>();
  const all = policyExpressions(object, group, kind, kubernetes, undefined) as readonly WorldExpression[];
  const sound: WorldExpression[] = [];
  const found = all.flatMap((one): PolicyFinding[] => {
    const { host, path, text } = one;
    const around = valueAt(object, path.slice(0, -1));
    if (!isMap(around) || (host.instead !== undefined && isSet(around, host.instead))) return [];
    const spot = spotOf(one, kubernetes);
    const isEmpty = (host.blankIsEmpty ? trimSpace(text) : text) === '';
    if (isEmpty && host.empty === 'ignored') return [];
    if (isEmpty && host.empty === 'missing') {
      return [required(spot, missingText(one, kubernetes), { code: 'policy/expression-missing', facts: undefined })];
    }
    if (host.once) {
      const key = `${path.slice(0, -2).join('/')} ${text}`;
      const about = { code: 'policy/expression-repeated' as const, facts: undefined };
      if (seen.has(key)) return [duplicate(spot, text, kubernetes, about)];
      seen.add(key);
    }
    const problems = judged(one, spot, kubernetes);
    if (problems.length === 0) sound.push(one);
    return problems;
  });
  return [...found, ...unverifiedEmails(sound, kubernetes)];
}

/** An email of a token counts as a name only where something looks at whether it was verified. */
function unverifiedEmails(sound: readonly WorldExpression[], kubernetes: KubernetesVersion): PolicyFinding[] {
  const inClaims = sound.filter(({ host }) => host.world === claims);
  const detail = `${verified} must be used in ${email.join(' or ')} when claims.email is used in ${email[0]}`;
  return inClaims.filter(isUsername).flatMap((one) => {
    const ofToken = inClaims.filter(({ path }) => path[1] === one.path[1] && !isOther(path));
    if (!reads(one, 'email') || ofToken.some((other) => reads(other, 'email_verified'))) return [];
    const about = { code: 'policy/expression-email' as const, facts: undefined };
    return [invalid(spotOf(one, kubernetes), one.text, detail, kubernetes, about)];
  });
}

const verified = 'claims.email_verified';
const email = [
  'claimMappings.username.expression',
  'claimMappings.extra[*].valueExpression',
  'claimValidationRules[*].expression',
];
const isUsername = ({ path }: PolicyExpression) => path[3] === 'username';
const isOther = (path: Path) => path[3] === 'groups' || path[3] === 'uid';

/** Whether an expression reads a claim by its name. */
function reads(one: PolicyExpression, claim: string): boolean {
  return readsClaim(compiledOnce(one).expr, claim);
}

function readsClaim(e: Expr, claim: string): boolean {
  const isClaims = (operand: Expr | undefined) => operand?.kind === 'ident' && operand.name === 'claims';
  if (e.kind === 'select' && isClaims(e.operand) && e.field === claim) return true;
  if (e.kind === 'call' && e.name === '_?._' && isClaims(e.args[0])) {
    const [, name] = e.args;
    if (name?.kind === 'literal' && name.literal.of === 'string' && name.literal.value === claim) return true;
  }
  return childrenOf(e).some((child) => readsClaim(child, claim));
}

function isSet(map: ValueMap, name: string): boolean {
  const value = map.get(name);
  return isString(value) && value !== '';
}

function missingText({ path, host }: WorldExpression, { omitsRepeatedField }: KubernetesVersion): string {
  return host.blankIsEmpty || omitsRepeatedField ? '' : `${path.at(-1)} is required`;
}

/** Where errors say that the expression is. */
function spotOf({ host, path }: WorldExpression, { exactDeviceRequests }: KubernetesVersion): FieldPath {
  const isMoved = host.judgedAt !== undefined && (!host.judgedAt.includes('exactly') || exactDeviceRequests);
  const { judgedAt = host.path } = isMoved ? host : {};
  const left = [...path];
  return judgedAt.reduce<FieldPath>((spot, step) => {
    // Steps of the document that validation does not have are taken along with the next one that it has.
    const steps = left.splice(0, left.findIndex((one) => (step === '*' ? typeof one === 'number' : one === step)) + 1);
    const at = steps.at(-1);
    return typeof at === 'number' ? index(spot, at) : child(spot, step, steps);
  }, rootPath);
}

function judged(one: WorldExpression, spot: FieldPath, kubernetes: KubernetesVersion): PolicyFinding[] {
  const { world } = one.host;
  const isLimited = world.isLimited?.(kubernetes) ?? false;
  const limit = { code: 'policy/expression-limit' as const, facts: undefined };
  if (isLimited && world.mostBytes !== undefined && byteLength(one.text) > world.mostBytes) {
    return [tooLong(spot, BigInt(world.mostBytes), kubernetes, limit)];
  }
  if (world.isOnlyParsed) return parsed(one, spot, kubernetes);
  const refused = compileFindings(one, spot, kubernetes);
  if (refused.length > 0 || !isLimited || !costsTooMuch(one, world)) return refused;
  return [forbidden(spot, 'too complex, exceeds cost limit', limit)];
}

function costsTooMuch(one: PolicyExpression, { mostCost }: World): boolean {
  if (mostCost === undefined) return false;
  const { expr, panic } = compiledOnce(one);
  return panic === undefined && estimateCost(expr, one.schemaEnv.model).total.max > mostCost;
}

/** What Flux says when it is to use an expression that it cannot read. */
function parsed({ path, text, schemaEnv }: WorldExpression, spot: FieldPath, kubernetes: KubernetesVersion) {
  const { syntax } = schemaEnv.env;
  const { expr, size, problems, syntax: own, suspect } = parse(text, syntax);
  const unparsed = own.length > 0 || suspect;
  if (!unparsed && problems.length === 0) return [];
  const compiled: Compiled = { text, expr, size, syntax: own, problems, unparsed, panic: undefined };
  const issues = issuesOf(compiled, schemaEnv.env);
  if (issues === undefined) return [];
  const name = String(path.at(-1)).replace(/^./, (letter) => letter.toUpperCase());
  const detail = `failed to parse the expression ${name}: failed to parse the CEL expression '${text}': ${issues}`;
  return [
    invalid(spot, text, detail, kubernetes, { code: 'policy/health-check' as const, facts: { compiled, detail } }),
  ];
}
