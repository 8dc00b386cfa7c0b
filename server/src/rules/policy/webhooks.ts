import type { PolicyFacts } from '../../kubernetes/policy/findings.ts';
import { insertItem, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, removal } from '../fixing/fixes.ts';
import { family } from '../model/rule.ts';
import { webhook } from './example.ts';

export const webhookRules = family<PolicyFacts>()({
  'policy/webhook-client': {
    title: 'A webhook needs either a URL or a service',
    explanation: `\`clientConfig.service\` is for a webhook that runs in the cluster, \`clientConfig.url\` for one outside.
The API server wants exactly one of them.`,
    bad: webhook({ clientConfig: 'caBundle: ""' }),
    good: webhook(),
    fixes: ({ document, path, facts: { both } }) =>
      both
        ? ['url', 'service'].flatMap((key) => fixOf(`Remove \`${key}\``, removeAt(document, [...path, key]), false))
        : [],
  },
  'policy/webhook-url': {
    title: 'The URL of a webhook is not one that the API server can call',
    explanation: `The URL has the form \`https://host[:port][/path]\`, without a user, a query or a fragment. For a service in
the cluster use \`service\`.`,
    bad: webhook({ clientConfig: 'url: http://hooks.example.com' }),
    good: webhook({ clientConfig: 'url: https://hooks.example.com' }),
  },
  'policy/webhook-service': {
    title: 'The service of a webhook is not valid',
    explanation: `A service has a namespace and a name, a port from 1 to 65535, which is 443 without one, and a path that
begins with a slash. In all versions so far the API server's message confuses name and namespace; the marked place shows what
is really missing.`,
    bad: webhook({ clientConfig: 'service: {name: pods}' }),
    good: webhook(),
  },
  'policy/webhook-timeout': {
    title: 'A webhook may take 1 to 30 seconds',
    explanation: 'Each request waits for the webhook. Without `timeoutSeconds` it may take 10 seconds.',
    bad: webhook({ timeoutSeconds: '60' }),
    good: webhook({ timeoutSeconds: '5' }),
    fixes: (problem) => [
      ...fixOf('Change to `30`', setValue(problem.document, problem.path, 30n), false),
      ...removal(false)(problem),
    ],
  },
  'policy/review-versions': {
    title: 'The versions of AdmissionReview are not right',
    explanation: `\`admissionReviewVersions\` lists the versions of \`AdmissionReview\` that the webhook reads, each once. At
least one of \`v1\` and \`v1beta1\`, which the API server sends, has to be there.`,
    bad: webhook({ admissionReviewVersions: '[v2]' }),
    good: webhook({ admissionReviewVersions: '[v1, v2]' }),
    fixes: ({ document, path, facts: { recognized } }) =>
      typeof path.at(-1) === 'number'
        ? fixOf('Remove the version', removeAt(document, path), false)
        : fixOf(`Add \`${recognized[0]}\``, insertItem(document, path, recognized[0]!, { first: true }), true),
  },
  'policy/excluded-resource': {
    severity: 'warning',
    title: 'A rule of a webhook is for requests that never reach webhooks',
    explanation: `The API server sends this warning along: it never asks webhooks about reviews of tokens and of access, since
that could lock everybody out.`,
    bad: webhook({
      rules:
        '[{apiGroups: [authentication.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [tokenreviews]}]',
    }),
    good: webhook({ rules: "[{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]" }),
  },
});
