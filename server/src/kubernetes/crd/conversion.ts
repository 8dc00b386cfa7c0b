import { append } from '../../base/append.ts';
import type { ServiceReference, WebhookClientConfig } from '../api/crd.ts';
import { bytes } from '../api/goTypes.ts';
import { child, type FieldPath, forbidden, index, invalid, notSupported, required } from '../field.ts';
import { goString, goStrings } from '../goValue.ts';
import { dns1035Label } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateWebhookService, validateWebhookUrl } from '../webhook.ts';
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

function webhookUrl(text: string, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  return validateWebhookUrl(text, spot, version, (part) =>
    part === undefined ? { code: 'crd/webhook-url' as const } : { code: 'crd/webhook-url' as const, facts: { part } },
  );
}

function webhookService(service: ServiceReference, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  return validateWebhookService(service, spot, version, {
    missing: (field) => ({ code: 'crd/webhook-service-required' as const, facts: { field } }),
    port: { code: 'crd/webhook-service-port' as const },
    path: { code: 'crd/webhook-service-path' as const },
  });
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
