import { hasUnknown, isList, isMap, isUnknown, type Path, type Value, type ValueMap } from '../../base/value.ts';
import type { Program } from '../../cel/eval/run.ts';
import { isPartial, partially, takeMet } from '../../cel/eval/unknown.ts';
import { isError, type Val } from '../../cel/eval/values.ts';
import { addWork, beginWork, endWork, fileWorkDone } from '../../cel/eval/work.ts';
import { byteLength } from '../../gostd/bytes.ts';
import { quote } from '../../gostd/quote.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { callCostLimit, messageBytes, objectCostLimit } from '../bounds.ts';
import {
  type BadValue,
  child,
  duplicate,
  type FieldPath,
  forbidden,
  index,
  invalid,
  key,
  omitted,
  pathOf,
  required,
} from '../field.ts';
import type { About, Aside } from '../finding.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { resolveFieldPath } from '../schema/fieldPath.ts';
import type { Structural, ValidationRule } from '../schema/structural.ts';
import { correlatedItems } from './correlation.ts';
import type { LeftOutRule, RuleFacts, RuleFinding, RuleWarning } from './findings.ts';
import type { CompiledRule } from './rules.ts';
import { type RuleNode, ruleNode } from './ruleTree.ts';
import { type JudgedRule, lookup, type RuleVariables, ruleVariables } from './ruleVariables.ts';

/** A value beside its old one, matched on the way down, for forgiving what failed before. */
export interface Correlation {
  unchanged(): boolean;
  key(name: string): Correlation | undefined;
  index(at: number): Correlation | undefined;
}

/** Rules of a schema to be run over a value. */
export interface Evaluation {
  readonly schema: Structural;
  readonly value: Value;
  /** The value that this one replaces, if any. */
  readonly old?: Value | undefined;
  /** Present where unchanged failures are forgiven. */
  readonly correlation?: Correlation | undefined;
  readonly spot: FieldPath;
  /** The value is a whole object. */
  readonly isRoot: boolean;
  readonly version: KubernetesVersion;
  readonly budget?: number;
  /** Is told of every rule that is evaluated, and on what. */
  readonly watch?: ((judged: JudgedRule, self: () => Path) => void) | undefined;
}

export interface EvaluationResult {
  readonly errors: readonly RuleFinding[];
  /** What failed but is forgiven. */
  readonly warnings: readonly RuleWarning[];
  /** What is left; below zero nothing more may be evaluated. */
  readonly budget: number;
  /** Rules that have no answer, since they ask for too much or for what is not implemented: each once. */
  readonly leftOut: readonly LeftOutRule[];
}

/** Runs all rules of a schema over a value, in the order in which the API server does. */
export function evaluateSchemaRules(evaluation: Evaluation): EvaluationResult {
  const { schema, value, old, spot, isRoot, version } = evaluation;
  const run: Run = {
    version,
    errors: [],
    warnings: [],
    budget: evaluation.budget ?? objectCostLimit,
    spent: 0,
    hasOrders: false,
    skipped: fileWorkDone(),
    leftOut: new Map(),
    watch: evaluation.watch,
  };
  const node = ruleNode(schema, isRoot, version);
  const began = beginWork();
  try {
    const top = { value, old: old ?? null, spot, ratchet: { current: evaluation.correlation } };
    if (node) partially(hasUnknown(value) || hasUnknown(top.old), () => visit(run, node, top));
  } finally {
    endWork(began);
    addWork(run.spent);
  }
  const { errors, warnings, budget, leftOut } = run;
  return { errors, warnings, budget, leftOut: [...leftOut.values()] };
}

interface Run {
  readonly version: KubernetesVersion;
  readonly errors: RuleFinding[];
  readonly warnings: RuleWarning[];
  budget: number;
  /** What its evaluations cost, also where that was too much. */
  spent: number;
  /** Rules stand below several fields of one map, which Go takes in any order. */
  hasOrders: boolean;
  /** Why no rule is evaluated, if none is. */
  readonly skipped: string | undefined;
  readonly leftOut: Map<ValidationRule, LeftOutRule>;
  readonly watch: Evaluation['watch'];
}

/** The correlation at a place, or at the nearest place above that has one. */
interface Ratchet {
  readonly current?: Correlation | undefined;
  readonly nearest?: Correlation | undefined;
}

interface At {
  readonly value: Value;
  readonly old: Value;
  readonly spot: FieldPath;
  readonly ratchet: Ratchet;
}

function visit(run: Run, node: RuleNode, at: At): void {
  if (at.value === null || isUnknown(at.value)) return;
  evaluateNode(run, node, at);
  if (run.budget < 0) return;
  if (isList(at.value)) visitItems(run, node, at.value, at);
  else if (isMap(at.value)) visitFields(run, node, at.value, at);
}

function visitItems(run: Run, node: RuleNode, items: readonly Value[], at: At): void {
  if (!node.items) return;
  const before = correlatedItems(node.schema, at.old);
  for (const [i, value] of items.entries()) {
    const ratchet = at.ratchet.current ? below(at.ratchet, at.ratchet.current.index(i)) : at.ratchet;
    visit(run, node.items, { value, old: before(value) ?? null, spot: index(at.spot, i), ratchet });
    if (run.budget < 0) return;
  }
}

function visitFields(run: Run, node: RuleNode, fields: ValueMap, at: At): void {
  const { mapType } = node.schema.extensions;
  const correlates = mapType === undefined || mapType === 'granular' || mapType === 'atomic';
  const old = correlates && isMap(at.old) ? at.old : undefined;
  const visitField = (into: RuleNode, name: string, value: Value, spot: FieldPath) =>
    visit(run, into, { value, old: old?.get(name) ?? null, spot, ratchet: ratchetOf(at.ratchet, name) });
  run.hasOrders ||= severalVisited(node, fields);
  if (node.values) {
    for (const [name, value] of fields) {
      visitField(node.values, name, value, key(at.spot, name));
      if (run.budget < 0) return;
    }
  }
  for (const [name, value] of fields) {
    const property = node.property(name);
    if (property) visitField(property, name, value, child(at.spot, name));
    if (run.budget < 0) return;
  }
}

function severalVisited(node: RuleNode, fields: ValueMap): boolean {
  let visited = 0;
  for (const [name, value] of fields) {
    if (value !== null && (node.values || node.property(name))) visited++;
    if (visited > 1) return true;
  }
  return false;
}

function ratchetOf(ratchet: Ratchet, name: string): Ratchet {
  if (!ratchet.current) return ratchet;
  if (!ratchet.nearest && (name === 'apiVersion' || name === 'kind')) return {};
  return below(ratchet, ratchet.current.key(name));
}

function below(ratchet: Ratchet, next: Correlation | undefined): Ratchet {
  return { current: next, nearest: ratchet.current };
}

function isForgiven({ current, nearest }: Ratchet): boolean {
  return (current ?? nearest)?.unchanged() ?? false;
}

// One node

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

function evaluateNode(run: Run, node: RuleNode, at: At): void {
  const { schema } = node;
  if (node.problem !== undefined) {
    report(run, node, at, undefined, `rule compiler initialization error: ${node.problem}`, 'compile');
    return;
  }
  if (node.rules.length === 0) return;
  if (run.budget <= 0) {
    stop(run, node, at, undefined, outOfBudget);
    return;
  }
  // The old value is made only where some rule of the node asks for it.
  const old = node.rules.some((rule) => rule.usesOldSelf) ? at.old : null;
  const variables = ruleVariables({ schema, isRoot: node.isRoot, value: at.value, old }, run.version);
  for (const [i, rule] of node.rules.entries()) {
    evaluateRule(run, node, at, { rule, index: i }, variables);
    if (run.budget < 0) return;
  }
}

interface RuleAt {
  readonly rule: CompiledRule;
  readonly index: number;
}

function evaluateRule(run: Run, node: RuleNode, at: At, ruleAt: RuleAt, variables: RuleVariables): void {
  const { rule } = ruleAt;
  if (rule.error) {
    report(run, node, at, ruleAt, `rule compile error: ${rule.error.detail}`, 'compile');
    return;
  }
  if (rule.unsupported !== undefined) leaveOut(run, at, ruleAt, rule.unsupported);
  if (!rule.program) return;
  const optionally = rule.rule.optionalOldSelf === true;
  if (rule.usesOldSelf && at.old === null && !optionally) return;
  if (run.skipped !== undefined) {
    leaveOut(run, at, ruleAt, run.skipped);
    return;
  }
  const { schema, isRoot } = node;
  const judged = { schema, isRoot, rule: rule.rule, value: at.value, old: rule.usesOldSelf ? at.old : null };
  run.watch?.(judged, () => pathOf(at.spot));
  takeMet();
  const outcome = rule.program.evaluate(lookup(variables, optionally), callCostLimit);
  const isOpen = takeMet();
  if ('unsupported' in outcome) {
    leaveOut(run, at, ruleAt, outcome.unsupported);
    return;
  }
  run.spent += Math.min(Number(outcome.cost), callCostLimit);
  if (outcome.cost > run.budget) {
    stop(run, node, at, ruleAt, outOfBudget);
    return;
  }
  run.budget -= Number(outcome.cost);
  // Nobody can tell yet what the rule will say.
  if (isError(outcome.value) && isOpen) return;
  if (isError(outcome.value)) evaluationFailed(run, node, at, ruleAt, outcome.value.message);
  else if (outcome.value !== true) ruleFailed(run, node, at, ruleAt, lookup(variables, false));
}

/** Nothing is known of the rule: neither that it holds nor that it does not. */
function leaveOut(run: Run, { spot }: At, { rule, index }: RuleAt, why: string): void {
  if (run.leftOut.has(rule.rule)) return;
  run.leftOut.set(rule.rule, { rule: rule.rule, index, self: pathOf(spot), why });
}

function evaluationFailed(run: Run, node: RuleNode, at: At, ruleAt: RuleAt, message: string): void {
  const name = ruleName(ruleAt.rule.rule);
  if (message.startsWith('no such overload')) {
    const detail = `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
    report(run, node, at, ruleAt, detail, 'error');
  } else if (message.startsWith('operation cancelled: actual cost limit exceeded')) {
    const detail = `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`;
    stop(run, node, at, ruleAt, detail);
  } else report(run, node, at, ruleAt, `${message} evaluating rule: ${name}`, 'error', asideOf(message));
}

/** CEL knows errors by their words. */
function asideOf(message: string): Aside {
  const missingKey = /^no such key: (\S{1,300})$/.exec(message)?.[1];
  const isOfBase64 = message.includes('illegal base64');
  return { ...(missingKey !== undefined && { missingKey }), ...(isOfBase64 && { isOfBase64 }) };
}

function ruleName(rule: ValidationRule): string {
  return trimSpace(rule.message === '' ? rule.rule : rule.message);
}

/** An error about a rule rather than about the value, which shows the type that the schema declares. */
function report(
  run: Run,
  node: RuleNode,
  at: At,
  ruleAt: RuleAt | undefined,
  detail: string,
  kind: RuleFacts['kind'],
  aside?: Aside,
): void {
  const what = { ...about(at, ruleAt, kind, detail), ...(aside && { aside }) };
  run.errors.push(invalid(at.spot, node.schema.type, detail, run.version, what));
}

function stop(run: Run, node: RuleNode, at: At, ruleAt: RuleAt | undefined, detail: string): void {
  run.errors.push(invalid(at.spot, node.schema.type, detail, run.version, aboutEnd(run, at, ruleAt, 'budget', detail)));
  run.budget = -1;
}

/** About what ends all rules. */
function aboutEnd(run: Run, at: At, ruleAt: RuleAt | undefined, kind: RuleFacts['kind'], detail: string): AboutRule {
  const what = about(at, ruleAt, kind, detail);
  return run.hasOrders ? { ...what, facts: { ...what.facts, anywhere: true } } : what;
}

type AboutRule = About<'cr/rule', RuleFacts>;

function about(at: At, ruleAt: RuleAt | undefined, kind: RuleFacts['kind'], detail: string): AboutRule {
  const facts = ruleAt && { rule: ruleAt.rule.rule, index: ruleAt.index };
  return { code: 'cr/rule', facts: { ...facts, self: pathOf(at.spot), kind, detail } };
}

// Rules that are false

function ruleFailed(
  run: Run,
  node: RuleNode,
  at: At,
  ruleAt: RuleAt,
  variable: (name: string) => Val | undefined,
): void {
  const { rule } = ruleAt;
  const spot = fieldPath(node, at.spot, rule.rule);
  const add = (finding: RuleFinding) => {
    if (rule.usesOldSelf || !isForgiven(at.ratchet)) run.errors.push(finding);
    // Of what is not known nobody can tell whether it is unchanged.
    else if (!isPartial())
      run.warnings.push({ ...finding, code: 'cr/rule-unchanged', message: `${finding.field}: ${finding.message}` });
  };
  const message = rule.messageProgram ? messageOf(run, at, ruleAt, rule.messageProgram, variable) : undefined;
  if (message && 'ends' in message) {
    add(invalid(spot, node.schema.type, message.ends, run.version, aboutEnd(run, at, ruleAt, 'message', message.ends)));
    run.budget = -1;
    return;
  }
  const detail = message?.text ?? plainMessage(rule.rule);
  add(failure(run, node, at, spot, detail, rule.rule.reason, about(at, ruleAt, 'failed', detail)));
}

function plainMessage(rule: ValidationRule): string {
  return rule.message === '' ? `failed rule: ${ruleName(rule)}` : trimSpace(rule.message);
}

/** The place that a rule's fieldPath names, below the value. */
function fieldPath(node: RuleNode, spot: FieldPath, rule: ValidationRule): FieldPath {
  if (rule.fieldPath === '') return spot;
  const resolved = resolveFieldPath(rule.fieldPath, node.schema, true);
  if (!('text' in resolved) || resolved.text === '') return spot;
  return child(spot, resolved.text, resolved.steps);
}

function failure(
  run: Run,
  node: RuleNode,
  at: At,
  spot: FieldPath,
  detail: string,
  reason: string | undefined,
  what: AboutRule,
): RuleFinding {
  const { version } = run;
  const { type } = node.schema;
  const shown: BadValue = type === 'object' || type === 'array' ? omitted : at.value;
  const value = version.ruleErrorsShowValues ? shown : type;
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(spot, detail, what);
    case 'FieldValueRequired':
      return required(spot, detail, what);
    case 'FieldValueDuplicate':
      return duplicate(spot, value, version, what);
    default:
      return invalid(spot, value, detail, version, what);
  }
}

/** The text that a message expression gives; nothing where it gives no good one; or the end of all evaluation. */
function messageOf(
  run: Run,
  at: At,
  ruleAt: RuleAt,
  program: Program,
  variable: (name: string) => Val | undefined,
): { readonly text: string | undefined } | { readonly ends: string } {
  const outcome = program.evaluate(variable, callCostLimit);
  if ('unsupported' in outcome) {
    leaveOut(run, at, ruleAt, outcome.unsupported);
    return { text: undefined };
  }
  run.spent += Math.min(Number(outcome.cost), callCostLimit);
  if (outcome.cost > run.budget) {
    const ends =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    return { ends };
  }
  if (outcome.exceeded) {
    const expression = quote(ruleAt.rule.rule.messageExpression);
    return {
      ends: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`,
    };
  }
  run.budget -= Number(outcome.cost);
  if (typeof outcome.value !== 'string') return { text: undefined };
  const text = trimSpace(outcome.value);
  const bad = text === '' || text.includes('\n') || byteLength(text) > messageBytes;
  return { text: bad ? undefined : text };
}
