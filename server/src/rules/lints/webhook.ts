import { isMap, valueAt } from '../../base/value.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { ProblemOf } from '../model/rule.ts';
import { type Found, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';

const configPath = ['spec', 'conversion', 'webhook', 'clientConfig'];

interface Service {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: bigint;
}

type WebhookFacts = {
  /** The service that the URL leads to, where it is one. */
  'lint/webhook-url': { readonly service: Service | undefined };
};

function lintWebhook({ manifest }: Linted): Found<WebhookFacts['lint/webhook-url']>[] {
  const url = valueAt(manifest.value, [...configPath, 'url']);
  if (typeof url !== 'string') return [];
  const [, host = '', port, path] = /^https:\/\/([^/:?#[\]]+|\[[^\]]*\])(?::(\d+))?(\/[^?#]*)?$/i.exec(url) ?? [];
  const service = serviceOf(host, port, path);
  const message = service
    ? `\`${host}\` is a service inside the cluster, and the API server does not resolve cluster names: use \`service\` instead of \`url\`.`
    : isLocal(host)
      ? `\`${host}\` is the machine that the API server itself runs on, and the webhook is not there.`
      : undefined;
  if (message === undefined) return [];
  return [{ message, at: [...configPath, 'url'], anchor: 'value', facts: { service } }];
}

const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i.test(host);

/** The service that a name such as `converter.widgets.svc.cluster.local` stands for. */
function serviceOf(host: string, port: string | undefined, path: string | undefined): Service | undefined {
  const [, name, namespace] = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.|$)/.exec(host) ?? [];
  if (name === undefined || namespace === undefined) return undefined;
  return {
    name,
    namespace,
    ...(path !== undefined && path !== '/' && { path }),
    ...(port !== undefined && port !== '443' && { port: BigInt(port) }),
  };
}

const webhook = (client: string) => `#- use: spec
conversion:
  strategy: Webhook
  webhook:
    clientConfig:
${client.replace(/^(?=.)/gm, '      ')}    conversionReviewVersions: [v1]
`;

export const webhookLints = lintFamily<WebhookFacts>()({
  'lint/webhook-url': {
    severity: 'warning',
    title: 'A conversion webhook has a host name that the API server cannot reach',
    explanation: `A URL is called from where the API server runs, using the name servers of that machine. Names such as
\`converter.widgets.svc\` are known only inside the cluster, and \`localhost\` is the API server itself. Then no object
of the kind can be read in another version, and deleting its namespace hangs. For a webhook in the cluster, name the
\`service\`; its certificate is checked against \`<name>.<namespace>.svc\`.`,
    bad: webhook('url: https://converter.widgets.svc:8443/convert\n'),
    good: webhook(`service:
  name: converter
  namespace: widgets
  path: /convert
  port: 8443
`),
    fixes: toService,
    restsOn: 'crd',
    check: lintWebhook,
  },
});

function toService(problem: ProblemOf<WebhookFacts, 'lint/webhook-url'>): Fix[] {
  const { service } = problem.facts;
  if (!service) return [];
  const { document, path, manifest } = problem;
  const config = path.slice(0, -1);
  const { name, namespace, path: at, port } = service;
  const value = new Map<string, string | bigint>([
    ['name', name],
    ['namespace', namespace],
    ...(at === undefined ? [] : [['path', at] as const]),
    ...(port === undefined ? [] : [['port', port] as const]),
  ]);
  const around = valueAt(manifest?.value, configPath);
  const alone = isMap(around) && around.size === 1;
  const edits = alone
    ? setValue(document, config, new Map([['service', value]]))
    : [...insertKey(document, config, 'service', value), ...removeAt(document, path)];
  return fixOf(`Call the service \`${namespace}/${name}\``, edits, true);
}
