// Objects for the examples of rules: right, but for what a rule is about.

const indented = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

const match = `matchConstraints:
  resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [deployments]
`;

function object(kind: string, rest: string, name: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}
metadata:
  name: ${name}
${rest}`;
}

/** A policy with these fields in its spec, beside what it matches. */
export function policy(fields: string, name = 'replicas.example.com'): string {
  return policyFor(`${match}${fields}`, name);
}

export function policyFor(spec: string, name = 'replicas.example.com'): string {
  return object('ValidatingAdmissionPolicy', `spec:\n${indented(spec, 2)}`, name);
}

export function mutatingPolicy(mutation: string): string {
  const spec = `${match}reinvocationPolicy: Never\nmutations:\n  - ${indented(mutation, 4).trimStart()}`;
  return object('MutatingAdmissionPolicy', `spec:\n${indented(spec, 2)}`, 'replicas.example.com');
}

export function binding(fields: string): string {
  const spec = `policyName: replicas.example.com\n${fields}`;
  return object('ValidatingAdmissionPolicyBinding', `spec:\n${indented(spec, 2)}`, 'replicas.example.com');
}

const hookFields: Readonly<Record<string, string>> = {
  clientConfig: 'service: {namespace: hooks, name: pods}',
  sideEffects: 'None',
  admissionReviewVersions: '[v1]',
};

/** A webhook with these fields instead of what is usual. */
export function webhook(fields: Readonly<Record<string, string>> = {}): string {
  const rows = Object.entries({ ...hookFields, ...fields }).map(([key, value]) => `    ${key}: ${value}\n`);
  const rest = `webhooks:\n  - name: pods.hooks.example.com\n${rows.join('').replace(/: (\w+: )/g, ':\n      $1')}`;
  return object('ValidatingWebhookConfiguration', rest, 'pods.example.com');
}

export const validation = 'validations:\n  - expression: object.spec.replicas <= 5\n';
