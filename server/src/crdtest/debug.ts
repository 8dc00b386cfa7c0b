import { isList, isMap, type Path, type Value, valueAt } from '../base/value.ts';
import { correlatedItems } from '../kubernetes/cel/correlation.ts';
import { partValues } from '../kubernetes/cel/partValues.ts';
import { type Trial, tryExpression } from '../kubernetes/cel/tryExpression.ts';
import { valText } from '../kubernetes/cel/valText.ts';
import { storedResource } from '../kubernetes/cr/create.ts';
import type { ServedCrd } from '../kubernetes/cr/served.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import type { Structural } from '../kubernetes/schema/structural.ts';
import { splitApiVersion } from '../workspace/manifest.ts';
import { patched } from './objects.ts';
import { rulesKey } from './rulePath.ts';
import { ruleAt, type Served, serving, shown } from './run.ts';
import type { Given } from './said.ts';
import { crdPatchOf, type TestCase } from './suite.ts';

/** A rule as a case evaluates it, with what its parts come to. */
export interface DebuggedRule {
  /** The rule by the value that it judges: `spec.users[0].x-kubernetes-validations[1]`. */
  readonly name: string;
  readonly rule: string;
  /** What it comes to: `true`, `false`, an error, or why it is not evaluated. */
  readonly outcome: string;
  readonly parts: readonly string[];
}

export interface Debugged {
  readonly rules: readonly DebuggedRule[];
  /** How many rules are not shown. */
  readonly more: number;
  /** The object as rules see it. */
  readonly object: Value | undefined;
}

/** Nobody reads more of them. */
const mostRules = 100;

/** Evaluates the rules that a case is about once more, watching. */
export function debugged({ request }: TestCase, given: Given, served: Served, kubernetes: KubernetesVersion): Debugged {
  if (request.verb === 'rule') {
    const found = ruleAt(request.rule, served.crd, served.document);
    if (typeof found === 'string') return { rules: [], more: 0, object: undefined };
    const { schema, isRoot, written } = found;
    const optionalOld = written.get('optionalOldSelf') === true;
    const trial = { schema, isRoot, value: request.self, old: request.oldSelf, optionalOld };
    const rule = String(written.get('rule') ?? '');
    return { rules: [evaluated(request.rule, rule, trial, kubernetes)], more: 0, object: undefined };
  }
  const patchedCrd = crdPatchOf(request);
  const now = patchedCrd ? serving(patched(served.document, patchedCrd), kubernetes) : served;
  const crd = 'crd' in now ? now.crd : served.crd;
  const { object = null, from = null } = given;
  const old = request.verb === 'create' ? undefined : storedResource(from, served.crd, { kubernetes });
  const stored = seenByRules(request.verb, object, from, crd, kubernetes);
  const { version } = splitApiVersion(String(valueAt(object, ['apiVersion'])));
  const root = crd.versions.get(version)?.structural;
  const rules: DebuggedRule[] = [];
  let more = 0;
  for (const { name, rule, ...trial } of root && stored !== undefined ? rulesOver(root, stored, old, []) : []) {
    if (rules.length < mostRules) rules.push(evaluated(name, rule, trial, kubernetes));
    else if (++more >= mostCounted) break;
  }
  return { rules, more, object: stored };
}

/** Behind so many others they are not even counted. */
const mostCounted = 100_000;

/** Pruned, with its defaults, and of a change of status the rest as it was. */
function seenByRules(verb: string, object: Value, from: Value, crd: ServedCrd, kubernetes: KubernetesVersion) {
  if (verb === 'create') return storedResource(object, crd, { kubernetes });
  const subresource = verb === 'status' ? ('status' as const) : undefined;
  const { result } = boundedMatching(() => updateResource(from, object, crd, { kubernetes, subresource }));
  return result.stored ?? storedResource(object, crd, { kubernetes });
}

interface RuleOver extends Trial {
  readonly name: string;
  readonly rule: string;
}

/** Each rule with each value that it judges, from the outside to the inside. */
function* rulesOver(schema: Structural, value: Value, old: Value | undefined, path: Path): Generator<RuleOver> {
  const isRoot = path.length === 0 || schema.extensions.embeddedResource;
  for (const [i, { rule, optionalOldSelf = false }] of schema.extensions.validations.entries()) {
    const name = `${dotted(path)}${rulesKey}[${i}]`;
    yield { name, rule, schema, isRoot, value, old, optionalOld: optionalOldSelf };
  }
  if (isList(value) && schema.items) {
    const before = correlatedItems(schema, old ?? null);
    for (const [i, item] of value.entries()) yield* rulesOver(schema.items, item, before(item), [...path, i]);
  }
  if (!isMap(value)) return;
  for (const [key, item] of value) {
    const inner = schema.properties?.get(key) ?? schema.additionalProperties?.schema;
    if (inner) yield* rulesOver(inner, item, isMap(old) ? old.get(key) : undefined, [...path, key]);
  }
}

function dotted(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? '' : `${text.slice(1)}.`;
}

/** A scalar that a rule judges is not part of it that says more, but all that it is about. */
function scalars({ value, old }: Trial): string[] {
  const line = (name: string, one: Value | undefined) =>
    one === undefined || isMap(one) || isList(one) ? [] : [`${name}: ${shown(one)}`];
  return [...line('self', value), ...line('oldSelf', old)];
}

function evaluated(name: string, rule: string, trial: Trial, kubernetes: KubernetesVersion): DebuggedRule {
  if (trial.old === undefined && !trial.optionalOld && /\boldSelf\b/.test(rule))
    return { name, rule, outcome: 'not evaluated: there is no old value', parts: [] };
  const parts = partValues();
  const tried = tryExpression(rule, trial, kubernetes, parts.watch);
  if ('problem' in tried) return { name, rule, outcome: tried.problem, parts: [] };
  const { result, expr } = tried;
  const outcome = 'error' in result ? `error: ${result.error}` : valText(result.value);
  return { name, rule, outcome, parts: [...parts.lines(expr, rule), ...scalars(trial)] };
}
