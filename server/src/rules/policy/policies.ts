import { isList, isString, type Path } from '../../base/value.ts';
import type { PolicyFacts } from '../../kubernetes/policy/findings.ts';
import { removeAt, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, mapIn, putKey, removal, valueIn } from '../fixing/fixes.ts';
import { firstEqual } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';
import { binding, mutatingPolicy, policy, policyFor, validation } from './example.ts';

const rule = (fields: string) =>
  policyFor(`matchConstraints:
  resourceRules:
    - ${fields}
${validation}`);

const rightRule = rule('{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}');

const conditions = (...names: string[]) =>
  policy(`matchConditions:\n${names.map((name) => `  - {name: ${name}, expression: 'true'}\n`).join('')}${validation}`);

const message = (text: string) => policy(`${validation}    message: ${text}\n`);

const applied = `patchType: ApplyConfiguration
applyConfiguration:
  expression: 'Object{spec: Object.spec{replicas: 3}}'
`;

const params = (paramRef: string) => binding(`validationActions: [Deny]\nparamRef: ${paramRef}\n`);

export const policyRules = family<PolicyFacts>()({
  'policy/required': {
    ofMissing: true,
    meantInTests: true,
    title: 'A policy, binding or webhook is missing a field',
    explanation: `The API server fills in some fields and demands the others: a rule needs the operations and resources that it
covers, a policy what it matches, a binding its policy and what happens, and a webhook the reviews that it
understands and whether it has side effects.`,
    bad: rule('{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}'),
    good: rightRule,
    fixes: additions,
  },
  'policy/unsupported': {
    title: 'A value that the API server does not accept here',
    explanation: `The field accepts only the values that the message lists, spelled exactly like that.`,
    bad: rule('{apiGroups: [apps], apiVersions: [v1], operations: [create], resources: [deployments]}'),
    good: rightRule,
    fixes: (problem) => choices(problem, problem.facts.supported),
  },
  'policy/wildcard': {
    title: 'A wildcard is listed with something that it already includes',
    explanation: `\`*\` includes everything, so any other entry in the list is redundant, and the API server rejects it. \`*/*\` means all
resources with their subresources, \`pods/*\` the subresources of pods.`,
    bad: rule("{apiGroups: ['*', apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}"),
    good: rule("{apiGroups: ['*'], apiVersions: [v1], operations: [CREATE], resources: [deployments]}"),
    fixes: withoutOthers,
  },
  'policy/duplicate': {
    title: 'A name appears twice',
    explanation: `Conditions, annotations, webhooks and actions are identified by their names, so each name may appear only once.`,
    bad: conditions('is-large', 'is-large'),
    good: conditions('is-large', 'is-new'),
    fixes: otherName,
    related: firstEqual,
  },
  'policy/name': {
    title: 'A name of a policy, binding or webhook is not valid',
    explanation: `Conditions and annotations need qualified names such as \`example.com/is-large\`, variables need names that CEL can
read, webhooks need at least three parts separated by dots, and the name of a policy is a DNS name.`,
    bad: conditions("'is large'"),
    good: conditions('is-large'),
  },
  'policy/param-kind': {
    title: 'paramKind does not name a valid kind',
    explanation: `\`paramKind\` names the kind of the parameter objects: an \`apiVersion\` such as \`v1\` or \`rules.example.com/v1\`, and a
\`kind\`.`,
    bad: policy(`paramKind: {apiVersion: a/b/c, kind: ReplicaLimit}\n${validation}`),
    good: policy(`paramKind: {apiVersion: rules.example.com/v1, kind: ReplicaLimit}\n${validation}`),
  },
  'policy/param-ref': {
    title: 'paramRef needs either a name or a selector',
    explanation: `A binding uses either one parameter object, by its name, or all that match a selector. Set exactly one of the two.`,
    bad: params('{parameterNotFoundAction: Deny}'),
    good: params('{name: limits, parameterNotFoundAction: Deny}'),
  },
  'policy/selector': {
    title: 'A label selector is not valid',
    explanation: `Keys are qualified names; values have at most 63 letters, digits, \`-\`, \`_\` and \`.\`. \`In\` and \`NotIn\` need values,
\`Exists\` and \`DoesNotExist\` must not have any.`,
    bad: policyFor(`matchConstraints:
  objectSelector: {matchExpressions: [{key: app, operator: in, values: [web]}]}
  resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
${validation}`),
    good: policyFor(`matchConstraints:
  objectSelector: {matchExpressions: [{key: app, operator: In, values: [web]}]}
  resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
${validation}`),
    fixes: (problem) => (problem.facts.supported.length === 0 ? [] : choices(problem, problem.facts.supported)),
  },
  'policy/too-many': {
    title: 'A list has too many entries',
    explanation: `A policy or webhook may have at most 64 match conditions, and a policy at most 20 audit annotations.`,
    bad: conditions(...Array.from({ length: 65 }, (_, i) => `c${i}`)),
    good: conditions('is-large'),
  },
  'policy/message': {
    title: 'The message of a policy is not a single line',
    explanation: `A message is a single line that is not empty. Without one, the API server shows the expression. For several lines,
or for a text with values, use \`messageExpression\`.`,
    bad: message('"at most 5\\nreplicas"'),
    good: message('at most 5 replicas'),
    fixes: oneLine,
  },
  'policy/actions': {
    title: 'A binding both denies and warns',
    explanation: `With \`Deny\`, the message is already part of the answer: \`Warn\` would only repeat it.`,
    bad: binding('validationActions: [Deny, Warn]\n'),
    good: binding('validationActions: [Deny, Audit]\n'),
    fixes: ({ document, path, ...problem }) => {
      const actions = valueIn({ document, path, ...problem }, path);
      return ['Warn', 'Deny'].flatMap((action) => {
        const at = isList(actions) ? actions.indexOf(action) : -1;
        return at === -1 ? [] : fixOf(`Remove \`${action}\``, removeAt(document, [...path, at]), false);
      });
    },
  },
  'policy/nothing-to-do': {
    title: 'A policy checks nothing',
    explanation: `A ValidatingAdmissionPolicy needs at least one validation or audit annotation.`,
    bad: policy('failurePolicy: Fail\n'),
    good: policy(validation),
  },
  'policy/patch': {
    title: 'A mutation has a patch of a different type',
    explanation: `\`patchType\` says whether \`applyConfiguration\` or \`jsonPatch\` makes the change. The other one must not be set.`,
    bad: mutatingPolicy(`${applied}jsonPatch: {expression: '[JSONPatch{op: "remove", path: "/spec"}]'}\n`),
    good: mutatingPolicy(applied),
    fixes: removal(false),
  },
  'policy/static-name': {
    title: 'The name is reserved for policies in files of the API server',
    explanation: `An API server can read policies and webhooks from files when it starts. Names that end in \`.static.k8s.io\` are
reserved for those.`,
    bad: policy(validation, 'replicas.static.k8s.io'),
    good: policy(validation),
  },
  'policy/static-name-warning': {
    severity: 'warning',
    title: 'Later API servers reserve the name for policies in files',
    explanation: `The API server accepts the object with this warning. Since Kubernetes 1.37 it rejects new objects with such a name.`,
    bad: policy(validation, 'replicas.static.k8s.io'),
    good: policy(validation),
    notShown: 'The newest Kubernetes version refuses the name.',
  },
});

/** What is missing, with one of the values that it usually has. */
function additions(problem: ProblemOf<PolicyFacts, 'policy/required'>): Fix[] {
  const { choices: values, isList: inList } = problem.facts;
  const key = problem.missing?.[0];
  if (!isString(key) || !mapIn(problem, problem.path)) return [];
  const offered = inList && values.length > 0 ? [values] : values;
  return offered.flatMap((value) => {
    const text = isString(value) ? value : `[${value.map((one) => (one === '*' ? "'*'" : one)).join(', ')}]`;
    return fixOf(`Add \`${key}: ${text}\``, putKey(problem, problem.path, key, value), false);
  });
}

/** An item that a wildcard above includes goes; of a whole list, what the wildcard does not allow. */
function withoutOthers(problem: ProblemOf<PolicyFacts, 'policy/wildcard'>): Fix[] {
  const { document, path } = problem;
  const { wildcard } = problem.facts;
  if (typeof path.at(-1) === 'number') {
    return fixOf(`Remove \`${String(valueIn(problem, path))}\``, removeAt(document, path), true);
  }
  const names = valueIn(problem, path);
  if (!isList(names)) return [];
  const isResources = path.at(-1) === 'resources' && wildcard === '*';
  const left = names.filter((name) => name === wildcard || (isResources && isString(name) && name.includes('/')));
  return fixOf(`Keep \`${left.join(', ')}\``, setValue(document, path, [...new Set(left)]), false);
}

/** An item of a list of names goes, and something that has a name gets another. */
function otherName(problem: ProblemOf<PolicyFacts, 'policy/duplicate'>): Fix[] {
  const { document, path } = problem;
  if (typeof path.at(-1) === 'number') return fixOf('Remove the duplicate', removeAt(document, path), true);
  const taken = new Set(namesBeside(problem, path));
  const [first = '', ...rest] = problem.facts.name.split('.');
  for (let n = 2; ; n++) {
    const name = [`${first}-${n}`, ...rest].join('.');
    if (!taken.has(name)) return fixOf(`Rename to \`${name}\``, setValue(document, path, name), false);
  }
}

function namesBeside(problem: Problem, path: Path): string[] {
  const items = valueIn(problem, path.slice(0, -2));
  const names = isList(items) ? items.map((_, i) => valueIn(problem, [...path.slice(0, -2), i, path.at(-1)!])) : [];
  return names.filter(isString);
}

function oneLine(problem: ProblemOf<PolicyFacts, 'policy/message'>): Fix[] {
  const { document, path, facts } = problem;
  const text = facts.text.trim().replace(/\s+/g, ' ');
  if (text === '') return removal(true)(problem);
  return fixOf('Write the message in one line', setValue(document, path, text), true);
}
