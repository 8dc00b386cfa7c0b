import { append } from '../../base/append.ts';
import { equalValues, isMap, textAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { Val } from '../../cel/eval/values.ts';
import type { MergeType } from '../apply/mergeType.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import {
  type Admitted,
  broughtBy,
  type Came,
  clusterOf,
  fieldToDefault,
  isAdmission,
  nameOf,
  type PolicyCluster,
  paramsFor,
  textsAt,
} from './admit.ts';
import {
  annotationOf,
  type Decision,
  type Evaluated,
  evaluator,
  type PolicyVerdict,
  unknown,
  unknownIn,
} from './evaluate.ts';
import { labelsOf, type Match, matchOf, type ResourceAs } from './matching.ts';
import { type MutationVerdict, mutator } from './mutate.ts';

// What all admission policies say of one request, as the API server asks them: those that mutate, one after the other,
// and then those that validate.

export interface Denial {
  readonly policy: string;
  /** Empty where there is none. */
  readonly binding: string;
  readonly message: string;
  /** Why, as the status of the answer has it. */
  readonly reason: string;
}

/** A policy that let a request pass without looking at it, and why. */
export interface Unmatched {
  readonly policy: string;
  readonly why: string;
}

export interface RequestVerdict {
  readonly denials: readonly Denial[];
  readonly warnings: readonly string[];
  readonly annotations: ReadonlyMap<string, string>;
  readonly unmatched: readonly Unmatched[];
  /** The policies that looked at it. */
  readonly matched: readonly string[];
  /** What the answer depends on that nobody knows here. */
  readonly unknown: readonly string[];
  /** What each policy cost. */
  readonly costs: ReadonlyMap<string, number>;
  readonly evaluated: readonly EvaluatedIn[];
}

/** What an expression of a policy came to. */
export interface EvaluatedIn {
  readonly policy: ValueMap;
  readonly one: Evaluated;
}

interface Ready<V> {
  readonly policy: ValueMap;
  readonly name: string;
  readonly cluster: PolicyCluster;
  readonly run: V;
}

type Validating = Ready<ReturnType<typeof evaluator>>;
type Mutating = Ready<ReturnType<typeof mutator>>;

/** The policies among some objects, ready to be asked. */
export interface Policies {
  readonly validating: readonly Validating[];
  readonly mutating: readonly Mutating[];
}

export function policiesAmong(objects: readonly ValueMap[], kubernetes: KubernetesVersion): Policies {
  const ready = <V>(kind: string, make: (policy: ValueMap) => V): Ready<V>[] =>
    objects
      .filter((one) => one.get('kind') === kind && isAdmission(one))
      .map((policy) => ({ policy, name: nameOf(policy), cluster: clusterOf(policy, objects), run: make(policy) }));
  return {
    validating: ready('ValidatingAdmissionPolicy', (policy) => evaluator(policy, kubernetes)),
    mutating: ready('MutatingAdmissionPolicy', (policy) => mutator(policy, kubernetes)),
  };
}

/** Collects what policies say. */
class Saying {
  readonly denials: Denial[] = [];
  readonly warnings: string[] = [];
  readonly texts = new Map<string, string[]>();
  readonly unmatched: Unmatched[] = [];
  readonly matched = new Set<string>();
  readonly unknown = new Set<string>();
  readonly costs = new Map<string, number>();
  readonly evaluated: EvaluatedIn[] = [];

  deny(policy: string, binding: string, message: string, reason = 'Invalid'): void {
    this.denials.push({ policy, binding, message, reason });
  }

  /** Several bindings may have a value of their own for an annotation. */
  annotate(key: string, value: string): void {
    const known = this.texts.get(key) ?? [];
    this.texts.set(key, known.includes(value) ? known : [...known, value]);
  }

  /** Takes over what denies and what is not known. */
  addOpen({ denials, unknown }: Saying): void {
    append(this.denials, denials);
    for (const one of unknown) this.unknown.add(one);
  }

  cost(policy: string, cost: number): void {
    this.costs.set(policy, (this.costs.get(policy) ?? 0) + cost);
  }

  all(): RequestVerdict {
    const { denials, unmatched, costs, evaluated } = this;
    // A client is warned of the same once.
    const warnings = [...new Set(this.warnings)];
    const annotations = new Map([...this.texts].map(([key, values]) => [key, values.join(', ')]));
    const [matched, unknown] = [[...this.matched], [...this.unknown]];
    return { denials, warnings, annotations, unmatched, matched, unknown, costs, evaluated };
  }
}

/** A policy asked for one binding and one object of its parameters. */
interface Invocation<V> {
  readonly of: Ready<V>;
  readonly binding: string;
  readonly actions: readonly string[];
  readonly one: Admitted;
  readonly params: Val;
  readonly key: string;
}

/** How often a policy is asked about one request. */
const mostInvocations = 100;

/** The invocations of policies for a request; those that are not for it, or that cannot be asked, are noted. */
function invocationsOf<V>(all: readonly Ready<V>[], one: Admitted, saying: Saying): Invocation<V>[] {
  const found: Invocation<V>[] = [];
  for (const of of all) {
    const match = matchOf(valueAt(of.policy, ['spec', 'matchConstraints']), one.request);
    if (!isFor(match, of.name, saying)) continue;
    const as = match.as === undefined ? one : seenAs(one, match.as);
    if (typeof as === 'string') saying.unknown.add(as);
    else for (const each of boundInvocations(of, as, saying)) found.push(each);
    if (found.length > mostInvocations) {
      saying.unknown.add('what more bindings and parameters say');
      return [];
    }
  }
  return found;
}

function isFor(match: Match, policy: string, saying: Saying): match is Extract<Match, { matches: true }> {
  if ('unknown' in match) saying.unknown.add(match.unknown);
  else if (match.matches) return true;
  else saying.unmatched.push({ policy, why: match.why });
  return false;
}

/** The request as a policy sees it that asks for another version of its resource. */
function seenAs(one: Admitted, as: NonNullable<Admitted['request']['as']>): Admitted | string {
  const { converted } = one;
  if (!converted) return `what the object is in the version ${as.version}`;
  return {
    ...one,
    request: { ...one.request, as },
    value: () => converted(one.value(), as),
    old: () => converted(one.old(), as),
  };
}

/** A policy without bindings does nothing in a cluster; here it is asked as if one took every request and denied. */
function* boundInvocations<V>(of: Ready<V>, one: Admitted, saying: Saying): Generator<Invocation<V>> {
  const { bindings, params } = of.cluster;
  const about = { of, one, binding: '', actions: ['Deny'] };
  if (bindings.length === 0) {
    saying.matched.add(of.name);
    yield { ...about, params: params ? unknown('which parameters a binding names') : null, key: of.name };
    return;
  }
  let isBound = false;
  for (const binding of bindings) {
    const name = nameOf(binding);
    const match = matchOf(valueAt(binding, ['spec', 'matchResources']), one.request);
    if ('unknown' in match) saying.unknown.add(match.unknown);
    if (!('matches' in match) || !match.matches) continue;
    isBound = true;
    const found = paramsFor({ cluster: of.cluster, policy: of.policy }, binding, one);
    if ('missing' in found) notFound(of, name, found, saying);
    const actions = textsAt(binding, ['spec', 'validationActions']);
    for (const param of 'missing' in found ? [] : found.params)
      yield { ...about, binding: name, actions, params: param.value, key: [of.name, name, param.name].join('\n') };
  }
  if (isBound) saying.matched.add(of.name);
  else saying.unmatched.push({ policy: of.name, why: 'no binding is for it' });
}

const noParams = 'no params found for policy binding with `Deny` parameterNotFoundAction';

function notFound<V>(
  { policy, name }: Ready<V>,
  binding: string,
  came: Extract<Came, { missing: string }>,
  saying: Saying,
) {
  // Each of the two kinds says it with a reason of its own.
  const reason = textAt(policy, ['kind']) === 'MutatingAdmissionPolicy' ? 'Forbidden' : 'Invalid';
  if (came.denies && denies(policy)) saying.deny(name, binding, `failed to configure binding: ${noParams}`, reason);
}

function denies(policy: ValueMap): boolean {
  return valueAt(policy, ['spec', 'failurePolicy']) !== 'Ignore';
}

// Mutating

/** How objects are merged: in the version of the request, or in another one. */
export type MergeTypeOf = (as: ResourceAs | undefined) => MergeType | undefined;

export interface MutatedRequest {
  readonly object: Value;
  readonly verdict: RequestVerdict;
}

/**
 * What mutating policies make of the object of a request. Where it changes, those that ask for it and are still for it
 * are asked once more at the end.
 */
export function mutateRequest({ mutating }: Policies, one: Admitted, typeOf: MergeTypeOf): MutatedRequest {
  const saying = new Saying();
  let object = one.value();
  if (mutating.length === 0 || object === null) return { object, verdict: saying.all() };
  const now: Admitted = { ...one, value: () => object };
  const invocations = invocationsOf(mutating, now, saying);
  const ask = (invocation: Invocation<Mutating['run']>, how: 'first' | 'again' | 'match') => {
    const { name, run, cluster, policy } = invocation.of;
    const { as } = invocation.one.request;
    const seen = as ? seenAs(now, as) : now;
    const type = typeOf(as);
    if (typeof seen === 'string' || !type) {
      saying.unknown.add('how objects of this kind and version are merged');
      return false;
    }
    const merging = { type, filledIn: (value: Value) => now.filledIn?.(value, as) ?? value };
    const brought = broughtBy({ cluster }, seen, invocation.params);
    const verdict = run(brought, seen.value(), how === 'match' ? undefined : merging);
    // What it passes by the second time it has looked at before.
    const noted = how === 'first' ? verdict : { ...verdict, unmatched: undefined };
    noteMutation(noted, policy, name, invocation.binding, saying);
    const made = as ? now.converted!(verdict.object, { ...one.request, kind: one.kind }) : verdict.object;
    const isOther = !equalValues(object, made);
    object = made;
    return isOther;
  };
  let [earlier, again] = [new Set<string>(), new Set<string>()];
  let changed = false;
  for (const invocation of invocations) {
    if (ask(invocation, 'first')) {
      changed = true;
      for (const key of earlier) again.add(key);
      earlier = new Set();
    }
    if (valueAt(invocation.of.policy, ['spec', 'reinvocationPolicy']) === 'IfNeeded') earlier.add(invocation.key);
  }
  // What is denied ends here; all of admission runs once more for what has changed, and is matched anew.
  if (changed && saying.denials.length === 0) {
    for (const key of earlier) again.add(key);
    const request = { ...one.request, labels: isMap(object) ? labelsOf(object) : undefined };
    const matching = new Saying();
    for (const invocation of invocationsOf(mutating, { ...now, request }, matching)) {
      ask(invocation, again.has(invocation.key) ? 'again' : 'match');
    }
    saying.addOpen(matching);
  }
  return { object, verdict: saying.all() };
}

function noteMutation(
  { unmatched, failures, unknown: open, evaluated, cost }: MutationVerdict,
  policy: ValueMap,
  name: string,
  binding: string,
  saying: Saying,
): void {
  if (unmatched !== undefined) saying.unmatched.push({ policy: name, why: conditionText(unmatched) });
  if (open !== undefined) saying.unknown.add(open);
  saying.cost(name, cost);
  for (const one of evaluated) saying.evaluated.push({ policy, one });
  if (denies(policy)) for (const failure of failures) saying.deny(name, binding, failure);
}

export function conditionText(name: string): string {
  return name === '' ? 'a match condition fails, and failurePolicy is Ignore' : `the match condition ${name} is false`;
}

// Validating

export function validateRequest({ validating }: Policies, one: Admitted): RequestVerdict {
  const saying = new Saying();
  for (const { of, binding, actions, one: seen, params } of invocationsOf(validating, one, saying)) {
    const verdict = of.run(broughtBy({ cluster: of.cluster }, seen, params));
    noteVerdict(verdict, of, { binding, actions, defaulted: one.defaulted }, saying);
  }
  return saying.all();
}

interface Bound {
  readonly binding: string;
  readonly actions: readonly string[];
  readonly defaulted: ReadonlySet<string>;
}

function noteVerdict(verdict: PolicyVerdict, { policy, name }: Validating, bound: Bound, saying: Saying): void {
  if (verdict.unmatched !== undefined) saying.unmatched.push({ policy: name, why: conditionText(verdict.unmatched) });
  saying.cost(name, verdict.cost);
  const { conditions, decisions, annotations, variables } = verdict;
  for (const one of [...conditions, ...decisions, ...annotations, ...variables]) saying.evaluated.push({ policy, one });
  for (const decision of verdict.decisions) noteDecision(decision, policy, name, bound, saying);
  for (const annotation of verdict.annotations) noteAnnotation(annotation, policy, name, bound.binding, saying);
}

function noteDecision(
  decision: Decision,
  policy: ValueMap,
  name: string,
  { binding, actions, defaulted }: Bound,
  saying: Saying,
): void {
  const { action, message, path, failed } = decision;
  const key = fieldToDefault(decision, defaulted);
  if (key !== undefined) saying.unknown.add(`\`${key}\`, which is not written: the API server may fill in a default`);
  if (action === 'unknown') saying.unknown.add(message);
  if (action !== 'deny' || key !== undefined) return;
  const reason = textAt(policy, [...path.slice(0, -1), 'reason']) || 'Invalid';
  // What fails has no reason of its own.
  if (actions.includes('Deny')) saying.deny(name, binding, message, failed === undefined ? reason : 'Invalid');
  if (actions.includes('Warn'))
    saying.warnings.push(
      `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding}': ${message}`,
    );
}

function noteAnnotation(one: Evaluated, policy: ValueMap, name: string, binding: string, saying: Saying): void {
  const open = one.failed === undefined ? undefined : unknownIn(one.failed);
  if (open !== undefined) saying.unknown.add(open);
  else if (one.failed !== undefined && denies(policy)) saying.deny(name, binding, one.failed);
  const text = one.failed === undefined ? annotationOf(one) : undefined;
  const key = textAt(policy, [...one.path.slice(0, -1), 'key']);
  if (text !== undefined) saying.annotate(`${name}/${key}`, text);
}

/** The whole message with which the API server answers a denied request: that of the first denial. */
export function denialText({ policy, binding, message }: Denial, isMutating: boolean): string {
  if (isMutating) {
    const by = binding === '' ? `policy "${policy}"` : `policy '${policy}' with binding '${binding}'`;
    return `${by} denied request: ${message}`;
  }
  const by = binding === '' ? '' : ` with binding '${binding}'`;
  return `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
}
