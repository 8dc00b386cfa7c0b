import type { Value } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertItem, insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { choices, fixOf, lastStep, mapIn, removal, valueIn } from '../fixing/fixes.ts';
import { firstEqual, relatedAt } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

/** A webhook's configuration with one part of it written out. */
const webhook = (client: string, reviews = '[v1]') => `#- use: spec
conversion:
  strategy: Webhook
  webhook:
    clientConfig:
      ${client}
    conversionReviewVersions: ${reviews}
`;

const service = 'service: {namespace: widgets, name: converter, path: /convert}';
const right = webhook(service);

/** One configuration and the one that replaces it. */
function caBundle(old: string, changed: string): string {
  return `${webhook(old)}---\n${webhook(changed).replace(/^.*\n/, '')}`;
}

export const conversionRules = family<CrdFacts>()({
  'crd/conversion-strategy': {
    title: 'The conversion strategy is neither None nor Webhook',
    explanation: `\`None\`, the default, changes only \`apiVersion\` when an object is read in another version.
\`Webhook\` calls a service of yours. No other value is allowed, and the value is case-sensitive.`,
    bad: `#- use: spec
conversion:
  strategy: none
`,
    good: `#- use: spec
conversion:
  strategy: None
`,
    fixes: (problem) => strategyChoices(problem),
  },
  'crd/conversion-preserve-unknown-fields': {
    title: 'A conversion webhook is not allowed with preserveUnknownFields: true',
    explanation: `A webhook may return anything, and with \`spec.preserveUnknownFields: true\` nothing would be pruned
from its answer. Remove \`preserveUnknownFields\`; every \`v1\` schema prunes.`,
    bad: `#- use: spec
preserveUnknownFields: true
conversion:
  strategy: Webhook
  webhook:
    clientConfig:
      ${service}
    conversionReviewVersions: [v1]
`,
    along: ['crd/preserve-unknown-fields-true'],
    good: right,
    fixes: (problem) => {
      const path = [...(problem.manifest?.at ?? []), 'spec', 'preserveUnknownFields'];
      return fixOf('Remove `preserveUnknownFields`', removeAt(problem.document, path), true);
    },
    related: (problem) => {
      const path = [...(problem.manifest?.at ?? []), 'spec', 'preserveUnknownFields'];
      return [relatedAt(problem, path, 'this setting turns pruning off')];
    },
  },
  'crd/webhook-client-config-missing': {
    title: 'The conversion webhook has no address',
    explanation: `With \`strategy: Webhook\` the API server has to know where to send requests:
\`webhook.clientConfig\` names a service in the cluster, or a URL outside of it.`,
    bad: `#- use: spec
conversion:
  strategy: Webhook
  webhook:
    conversionReviewVersions: [v1]
`,
    good: right,
  },
  'crd/webhook-url-or-service': {
    title: 'A webhook needs either a URL or a service, not both',
    explanation: `\`clientConfig.service\` is for a webhook that runs in the cluster, \`clientConfig.url\` for one
outside. Set exactly one of them; if both were set, the API server would have to guess.`,
    bad: webhook('caBundle: ""'),
    good: right,
    fixes: (problem) => {
      if (!problem.facts.both) return [];
      const remove = (key: string) => removeAt(problem.document, [...problem.path, key]);
      return ['url', 'service'].flatMap((key) => fixOf(`Remove \`${key}\``, remove(key), false));
    },
  },
  'crd/webhook-url': {
    title: 'The webhook URL is not one that the API server can call',
    explanation: `The URL has the form \`https://host[:port][/path]\`. It must use HTTPS and must not contain a user, a
query or a fragment. For a service inside the cluster use \`service\` instead of a URL.`,
    bad: webhook('url: http://converter.example.com/convert'),
    good: webhook('url: https://converter.example.com/convert'),
    fixes: urlFixes,
  },
  'crd/webhook-service-required': {
    addedByCrossplane: true,
    title: 'The webhook service has no name or no namespace',
    explanation: `A CRD is not in a namespace, so the service needs both \`service.namespace\` and \`service.name\`. In
all versions so far the API server's message confuses the two; the marked place shows what is really missing.`,
    bad: webhook('service: {name: converter}'),
    good: webhook('service: {name: converter, namespace: widgets}'),
  },
  'crd/webhook-service-port': {
    title: 'The webhook port is out of range',
    explanation: 'A port is a number from 1 to 65535. If you leave it out, it is 443.',
    bad: webhook('service: {namespace: widgets, name: converter, port: 70000}'),
    good: webhook('service: {namespace: widgets, name: converter, port: 8443}'),
    fixes: removal(false),
  },
  'crd/webhook-service-path': {
    title: 'The webhook path is not valid',
    explanation: `\`service.path\` starts with \`/\`, and each segment consists of lower-case letters, digits, \`-\`
and \`.\`. Empty segments, queries and upper-case letters are rejected.`,
    bad: webhook('service: {namespace: widgets, name: converter, path: /Convert}'),
    good: right,
    fixes: pathFixes,
  },
  'crd/webhook-ca-bundle': {
    title: 'The CA bundle contains no valid certificate',
    explanation: `\`caBundle\` is one or more PEM certificates in base64. A new CRD may have an invalid bundle, but
once the CRD is established with a valid one, it cannot be replaced by an invalid one. If cert-manager or a similar
tool fills in the bundle, leave it out of the manifest. What is inside a certificate is not checked here.`,
    onUpdate: true,
    bad: caBundle(service, `caBundle: bm90IGEgY2VydGlmaWNhdGU=\n      ${service}`),
    good: caBundle(service, service),
    fixes: removal(false),
  },
  'crd/review-versions-required': {
    title: 'conversionReviewVersions is missing',
    explanation: `\`conversionReviewVersions\` lists the versions of \`ConversionReview\` that the webhook understands,
in order of preference. Today that is \`[v1]\`.`,
    bad: webhook(service, '[]'),
    good: right,
    fixes: reviewFixes,
  },
  'crd/review-version-duplicate': {
    title: 'A ConversionReview version is listed twice',
    explanation: 'The list says which versions the webhook understands. Each needs to be listed only once.',
    bad: webhook(service, '[v1, v1]'),
    good: right,
    fixes: (problem) => fixOf('Remove the duplicate', removeAt(problem.document, problem.path), true),
    related: firstEqual,
  },
  'crd/review-version-name': {
    title: 'A ConversionReview version is not a valid name',
    explanation: `The entries are versions such as \`v1\` or \`v1beta1\`: lower-case letters, digits and \`-\`,
starting with a letter, without a group.`,
    bad: webhook(service, '[v1, V2]'),
    good: right,
    fixes: (problem) => fixOf('Remove the version', removeAt(problem.document, problem.path), false),
  },
  'crd/review-version-unknown': {
    title: 'The webhook supports no ConversionReview version that the API server knows',
    explanation: `The API server sends \`ConversionReview\` in \`v1\` or \`v1beta1\`. At least one of them must be in
the list, or no object could ever be converted. These are versions of the review, not of your kind.`,
    bad: webhook(service, '[v2]'),
    good: webhook(service, '[v1, v2]'),
    fixes: reviewFixes,
  },
  'crd/conversion-not-webhook': {
    title: 'A webhook is configured, but the strategy is None',
    explanation: `The webhook would never be called, because only \`strategy: Webhook\` calls it. Either the strategy
should be \`Webhook\`, or the \`webhook\` block is a leftover.`,
    bad: `#- use: spec
conversion:
  strategy: None
  webhook:
    conversionReviewVersions: [v1]
`,
    good: `#- use: spec
conversion:
  strategy: None
`,
    fixes: strategyFixes,
  },
});

function urlFixes(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const https = `https://${written.replace(/^\w+:\/\//, '').replace(/[?#].*/s, '')}`;
  if (https === written) return [];
  return fixOf(`Change to \`${https}\``, setValue(problem.document, problem.path, https), false);
}

function pathFixes(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const path = `/${written.toLowerCase().split('/').filter(Boolean).join('/')}`;
  if (path === written || !/^[a-z0-9./-]*$/.test(path)) return [];
  return fixOf(`Change to \`${path}\``, setValue(problem.document, problem.path, path), false);
}

const reviewVersions = 'conversionReviewVersions';

function reviewFixes(
  problem: ProblemOf<CrdFacts, 'crd/review-versions-required' | 'crd/review-version-unknown'>,
): Fix[] {
  const { document, path } = problem;
  const newest = problem.facts.recognized[0]!;
  const at = path.lastIndexOf('webhook');
  if (at === -1) return [];
  const list = [...path.slice(0, at + 1), reviewVersions];
  const written: Value | undefined = valueIn(problem, list);
  if (written === undefined) {
    const edits = insertKey(document, list.slice(0, -1), reviewVersions, [newest]);
    return fixOf(`Add \`conversionReviewVersions: [${newest}]\``, edits, true);
  }
  return fixOf(`Add \`${newest}\``, insertItem(document, list, newest, { first: true }), true);
}

function strategyFixes(problem: Problem): Fix[] {
  const { document, path } = problem;
  const conversion = path.slice(0, path.lastIndexOf('conversion') + 1);
  if (mapIn(problem, conversion) === undefined) return [];
  const toWebhook = setValue(document, [...conversion, 'strategy'], 'Webhook');
  return [
    ...fixOf('Remove `webhook`', removeAt(document, [...conversion, 'webhook']), false),
    ...(isComplete(problem, conversion) ? fixOf('Change the strategy to `Webhook`', toWebhook, false) : []),
  ];
}

/** Only a complete webhook can be asked. */
function isComplete(problem: Problem, conversion: Problem['path']): boolean {
  const webhook = mapIn(problem, [...conversion, 'webhook']);
  return ['clientConfig', reviewVersions].every((key) => webhook?.has(key));
}

function strategyChoices(problem: ProblemOf<CrdFacts, 'crd/conversion-strategy'>): Fix[] {
  if (lastStep(problem) !== 'strategy') return [];
  const conversion = problem.path.slice(0, -1);
  const { supported } = problem.facts;
  return choices(problem, isComplete(problem, conversion) ? supported : supported.filter((one) => one !== 'Webhook'));
}
