import { isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { type Program, programOf } from '../../cel/eval/run.ts';
import { type CelError, type CelMap, error, isError, type Selector, type Val } from '../../cel/eval/values.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { callCostLimit, conditionsCostLimit, messageBytes, objectCostLimit } from '../bounds.ts';
import { type PartValues, partValues } from '../cel/partValues.ts';
import { evalRules } from '../cel/runtime.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { compiledOnce, type PolicyExpression, policyExpressions } from './expressions.ts';
import { hostGroup } from './hosts.ts';

// How the API server evaluates a ValidatingAdmissionPolicy for one request.

/** What a request brings along, by the names of variables: `object`, `params`, … */
export type Brought = ReadonlyMap<string, Val>;

const notKnown = 'not known here: ';

/** Stands for what only a cluster knows. Expressions that come to it cannot be answered. */
export function unknown(what: string): CelError {
  return error(`${notKnown}${what}`);
}

/** What is not known, where an error comes of that. */
export function unknownIn(message: string): string | undefined {
  const at = message.indexOf(notKnown);
  return at === -1 ? undefined : message.slice(at + notKnown.length);
}

/** What an expression came to, with its parts. */
export interface Evaluated {
  readonly path: Path;
  readonly text: string;
  readonly value: Val;
  /** The server's words. */
  readonly failed: string | undefined;
  readonly cost: number;
  readonly lines: readonly string[];
}

/** What the policy says of one of its validations. */
export interface Decision extends Evaluated {
  readonly action: 'admit' | 'deny' | 'unknown';
  readonly message: string;
}

export interface PolicyVerdict {
  /** The match condition that is false: then nothing else is evaluated. */
  readonly unmatched: string | undefined;
  readonly decisions: readonly Decision[];
  readonly annotations: readonly Evaluated[];
  /** The variables that were asked for. */
  readonly variables: readonly Evaluated[];
  readonly conditions: readonly Evaluated[];
  /** What validations and messages cost together: annotations are paid from a budget of their own. */
  readonly cost: number;
}

/** An expression, ready to be run. */
export interface Ready {
  readonly one: PolicyExpression;
  readonly text: string;
  run(brought: (name: string) => Val | undefined): { value: Val; cost: number; lines: readonly string[] };
}

/** Evaluates a policy; all that takes to be made once is made when this is called. */
export function evaluator(policy: ValueMap, kubernetes: KubernetesVersion): (brought: Brought) => PolicyVerdict {
  const ready = expressionsOf(policy, 'ValidatingAdmissionPolicy', kubernetes);
  const of = (field: string, last?: string) =>
    ready.filter(
      ({ one: { host, text } }) =>
        host.path[1] === field && text !== '' && (last ?? host.path.at(-1)) === host.path.at(-1),
    );
  const parts = {
    conditions: of('matchConditions'),
    variables: of('variables'),
    validations: of('validations', 'expression'),
    messages: of('validations', 'messageExpression'),
    annotations: of('auditAnnotations'),
  };
  const denies = valueAt(policy, ['spec', 'failurePolicy']) !== 'Ignore';
  return (brought) => verdictOf(policy, parts, brought, denies);
}

type Parts = Readonly<
  Record<'conditions' | 'variables' | 'validations' | 'messages' | 'annotations', readonly Ready[]>
>;

export function expressionsOf(policy: ValueMap, kind: string, kubernetes: KubernetesVersion): readonly Ready[] {
  return policyExpressions(policy, hostGroup, kind, kubernetes, undefined).map((one) => readied(one, kubernetes));
}

export function readied(one: PolicyExpression, kubernetes: KubernetesVersion): Ready {
  const { env } = one.schemaEnv;
  let parts: PartValues = partValues();
  const compiled = compiledOnce(one);
  const { text } = compiled;
  const isRight = compiled.problems.length === 0 && !compiled.unparsed && compiled.panic === undefined;
  const made = isRight
    ? programOf(compiled, env, evalRules(kubernetes), (part, value) => parts.watch(part, value))
    : { error: 'it does not compile' };
  const program: Program | undefined = 'program' in made ? made.program : undefined;
  const run: Ready['run'] = (brought) => {
    parts = partValues();
    const result = program?.evaluate(brought, callCostLimit);
    if (!result || 'unsupported' in result)
      return { value: unknown('an expression that cannot be run'), cost: 0, lines: [] };
    return { value: result.value, cost: Number(result.cost), lines: parts.lines(compiled.expr, text) };
  };
  return { one, text, run };
}

/** The values of a policy's variables, each evaluated when it is first asked for. */
export class Variables implements CelMap {
  readonly kind = 'map';
  readonly equal = undefined;
  readonly raw = undefined;
  readonly entries = undefined;
  readonly growing = false;
  readonly found = new Map<string, Evaluated>();
  readonly #rows: ReadonlyMap<string, Ready>;
  readonly #brought: Brought;
  readonly #known = new Map<string, Val>();

  constructor(policy: ValueMap, rows: readonly Ready[], brought: Brought) {
    const nameOf = ({ one }: Ready) => String(valueAt(policy, [...one.path.slice(0, -1), 'name']));
    this.#rows = new Map(rows.map((row) => [nameOf(row), row]));
    this.#brought = brought;
  }

  get size(): number {
    return this.#rows.size;
  }

  find(key: Val): Val | undefined {
    return typeof key === 'string' ? this.#valueOf(key) : undefined;
  }

  select({ name }: Selector): Val | undefined {
    return this.#valueOf(name);
  }

  keys(): readonly Val[] {
    return [...this.#rows.keys()];
  }

  firstKey(): Val | undefined {
    return this.keys()[0];
  }

  #valueOf(name: string): Val | undefined {
    const row = this.#rows.get(name);
    const held = this.#known.get(name);
    if (held !== undefined || !row) return held;
    const { value, cost, lines } = row.run((other) => (other === 'variables' ? this : this.#brought.get(other)));
    const failed = isError(value) ? `composited variable "${name}" fails to evaluate: ${value.message}` : undefined;
    const said = failed === undefined ? value : error(failed);
    this.#known.set(name, said);
    this.found.set(name, { path: row.one.path, text: row.text, value, failed, cost, lines });
    return said;
  }
}

/** What expressions are paid from, one after the other. */
export interface Budget {
  left: number;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Evaluates one expression after the other as long as there is a budget; then all of them have failed. */
export function evaluateAll(
  rows: readonly Ready[],
  variables: Variables | undefined,
  brought: Brought,
  budget: Budget,
): readonly Evaluated[] | { readonly failed: string } {
  const done: Evaluated[] = [];
  for (const { one, text, run } of rows) {
    const before = costOf(variables);
    const { value, cost, lines } = run((name) => (name === 'variables' ? variables : brought.get(name)));
    budget.left -= cost + costOf(variables) - before;
    if (budget.left < 0) return { failed: outOfBudget };
    // The server shows it as it was written, with the blanks around it.
    const failed = isError(value) ? `expression '${one.text}' resulted in error: ${value.message}` : undefined;
    done.push({ path: one.path, text, value, failed, cost, lines });
  }
  return done;
}

function costOf(variables: Variables | undefined): number {
  return [...(variables?.found.values() ?? [])].reduce((sum, { cost }) => sum + cost, 0);
}

const nothing = { unmatched: undefined, annotations: [], variables: [], conditions: [], cost: 0 } as const;

function verdictOf(policy: ValueMap, parts: Parts, brought: Brought, denies: boolean): PolicyVerdict {
  const { verdict, conditions } = conditionsVerdict(policy, parts.conditions, brought, denies);
  if (verdict) return { ...verdict, conditions };
  const budget = { left: objectCostLimit };
  const variables = new Variables(policy, parts.variables, brought);
  const results = evaluateAll(parts.validations, variables, brought, budget);
  const used = [...variables.found.values()];
  if ('failed' in results)
    return { ...nothing, decisions: [failure(results.failed, denies)], variables: used, conditions };
  // Messages have variables of their own, which are evaluated anew.
  const left = { left: budget.left };
  const messages = evaluateAll(parts.messages, new Variables(policy, parts.variables, brought), brought, left);
  const decisions = results.map((one) => decisionOf(policy, one, messages, denies));
  const own = new Variables(policy, parts.variables, brought);
  const annotations = evaluateAll(parts.annotations, own, brought, { left: objectCostLimit });
  if ('failed' in annotations)
    return { ...nothing, decisions: [failure(annotations.failed, denies)], variables: used, conditions };
  const cost = objectCostLimit - left.left;
  return { unmatched: undefined, decisions, annotations, variables: used, conditions, cost };
}

/** What match conditions come to, and the verdict where they decide. */
export function conditionsVerdict(
  policy: ValueMap,
  rows: readonly Ready[],
  brought: Brought,
  denies: boolean,
): { readonly verdict: PolicyVerdict | undefined; readonly conditions: readonly Evaluated[] } {
  if (rows.length === 0) return { verdict: undefined, conditions: [] };
  // The server gives them no namespace, although they may name one.
  const known: Brought = new Map(brought).set('namespaceObject', null);
  const results = evaluateAll(rows, undefined, known, { left: conditionsCostLimit });
  if ('failed' in results) {
    const verdict: PolicyVerdict = denies
      ? { ...nothing, decisions: [failure(results.failed, denies)] }
      : { ...nothing, unmatched: '', decisions: [] };
    return { verdict, conditions: [] };
  }
  return { verdict: decidedBy(policy, results, denies), conditions: results };
}

/** One that is false is enough; otherwise one that fails decides as the failure policy says. */
function decidedBy(policy: ValueMap, results: readonly Evaluated[], denies: boolean): PolicyVerdict | undefined {
  const isFalse = results.find(({ value }) => value === false);
  if (isFalse) {
    const name = valueAt(policy, [...isFalse.path.slice(0, -1), 'name']);
    return { ...nothing, unmatched: String(name), decisions: [] };
  }
  const failed = results.filter((one) => one.failed !== undefined);
  if (failed.length === 0) return undefined;
  const texts = [...new Set(failed.map((one) => one.failed!))];
  const text = texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
  if (unknownIn(text) === undefined && !denies) return { ...nothing, unmatched: '', decisions: [] };
  return { ...nothing, decisions: [{ ...failed[0]!, ...actionFor(text, denies) }] };
}

function failure(text: string, denies: boolean): Decision {
  return { path: [], text: '', value: null, failed: text, cost: 0, lines: [], ...actionFor(text, denies) };
}

function actionFor(failed: string, denies: boolean): Pick<Decision, 'action' | 'message'> {
  const what = unknownIn(failed);
  if (what !== undefined) return { action: 'unknown', message: what };
  return { action: denies ? 'deny' : 'admit', message: failed };
}

function decisionOf(
  policy: ValueMap,
  one: Evaluated,
  messages: readonly Evaluated[] | { readonly failed: string },
  denies: boolean,
): Decision {
  if (one.failed !== undefined) return { ...one, ...actionFor(one.failed, denies) };
  if ('failed' in messages) return { ...one, ...actionFor(`failed messageExpression: ${messages.failed}`, denies) };
  if (one.value === true) return { ...one, action: 'admit', message: '' };
  const at = one.path.slice(0, -1);
  const own = messages.find(({ path }) => path.slice(0, -1).join('/') === at.join('/'));
  const what = own?.failed === undefined ? undefined : unknownIn(own.failed);
  if (what !== undefined)
    return { ...one, action: 'deny', message: `the message depends on what is not known here: ${what}` };
  const written = valueAt(policy, [...at, 'message']);
  const message = messageOf(own) || trimSpace(isString(written) ? written : '');
  return { ...one, action: 'deny', message: message || `failed expression: ${trimSpace(one.text)}` };
}

/** What a messageExpression says; nothing where it failed, or says what no message may be. */
function messageOf(own: Evaluated | undefined): string {
  const value = own?.failed === undefined ? own?.value : undefined;
  if (typeof value !== 'string') return '';
  const text = trimSpace(value);
  return byteLength(text) > messageBytes || text.includes('\n') ? '' : text;
}

/** The annotation that is written for an audit; undefined where there is to be none. */
export function annotationOf({ value }: Evaluated): string | undefined {
  const text = typeof value === 'string' ? trimSpace(value) : '';
  return text === '' ? undefined : text;
}

/** The namespace of a request as expressions see it: some of its metadata, its spec and status. */
export function namespaceValue(namespace: ValueMap): Value {
  const metadata = namespace.get('metadata');
  const hidden = new Set(['managedFields', 'ownerReferences', 'selfLink']);
  const shown = new Map([...(isMap(metadata) ? metadata : [])].filter(([name]) => !hidden.has(name)));
  return new Map<string, Value>([
    ['metadata', shown],
    ['spec', namespace.get('spec') ?? new Map()],
    ['status', namespace.get('status') ?? new Map()],
  ]);
}
