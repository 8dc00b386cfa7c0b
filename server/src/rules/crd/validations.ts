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
    title: 'An entry of x-kubernetes-validations has no rule',
    explanation: `Each entry is a \`rule\`, an expression in CEL that has to be true of the value, with an optional message.
An entry without one checks nothing.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- message: must be positive\n'),
    good: right,
    fixes: (problem) => fixOf('Remove the entry', removeAt(problem.document, entryOf(problem)), false),
  },
  'crd/rule-message': {
    title: 'A message of blanks, or of several lines',
    explanation: `The message is printed in one line behind the field's name. Without a message the API server prints the
rule itself. For words that depend on the value there is \`messageExpression\`.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  message: "must be\\npositive"\n'),
    good: rules('- rule: self > 0\n  message: must be positive\n'),
    fixes: oneLine,
  },
  'crd/rule-message-required': {
    title: 'A rule over several lines without a message',
    explanation: `Where there is no message, the rule itself is shown to whoever breaks it, and that works only in one line. Say
in words what is expected. (A folded block, \`>-\`, is one line for the API server.)`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: |-\n    self > 0 &&\n    self < 9\n'),
    good: rules('- rule: |-\n    self > 0 &&\n    self < 9\n  message: must be between 1 and 8\n'),
    fixes: messageFixes,
  },
  'crd/rule-message-expression-empty': {
    title: 'A message expression of blanks',
    explanation:
      '`messageExpression` is an expression in CEL that gives the message. Leave it out to have the fixed `message`.',
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  messageExpression: "  "\n'),
    good: right,
    fixes: removal(true),
  },
  'crd/rule-reason': {
    title: 'A reason that does not exist',
    explanation: `The reason tells programs what kind of mistake it was: \`FieldValueInvalid\`, which is the default,
\`FieldValueForbidden\`, \`FieldValueRequired\` or \`FieldValueDuplicate\`.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  reason: Invalid\n'),
    good: rules('- rule: self > 0\n  reason: FieldValueInvalid\n'),
    fixes: (problem) => choices(problem, problem.facts.supported),
  },
  'crd/rule-field-path': {
    title: 'The field path of a rule leads nowhere',
    explanation: `\`fieldPath\` says at which field a broken rule is reported, from the node of the rule: \`.name\` for a field below,
\`['some-name']\` where the name has a dash. The field must be declared in the schema; list items cannot be named.`,
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
    title: 'A rule that does not compile',
    explanation: `The expression is checked against the schema before the CRD is accepted: its syntax, the fields and functions that
it uses, and that their types fit. The message says what does not, and the marked part is where.

What surprises most: fields are reached with \`self.\`; integers and floating-point numbers are neither added nor compared
with \`==\` without \`double()\`; fields whose names are CEL's own words or hold dashes are escaped (\`self.__namespace__\`, \`self.my__dash__field\`);
below \`x-kubernetes-preserve-unknown-fields\` only declared fields exist for CEL; of metadata only \`name\` and \`generateName\` do; and the
rule has to give a boolean.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self.widht > 0\n', 'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n'),
    good: rules('- rule: self.width > 0\n', 'type: object\nrequired: [width]\nproperties:\n  width: {type: integer}\n'),
    fixes: expressionFixes,
  },
  'crd/rule-message-expression': {
    title: 'A message expression that does not compile',
    explanation: `\`messageExpression\` is CEL like the rule, sees the same \`self\`, and has to give a string: put what is no string into
\`string()\`. Should it fail at run time, \`message\` is used instead, so give both.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: self > 0\n  messageExpression: self\n'),
    good: rules('- rule: self > 0\n  messageExpression: string(self)\n'),
    fixes: expressionFixes,
  },
  'crd/rule-cost': {
    title: 'A rule that may cost too much',
    explanation: `Rules run on every write, so the API server estimates beforehand what each could cost at worst, and the worst is as
large as the schema allows. A list, map or string without a limit counts as the largest that fits into a request, and a rule in
the items of a list counts once for each item.

Say how much there can really be: \`maxItems\` for lists, \`maxProperties\` for maps, \`maxLength\` for strings, on the node that is
iterated over and on every list around. An \`enum\` or a format such as \`date\` limits a string, too. A loop inside a
loop is the usual culprit; a list of type \`map\` or \`set\` makes looking for duplicates needless.`,
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
    title: 'A message expression that may cost too much',
    explanation: `The message is computed under the same budget as a rule. Limits in the schema help here as well; a shorter message, too:
do not join a whole list into one.`,
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
    title: 'A rule that is a large part of a total that is too high',
    explanation: `The rules of a version have a budget together, ten times that of a single rule. This is one of up to four that
take most of it. Limits (\`maxItems\`, \`maxProperties\`, \`maxLength\`) where it iterates make it cheaper.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema\n${many(1200)}`,
    along: ['crd/rule-cost-total'],
    good: `#- use: schema\n${many(70)}`,
    fixes: totalCostFixes,
    related: whatIsLarge,
    slowRelated: true,
  },
  'crd/rule-cost-total': {
    title: 'All rules of the schema together may cost too much',
    explanation: `Each rule may be within its own budget, and still all rules of a version together exceed theirs, which is ten times as
much. The dearest are marked; lower the limits of the lists, maps and strings that they go over.`,
    marker: '+kubebuilder:validation:MaxItems=…, MaxLength=… or MaxProperties=…',
    bad: `#- use: schema\n${many(1200)}`,
    along: ['crd/rule-cost-contributes'],
    good: `#- use: schema\n${many(70)}`,
    fixes: totalCostFixes,
  },
  'crd/rule-type-info': {
    title: 'A rule where the schema has no type for CEL',
    explanation: `CEL has to know what \`self\` is. A node of any form (\`x-kubernetes-preserve-unknown-fields\` without a type) or an array
whose items have no type gives it nothing to go by. Give the node a type, or put the rule further up.`,
    marker: '+kubebuilder:validation:XValidation:…',
    bad: rules('- rule: "true"\n', 'x-kubernetes-preserve-unknown-fields: true\n'),
    good: rules('- rule: "true"\n', 'type: object\nx-kubernetes-preserve-unknown-fields: true\n'),
  },
  'crd/rule-old-self': {
    title: 'oldSelf where old and new values cannot be matched',
    explanation: `\`oldSelf\` is the value that was stored before. Below a list it is known only if the list is of type \`map\`, where
items are found again by their keys; in other lists nobody can say which old item belongs to which new one. Put the rule on the list
or above, or make the list a \`map\`.`,
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
    title: 'optionalOldSelf without oldSelf',
    explanation: `\`optionalOldSelf: true\` has a rule about \`oldSelf\` run on creation as well, when there is no old value yet. A rule
that never mentions \`oldSelf\` runs on creation anyway.`,
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
  // With one more list that is no map the items would still be lost.
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
  return list ? [relatedAt(problem, list, 'in this list nothing says which item was which')] : [];
}

function isScalar(schema: Value | undefined): boolean {
  const type = isMap(schema) ? schema.get('type') : undefined;
  return typeof type === 'string' && type !== 'object' && type !== 'array';
}
