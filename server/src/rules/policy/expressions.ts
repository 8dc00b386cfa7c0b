import type { PolicyFacts } from '../../kubernetes/policy/findings.ts';
import { family } from '../model/rule.ts';

const policy = (validation: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas.example.com
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - ${validation}
`;

export const policyRules = family<PolicyFacts>()({
  'policy/expression': {
    title: 'An expression of a policy does not compile',
    explanation: `The API server compiles the expressions of admission policies, and the match conditions of webhooks,
when the object is created, and rejects it if one does not compile or has the wrong type. \`object\`, \`oldObject\` and
\`params\` can be anything there: whether they have a field shows only when the policy is used.`,
    bad: policy('expression: object.spec.replicas'),
    good: policy('expression: object.spec.replicas <= 5'),
  },
  'policy/expression-missing': {
    title: 'A policy is missing an expression',
    explanation: 'The API server rejects a policy or webhook with a condition that has no expression, or an empty one.',
    bad: policy("expression: ' '"),
    good: policy('expression: object.spec.replicas <= 5'),
  },
});
