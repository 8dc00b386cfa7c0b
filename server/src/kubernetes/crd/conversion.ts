import { append } from '../../base/append.ts';
import { parseUrl, type Url, userText } from '../../go/url.ts';
import type { ServiceReference, WebhookClientConfig } from '../api/crd.ts';
import { bytes } from '../api/goTypes.ts';
import { child, type FieldPath, forbidden, index, invalid, notSupported, required } from '../field.ts';
import { goString, goStrings } from '../goValue.ts';
import { dns1035Label, dns1123Subdomain } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { caBundleVerdict } from './caBundle.ts';
import type { CrdFinding } from './findings.ts';
import type { InternalSpec } from './internal.ts';
import type { CrdOptions } from './options.ts';

const strategies = ['None', 'Webhook'];

/** The places of the webhook's parts, which the API server reports without the document's `webhook`. */
function webhookSpots(spot: FieldPath): { client: FieldPath; reviewVersions: FieldPath } {
  return {
    client: child(spot, 'webhookClientConfig', ['webhook', 'clientConfig']),
    reviewVersions: child(spot, 'conversionReviewVersions', ['webhook', 'conversionReviewVersions']),
  };
}

export function validateConversion(spec: InternalSpec, spot: FieldPath, options: CrdOptions): CrdFinding[] {
  if (!spec.conversion) return [];
  const { strategy = '', webhook } = spec.conversion;
  const { version } = options;
  const found = preserving(spec, strategy, spot, version);
  append(found, strategyName(strategy, child(spot, 'strategy'), version));
  const { client, reviewVersions } = webhookSpots(spot);
  if (strategy === 'Webhook') {
    append(found, clientConfig(webhook?.clientConfig, client, options));
    append(found, reviews(webhook?.conversionReviewVersions ?? [], reviewVersions, options));
    return found;
  }
  const about = { code: 'crd/conversion-not-webhook' as const, facts: { strategy } };
  const detail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) found.push(forbidden(client, detail, about));
  if (webhook?.conversionReviewVersions?.length) found.push(forbidden(reviewVersions, detail, about));
  return found;
}

function preserving(spec: InternalSpec, strategy: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (strategy === 'None' || !spec.preserveUnknownFields) return [];
  const detail = 'must be None if spec.preserveUnknownFields is true';
  const about = { code: 'crd/conversion-preserve-unknown-fields' as const };
  return [invalid(child(spot, 'strategy'), goString(strategy), detail, version, about)];
}

function strategyName(strategy: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const about = { code: 'crd/conversion-strategy' as const, facts: { strategy, supported: strategies } };
  if (strategy === '') return [required(spot, '', about)];
  return strategies.includes(strategy) ? [] : [notSupported(spot, strategy, strategies, version, about)];
}

function clientConfig(client: WebhookClientConfig | undefined, spot: FieldPath, options: CrdOptions): CrdFinding[] {
  if (!client) {
    const detail = 'required when strategy is set to Webhook';
    return [required(spot, detail, { code: 'crd/webhook-client-config-missing' })];
  }
  const found = target(client, spot, options.version);
  if (client.caBundle?.length && !options.allowInvalidCaBundle) {
    const verdict = caBundleVerdict(client.caBundle);
    const about = { code: 'crd/webhook-ca-bundle' as const };
    if (typeof verdict === 'object') {
      const shown = bytes.print(client.caBundle);
      found.push(invalid(child(spot, 'caBundle'), shown, verdict.problem, options.version, about));
    }
  }
  return found;
}

function target(client: WebhookClientConfig, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    const about = { code: 'crd/webhook-url-or-service' as const, facts: { both: url !== undefined } };
    return [required(spot, 'exactly one of url or service is required', about)];
  }
  if (url !== undefined) return webhookUrl(url, child(spot, 'url'), version);
  return webhookService(service!, child(spot, 'service'), version);
}

const form = '; desired format: https://host[/path]';

function webhookUrl(text: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const parsed = parseUrl(text, version.strictUrlColons);
  if ('error' in parsed) {
    const about = { code: 'crd/webhook-url' as const, anchor: 'value' as const };
    return [required(spot, `url must be a valid URL: ${parsed.error}${form}`, about)];
  }
  return urlProblems(parsed.url).map(([value, detail]) =>
    invalid(spot, value, detail, version, { code: 'crd/webhook-url' as const, facts: { part: value } }),
  );
}

function urlProblems(url: Url): [string, string][] {
  const found: [string, string][] = [];
  if (url.scheme !== 'https') found.push([url.scheme, `'https' is the only allowed URL scheme${form}`]);
  if (url.host === '') found.push([url.host, `host must be specified${form}`]);
  if (url.user) found.push([userText(url.user), 'user information is not permitted in the URL']);
  if (url.fragment !== '') found.push([url.fragment, 'fragments are not permitted in the URL']);
  if (url.rawQuery !== '') found.push([url.rawQuery, 'query parameters are not permitted in the URL']);
  return found;
}

/** Name and namespace are swapped upstream: an empty name is reported as the namespace's fault and vice versa. */
function webhookService(service: ServiceReference, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const found: CrdFinding[] = [];
  const missing = (field: 'name' | 'namespace', absent: 'name' | 'namespace') => {
    const detail = version.omitsRepeatedField ? '' : `service ${field} is required`;
    const about = { code: 'crd/webhook-service-required' as const, facts: { field: absent } };
    found.push(required(child(spot, field, [absent]), detail, about));
  };
  if (!service.namespace) missing('name', 'namespace');
  if (!service.name) missing('namespace', 'name');
  const port = service.port ?? 0n;
  if (port < 1n || port > 65535n) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    found.push(invalid(child(spot, 'port'), port, detail, version, { code: 'crd/webhook-service-port' }));
  }
  const about = { code: 'crd/webhook-service-path' as const };
  const at = child(spot, 'path');
  for (const text of pathTexts(service.path ?? '')) found.push(invalid(at, service.path ?? '', text, version, about));
  return found;
}

function pathTexts(path: string): string[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return ['segment[0] may not be empty'];
  const texts = path.startsWith('/') ? [] : ["must start with a '/'"];
  // Upstream drops the first byte whatever it is, and one trailing slash.
  const rest = dropFirstByte(path).replace(/\/$/, '');
  rest.split('/').forEach((segment, i) => {
    if (segment === '') texts.push(`segment[${i}] may not be empty`);
    else
      append(
        texts,
        dns1123Subdomain(segment).map((text) => `segment[${i}]: ${text}`),
      );
  });
  return texts;
}

/** A first character of several bytes leaves some behind, which no name may hold. */
function dropFirstByte(path: string): string {
  return path.charCodeAt(0) < 0x80 ? path.slice(1) : `\ufffd${path.slice(1)}`;
}

const recognized = ['v1', 'v1beta1'];

export function hasRecognizedReviewVersion(versions: readonly string[]): boolean {
  return versions.some((name) => recognized.includes(name));
}

function reviews(versions: readonly string[], spot: FieldPath, options: CrdOptions): CrdFinding[] {
  const { version } = options;
  if (versions.length === 0)
    return [required(spot, '', { code: 'crd/review-versions-required', facts: { recognized } })];
  const found = versions.flatMap((name, i) => review(name, versions.indexOf(name) < i, index(spot, i), version));
  if (options.requireRecognizedReviewVersion && !hasRecognizedReviewVersion(versions)) {
    const detail = `must include at least one of ${recognized.join(', ')}`;
    const about = { code: 'crd/review-version-unknown' as const, facts: { recognized } };
    found.push(invalid(spot, goStrings(versions), detail, version, about));
  }
  return found;
}

function review(name: string, repeated: boolean, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (repeated) {
    return [
      invalid(spot, name, 'duplicate version', version, { code: 'crd/review-version-duplicate', facts: { name } }),
    ];
  }
  const about = { code: 'crd/review-version-name' as const, facts: { name } };
  return dns1035Label(name).map((text) => invalid(spot, name, text, version, about));
}
