import { memo } from '../../base/memo.ts';
import { findWord } from '../../base/text.ts';
import { multiplyU64 } from '../../base/u64.ts';
import { isList, type Path } from '../../base/value.ts';
import type { Expr } from '../../cel/ast.ts';
import { compile } from '../../cel/compile.ts';
import { boolType } from '../../cel/types.ts';
import { ruleCostLimit } from '../../kubernetes/bounds.ts';
import { schemaEnvironment } from '../../kubernetes/cel/environment.ts';
import { escapeName } from '../../kubernetes/cel/escape.ts';
import { type CompiledRule, schemaDeclType } from '../../kubernetes/cel/rules.ts';
import type { RuleNode } from '../../kubernetes/cel/ruleTree.ts';
import { kubernetesVersion, kubernetesVersions } from '../../kubernetes/releases/all.ts';
import { environmentName, isOlder, oldestFirst } from '../../kubernetes/releases/environments.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { insertItem, insertKey, setValue } from '../../yaml/edit.ts';
import { nodeAtPath } from '../../yaml/place.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { messageFixes } from '../crd/ruleMessage.ts';
import { fixOf, mapIn, valueIn } from '../fixing/fixes.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { neededFor, type OptionalField, refusesAbsence, unguarded } from './absence.ts';
import { type Found, lintFamily } from './lint.ts';
import {
  isAlwaysThere,
  itemsPlace,
  type Linted,
  lintPlace,
  propertyPlace,
  type SchemaPlace,
  schemaPath,
} from './linted.ts';
import { entryPath, type LintedRule } from './ruleWalk.ts';

// Fields that may be left out

interface Guard {
  readonly at: number;
  readonly text: string;
  /** What follows has to be put into parentheses, up to here. */
  readonly until: number | undefined;
}

/** Ways to ask for fields before they are read: what becomes of an object without them is for the author to say. */
interface GuardFacts {
  readonly names: readonly string[];
  /** The fields are read in a macro, of the items that it goes through. */
  readonly ofItems: boolean;
  /** The rule holds without the fields. */
  readonly accepting: readonly Guard[];
  /** The rule is broken without the fields, as it is now, but with its own message. */
  readonly rejecting: readonly Guard[];
}

type RuleLintFacts = {
  'lint/rule-optional-field': GuardFacts;
  'lint/transition-evaded': undefined;
  'lint/rule-cost-high': undefined;
  'lint/function-too-new': undefined;
  'lint/rule-message': undefined;
};

const usable = memo((rules: readonly CompiledRule[]): readonly CompiledRule[] =>
  rules.filter((rule) => rule.program && rule.compiled),
);

function lintOptionalFields(linted: Linted, at: LintedRule): Found<RuleLintFacts['lint/rule-optional-field']>[] {
  const { expr } = at.rule.compiled!;
  const fields = unguarded(expr, at.place).filter(({ steps }) => !isRefusedWithout(steps, at.node, at.place, at.rule));
  const [first] = fields;
  if (!first) return [];
  const names = [...new Set(fields.map(({ name }) => `\`${name}\``))];
  const optional = names.length === 1 ? 'the field is optional' : 'these fields are optional';
  const on = `objects ${withNeeded(fields, at)}without ${names.join(' or ')}`;
  const message = `Fails with "no such key" on ${on}: ${optional}, and the rule reads ${names.length === 1 ? 'it' : 'them'} without checking \`has()\`.`;
  const related = fields.map(({ steps, name }) => {
    const schema = [
      ...schemaPath(at.place),
      ...steps.flatMap((step) => (step === '[]' ? ['items'] : ['properties', step])),
    ];
    return { ...lintPlace(linted, schema), message: `${name} is optional` };
  });
  const ofItems = fields.every(({ within }) => within !== expr);
  const facts = { names, ofItems, ...guardsFor(fields, at) };
  const says = { unread: first.name };
  return [{ message, at: [...entryPath(at), 'rule'], anchor: 'value', part: first.read, facts, related, says }];
}

/** Whether another rule, on the same or on something further in that holds the field, refuses what lacks it. */
function isRefusedWithout(
  steps: readonly string[],
  node: RuleNode | undefined,
  place: SchemaPlace | undefined,
  own: CompiledRule,
): boolean {
  const [step, ...further] = steps;
  if (!node || !place || step === undefined) return false;
  const refuses = (rule: CompiledRule) => rule !== own && refusesAbsence(rule.compiled!.expr, place, steps);
  if (usable(node.rules).some(refuses)) return true;
  return step === '[]'
    ? isRefusedWithout(further, node.items, itemsPlace(place), own)
    : isRefusedWithout(further, node.property(step), propertyPlace(place, step), own);
}

/** Which fields an object has to have for the rule to fail: those that it asks for before it reads the others. */
function withNeeded(fields: readonly OptionalField[], { rule, place }: LintedRule): string {
  const needed = fields.map((field) => new Set(neededFor(rule.compiled!.expr, place, field)));
  const [first, ...others] = needed;
  const all = [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
  return all.length === 0 ? '' : `with ${all.map((name) => `\`${name}\``).join(' and ')} and `;
}

function guardsFor(
  fields: readonly OptionalField[],
  { rule }: LintedRule,
): Pick<GuardFacts, 'accepting' | 'rejecting'> {
  const { expr, text } = rule.compiled!;
  const places = [...new Set(fields.map(({ within }) => within))];
  // What is not a condition cannot be skipped.
  if (places.some(({ type }) => type !== boolType)) return { accepting: [], rejecting: [] };
  const of = (within: Expr) => fields.filter((field) => field.within === within);
  const accepting = places.map((within) => {
    const guards = of(within).map((field) => `!has(${field.text})`);
    const isWhole = within === expr;
    const end = isWhole ? text.trimEnd().length : within.end;
    const at = isWhole ? 0 : within.start;
    return { at, text: `${guards.join(' || ')} || `, until: isChoice(within) ? end : undefined };
  });
  // In an implication only the side that reads the fields may fail for want of them.
  const sides = places.flatMap((within) => conditionsOf(within).map((side) => ({ side, fields: of(within) })));
  const rejecting = sides.flatMap(({ side, fields: own }) => {
    const read = own.filter((field) => reads(side, field.text, text));
    if (read.length === 0) return [];
    const guards = read.map((field) => `has(${field.text})`);
    return [{ at: side.start, text: `${guards.join(' && ')} && `, until: isChoice(side) ? side.end : undefined }];
  });
  return { accepting, rejecting };
}

const isChoice = (expr: Expr) => expr.kind === 'call' && expr.name === '_?_:_';

/** The conditions that an expression combines by `&&` and `||`. */
function conditionsOf(expr: Expr): readonly Expr[] {
  const combines = expr.kind === 'call' && (expr.name === '_&&_' || expr.name === '_||_');
  return combines ? expr.args.flatMap(conditionsOf) : [expr];
}

/** Whether a part of an expression reads a field, and does more than ask for it. */
function reads({ start, end }: Expr, field: string, text: string): boolean {
  const escaped = field.replace(/[.$]/g, '\\$&');
  const asked = new RegExp(`has\\(\\s*${escaped}\\s*\\)`, 'g');
  return new RegExp(`(?<![\\w.])${escaped}(?!\\w)`).test(text.slice(start, end).replace(asked, ''));
}

function addGuards(problem: ProblemOf<RuleLintFacts, 'lint/rule-optional-field'>): Fix[] {
  const { names, accepting, rejecting } = problem.facts;
  const rule = valueIn(problem, problem.path);
  if (typeof rule !== 'string' || accepting.length === 0) return [];
  const fields = `${problem.facts.ofItems ? 'items' : 'objects'} without ${names.join(' or ')}`;
  const accept = fixOf(`Guard with \`has()\`: accept ${fields}`, guardEdits(problem, rule, accepting), false);
  const reject = fixOf(
    `Guard with \`has()\`: reject ${fields}`,
    rejecting.length === 0 ? [] : guardEdits(problem, rule, rejecting),
    false,
  );
  // A rule that asks for fields already says what it demands of the others.
  return /\bhas\(|\|\|/.test(rule) ? [...reject, ...accept] : [...accept, ...reject];
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Into the text as it is written, which may be a block of several lines; a plain scalar cannot start with `!`. */
function guardEdits({ document, path }: Problem, rule: string, guards: readonly Guard[]): TextEdit[] {
  const insertions = guards.flatMap(({ at, text, until }): Insertion[] =>
    until === undefined
      ? [{ at, text }]
      : [
          { at, text: `${text}(` },
          { at: until, text: ')' },
        ],
  );
  const map = scalarMap(document, path);
  const node = nodeAtPath(document, path)?.node;
  const startsPlain = node?.kind === 'scalar' && node.style === 'plain' && insertions.some(({ at }) => at === 0);
  if (!map || map.value !== rule || startsPlain) return setValue(document, path, inserted(rule, insertions));
  return insertions.map(({ at, text }) => {
    const place = at === 0 ? map.toText(0) : map.toTextEnd(at - 1);
    return { range: { start: place, end: place }, text };
  });
}

function inserted(rule: string, insertions: readonly Insertion[]): string {
  return [...insertions]
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: put }) => text.slice(0, at) + put + text.slice(at), rule);
}

// Rules about the change of a value that can be evaded

function lintTransition(_: Linted, at: LintedRule): Found<undefined>[] {
  const { rule, place } = at;
  const { name, parent } = place;
  if (!rule.usesOldSelf || rule.rule.optionalOldSelf || !parent || name === undefined || isAlwaysThere(place))
    return [];
  if (escapeName(name) === undefined || isAboutPresence(rule.rule.rule) || isGuardedAbove(parent, name)) return [];
  const message = `Removing \`${name}\` and adding it again bypasses this rule, which does not run without an old value.`;
  return [{ message, at: [...entryPath(at), 'rule'], anchor: 'value' }];
}

/** A rule that only asks whether old fields were set is itself the guard of others. */
function isAboutPresence(rule: string): boolean {
  return !/\boldSelf\b/.test(rule.replace(/has\(oldSelf\.[\w.]+\)/g, ''));
}

/** A rule further up that refers to the field and its old self is assumed to be deliberate. */
function isGuardedAbove(place: SchemaPlace | undefined, name: string): boolean {
  if (!place) return false;
  const escaped = escapeName(name)!;
  const speaks = ({ rule }: { rule: string }) => /\boldSelf\b/.test(rule) && findWord(rule, escaped) >= 0;
  return place.schema.extensions.validations.some(speaks) || isGuardedAbove(place.parent, name);
}

function parentRules(problem: Problem): Fix[] {
  const node = problem.path.slice(0, -3);
  const [name] = node.slice(-1);
  const escaped = escapeName(String(name));
  if (node.at(-2) !== 'properties' || escaped === undefined) return [];
  const add = (title: string, rule: string, message: string) => {
    const entry = new Map([
      ['rule', rule],
      ['message', message],
    ]);
    return fixOf(title, addRule(problem, node.slice(0, -2), entry), false);
  };
  const [before, now] = [`has(oldSelf.${escaped})`, `has(self.${escaped})`];
  return [
    ...add(
      `Add a rule above: \`${name}\` stays once it is set`,
      `!${before} || ${now}`,
      `${name} cannot be removed once it is set`,
    ),
    ...add(
      `Add a rule above: \`${name}\` is set on creation or never`,
      `${before} == ${now}`,
      `${name} can be neither added nor removed`,
    ),
  ];
}

const validations = 'x-kubernetes-validations';

function addRule(problem: Problem, node: Path, entry: ReadonlyMap<string, string>) {
  const { document } = problem;
  const written = mapIn(problem, node)?.get(validations);
  if (isList(written)) return insertItem(document, [...node, validations], entry);
  return insertKey(document, node, validations, [entry]);
}

// Costs

function lintCost(_: Linted, at: LintedRule): Found<undefined>[] {
  const { rule, occurs } = at;
  const cost = multiplyU64(rule.maxCost, occurs ?? rule.maxCardinality);
  if (cost <= ruleCostLimit / 2 || cost > ruleCostLimit) return [];
  const share = Math.round((Number(cost) * 100) / ruleCostLimit);
  const message = `The rule uses up to ${share}% of its cost budget: a small change of the schema, or a later Kubernetes version, could exceed it.`;
  return [{ message, at: [...entryPath(at), 'rule'], anchor: 'value' }];
}

// Functions that older servers do not know

function lintAge(linted: Linted, at: LintedRule): Found<undefined>[] {
  const oldest = linted.settings.minimumKubernetesVersion;
  const minimum = oldest === undefined ? undefined : kubernetesVersion(oldest);
  if (!minimum || !isOlder(minimum, linted.kubernetes)) return [];
  return (['rule', 'messageExpression'] as const).flatMap((keyword) => {
    const text = at.rule.rule[keyword];
    const now = keyword === 'rule' ? at.rule.compiled : at.rule.message;
    if (!now || now.problems.length > 0) return [];
    const before = compiledFor(at, text, minimum);
    const [problem] = before.syntax.length > 0 ? before.syntax : before.problems;
    if (!problem) return [];
    const first = oldestFirst(kubernetesVersions).find((version) => {
      return isOlder(minimum, version) && isFine(compiledFor(at, text, version));
    });
    const since = first ? ` It needs Kubernetes ${first.name} or newer.` : '';
    const message = `This does not compile on Kubernetes ${minimum.name}: ${problem.message.replace(" (in container '')", '')}.${since}`;
    const { start = problem.at, end = problem.at } = problem;
    return [{ message, at: [...entryPath(at), keyword], anchor: 'value' as const, part: { start, end } }];
  });
}

const isFine = ({ syntax, problems }: ReturnType<typeof compile>) => syntax.length === 0 && problems.length === 0;

/** The expression as a server of that version sees it when the CRD is created. */
function compiledFor({ place, rule }: LintedRule, text: string, version: KubernetesVersion) {
  const isRoot = !place.parent || place.schema.extensions.embeddedResource;
  const decl = schemaDeclType(place.schema, isRoot, version);
  const optional = rule.rule.optionalOldSelf === true;
  return compile(text, schemaEnvironment(version, environmentName(version, false), decl, optional).env);
}

// Messages

function lintMessage(_: Linted, at: LintedRule): Found<undefined>[] {
  const { rule } = at.rule;
  if (rule.message !== '' || rule.messageExpression !== '') return [];
  const message = 'Without a `message`, users see the rule itself.';
  return [{ message, at: [...entryPath(at), 'rule'], anchor: 'key' }];
}

const box = (properties: string, rules: string, required = '') => `#- use: schema
box:
  type: object
${required}  properties:
${properties.replace(/^(?=.)/gm, '    ')}  x-kubernetes-validations:
${rules.replace(/^(?=.)/gm, '    ')}`;

const sizes = 'least: {type: integer}\nmost: {type: integer}\n';
const message = '  message: least must not be above most\n';
const unguardedRule = `- rule: self.least <= self.most\n${message}`;
const guardedRule = `- rule: "!has(self.least) || !has(self.most) || self.least <= self.most"\n${message}`;

const immutable = (required: string) =>
  box(
    `color:
  type: string
  x-kubernetes-validations:
    - rule: self == oldSelf
      message: color cannot be changed
`,
    '',
    required,
  ).replace(/ {2}x-kubernetes-validations:\n$/, '');

/** A rule whose list has as many items. */
const costly = (maxItems: number) => `#- use: schema
parts:
  type: array
  maxItems: ${maxItems}
  items: {type: integer}
  x-kubernetes-validations:
    - rule: self.all(x, self.all(y, x == y))
      message: all parts must be the same
`;

const named = (rest: string) => `#- use: schema
size:
  type: integer
  x-kubernetes-validations:
    - rule: self > 0
${rest}`;

export const ruleLints = lintFamily<RuleLintFacts>()({
  'lint/rule-optional-field': {
    ofRule: true,
    severity: 'warning',
    title: 'A rule that fails on objects without an optional field',
    explanation: `A field that is not required and has no default may be missing, and a rule that reads it then fails
with \`no such key\`. The object is rejected, and the user sees neither the rule's message nor what is wrong with the
object. Check \`has(self.field)\` first, make the field required, or give it a default. A rule is reported only if it
is certain to fail, not if an earlier condition may prevent it from reading the field.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: box(sizes, unguardedRule),
    good: box(sizes, guardedRule),
    fixes: addGuards,
    restsOn: 'rule',
    check: lintOptionalFields,
  },
  'lint/transition-evaded': {
    severity: 'information',
    title: 'A transition rule on an optional field can be bypassed',
    explanation: `A rule with \`oldSelf\` runs only if the value existed before and still exists. If the field is
optional, one update can remove it and the next can add it with another value, and the rule never runs.
\`optionalOldSelf\` does not help: it makes the rule run when the field is added, but the rule cannot tell that from
the creation of the object. A rule on the parent object can: \`!has(oldSelf.color) || has(self.color)\` keeps a field
that is set, \`has(oldSelf.color) == has(self.color)\` also forbids adding it later.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: immutable(''),
    good: immutable('  required: [color]\n'),
    fixes: parentRules,
    restsOn: 'rule',
    check: lintTransition,
  },
  'lint/rule-cost-high': {
    severity: 'information',
    title: 'A rule uses more than half of its cost budget',
    explanation: `The estimated worst-case cost of a rule depends on the limits in the schema and on the Kubernetes
version. A rule this expensive is accepted today, but a higher \`maxItems\`, another list around it, or a different
estimate in a later release could get the CRD rejected. Lower the limits of what it goes through, or simplify the rule.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: costly(1300),
    good: costly(300),
    restsOn: 'rule',
    check: lintCost,
  },
  'lint/function-too-new': {
    severity: 'warning',
    title: 'A rule that the oldest Kubernetes version does not support',
    explanation: `\`kubeCrd.minimumKubernetesVersion\` is the oldest version that the CRD still has to work with.
Functions are added over time; on an older server the rule does not compile, and the CRD is rejected. A new function
can be used only one version after the one that introduced it, so that a server can be downgraded. Nothing is reported
while the setting is empty.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: named(''),
    notShown: 'it needs a minimum version in the settings',
    good: named('      message: must be positive\n'),
    restsOn: 'rule',
    check: lintAge,
  },
  'lint/rule-message': {
    severity: 'hint',
    title: 'A rule without a message',
    explanation: `If a rule without a message is broken, the API server answers \`failed rule:\` and the expression.
Say in words what is expected.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: named(''),
    good: named('      message: must be positive\n'),
    fixes: (problem) => messageFixes(problem),
    restsOn: 'rule',
    check: lintMessage,
  },
});
