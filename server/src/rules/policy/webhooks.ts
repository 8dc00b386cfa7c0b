import type { PolicyFacts } from '../../kubernetes/policy/findings.ts';
import { insertItem, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, removal } from '../fixing/fixes.ts';
import { family } from '../model/rule.ts';
import { webhook } from './example.ts';

export const webhookRules = family<PolicyFacts>()({
  'policy/webhook-client': {
    meantInTests: true,
    title: 'A webhook needs either a URL or a service',
    explanation: `\`clientConfig.service\` is for a webhook that runs in the cluster, \`clientConfig.url\` for one outside. Set exactly
one of them.`,
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
    explanation: `A service needs a namespace and a name; its port is a number from 1 to 65535 (443 by default), and its path begins
with a slash. In all versions so far the API server's message confuses name and namespace; the marked place shows
what is really missing.`,
    bad: webhook({ clientConfig: 'service: {name: pods}' }),
    good: webhook(),
  },
  'policy/webhook-timeout': {
    title: 'The timeout of a webhook is not between 1 and 30 seconds',
    explanation: `Every matching request waits for the webhook. Without \`timeoutSeconds\` it waits for up to 10 seconds.`,
    bad: webhook({ timeoutSeconds: '60' }),
    good: webhook({ timeoutSeconds: '5' }),
    fixes: (problem) => [
      ...fixOf('Change to `30`', setValue(problem.document, problem.path, 30n), false),
      ...removal(false)(problem),
    ],
  },
  'policy/review-versions': {
    title: 'admissionReviewVersions is missing or not valid',
    explanation: `\`admissionReviewVersions\` lists the versions of \`AdmissionReview\` that the webhook understands, each once. It must
include \`v1\` or \`v1beta1\`, the versions that the API server sends.`,
    bad: webhook({ admissionReviewVersions: '[v2]' }),
    good: webhook({ admissionReviewVersions: '[v1, v2]' }),
    fixes: ({ document, path, facts: { recognized } }) =>
      typeof path.at(-1) === 'number'
        ? fixOf('Remove the version', removeAt(document, path), false)
        : fixOf(`Add \`${recognized[0]}\``, insertItem(document, path, recognized[0]!, { first: true }), true),
  },
  'policy/excluded-resource': {
    severity: 'warning',
    title: 'A webhook has a rule for requests that never reach webhooks',
    explanation: `The API server accepts the webhook with this warning: it never calls webhooks for token reviews and access reviews,
because that could lock everybody out.`,
    bad: webhook({
      rules:
        '[{apiGroups: [authentication.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [tokenreviews]}]',
    }),
    good: webhook({ rules: "[{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]" }),
  },
});
