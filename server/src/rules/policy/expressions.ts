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
    ofWarnings: true,
    ofTypeChecking: true,
    severity: 'warning',
    title: 'An expression of a policy does not fit the kinds it is for',
    explanation: `The API server accepts the policy, but the expression fails when it runs, and then \`failurePolicy\` decides.
The kinds that \`matchConstraints\` and \`paramKind\` name are known, from Kubernetes and from the CRDs of the workspace, so
the expressions in \`validations\` are checked against them, just as the controller manager checks them some time after the
policy has been created; it writes its findings to \`status.typeChecking.expressionWarnings\`, where hardly anybody looks.
Like the controller manager, kube-crd skips rules with a wildcard as group or version, and takes at most ten kinds of one
rule. Variables, match conditions and audit annotations, which the controller manager skips, are checked in the same way.

For some fields, such as quantities, type checking knows less than what is there when the policy runs: those findings are
only information. So are those of a part that is never evaluated for a kind, since the policy asks for \`object.kind\` first, of
a field that \`has()\` or \`.?\` asks for and another kind has, and of values of two types that are put together or compared with
\`null\`: values have no types when the policy runs.`,
    bad: expression('object.spec.repl <= 5'),
    good: policy(validation),
    fixes: nearFields,
  },
  'policy/expression-repeated': {
    title: 'An expression appears twice in a list',
    explanation: `An API server does not start with such a file: the second expression would never decide anything.`,
    bad: authentication(`userValidationRules:
      - {expression: "!user.username.startsWith('system:')", message: no system users}
      - {expression: "!user.username.startsWith('system:')", message: again}`),
    good: authentication(`userValidationRules:
      - {expression: "!user.username.startsWith('system:')", message: no system users}`),
  },
  'policy/expression-limit': {
    title: 'An expression is too long or costs too much',
    explanation: `A selector runs for every device of a cluster. The API server rejects it if it is longer than 10 KiB, or if its
estimated cost, worked out as for the rules of a CRD, is over 1,000,000. The expression of an audit annotation may
have at most 5 KiB.`,
    bad: devices(`device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d,
          device.attributes.all(e, a + b + c + d + e != 'x')))))`),
    good: devices("device.driver == 'gpu.example.com' && device.attributes['gpu.example.com'].model == 'x'"),
  },
  'policy/expression-email': {
    title: 'Users are identified by an email that may not be verified',
    explanation: `A token issuer may let users enter any email address. If an email becomes the name of a user, the API server starts
only if some expression also reads \`claims.email_verified\`: the one for the name, one in \`extra\`, or one in
\`claimValidationRules\`.`,
    bad: mapped('claims.email'),
    good: mapped("claims.?email_verified.orValue(true) ? claims.email : ''"),
  },
  'policy/health-check': {
    severity: 'warning',
    title: 'A Flux health check cannot be read',
    explanation: `To the API server \`healthCheckExprs\` are just strings, so it accepts the object. Flux compiles them when it applies
the object, and stops at one that is not valid CEL. Which fields an expression may use depends on the object that
Flux finds.`,
    bad: flux("status.conditions.exists(c, c.type == 'Ready' && c.status == 'True'"),
    good: flux("status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"),
  },
  'policy/health-check-field': {
    severity: 'warning',
    title: 'A Flux health check reads a field that the kind does not have',
    explanation: `Flux evaluates the expression against the object in the cluster. If a field can never be there, the expression fails
or \`has()\` is never true, and the check waits until it times out. The kind is the one that \`apiVersion\` and \`kind\`
name beside the expression, looked up in Kubernetes and in the CRDs of the workspace. Types are not compared: Flux
takes values as they come.`,
    bad: flux("status.conditons.exists(c, c.type == 'Available')", 'apps/v1', 'Deployment'),
    good: flux("status.conditions.exists(c, c.type == 'Available')", 'apps/v1', 'Deployment'),
    fixes: nearFields,
  },
});
