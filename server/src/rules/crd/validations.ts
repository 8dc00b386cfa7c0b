import { onOneLine } from '../../base/text.ts';
import { isList, isMap, type Value } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, mapIn, removal, valueIn } from '../fixing/fixes.ts';
import { nearestSchema, relatedAt } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type RelatedProblem } from '../model/rule.ts';
import { costFixes, whatIsLarge } from './costFixes.ts';
import { expressionFixes } from './expressionFixes.ts';
import { entryOf, messageFixes } from './ruleMessage.ts';
import { totalCostFixes } from './totalCostFixes.ts';

const rules = (rows: string, node = 'type: integer\n') => `#- use: schema
size:
${`${node}x-kubernetes-validations:\n${rows.replace(/^(?=.)/gm, '  ')}`.replace(/^(?=.)/gm, '  ')}`;

const right = rules('- rule: self > 0\n');

/** Twenty fields whose rules each stay within their own budget and together exceed that of the schema. */
const many = (maxItems: number) =>
  [...'abcdefghijklmopqrstu']
    .map(
      (name) => `${name}:
  type: array
  maxItems: ${maxItems}
  items: {type: integer}
  x-kubernetes-validations:
    - rule: self.all(x, self.all(y, x <= y))
`,
    )
    .join('');

export const validationRules = family<CrdFacts>()({
  'crd/rule-empty': {
    isLate: true,
    title: 'An entry of x-kubernetes-validations has no rule',
    explanation: `Each entry has a \`rule\`, a CEL expression that must be true for the value, and optionally a
message. An entry without a rule checks nothing.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- message: must be positive\n'),
    good: right,
    fixes: (problem) => fixOf('Remove the entry', removeAt(problem.document, entryOf(problem)), false),
  },
  'crd/rule-message': {
    isLate: true,
    title: 'A message is blank or has line breaks',
    explanation: `The message is printed on one line after the field's name. Without a message the API server prints
the rule itself. If the text depends on the value, use \`messageExpression\`.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  message: "must be\\npositive"\n'),
    good: rules('- rule: self > 0\n  message: must be positive\n'),
    fixes: oneLine,
  },
  'crd/rule-message-required': {
    isLate: true,
    title: 'A multi-line rule has no message',
    explanation: `If there is no message, users who break the rule see the rule itself, which works only on one line.
Say in words what is expected. (A folded block, \`>-\`, is one line for the API server.)`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: |-\n    self > 0 &&\n    self < 9\n'),
    good: rules('- rule: |-\n    self > 0 &&\n    self < 9\n  message: must be between 1 and 8\n'),
    fixes: messageFixes,
  },
  'crd/rule-message-expression-empty': {
    isLate: true,
    title: 'A message expression is blank',
    explanation:
      '`messageExpression` is a CEL expression that computes the message. Leave it out to use the fixed `message`.',
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  messageExpression: "  "\n'),
    good: right,
    fixes: removal(true),
  },
  'crd/rule-reason': {
    isLate: true,
    title: 'A reason that does not exist',
    explanation: `The reason tells programs what kind of mistake it is: \`FieldValueInvalid\`, the default,
\`FieldValueForbidden\`, \`FieldValueRequired\` or \`FieldValueDuplicate\`.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  reason: Invalid\n'),
    good: rules('- rule: self > 0\n  reason: FieldValueInvalid\n'),
    fixes: (problem) => choices(problem, problem.facts.supported),
  },
  'crd/rule-field-path': {
    isLate: true,
    title: 'The fieldPath of a rule leads nowhere',
    explanation: `\`fieldPath\` says at which field a broken rule is reported, relative to the rule's node: \`.name\`
for a field below, \`['some-name']\` if the name has a dash. The field must be declared in the schema and cannot be
inside a list item.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules(
      '- {rule: self.width > 0, fieldPath: .widht}\n',
      'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n',
    ),
    good: rules(
      '- {rule: self.width > 0, fieldPath: .width}\n',
      'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n',
    ),
    fixes: fieldPathFixes,
  },
  'crd/rule-compile': {
    isLate: true,
    title: 'A rule does not compile',
    explanation: `The expression is checked against the schema before the CRD is accepted: its syntax, the fields and
functions that it uses, and their types. The message says what is wrong, and the marked part shows where.
Common surprises: fields are written with \`self.\`; integers and floating-point numbers cannot be added, or compared
with \`==\`, without \`double()\`; field names that are CEL keywords or contain dashes must be escaped
(\`self.__namespace__\`, \`self.my__dash__field\`); below \`x-kubernetes-preserve-unknown-fields\` CEL sees only
declared fields; of metadata it sees only \`name\` and \`generateName\`; and the result of a rule must be a boolean.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self.widht > 0\n', 'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n'),
    good: rules('- rule: self.width > 0\n', 'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n'),
    fixes: expressionFixes,
  },
  'crd/rule-message-expression': {
    isLate: true,
    title: 'A message expression does not compile',
    explanation: `\`messageExpression\` is CEL like the rule, sees the same \`self\`, and must return a string: use
\`string()\` to convert other values. If it fails at run time, \`message\` is used instead, so provide both.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  messageExpression: self\n'),
    good: rules('- rule: self > 0\n  messageExpression: string(self)\n'),
    fixes: expressionFixes,
  },
  'crd/rule-cost': {
    isLate: true,
    ofCost: true,
    title: 'A rule may cost too much',
    explanation: `Rules run on every write, so the API server estimates in advance how much each could cost in the
worst case that the schema allows. A list, map or string without a limit is assumed to be as large as fits into a
request, and a rule in the items of a list counts once for each item.
Set realistic limits: \`maxItems\` for lists, \`maxProperties\` for maps, \`maxLength\` for strings, on the node that
is iterated over and on every list around it. An \`enum\` or a format such as \`date\` limits a string, too. The usual
culprit is a loop inside a loop; in a list of type \`map\` or \`set\` there is no need to look for duplicates.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema
parts:
  type: array
  items:
    type: string
    maxLength: 10
  x-kubernetes-validations:
    - rule: self.all(x, self.all(y, x == y))
`,
    along: ['crd/rule-cost-total', 'crd/rule-cost-contributes'],
    good: `#- use: schema
parts:
  type: array
  maxItems: 20
  items:
    type: string
    maxLength: 10
  x-kubernetes-validations:
    - rule: self.all(x, self.all(y, x == y))
`,
    fixes: costFixes,
    related: whatIsLarge,
    slowRelated: true,
  },
  'crd/rule-message-expression-cost': {
    isLate: true,
    title: 'A message expression may cost too much',
    explanation: `The message has the same cost budget as a rule. Limits in the schema help here as well, and so does a
shorter message: do not join a whole list into one.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema
parts:
  type: array
  items: {type: string}
  x-kubernetes-validations:
    - rule: self.size() < 5
      messageExpression: "self.filter(x, self.exists(y, x == y)).size() > 5 ? 'a' : 'b'"
`,
    along: ['crd/rule-cost-total', 'crd/rule-cost-contributes'],
    good: `#- use: schema
parts:
  type: array
  items: {type: string}
  x-kubernetes-validations:
    - rule: self.size() < 5
      messageExpression: "self.size() > 9 ? 'far too many' : 'too many'"
`,
    fixes: (problem) => [...costFixes(problem), ...removal(false)(problem)],
    related: whatIsLarge,
    slowRelated: true,
  },
  'crd/rule-cost-contributes': {
    isLate: true,
    ofCost: true,
    title: 'A rule takes a large share of a total cost that is too high',
    explanation: `All rules of a version together have a budget of ten times that of a single rule. This is one of up
to four rules that use most of it. Limits (\`maxItems\`, \`maxProperties\`, \`maxLength\`) on what it iterates over
make it cheaper.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema\n${many(1200)}`,
    along: ['crd/rule-cost-total'],
    good: `#- use: schema\n${many(70)}`,
    fixes: totalCostFixes,
    related: whatIsLarge,
    slowRelated: true,
  },
  'crd/rule-cost-total': {
    isLate: true,
    title: 'All rules of the schema together may cost too much',
    explanation: `Even if each rule stays within its own budget, all rules of a version together can exceed theirs,
which is ten times as large. The most expensive ones are marked; lower the limits of the lists, maps and strings that
they go through. Where rules exceed their own budgets, and all of them would fit without that, it is a note.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema\n${many(1200)}`,
    along: ['crd/rule-cost-contributes'],
    good: `#- use: schema\n${many(70)}`,
    fixes: totalCostFixes,
  },
  'crd/rule-type-info': {
    isLate: true,
    title: 'A rule on a node that has no type for CEL',
    explanation: `CEL has to know the type of \`self\`. A node that can have any form
(\`x-kubernetes-preserve-unknown-fields\` without a type), or an array whose items have no type, does not provide one.
Give the node a type, or move the rule further up.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: "true"\n', 'x-kubernetes-preserve-unknown-fields: true\n'),
    good: rules('- rule: "true"\n', 'type: object\nx-kubernetes-preserve-unknown-fields: true\n'),
  },
  'crd/rule-old-self': {
    isLate: true,
    title: 'oldSelf is used where old and new values cannot be matched',
    explanation: `\`oldSelf\` is the previously stored value. Below a list it is known only if the list is of type
\`map\`, whose items can be matched by their keys; in other lists there is no way to tell which old item belongs to
which new one. Put the rule on the list or above it, or make the list a \`map\`.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: `#- use: schema
parts:
  type: array
  maxItems: 10
  items:
    type: integer
    x-kubernetes-validations:
      - rule: self >= oldSelf
`,
    good: `#- use: schema
parts:
  type: array
  maxItems: 10
  items:
    type: integer
  x-kubernetes-validations:
    - rule: self.size() >= oldSelf.size()
`,
    fixes: keyTheList,
    related: unkeyedList,
  },
  'crd/rule-optional-old-self': {
    isLate: true,
    title: 'optionalOldSelf is set on a rule that does not use oldSelf',
    explanation: `\`optionalOldSelf: true\` makes a rule about \`oldSelf\` run on creation as well, when there is no
old value yet. A rule that does not use \`oldSelf\` runs on creation anyway.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  optionalOldSelf: true\n'),
    good: rules('- rule: self > 0\n'),
    // A rule that does not compile may well be meant to use it.
    fixes: (problem) => removal(!String(mapIn(problem, entryOf(problem))?.get('rule')).includes('oldSelf'))(problem),
  },
});

function oneLine(problem: Problem): Fix[] {
  const message = String(valueIn(problem, problem.path) ?? '');
  const line = onOneLine(message.trim());
  if (line === '') return removal(true)(problem);
  return fixOf('Put the message on one line', setValue(problem.document, problem.path, line), true);
}

function fieldPathFixes(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  const node = problem.path.slice(0, problem.path.lastIndexOf('x-kubernetes-validations'));
  const properties = mapIn(problem, [...node, 'properties']);
  if (typeof written !== 'string' || !properties) return removal(false)(problem);
  const paths = [...properties.keys()].map((name) => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`));
  const near = choices(problem, paths).filter(({ safe }) => safe);
  return [...near, ...removal(false)(problem)];
}

const listType = 'x-kubernetes-list-type';

/** Makes the list around a rule one whose items are found again, by a field that is always there. */
function keyTheList(problem: Problem): Fix[] {
  const { document, path } = problem;
  const lists = path.flatMap((step, i) => (step === 'items' && path[i - 1] !== 'properties' ? [path.slice(0, i)] : []));
  // With one more list that is not a map the items would still be lost.
  const [node, more] = lists.filter((at) => mapIn(problem, at)?.get(listType) !== 'map');
  if (!node || more) return [];
  const list = mapIn(problem, node);
  const items = mapIn(problem, [...node, 'items']);
  const required = items?.get('required');
  const properties = items?.get('properties');
  if (list?.get('type') !== 'array' || !isList(required) || !isMap(properties)) return [];
  const keys = required.filter((name) => isScalar(properties.get(String(name))));
  return keys.flatMap((name) => {
    const edits = list.has(listType)
      ? setValue(document, [...node, listType], 'map')
      : insertKey(document, node, listType, 'map', { before: 'items' });
    const keyed = insertKey(document, node, 'x-kubernetes-list-map-keys', [name], { before: 'items' });
    return fixOf(`Make the list a map by \`${name}\``, [...edits, ...keyed], false);
  });
}

/** The list around that keeps old values from being found again. */
function unkeyedList(problem: Problem): RelatedProblem[] {
  const node = problem.path.slice(0, problem.path.lastIndexOf('x-kubernetes-validations'));
  const list = nearestSchema({ ...problem, path: node }, (schema, path) => {
    return schema.get('type') === 'array' && path.length < node.length && schema.get(listType) !== 'map';
  });
  return list ? [relatedAt(problem, list, 'in this list old and new items cannot be matched')] : [];
}

function isScalar(schema: Value | undefined): boolean {
  const type = isMap(schema) ? schema.get('type') : undefined;
  return typeof type === 'string' && type !== 'object' && type !== 'array';
}
