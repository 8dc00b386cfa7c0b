import type { ValidationFacts } from '../../kubernetes/builtin/findings.ts';
import { setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, putKey, removal, valueIn } from '../fixing/fixes.ts';
import { nearestNames } from '../fixing/nearest.ts';
import { restoring } from '../fixing/restoring.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';

/** What is told of validation: what only repeats another error is left out. */
export type ToldFacts = Omit<ValidationFacts, 'builtin/follows'>;

interface Parts {
  readonly spec?: string;
  readonly labels?: string;
  readonly pod?: string;
  readonly container?: string;
}

const image = 'image: nginx';

/** A Deployment that is right but for the parts that are given. */
const deployment = ({ spec = 'replicas: 2', labels = '{app: web}', pod = '', container = image }: Parts) =>
  `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  ${spec}
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: ${labels}
    spec:
${pod === '' ? '' : `      ${pod}\n`}      containers:
        - name: web
${container === '' ? '' : `          ${container}\n`}`;

const right = deployment({});

const job = (restartPolicy: string) => `apiVersion: batch/v1
kind: Job
metadata:
  name: once
spec:
  template:
    spec:
${restartPolicy}      containers:
        - name: once
          image: perl
`;

const service = (port: string) => `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
    - ${port}
`;

const cronJob = (schedule: string) => `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: "${schedule}"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: nightly
              image: perl
`;

const mounted = (name: string) =>
  deployment({
    pod: 'volumes: [{name: data, emptyDir: {}}]',
    container: `${image}\n          volumeMounts: [{name: ${name}, mountPath: /data}]`,
  });

const resources = (rest: string) => deployment({ container: `${image}\n          resources: ${rest}` });

const environment = (rest: string) => deployment({ container: `${image}\n          env: ${rest}` });

const volume = (rest: string) => deployment({ pod: `volumes: [{name: data, ${rest}}]` });

export const builtinValidationRules = family<ToldFacts>()({
  'builtin/required': {
    meantInTests: true,
    ofMissing: true,
    ofWhole: true,
    title: 'A field that an object of the kind needs is missing',
    explanation: `The API server does not store an object of this kind without the field. An empty text, list or map counts as
missing.`,
    bad: deployment({ container: '' }),
    good: right,
  },
  'builtin/choose': {
    meantInTests: true,
    ofMissing: true,
    ofWhole: true,
    title: 'A field has to have one of a few values',
    explanation: `The API server needs one of these values here and takes none by itself: a Job has to say that its pods do not
start again for ever, for one.`,
    bad: job(''),
    good: job('      restartPolicy: Never\n'),
    fixes: chosen,
  },
  'builtin/invalid': {
    ofType: true,
    ofPair: true,
    title: 'A value that the kind does not allow',
    explanation: `The value has the right type, but the API server does not take it in this field: a number outside of its range, a
path that is not absolute, or a combination with another field that makes no sense.`,
    bad: deployment({ spec: 'replicas: -1' }),
    good: right,
  },
  'builtin/unsupported': {
    title: 'A value that is none of those to choose from',
    explanation: `The field has a few values to choose from, and this is none of them. Upper and lower case matter.`,
    bad: service('{port: 80, protocol: HTTP}'),
    good: service('{port: 80, protocol: TCP}'),
    fixes: (problem) => choices(problem, problem.facts.supported),
  },
  'builtin/forbidden': {
    ofPair: true,
    title: 'A field that may not be set here',
    explanation: `The kind has the field, but it may not be set in this place, or not beside others that are set.`,
    bad: deployment({ pod: 'activeDeadlineSeconds: 60' }),
    good: right,
    fixes: removal(false),
  },
  'builtin/duplicate': {
    title: 'The same name, port or item appears twice',
    explanation: `Items of this list are told apart by what is given twice here, and the API server takes each only once.`,
    bad: deployment({ pod: 'volumes: [{name: data, emptyDir: {}}, {name: data, emptyDir: {}}]' }),
    good: deployment({ pod: 'volumes: [{name: data, emptyDir: {}}]' }),
  },
  'builtin/too-long': {
    title: 'A text or a list that is too long',
    explanation: `The API server stores no longer ones in this field.`,
    bad: service(`{port: 80, name: web}\n${'  '.repeat(2)}- {port: 81, name: a, appProtocol: ${'a'.repeat(64)}}`),
    good: service('{port: 80, name: web, appProtocol: http}'),
    notShown: 'Few fields have a limit of their own, and an example would be nothing but length.',
  },
  'builtin/name': {
    ofForm: true,
    title: 'A name or label that is not written as it has to be',
    explanation: `Names of containers, volumes and ports, labels, and references to other objects have to be written as names
in Kubernetes are: most of them in lower-case letters, digits and \`-\`, beginning and ending with a letter or digit.`,
    bad: environment('[{name: "a=b", value: "1"}]'),
    good: environment('[{name: a, value: "1"}]'),
  },
  'builtin/port': {
    title: 'A port that is none',
    explanation: `A port is a number between 1 and 65535, or the name of a port of the container: at most 15 lower-case letters, digits
and \`-\`, with at least one letter.`,
    bad: service('port: 70000'),
    good: service('port: 7000'),
  },
  'builtin/one-of': {
    ofWhole: true,
    title: 'Not exactly one of several fields is set',
    explanation: `Of these fields just one may be set, such as the source of a volume or what a probe does.`,
    bad: volume('emptyDir: {}, configMap: {name: web}'),
    good: volume('emptyDir: {}'),
  },
  'builtin/selector': {
    ofMissing: true,
    ofWhole: true,
    title: 'The selector does not select the pods of the template',
    explanation: `A controller finds its pods by their labels. The API server rejects a selector that the labels of its own template do
not fit.`,
    bad: deployment({ labels: '{app: wbe}' }),
    good: right,
    fixes: labelled,
  },
  'builtin/no-such-name': {
    ofWhole: true,
    title: 'A name that nothing in the object has',
    explanation: `The name has to be that of a volume, a container or a claim of the same pod, and there is none.`,
    bad: mounted('dta'),
    good: mounted('data'),
    fixes: named,
  },
  'builtin/resources': {
    title: 'Resources that cannot be had',
    explanation: `A quantity may not be negative, a request may not be larger than its limit, and some resources come in whole
numbers, or need a limit that equals the request.`,
    bad: resources('{requests: {cpu: "2"}, limits: {cpu: "1"}}'),
    good: resources('{requests: {cpu: "1"}, limits: {cpu: "2"}}'),
  },
  'builtin/schedule': {
    title: 'A schedule that cannot be read',
    explanation: `A CronJob's schedule has five fields: minute, hour, day of the month, month and day of the week; or it is a word such
as \`@daily\`. A time zone belongs in \`timeZone\`.`,
    bad: cronJob('0 25 * * *'),
    good: cronJob('0 5 * * *'),
  },
  'builtin/immutable': {
    title: 'An update that changes what cannot be changed',
    explanation: `The API server lets no update change this field. To change it the object has to be deleted and created anew. It is
compared with what the commit has: see \`kubeCrd.compareWith\`.`,
    bad: deployment({ labels: '{app: web, tier: front}' }),
    good: right,
    notShown: 'It takes an object that a commit holds.',
    fixes: restoring,
  },
  'builtin/warning': {
    ofWarnings: true,
    meantInTests: true,
    severity: 'warning',
    title: 'What the API server warns of while it stores the object',
    explanation: `The API server takes the object and sends this warning along, which \`kubectl\` prints: something in it has no effect,
is deprecated, or is not what it looks like.`,
    bad: environment('[{name: MODE, value: a}, {name: MODE, value: b}]'),
    good: environment('[{name: MODE, value: b}]'),
  },
});

function chosen(problem: Problem<'builtin/choose', ValidationFacts['builtin/choose']>): Fix[] {
  const { path, facts, missing = [] } = problem;
  if (facts.isThere) return choices(problem, facts.choices);
  const [key] = missing;
  if (typeof key !== 'string') return [];
  return facts.choices.flatMap((value) => fixOf(`Add \`${key}: ${value}\``, putKey(problem, path, key, value), false));
}

/** The labels that the selector asks for, beside those that are there. */
function labelled(problem: Problem<'builtin/selector', ValidationFacts['builtin/selector']>): Fix[] {
  const { path, facts } = problem;
  if (facts.selector.size === 0 || lastStep(problem) !== 'labels') return [];
  const written = valueIn(problem, path);
  const labels = written instanceof Map ? new Map(written) : new Map();
  for (const [key, value] of facts.selector) labels.set(key, value);
  return fixOf('Give the template the labels of the selector', setValue(problem.document, path, labels), false);
}

function named(problem: Problem<'builtin/no-such-name', ValidationFacts['builtin/no-such-name']>): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const near = nearestNames(written, problem.facts.names);
  return near.flatMap((name) =>
    fixOf(`Change to \`${name}\``, setValue(problem.document, problem.path, name), near.length === 1),
  );
}
