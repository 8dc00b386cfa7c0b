import type { ValueMap } from '../../base/value.ts';
import { child, type FieldPath, index, invalid, required } from '../field.ts';
import { goStrings } from '../goValue.ts';
import { dns1035Label, dns1123Subdomain } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateWebhookService, validateWebhookUrl } from '../webhook.ts';
import type { Admission } from './context.ts';
import { mapOf, mapsOf, pointedText, repeatsOf, textOf, textsOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validateLabelSelector } from './labelSelector.ts';
import { sameConditions, validateMatchConditions } from './matchConditions.ts';
import { reinvocationPolicies } from './mutatingPolicy.ts';
import { failurePolicies } from './policyStart.ts';
import { matchPolicies, missing, oneOf, twice, validateRule } from './resourceRules.ts';

const harmless = ['None', 'NoneOnDryRun'];
const sideEffects = [...harmless, 'Some', 'Unknown'];
const recognized = ['v1', 'v1beta1'];

/** What is asked of webhooks: an update asks no more than the stored ones could give. */
interface Demands {
  readonly uniqueNames: boolean;
  readonly noSideEffects: boolean;
  readonly recognizedVersion: boolean;
  readonly validSelectors: boolean;
  readonly conditions: boolean;
}

/** What the API server has against the webhooks of a configuration. */
export function validateWebhooks(hooks: readonly ValueMap[], spot: FieldPath, admission: Admission): PolicyFinding[] {
  const demands = demandsOf(hooks, admission);
  const names = hooks.map((hook) => textOf(hook, 'name'));
  const repeats = repeatsOf(names);
  return hooks.flatMap((hook, i) => {
    const at = index(spot, i);
    const isTwice = demands.uniqueNames && names[i] !== '' && repeats.has(i);
    return [
      ...webhook(hook, at, demands, admission),
      ...reviewVersions(textsOf(hook, 'admissionReviewVersions'), at, demands, admission.version),
      ...(isTwice ? [twice(child(at, 'name'), names[i]!, admission.version)] : []),
    ];
  });
}

function demandsOf(hooks: readonly ValueMap[], { old, version }: Admission): Demands {
  if (!old) {
    return {
      uniqueNames: true,
      noSideEffects: true,
      recognizedVersion: true,
      validSelectors: true,
      conditions: true,
    };
  }
  const before = mapsOf(old, 'webhooks');
  return {
    uniqueNames: new Set(before.map((hook) => textOf(hook, 'name'))).size === before.length,
    noSideEffects: before.every((hook) => harmless.includes(textOf(hook, 'sideEffects'))),
    recognizedVersion: before.every((hook) => {
      const versions = textsOf(hook, 'admissionReviewVersions');
      return versions.length === 0 || versions.some((name) => recognized.includes(name));
    }),
    validSelectors: before.every((hook) => selectors(hook, nowhere, false, version).length === 0),
    conditions: hooks.length !== before.length || hooks.some((hook, i) => !sameConditions(hook, before[i]!, true)),
  };
}

const nowhere: FieldPath = { parent: undefined, field: '', steps: [] };

function selectors(
  hook: ValueMap,
  spot: FieldPath,
  allowsInvalidValues: boolean,
  version: KubernetesVersion,
): PolicyFinding[] {
  return ['namespaceSelector', 'objectSelector'].flatMap((key) => {
    const selector = mapOf(hook, key);
    return selector ? validateLabelSelector(selector, child(spot, key), version, allowsInvalidValues) : [];
  });
}

function webhook(hook: ValueMap, spot: FieldPath, demands: Demands, admission: Admission): PolicyFinding[] {
  const { kind, version, judgeExpression } = admission;
  const rules = child(spot, 'rules');
  const isMutating = kind === 'MutatingWebhookConfiguration';
  return [
    ...webhookName(textOf(hook, 'name'), child(spot, 'name'), version),
    ...mapsOf(hook, 'rules').flatMap((rule, i) => validateRule(rule, index(rules, i), version)),
    ...oneOf(hook, 'failurePolicy', failurePolicies, spot, version),
    ...oneOf(hook, 'matchPolicy', matchPolicies, spot, version),
    ...effects(hook, spot, demands.noSideEffects ? harmless : sideEffects, version),
    ...timeout(hook, spot, version),
    ...selectors(hook, spot, !demands.validSelectors, version),
    ...(isMutating ? oneOf(hook, 'reinvocationPolicy', reinvocationPolicies, spot, version) : []),
    ...clientConfig(mapOf(hook, 'clientConfig'), child(spot, 'clientConfig'), version),
    ...(demands.conditions ? validateMatchConditions(hook, spot, version, judgeExpression) : []),
  ];
}

function webhookName(name: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (name === '') return [missing(spot, '')];
  const about = { code: 'policy/name' as const, facts: { name } };
  const wrong = dns1123Subdomain(name);
  if (wrong.length > 0) return [invalid(spot, name, wrong.join(','), version, about)];
  if (name.split('.').length >= 3) return [];
  const detail = 'should be a domain with at least three segments separated by dots';
  return [invalid(spot, name, detail, version, about)];
}

function effects(
  hook: ValueMap,
  spot: FieldPath,
  allowed: readonly string[],
  version: KubernetesVersion,
): PolicyFinding[] {
  if (pointedText(hook, 'sideEffects') !== undefined) return oneOf(hook, 'sideEffects', allowed, spot, version);
  return [missing(child(spot, 'sideEffects'), `must specify one of ${allowed.join(', ')}`, allowed)];
}

function timeout(hook: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const seconds = hook.get('timeoutSeconds') ?? null;
  if (typeof seconds !== 'bigint' || (seconds >= 1n && seconds <= 30n)) return [];
  const detail = 'the timeout value must be between 1 and 30 seconds';
  const about = { code: 'policy/webhook-timeout' as const };
  return [invalid(child(spot, 'timeoutSeconds'), seconds, detail, version, about)];
}

function clientConfig(client: ValueMap | undefined, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const url = pointedText(client, 'url');
  const service = mapOf(client, 'service');
  if ((url === undefined) === (service === undefined)) {
    const about = { code: 'policy/webhook-client' as const, facts: { both: url !== undefined } };
    const detail = 'exactly one of url or service is required';
    return [required(spot, detail, client ? { ...about, anchor: 'key' as const } : about)];
  }
  if (url !== undefined) {
    return validateWebhookUrl(url, child(spot, 'url'), version, () => ({ code: 'policy/webhook-url' as const }));
  }
  const about = { code: 'policy/webhook-service' as const };
  const port = service!.get('port') ?? 443n;
  return validateWebhookService(
    {
      name: textOf(service, 'name'),
      namespace: textOf(service, 'namespace'),
      path: textOf(service, 'path'),
      port: typeof port === 'bigint' ? port : 443n,
    },
    child(spot, 'service'),
    version,
    { missing: () => about, port: about, path: about },
  );
}

function reviewVersions(
  names: readonly string[],
  hook: FieldPath,
  { recognizedVersion }: Demands,
  version: KubernetesVersion,
): PolicyFinding[] {
  const spot = child(hook, 'admissionReviewVersions');
  if (names.length === 0) return [missing(spot, `must specify one of ${recognized.join(', ')}`, ['v1'], true)];
  const about = { code: 'policy/review-versions' as const, facts: { recognized } };
  const repeats = repeatsOf(names);
  const found = names.flatMap((name, i): PolicyFinding[] => {
    const at = index(spot, i);
    if (repeats.has(i)) return [invalid(at, name, 'duplicate version', version, about)];
    return dns1035Label(name).map((why) => invalid(at, name, why, version, about));
  });
  if (!recognizedVersion || names.some((name) => recognized.includes(name))) return found;
  const detail = `must include at least one of ${recognized.join(', ')}`;
  return [...found, invalid(spot, goStrings(names), detail, version, about)];
}
