import type { PolicyFacts, PolicyTypeFacts, TypeFacts } from '../../kubernetes/policy/findings.ts';
import { fixOf } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem } from '../model/rule.ts';
import { policy, validation } from './example.ts';

const expression = (text: string) => policy(`validations:\n  - expression: ${text}\n`);

const authentication = (rules: string) => `apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
  - issuer: {url: https://issuer.example.com, audiences: [cluster]}
    claimMappings:
      username: {claim: sub, prefix: ''}
    ${rules}
`;

const mapped = (username: string) => `apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
  - issuer: {url: https://issuer.example.com, audiences: [cluster]}
    claimMappings:
      username:
        expression: "${username}"
`;

const flux = (
  current: string,
  apiVersion = 'example.com/v1',
  kind = 'Widget',
) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization # kube-crd: ignore cr/unknown-kind
metadata:
  name: shop
spec:
  interval: 10m
  prune: true
  sourceRef: {kind: GitRepository, name: shop}
  healthCheckExprs:
    - apiVersion: ${apiVersion}
      kind: ${kind}
      current: "${current}"
`;

const devices = (expression: string) => `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu.example.com
spec:
  selectors:
    - cel:
        expression: >-
          ${expression}
`;

/** The fields that may have been meant. */
function nearFields({ document, range, facts }: Problem<string, TypeFacts>): Fix[] {
  const written = document.text.slice(range.start, range.end);
  if (!/^\w+$/.test(written)) return [];
  return facts.near.flatMap((name) => fixOf(`Change to \`${name}\``, [{ range, text: name }], facts.near.length === 1));
}

export const expressionRules = family<PolicyFacts & PolicyTypeFacts>()({
  'policy/expression': {
    title: 'An expression of a policy does not compile',
    explanation: `The API server compiles the expressions of admission policies, and the match conditions of webhooks,
when the object is created, and rejects it if one does not compile or has the wrong type. \`object\`, \`oldObject\` and
\`params\` can be anything there: whether they have a field shows only when the policy is used. An update compiles a stored
expression that it leaves as it is with all that the release has, a new one only with what the release before had too.`,
    bad: expression('object.spec.replicas'),
    good: policy(validation),
  },
  'policy/expression-missing': {
    title: 'A policy is missing an expression',
    explanation: 'The API server rejects a policy or webhook with a condition that has no expression, or an empty one.',
    bad: expression("' '"),
    good: policy(validation),
  },
  'policy/type-check': {
    severity: 'warning',
    title: 'An expression of a policy does not fit the kinds it is for',
    explanation: `The API server accepts the policy, and its expression fails when it is used: then \`failurePolicy\`
decides. The kinds that \`matchConstraints\` and \`paramKind\` name are known, from Kubernetes and from the CRDs of the
workspace, and an expression of \`validations\` is checked by them as the controller manager checks it some time after the
policy was created; what it finds is in \`status.typeChecking.expressionWarnings\`, where hardly anybody looks. Like it,
kube-crd leaves out rules with a wildcard as group or version, and takes at most ten kinds of one rule. Variables, match
conditions and audit annotations, which it does not look at, are checked here in the same way.

Type checking knows too little of some fields that are there when the policy runs, such as quantities; that is only an
information.`,
    bad: expression('object.spec.repl <= 5'),
    good: policy(validation),
    fixes: nearFields,
  },
  'policy/expression-repeated': {
    title: 'An expression stands twice in a list',
    explanation: `The API server does not start with such a file: the second one would never decide anything.`,
    bad: authentication(`userValidationRules:
      - {expression: "!user.username.startsWith('system:')", message: no system users}
      - {expression: "!user.username.startsWith('system:')", message: again}`),
    good: authentication(`userValidationRules:
      - {expression: "!user.username.startsWith('system:')", message: no system users}`),
  },
  'policy/expression-limit': {
    title: 'An expression is too long or costs too much',
    explanation: `A selector runs for every device of a cluster: the API server rejects it if it is longer than 10 KiB, or
if what it may cost, estimated as for the rules of a CRD, is over 1,000,000. The expression of an audit annotation has at
most 5 KiB.`,
    bad: devices(`device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d,
          device.attributes.all(e, a + b + c + d + e != 'x')))))`),
    good: devices("device.driver == 'gpu.example.com' && device.attributes['gpu.example.com'].model == 'x'"),
  },
  'policy/expression-email': {
    title: 'An email names a user and nobody asks whether it was verified',
    explanation: `Who issues tokens may let users write any email into them. The API server does not start with a file that
makes an email the name of a user, unless an expression reads \`claims.email_verified\`: that of the name, one of \`extra\`
or one of \`claimValidationRules\`.`,
    bad: mapped('claims.email'),
    good: mapped("claims.?email_verified.orValue(true) ? claims.email : ''"),
  },
  'policy/health-check': {
    severity: 'warning',
    title: 'A health check of Flux cannot be read',
    explanation: `The API server takes the object: \`healthCheckExprs\` are texts to it. Flux reads them when it applies the
object, and does not get any further with one that is no CEL. What an expression names it looks for only in the object
that is there then.`,
    bad: flux("status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'"),
    good: flux("status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"),
  },
  'policy/health-check-field': {
    severity: 'warning',
    title: 'A health check of Flux reads a field that the kind does not have',
    explanation: `Flux looks for what an expression names in the object that is there: with a field that never is, the
expression fails, or \`has()\` is never true, and the check waits until its time is over. The kind is the one that
\`apiVersion\` and \`kind\` name beside the expression, from Kubernetes and from the CRDs of the workspace. Types are not
compared: Flux takes values as they come.`,
    bad: flux("status.conditons.exists(c, c.type == 'Available')", 'apps/v1', 'Deployment'),
    good: flux("status.conditions.exists(c, c.type == 'Available')", 'apps/v1', 'Deployment'),
    fixes: nearFields,
  },
});
